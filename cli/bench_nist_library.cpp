// SPDX-License-Identifier: Apache-2.0 OR MIT
// A library with NIST's interface as a contestant.
#include "bench_nist_library.h"

#include <algorithm>
#include <dlfcn.h>

namespace cli {

GuardedBuffer::GuardedBuffer(std::size_t bytes) : bytes_(bytes + guard_bytes, guard_value)
{
    std::fill_n(bytes_.begin(), bytes, std::uint8_t{0});
}

bool GuardedBuffer::intact() const
{
    return std::all_of(bytes_.end() - guard_bytes, bytes_.end(),
                       [](std::uint8_t byte) { return byte == guard_value; });
}

NistLibrary::NistLibrary(const std::string &path, const moonbow_algorithm &algorithm,
                         std::size_t message_bytes)
    : algorithm_(algorithm), name_(path.substr(path.rfind('/') + 1)),
      handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)),
      public_key_(algorithm.parameters->public_key_bytes),
      secret_key_(algorithm.parameters->secret_key_bytes), spare_public_key_(public_key_.size()),
      spare_secret_key_(secret_key_.size()),
      signed_message_(message_bytes + algorithm.parameters->signature_bytes),
      opened_(message_bytes + algorithm.parameters->signature_bytes)
{
    if (!handle_)
        throw Failure(path, std::string("cannot load: ") + dlerror());
    keypair_ = find<Keypair>("crypto_sign_keypair");
    sign_ = find<Sign>("crypto_sign");
    open_ = find<Open>("crypto_sign_open");
}

// The library stays loaded: it may have started what must not lose its code.
NistLibrary::~NistLibrary() = default;

template <typename Function> Function NistLibrary::find(const char *symbol) const
{
    void *address = dlsym(handle_, symbol);
    if (!address)
        throw Failure(name_, std::string("expected a function ") + symbol + ", found none");
    return reinterpret_cast<Function>(address);
}

bool NistLibrary::has(Operation operation) const
{
    return operation == Operation::Keygen || operation == Operation::Sign || operation == Operation::Verify;
}

void NistLibrary::check_guards() const
{
    for (const GuardedBuffer *buffer :
         {&public_key_, &secret_key_, &spare_public_key_, &spare_secret_key_, &signed_message_, &opened_}) {
        if (!buffer->intact()) {
            throw Failure(name_, std::string("wrote behind a buffer of ") + algorithm_.parameters->name +
                                     "'s size; it implements something else");
        }
    }
}

void NistLibrary::generate(GuardedBuffer &public_key, GuardedBuffer &secret_key)
{
    if (keypair_(public_key.data(), secret_key.data()) != 0)
        throw Failure(name_, "crypto_sign_keypair failed");
}

void NistLibrary::sign(const std::vector<std::uint8_t> &message)
{
    unsigned long long signed_len = 0;
    if (sign_(signed_message_.data(), &signed_len, message.data(), message.size(), secret_key_.data()) != 0) {
        throw Failure(name_, "crypto_sign failed");
    }
    if (signed_len != message.size() + algorithm_.parameters->signature_bytes) {
        throw Failure(name_, "expected a signed message of " +
                                 std::to_string(message.size() + algorithm_.parameters->signature_bytes) +
                                 " bytes, found " + std::to_string(signed_len));
    }
}

void NistLibrary::open(std::uint64_t round)
{
    const std::vector<std::uint8_t> &signed_message = signed_messages_.at(round % signed_messages_len);
    unsigned long long opened_len = 0;
    if (open_(opened_.data(), &opened_len, signed_message.data(), signed_message.size(),
              public_key_.data()) != 0) {
        throw Failure(name_, "crypto_sign_open refused its own signature");
    }
}

void NistLibrary::set_up(Messages &messages)
{
    generate(public_key_, secret_key_);
    check_guards();
    signed_messages_.clear();
    for (std::uint64_t round = 0; round < signed_messages_len; round++) {
        sign(messages.of_round(round));
        signed_messages_.emplace_back(signed_message_.data(),
                                      signed_message_.data() + signed_message_.size());
    }
    check_guards();
    open(0);
    generate(spare_public_key_, spare_secret_key_);
    check_guards();
}

void NistLibrary::perform(Operation operation, std::uint64_t round, const std::vector<std::uint8_t> &message)
{
    switch (operation) {
    case Operation::Keygen:
        return generate(spare_public_key_, spare_secret_key_);
    case Operation::Sign:
        return sign(message);
    case Operation::Verify:
        return open(round);
    default:
        throw Failure(name_, "has no such operation");
    }
}

bool NistLibrary::format_agrees(Messages &messages) const
{
    const moonbow_verifier *verifier = algorithm_.verifier;
    const Scratch scratch(moonbow_verify_scratch_bytes(verifier, MOONBOW_FAST), MOONBOW_FAST);
    const std::vector<std::uint8_t> &message = messages.of_round(0);
    const std::vector<std::uint8_t> &signed_message = signed_messages_.at(0);
    const std::size_t signature_bytes = algorithm_.parameters->signature_bytes;
    if (!std::equal(message.begin(), message.end(), signed_message.begin()))
        return false;
    return moonbow_verify(verifier, signed_message.data() + message.size(), signature_bytes, message.data(),
                          message.size(), public_key_.data(), public_key_.size(),
                          scratch.get()) == MOONBOW_OK;
}

} // namespace cli
