// SPDX-License-Identifier: Apache-2.0 OR MIT
// Signing and verifying streams with one key. With several messages to come, a seeded key is first
// rewritten into its quicker form (signature.h, "Prepared keys").
#pragma once

#include "keys.h"
#include "message_stream.h"

#include <optional>
#include <vector>

namespace cli {

// From this many messages on preparing a key is worth its time.
constexpr std::size_t messages_worth_preparing = 3;

class StreamSigner {
  public:
    // secret_key must outlive this.
    StreamSigner(const moonbow_key &secret_key, std::size_t messages_len);
    // Writes the signature of the rest of the message: signature_bytes of the algorithm.
    void sign(Memory &signature, MessageStream &message, Memory &buffer);

  private:
    const moonbow_signer *signer_;
    const std::uint8_t *key_;
    std::size_t key_bytes_;
    std::optional<Memory> prepared_;
    std::optional<Scratch> scratch_;
};

// A public key for so many messages: read by several threads at once.
class VerifyingKey {
  public:
    // public_key must outlive this.
    VerifyingKey(const moonbow_key &public_key, std::size_t messages_len);
    const moonbow_verifier &verifier() const
    {
        return *verifier_;
    }
    // Hands all of it to a verification; the status.
    int give_to(moonbow_verification *verification) const;

  private:
    const moonbow_verifier *verifier_;
    const std::uint8_t *key_;
    std::size_t key_bytes_;
    std::optional<Memory> prepared_;
};

// Verifies one message at a time.
class StreamVerifier {
  public:
    // public_key must outlive this.
    StreamVerifier(const moonbow_key &public_key, std::size_t messages_len);
    // Does the signature, of any length, belong to the rest of the message? The message is read to its end.
    bool verify(const std::uint8_t *signature, std::size_t signature_bytes, MessageStream &message,
                Memory &buffer);

  private:
    VerifyingKey key_;
    Scratch scratch_;
};

// Verifies several messages with one walk through the key.
class BatchVerifier {
  public:
    // key must outlive this.
    BatchVerifier(const VerifyingKey &key, std::size_t messages_most);
    ~BatchVerifier();
    BatchVerifier(const BatchVerifier &) = delete;
    BatchVerifier &operator=(const BatchVerifier &) = delete;

    // Reads the message to its end; at most messages_most of them. After a Failure it is as if not added.
    void add(const std::uint8_t *signature, std::size_t signature_bytes, MessageStream &message, Memory &buffer);
    // Which of the added ones have good signatures, in their order; then none is left.
    std::vector<bool> finish();

  private:
    const VerifyingKey &key_;
    std::size_t each_bytes_;
    Memory scratch_;
    std::vector<moonbow_verification *> added_; // the first leads
};

} // namespace cli
