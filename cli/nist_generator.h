// SPDX-License-Identifier: Apache-2.0 OR MIT
// NIST's generator of known-answer tests: AES-256 CTR-DRBG without derivation function (SP 800-90A
// §10.2.1) over libcrypto's AES. Deterministic: never a source of keys for use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <moonbow/signature.h>
#include <openssl/evp.h>

namespace cli {

class NistGenerator {
  public:
    static constexpr std::size_t seed_bytes = 48;
    using Seed = std::array<std::uint8_t, seed_bytes>;

    explicit NistGenerator(const Seed &seed);
    ~NistGenerator();
    NistGenerator(const NistGenerator &) = delete;
    NistGenerator &operator=(const NistGenerator &) = delete;

    // One draw: re-keys afterwards, so that the lengths of draws matter.
    void draw(std::uint8_t *out, std::size_t bytes);
    // This generator as the library's source of randomness; it must outlive that.
    moonbow_random as_random();

  private:
    static constexpr std::size_t block_bytes = 16;

    void next_block(std::uint8_t out[block_bytes]);
    void update(const std::uint8_t *data);

    EVP_CIPHER_CTX *cipher_;
    std::array<std::uint8_t, block_bytes> counter_{};
};

} // namespace cli
