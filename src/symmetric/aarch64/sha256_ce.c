/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA-256's compression with the instructions SHA256H, SHA256H2, SHA256SU0 and SHA256SU1. Build with -march=armv8-a+crypto;
 * entered only where they exist. See sha256_backend.h. */
#include "platform/cpu.h"
#include "symmetric/sha256_backend.h"

#include <arm_neon.h>

typedef struct working {
    uint32x4_t abcd, efgh;
} working;

/* Rounds t … t + 3 [FIPS 180-4 §6.2.2 step 3] with W_t … W_(t+3). */
static inline working four_rounds(working v, uint32x4_t words, unsigned t)
{
    const uint32x4_t summands = vaddq_u32(words, vld1q_u32(mb_sha256_round_constants + t));
    const working next = {vsha256hq_u32(v.abcd, v.efgh, summands), vsha256h2q_u32(v.efgh, v.abcd, summands)};
    return next;
}

static inline uint32x4_t load_words(const uint8_t *in)
{
    return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(in)));
}

/* The next four words of the message schedule [step 1] after the sixteen in w0 … w3. */
static inline uint32x4_t extend(uint32x4_t w0, uint32x4_t w1, uint32x4_t w2, uint32x4_t w3)
{
    return vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3);
}

static inline working compress_block(working v, const uint8_t *block)
{
    uint32x4_t w0 = load_words(block), w1 = load_words(block + 16);
    uint32x4_t w2 = load_words(block + 32), w3 = load_words(block + 48);
    for (unsigned t = 0;; t += 16) {
        v = four_rounds(v, w0, t);
        v = four_rounds(v, w1, t + 4);
        v = four_rounds(v, w2, t + 8);
        v = four_rounds(v, w3, t + 12);
        if (t == 48) {
            return v;
        }
        w0 = extend(w0, w1, w2, w3);
        w1 = extend(w1, w2, w3, w0);
        w2 = extend(w2, w3, w0, w1);
        w3 = extend(w3, w0, w1, w2);
    }
}

static void compress(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    working v = {vld1q_u32(state), vld1q_u32(state + 4)};
    for (; count != 0; count--, blocks += 64) {
        const working start = v;
        v = compress_block(v, blocks);
        v.abcd = vaddq_u32(v.abcd, start.abcd);
        v.efgh = vaddq_u32(v.efgh, start.efgh);
    }
    vst1q_u32(state, v.abcd);
    vst1q_u32(state + 4, v.efgh);
}

mb_sha256_compress mb_sha256_accelerated(void)
{
    return (mb_cpu_features() & MB_CPU_ARM_SHA2) != 0 ? compress : mb_sha256_portable;
}
