/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA-256's compression in portable C. Each line names what it performs in FIPS 180-4. See
 * sha256_backend.h. */
#include "platform/bytes.h"
#include "platform/wipe.h"
#include "symmetric/sha256_backend.h"

/* [FIPS 180-4 §4.2.2] */
const uint32_t mb_sha256_round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate_right(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

/* The message schedule [§6.2.2 step 1] in a ring of 16 words: W_t for t ≥ 16 replaces W_(t-16). */
static void extend_schedule(uint32_t w[16])
{
    for (unsigned t = 0; t < 16; t++) {
        const uint32_t a = w[(t + 1) % 16];
        const uint32_t b = w[(t + 14) % 16];
        const uint32_t sigma0 = rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3;
        const uint32_t sigma1 = rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10;
        w[t] += sigma0 + w[(t + 9) % 16] + sigma1;
    }
}

/* One block into the state [§6.2.2]. */
static void compress_block(uint32_t state[8], const uint8_t block[64])
{
    uint32_t w[16];
    for (unsigned t = 0; t < 16; t++) {
        w[t] = mb_load32_be(block + 4 * t);
    }

    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (unsigned t = 0; t < 64; t++) {
        if (t % 16 == 0 && t != 0) {
            extend_schedule(w);
        }
        const uint32_t sum1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        const uint32_t choice = g ^ (e & (f ^ g));
        const uint32_t t1 = h + sum1 + choice + mb_sha256_round_constants[t] + w[t % 16];
        const uint32_t sum0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        const uint32_t majority = (a & b) | (c & (a | b));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + sum0 + majority;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
    mb_wipe(w, sizeof w);
}

void mb_sha256_portable(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    for (; count != 0; count--, blocks += 64) {
        compress_block(state, blocks);
    }
}
