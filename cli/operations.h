// SPDX-License-Identifier: Apache-2.0 OR MIT
// Signing and verifying streams with one key. With several messages to come, a seeded key is first
// rewritten into its quicker form (signature.h, "Prepared keys").
#pragma once

#include "keys.h"
#include "message_stream.h"

#include <optional>

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

class StreamVerifier {
  public:
    // public_key must outlive this.
    StreamVerifier(const moonbow_key &public_key, std::size_t messages_len);
    // Does the signature, of any length, belong to the rest of the message? The message is read to its end.
    bool verify(const std::uint8_t *signature, std::size_t signature_bytes, MessageStream &message,
                Memory &buffer);

  private:
    const moonbow_verifier *verifier_;
    const std::uint8_t *key_;
    std::size_t key_bytes_;
    std::optional<Memory> prepared_;
    std::optional<Scratch> scratch_;
};

} // namespace cli
