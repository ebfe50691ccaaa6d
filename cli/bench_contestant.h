// SPDX-License-Identifier: Apache-2.0 OR MIT
// Who is measured: an implementation of one algorithm that performs named operations round by round.
#pragma once

#include "keys.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

enum class Operation { Keygen, Sign, Verify, PreparePublic, PrepareSecret, SignPrepared, VerifyPrepared, Batch };

const char *operation_text(Operation operation);

// The messages of a run: their contents change from round to round, because signing is deterministic and
// its time depends on the message. A round's message is the same for every contestant.
class Messages {
  public:
    explicit Messages(std::size_t message_bytes);
    // The message of a round, valid until the next call.
    const std::vector<std::uint8_t> &of_round(std::uint64_t round);

  private:
    std::vector<std::uint8_t> message_;
};

// Verification goes round through this many signed messages.
constexpr std::uint64_t signed_messages_len = 32;

// Operation::Batch verifies so many signatures of different messages together; its figures are those of one.
constexpr std::uint64_t batch_len = 64;

// How many uses of an operation one call of it performs.
constexpr std::uint64_t uses_of(Operation operation)
{
    return operation == Operation::Batch ? batch_len : 1;
}

class Contestant {
  public:
    virtual ~Contestant() = default;
    virtual std::string name() const = 0;
    virtual bool has(Operation operation) const = 0;
    // Makes keys and signatures for the operation, untimed.
    virtual void set_up(Messages &messages) = 0;
    // Performs the operation once. Throws a Failure if it fails.
    virtual void perform(Operation operation, std::uint64_t round,
                         const std::vector<std::uint8_t> &message) = 0;
};

// This library.
class OurContestant : public Contestant {
  public:
    OurContestant(const moonbow_algorithm &algorithm, moonbow_mode mode);
    std::string name() const override
    {
        return "moonbow";
    }
    bool has(Operation operation) const override;
    void set_up(Messages &messages) override;
    void perform(Operation operation, std::uint64_t round, const std::vector<std::uint8_t> &message) override;

  private:
    void keygen();
    void sign(const std::vector<std::uint8_t> &message);
    void verify(std::uint64_t round, const std::vector<std::uint8_t> &message);
    void prepare_public();
    void prepare_secret();
    void sign_prepared(const std::vector<std::uint8_t> &message);
    void verify_prepared(std::uint64_t round, const std::vector<std::uint8_t> &message);
    void set_up_batch(Messages &messages);
    void verify_batch();

    const moonbow_algorithm &algorithm_;
    const moonbow_verifier *quick_verifier_;
    const moonbow_signer *quick_signer_;
    Memory public_key_, secret_key_, spare_public_key_, spare_secret_key_, quick_public_key_,
        quick_secret_key_;
    Memory signature_;
    std::vector<std::vector<std::uint8_t>> signatures_; // of the messages of the first rounds
    Scratch scratch_;                                   // enough for every operation
    moonbow_mode mode_;
    std::vector<std::vector<std::uint8_t>> batch_bytes_; // message, signature, message, ...
    std::vector<moonbow_batch_item> batch_;
    std::optional<Scratch> batch_scratch_;
};

} // namespace cli
