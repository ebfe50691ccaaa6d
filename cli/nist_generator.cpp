// SPDX-License-Identifier: Apache-2.0 OR MIT
// NIST's generator of known-answer tests.
#include "nist_generator.h"

#include "report.h"

#include <algorithm>

namespace cli {

namespace {

void set_key(EVP_CIPHER_CTX *cipher, const std::uint8_t *key)
{
    if (!EVP_EncryptInit_ex(cipher, EVP_aes_256_ecb(), nullptr, key, nullptr)) {
        throw Failure("libcrypto", "AES-256 is not available");
    }
}

} // namespace

NistGenerator::NistGenerator(const Seed &seed) : cipher_(EVP_CIPHER_CTX_new())
{
    static const std::uint8_t zero_key[32] = {};
    if (!cipher_)
        throw std::bad_alloc();
    set_key(cipher_, zero_key);
    update(seed.data());
}

NistGenerator::~NistGenerator()
{
    EVP_CIPHER_CTX_free(cipher_);
}

// V = V + 1 (128 bits, big-endian), then AES-256(Key, V).
void NistGenerator::next_block(std::uint8_t out[block_bytes])
{
    for (std::size_t i = block_bytes; i-- > 0 && ++counter_[i] == 0;) {
    }
    int written = 0;
    if (!EVP_EncryptUpdate(cipher_, out, &written, counter_.data(), block_bytes)) {
        throw Failure("libcrypto", "AES-256 failed");
    }
}

// Three blocks, xored with data if there is any, become Key and V.
void NistGenerator::update(const std::uint8_t *data)
{
    Seed next;
    for (std::size_t i = 0; i < seed_bytes; i += block_bytes)
        next_block(&next[i]);
    for (std::size_t i = 0; data && i < seed_bytes; i++)
        next[i] ^= data[i];
    set_key(cipher_, next.data());
    std::copy_n(&next[32], block_bytes, counter_.begin());
}

void NistGenerator::draw(std::uint8_t *out, std::size_t bytes)
{
    std::uint8_t block[block_bytes];
    while (bytes > 0) {
        const std::size_t used = std::min(bytes, block_bytes);
        next_block(block);
        std::copy_n(block, used, out);
        out += used;
        bytes -= used;
    }
    update(nullptr);
}

moonbow_random NistGenerator::as_random()
{
    const auto fill = [](void *context, std::uint8_t *out, std::size_t bytes) {
        static_cast<NistGenerator *>(context)->draw(out, bytes);
        return 0;
    };
    return {fill, this};
}

} // namespace cli
