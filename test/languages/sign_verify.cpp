// SPDX-License-Identifier: Apache-2.0 OR MIT
// A C++ program over the public headers, C++11 to C++20: signs and verifies with two algorithms, and verifies a key in pieces.
#include <moonbow/signature.h>
#include <moonbow/status.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

// Scratch memory, aligned within a longer block.
class Scratch {
  public:
    explicit Scratch(std::size_t bytes) : memory_(bytes + MOONBOW_SCRATCH_ALIGNMENT), scratch_()
    {
        void *start = memory_.data();
        std::size_t room = memory_.size();
        std::align(MOONBOW_SCRATCH_ALIGNMENT, bytes, start, room);
        scratch_.start = static_cast<std::uint8_t *>(start);
        scratch_.bytes = bytes;
        scratch_.mode = MOONBOW_SMALL;
    }
    const moonbow_scratch *get() const
    {
        return &scratch_;
    }

  private:
    Bytes memory_;
    moonbow_scratch scratch_;
};

int verify_in_pieces(const moonbow_algorithm &algorithm, const Bytes &signature, const Bytes &message, const Bytes &key)
{
    const Scratch scratch(moonbow_verify_scratch_bytes(algorithm.verifier, MOONBOW_SMALL));
    moonbow_verification *verification = nullptr;
    const int status =
        moonbow_verify_begin(&verification, algorithm.verifier, signature.data(), signature.size(), scratch.get());
    if (status != MOONBOW_OK)
        return status;
    moonbow_verify_message(verification, message.data(), message.size());
    for (std::size_t done = 0; done < key.size();) {
        const std::size_t bytes = std::min<std::size_t>(1000, key.size() - done);
        moonbow_verify_key(verification, key.data() + done, bytes);
        done += bytes;
    }
    return moonbow_verify_finish(verification);
}

bool works(const moonbow_algorithm &algorithm)
{
    const moonbow_parameters &sizes = *algorithm.parameters;
    const Scratch generating(moonbow_generate_scratch_bytes(algorithm.generator, MOONBOW_SMALL));
    const Scratch signing(moonbow_sign_scratch_bytes(algorithm.signer, MOONBOW_SMALL));
    Bytes public_key(sizes.public_key_bytes), secret_key(sizes.secret_key_bytes), signature(sizes.signature_bytes);
    const Bytes seed(sizes.generate_random_bytes, 7);
    Bytes message(100, 1);
    if (moonbow_generate_from_seed(algorithm.generator, public_key.data(), public_key.size(), secret_key.data(),
                                   secret_key.size(), seed.data(), seed.size(), generating.get()) != MOONBOW_OK ||
        moonbow_sign(algorithm.signer, signature.data(), signature.size(), message.data(), message.size(),
                     secret_key.data(), secret_key.size(), nullptr, signing.get()) != MOONBOW_OK ||
        verify_in_pieces(algorithm, signature, message, public_key) != MOONBOW_OK)
        return false;
    message[99] = 2;
    return verify_in_pieces(algorithm, signature, message, public_key) == MOONBOW_BAD_SIGNATURE;
}

} // namespace

int main()
{
    for (const moonbow_algorithm *algorithm : {&moonbow_rainbow_I_circumzenithal, &moonbow_uov_Is}) {
        if (!works(*algorithm)) {
            std::fprintf(stderr, "%s does not work\n", algorithm->parameters->name);
            return 1;
        }
    }
    return 0;
}
