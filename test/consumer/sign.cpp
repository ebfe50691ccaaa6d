// SPDX-License-Identifier: Apache-2.0 OR MIT
// What a C++ program does with the library: by a name, by an object, in pieces; a forgery is refused.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <moonbow/signature.h>
#include <vector>

namespace {

class Scratch {
  public:
    explicit Scratch(std::size_t bytes)
        : memory_(std::aligned_alloc(MOONBOW_SCRATCH_ALIGNMENT, bytes), std::free), scratch_{memory_.get(),
                                                                                             bytes,
                                                                                             MOONBOW_SMALL}
    {
    }
    const moonbow_scratch *get() const
    {
        return &scratch_;
    }

  private:
    std::unique_ptr<void, void (*)(void *)> memory_;
    moonbow_scratch scratch_;
};

// The object that the program refers to must be the one that the registry gives.
int verify(const std::vector<std::uint8_t> &signature, const std::vector<std::uint8_t> &message,
           const std::vector<std::uint8_t> &public_key)
{
    const moonbow_verifier *verifier = &moonbow_rainbow_I_circumzenithal_verifier;
    const Scratch scratch(moonbow_verify_scratch_bytes(verifier, MOONBOW_SMALL));
    moonbow_verification *verification = nullptr;
    int status =
        moonbow_verify_begin(&verification, verifier, signature.data(), signature.size(), scratch.get());
    if (status != MOONBOW_OK)
        return status;
    moonbow_verify_message(verification, message.data(), message.size());
    moonbow_verify_key(verification, public_key.data(), 1000);
    moonbow_verify_key(verification, public_key.data() + 1000, public_key.size() - 1000);
    return moonbow_verify_finish(verification);
}

} // namespace

int main()
{
    const moonbow_algorithm *a = moonbow_algorithm_by_name("rainbow-I-circumzenithal");
    if (!a || a->verifier != &moonbow_rainbow_I_circumzenithal_verifier ||
        a != &moonbow_rainbow_I_circumzenithal)
        return 2;
    std::vector<std::uint8_t> public_key(a->parameters->public_key_bytes),
        secret_key(a->parameters->secret_key_bytes), signature(a->parameters->signature_bytes),
        message(1000, 7);
    const Scratch to_generate(moonbow_generate_scratch_bytes(a->generator, MOONBOW_SMALL));
    if (moonbow_generate(a->generator, public_key.data(), public_key.size(), secret_key.data(),
                         secret_key.size(), nullptr, to_generate.get()) != MOONBOW_OK)
        return 3;
    const Scratch to_sign(moonbow_sign_scratch_bytes(a->signer, MOONBOW_SMALL));
    if (moonbow_sign(a->signer, signature.data(), signature.size(), message.data(), message.size(),
                     secret_key.data(), secret_key.size(), nullptr, to_sign.get()) != MOONBOW_OK)
        return 4;
    if (verify(signature, message, public_key) != MOONBOW_OK)
        return 5;
    message[500] ^= 1;
    if (verify(signature, message, public_key) != MOONBOW_BAD_SIGNATURE)
        return 6;
    std::printf("moonbow %s\n", moonbow_version());
    return 0;
}
