// SPDX-License-Identifier: Apache-2.0 OR MIT
// This library as a contestant.
#include "bench_contestant.h"

#include <algorithm>
#include <cstring>

namespace cli {

const char *operation_text(Operation operation)
{
    switch (operation) {
    case Operation::Keygen:
        return "keygen";
    case Operation::Sign:
        return "sign";
    case Operation::Verify:
        return "verify";
    case Operation::PreparePublic:
        return "prepare public key";
    case Operation::PrepareSecret:
        return "prepare secret key";
    case Operation::SignPrepared:
        return "sign, prepared key";
    case Operation::VerifyPrepared:
        return "verify, prepared key";
    case Operation::Batch:
        return "batch, one of 64";
    }
    return "";
}

Messages::Messages(std::size_t message_bytes) : message_(message_bytes)
{
    for (std::size_t i = 0; i < message_bytes; i++)
        message_[i] = static_cast<std::uint8_t>(i * 167 + 13);
}

const std::vector<std::uint8_t> &Messages::of_round(std::uint64_t round)
{
    std::memcpy(message_.data(), &round, std::min(message_.size(), sizeof round));
    return message_;
}

namespace {

std::size_t largest_scratch(const moonbow_algorithm &algorithm, moonbow_mode mode)
{
    std::size_t bytes = std::max({moonbow_generate_scratch_bytes(algorithm.generator, mode),
                                  moonbow_sign_scratch_bytes(algorithm.signer, mode),
                                  moonbow_verify_scratch_bytes(algorithm.verifier, mode)});
    const moonbow_preparer *preparer = algorithm.preparer;
    if (!preparer)
        return bytes;
    bytes = std::max(bytes, moonbow_prepare_scratch_bytes(preparer, mode));
    if (const moonbow_signer *signer = moonbow_prepared_signer(preparer)) {
        bytes = std::max(bytes, moonbow_sign_scratch_bytes(signer, mode));
    }
    if (const moonbow_verifier *verifier = moonbow_prepared_verifier(preparer)) {
        bytes = std::max(bytes, moonbow_verify_scratch_bytes(verifier, mode));
    }
    return bytes;
}

const moonbow_verifier *quick_verifier(const moonbow_algorithm &algorithm)
{
    return algorithm.preparer ? moonbow_prepared_verifier(algorithm.preparer) : nullptr;
}

const moonbow_signer *quick_signer(const moonbow_algorithm &algorithm)
{
    return algorithm.preparer ? moonbow_prepared_signer(algorithm.preparer) : nullptr;
}

} // namespace

OurContestant::OurContestant(const moonbow_algorithm &algorithm, moonbow_mode mode)
    : algorithm_(algorithm), quick_verifier_(quick_verifier(algorithm)),
      quick_signer_(quick_signer(algorithm)), public_key_(algorithm.parameters->public_key_bytes),
      secret_key_(algorithm.parameters->secret_key_bytes),
      spare_public_key_(algorithm.parameters->public_key_bytes),
      spare_secret_key_(algorithm.parameters->secret_key_bytes),
      quick_public_key_(quick_verifier_ ? moonbow_verifier_parameters(quick_verifier_)->public_key_bytes : 0),
      quick_secret_key_(quick_signer_ ? moonbow_signer_parameters(quick_signer_)->secret_key_bytes : 0),
      signature_(algorithm.parameters->signature_bytes), scratch_(largest_scratch(algorithm, mode), mode),
      mode_(mode)
{
}

bool OurContestant::has(Operation operation) const
{
    switch (operation) {
    case Operation::PreparePublic:
    case Operation::VerifyPrepared:
        return quick_verifier_ != nullptr;
    case Operation::PrepareSecret:
    case Operation::SignPrepared:
        return quick_signer_ != nullptr;
    case Operation::Batch:
        return mode_ != MOONBOW_SMALL;
    default:
        return true;
    }
}

void OurContestant::set_up(Messages &messages)
{
    keygen();
    std::copy_n(spare_public_key_.data(), public_key_.size(), public_key_.data());
    std::copy_n(spare_secret_key_.data(), secret_key_.size(), secret_key_.data());
    if (quick_verifier_)
        prepare_public();
    if (quick_signer_)
        prepare_secret();
    signatures_.clear();
    for (std::uint64_t round = 0; round < signed_messages_len; round++) {
        sign(messages.of_round(round));
        signatures_.emplace_back(signature_.data(), signature_.data() + signature_.size());
    }
    if (has(Operation::Batch))
        set_up_batch(messages);
}

void OurContestant::set_up_batch(Messages &messages)
{
    batch_bytes_.clear();
    batch_bytes_.reserve(2 * batch_len);
    batch_.clear();
    for (std::uint64_t round = 0; round < batch_len; round++) {
        const auto &message = batch_bytes_.emplace_back(messages.of_round(round));
        if (round >= signatures_.size())
            sign(message);
        const auto &signature =
            round < signatures_.size()
                ? batch_bytes_.emplace_back(signatures_[round])
                : batch_bytes_.emplace_back(signature_.data(), signature_.data() + signature_.size());
        batch_.push_back({signature.data(), signature.size(), nullptr, 0, MOONBOW_OK});
    }
    for (std::size_t i = 0; i < batch_.size(); i++) {
        batch_[i].message = batch_bytes_[2 * i].data();
        batch_[i].message_bytes = batch_bytes_[2 * i].size();
    }
    batch_scratch_.emplace(moonbow_verify_batch_scratch_bytes(algorithm_.verifier, batch_len), MOONBOW_BATCH,
                           Contents::Public);
}

void OurContestant::perform(Operation operation, std::uint64_t round,
                            const std::vector<std::uint8_t> &message)
{
    switch (operation) {
    case Operation::Keygen:
        return keygen();
    case Operation::Sign:
        return sign(message);
    case Operation::Verify:
        return verify(round, message);
    case Operation::PreparePublic:
        return prepare_public();
    case Operation::PrepareSecret:
        return prepare_secret();
    case Operation::SignPrepared:
        return sign_prepared(message);
    case Operation::VerifyPrepared:
        return verify_prepared(round, message);
    case Operation::Batch:
        return verify_batch();
    }
}

// Always into the spare keys, so that signatures_ stay those of public_key_.
void OurContestant::keygen()
{
    require_ok(moonbow_generate(algorithm_.generator, spare_public_key_.data(), spare_public_key_.size(),
                                spare_secret_key_.data(), spare_secret_key_.size(), nullptr, scratch_.get()),
               "key generation");
}

void OurContestant::sign(const std::vector<std::uint8_t> &message)
{
    require_ok(moonbow_sign(algorithm_.signer, signature_.data(), signature_.size(), message.data(),
                            message.size(), secret_key_.data(), secret_key_.size(), nullptr, scratch_.get()),
               "signing");
}

void OurContestant::verify(std::uint64_t round, const std::vector<std::uint8_t> &message)
{
    const std::vector<std::uint8_t> &signature = signatures_.at(round % signed_messages_len);
    require_ok(moonbow_verify(algorithm_.verifier, signature.data(), signature.size(), message.data(),
                              message.size(), public_key_.data(), public_key_.size(), scratch_.get()),
               "verification");
}

void OurContestant::prepare_public()
{
    require_ok(moonbow_prepare_public_key(algorithm_.preparer, quick_public_key_.data(),
                                          quick_public_key_.size(), public_key_.data(), public_key_.size(),
                                          scratch_.get()),
               "preparing the public key");
}

void OurContestant::prepare_secret()
{
    require_ok(moonbow_prepare_secret_key(algorithm_.preparer, quick_secret_key_.data(),
                                          quick_secret_key_.size(), secret_key_.data(), secret_key_.size(),
                                          scratch_.get()),
               "preparing the secret key");
}

void OurContestant::sign_prepared(const std::vector<std::uint8_t> &message)
{
    require_ok(moonbow_sign(quick_signer_, signature_.data(), signature_.size(), message.data(),
                            message.size(), quick_secret_key_.data(), quick_secret_key_.size(), nullptr,
                            scratch_.get()),
               "signing with the prepared key");
}

void OurContestant::verify_prepared(std::uint64_t round, const std::vector<std::uint8_t> &message)
{
    const std::vector<std::uint8_t> &signature = signatures_.at(round % signed_messages_len);
    require_ok(moonbow_verify(quick_verifier_, signature.data(), signature.size(), message.data(),
                              message.size(), quick_public_key_.data(), quick_public_key_.size(),
                              scratch_.get()),
               "verification with the prepared key");
}

void OurContestant::verify_batch()
{
    require_ok(moonbow_verify_batch(algorithm_.verifier, batch_.data(), batch_.size(), public_key_.data(),
                                    public_key_.size(), batch_scratch_->get()),
               "verification of a batch");
}

} // namespace cli
