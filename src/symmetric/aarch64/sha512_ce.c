/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA-512's compression with the instructions SHA512H, SHA512H2, SHA512SU0 and SHA512SU1. Build with -march=armv8.2-a+sha3, which
 * implies them; entered only where they exist. See sha512_backend.h. */
#include "platform/cpu.h"
#include "symmetric/sha512_backend.h"

#include <arm_neon.h>

/* The working variables, two in a register. */
typedef struct working {
    uint64x2_t ab, cd, ef, gh;
} working;

static inline uint64x2_t swap(uint64x2_t v)
{
    return vextq_u64(v, v, 1);
}

/* Rounds t and t + 1 [FIPS 180-4 §6.4.2 step 3] with W_t and W_(t+1). */
static inline working two_rounds(working v, uint64x2_t words, unsigned t)
{
    const uint64x2_t summands = swap(vaddq_u64(words, vld1q_u64(mb_sha512_round_constants + t)));
    const uint64x2_t fg = vextq_u64(v.ef, v.gh, 1), de = vextq_u64(v.cd, v.ef, 1);
    const uint64x2_t t1 = vsha512hq_u64(vaddq_u64(summands, v.gh), fg, de);
    const working next = {vsha512h2q_u64(t1, v.cd, v.ab), v.ab, vaddq_u64(v.cd, t1), v.ef};
    return next;
}

static inline uint64x2_t load_words(const uint8_t *in)
{
    return vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(in)));
}

static inline working compress_block(working v, const uint8_t *block)
{
    uint64x2_t w[8];
    for (unsigned i = 0; i < 8; i++) {
        w[i] = load_words(block + 16 * i);
    }
    for (unsigned t = 0;; t += 16) {
        for (unsigned i = 0; i < 8; i++) {
            v = two_rounds(v, w[i], t + 2 * i);
        }
        if (t == 64) {
            return v;
        }
        /* [step 1], two words at a time: W_(t-16), W_(t-15), W_(t-2) and W_(t-7) are i, i + 1, i + 7 and i + 4. */
        for (unsigned i = 0; i < 8; i++) {
            const uint64x2_t seven_before = vextq_u64(w[(i + 4) % 8], w[(i + 5) % 8], 1);
            w[i] = vsha512su1q_u64(vsha512su0q_u64(w[i], w[(i + 1) % 8]), w[(i + 7) % 8], seven_before);
        }
    }
}

static void compress(uint64_t state[8], const uint8_t *blocks, size_t count)
{
    working v = {vld1q_u64(state), vld1q_u64(state + 2), vld1q_u64(state + 4), vld1q_u64(state + 6)};
    for (; count != 0; count--, blocks += 128) {
        const working start = v;
        v = compress_block(v, blocks);
        v.ab = vaddq_u64(v.ab, start.ab);
        v.cd = vaddq_u64(v.cd, start.cd);
        v.ef = vaddq_u64(v.ef, start.ef);
        v.gh = vaddq_u64(v.gh, start.gh);
    }
    vst1q_u64(state, v.ab);
    vst1q_u64(state + 2, v.cd);
    vst1q_u64(state + 4, v.ef);
    vst1q_u64(state + 6, v.gh);
}

mb_sha512_compress mb_sha512_accelerated(void)
{
    return (mb_cpu_features() & MB_CPU_ARM_SHA512) != 0 ? compress : NULL;
}
