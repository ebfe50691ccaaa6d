// SPDX-License-Identifier: Apache-2.0 OR MIT
// Signing and verifying streams.
#include "operations.h"

namespace cli {

StreamSigner::StreamSigner(const moonbow_key &secret_key, std::size_t messages_len)
    : signer_(secret_key.algorithm->signer), key_(secret_key.bytes), key_bytes_(secret_key.bytes_len)
{
    const moonbow_preparer *preparer = secret_key.algorithm->preparer;
    const moonbow_signer *quicker = preparer ? moonbow_prepared_signer(preparer) : nullptr;
    if (quicker && messages_len >= messages_worth_preparing) {
        prepared_.emplace(moonbow_signer_parameters(quicker)->secret_key_bytes, Contents::Secret);
        const Scratch scratch(moonbow_prepare_scratch_bytes(preparer, MOONBOW_FAST), MOONBOW_FAST);
        require_ok(moonbow_prepare_secret_key(preparer, prepared_->data(), prepared_->size(), key_,
                                              key_bytes_, scratch.get()),
                   "preparing the secret key");
        signer_ = quicker;
        key_ = prepared_->data();
        key_bytes_ = prepared_->size();
    }
    scratch_.emplace(moonbow_sign_scratch_bytes(signer_, MOONBOW_FAST), MOONBOW_FAST);
}

void StreamSigner::sign(Memory &signature, MessageStream &message, Memory &buffer)
{
    moonbow_signing *signing = nullptr;
    require_ok(moonbow_sign_begin(&signing, signer_, scratch_->get()), message.name());
    try {
        message.for_each_piece(buffer, [&](const std::uint8_t *piece, std::size_t bytes) {
            require_ok(moonbow_sign_message(signing, piece, bytes), message.name());
        });
    } catch (...) {
        moonbow_sign_abort(signing);
        throw;
    }
    require_ok(moonbow_sign_finish(signing, signature.data(), signature.size(), key_, key_bytes_, nullptr),
               message.name());
}

VerifyingKey::VerifyingKey(const moonbow_key &public_key, std::size_t messages_len)
    : verifier_(public_key.algorithm->verifier), key_(public_key.bytes), key_bytes_(public_key.bytes_len)
{
    const moonbow_preparer *preparer = public_key.algorithm->preparer;
    const moonbow_verifier *quicker = preparer ? moonbow_prepared_verifier(preparer) : nullptr;
    if (quicker && messages_len >= messages_worth_preparing) {
        prepared_.emplace(moonbow_verifier_parameters(quicker)->public_key_bytes);
        const Scratch scratch(moonbow_prepare_scratch_bytes(preparer, MOONBOW_FAST), MOONBOW_FAST);
        require_ok(moonbow_prepare_public_key(preparer, prepared_->data(), prepared_->size(), key_,
                                              key_bytes_, scratch.get()),
                   "preparing the public key");
        verifier_ = quicker;
        key_ = prepared_->data();
        key_bytes_ = prepared_->size();
    }
}

int VerifyingKey::give_to(moonbow_verification *verification) const
{
    return moonbow_verify_key(verification, key_, key_bytes_);
}

namespace {

// Begins a verification and gives it the rest of the message; lets a Failure through after an abort.
moonbow_verification *begin(const VerifyingKey &key, const std::uint8_t *signature, std::size_t signature_bytes,
                            MessageStream &message, Memory &buffer, const moonbow_scratch &scratch)
{
    moonbow_verification *verification = nullptr;
    require_ok(moonbow_verify_begin(&verification, &key.verifier(), signature, signature_bytes, &scratch),
               message.name());
    try {
        message.for_each_piece(buffer, [&](const std::uint8_t *piece, std::size_t bytes) {
            require_ok(moonbow_verify_message(verification, piece, bytes), message.name());
        });
    } catch (...) {
        moonbow_verify_abort(verification);
        throw;
    }
    return verification;
}

// The verdict; a Failure if there is none.
bool finish(moonbow_verification *verification, const std::string &subject)
{
    const int status = moonbow_verify_finish(verification);
    if (status != MOONBOW_BAD_SIGNATURE)
        require_ok(status, subject);
    return status == MOONBOW_OK;
}

} // namespace

StreamVerifier::StreamVerifier(const moonbow_key &public_key, std::size_t messages_len)
    : key_(public_key, messages_len),
      scratch_(moonbow_verify_scratch_bytes(&key_.verifier(), MOONBOW_FAST), MOONBOW_FAST, Contents::Public)
{
}

bool StreamVerifier::verify(const std::uint8_t *signature, std::size_t signature_bytes,
                            MessageStream &message, Memory &buffer)
{
    moonbow_verification *verification =
        begin(key_, signature, signature_bytes, message, buffer, *scratch_.get());
    key_.give_to(verification); // its status comes out of finish again
    return finish(verification, message.name());
}

BatchVerifier::BatchVerifier(const VerifyingKey &key, std::size_t messages_most)
    : key_(key), each_bytes_(moonbow_verify_batch_scratch_bytes(&key.verifier(), 1)),
      scratch_(messages_most * each_bytes_)
{
}

BatchVerifier::~BatchVerifier()
{
    for (moonbow_verification *verification : added_)
        moonbow_verify_abort(verification);
}

void BatchVerifier::add(const std::uint8_t *signature, std::size_t signature_bytes, MessageStream &message,
                        Memory &buffer)
{
    const moonbow_scratch own = {scratch_.data() + added_.size() * each_bytes_, each_bytes_, MOONBOW_BATCH};
    moonbow_verification *verification = begin(key_, signature, signature_bytes, message, buffer, own);
    added_.push_back(verification);
    if (added_.size() > 1)
        require_ok(moonbow_verify_join(added_.front(), verification), message.name());
}

std::vector<bool> BatchVerifier::finish()
{
    std::vector<moonbow_verification *> batch;
    std::vector<bool> verdicts;
    batch.swap(added_);
    if (!batch.empty())
        key_.give_to(batch.front());
    for (moonbow_verification *verification : batch)
        verdicts.push_back(cli::finish(verification, "verification"));
    return verdicts;
}

} // namespace cli
