/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES with the instructions AESE and AESMC, eight blocks at a time to cover their latency. Build with -march=armv8-a+crypto; entered
 * only where they exist. */
#include "platform/cpu.h"
#include "platform/wipe.h"
#include "symmetric/aes_backend.h"

#include <arm_neon.h>
#include <string.h>

enum { GROUP_BLOCKS = 8 };

/* SubWord [FIPS 197 §5.2]. AESE with a key of zero is SubBytes after ShiftRows, which moves nothing where all columns are the same. */
static inline uint32_t substitute_word(uint32_t word)
{
    const uint8x16_t columns = vreinterpretq_u8_u32(vdupq_n_u32(word));
    return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0))), 0);
}

/* RotWord, on words whose first byte is the lowest. */
static inline uint32_t rotate_word(uint32_t word)
{
    return word >> 8 | word << 24;
}

/* KeyExpansion [FIPS 197 §5.2] for a key of `nk` words. */
static inline void expand(mb_aes *aes, const uint8_t *key, unsigned nk)
{
    uint32_t w[60];
    uint32_t constant = 1;
    aes->rounds = nk + 6;
    memcpy(w, key, 4 * nk);
    for (unsigned i = nk; i < 4 * (aes->rounds + 1); i++) {
        uint32_t word = w[i - 1];
        if (i % nk == 0) {
            word = substitute_word(rotate_word(word)) ^ constant;
            constant = (constant << 1 ^ (constant >> 7) * 0x1b) & 0xff;
        } else if (nk == 8 && i % nk == 4) {
            word = substitute_word(word);
        }
        w[i] = w[i - nk] ^ word;
    }
    memcpy(aes->round_keys, w, 16 * (aes->rounds + 1));
    mb_wipe(w, sizeof w);
}

static void init_128(mb_aes *aes, const uint8_t key[16])
{
    expand(aes, key, 4);
}

static void init_256(mb_aes *aes, const uint8_t key[32])
{
    expand(aes, key, 8);
}

/* Between a counter as it is stored and as it is computed with: its low half in lane 0. */
static inline uint8x16_t reverse_bytes(uint8x16_t block)
{
    const uint8x16_t halves = vrev64q_u8(block);
    return vextq_u8(halves, halves, 8);
}

/* counter + n; the carry is a mask, not a branch: the counter may be SECRET. */
static inline uint64x2_t counter_add(uint64x2_t counter, uint64_t n)
{
    const uint64x2_t sum = vaddq_u64(counter, vcombine_u64(vcreate_u64(n), vcreate_u64(0)));
    const uint64x2_t carry = vcgtq_u64(counter, sum); /* all ones where it wrapped */
    return vsubq_u64(sum, vextq_u64(vdupq_n_u64(0), carry, 1));
}

/* counter, counter + 1, … as they are stored, two at a time: their low halves in one register, their high halves in another. */
static inline void counters(uint8x16_t block[GROUP_BLOCKS], uint64x2_t counter)
{
    const uint64x2_t low = vdupq_laneq_u64(counter, 0), high = vdupq_laneq_u64(counter, 1);
    const uint64x2_t two = vdupq_n_u64(2);
    uint64x2_t sum = vaddq_u64(low, vcombine_u64(vcreate_u64(0), vcreate_u64(1)));
    for (unsigned i = 0; i < GROUP_BLOCKS; i += 2) {
        const uint64x2_t carry = vcgtq_u64(low, sum); /* as above */
        const uint64x2_t l = vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(sum)));
        const uint64x2_t h = vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(vsubq_u64(high, carry))));
        block[i] = vreinterpretq_u8_u64(vzip1q_u64(h, l));
        block[i + 1] = vreinterpretq_u8_u64(vzip2q_u64(h, l));
        sum = vaddq_u64(sum, two);
    }
}

static inline void group(uint8_t *out, const mb_aes *aes, uint64x2_t counter)
{
    uint8x16_t block[GROUP_BLOCKS], key;
    counters(block, counter);
    for (unsigned round = 0; round + 1 < aes->rounds; round++) {
        key = vld1q_u8(aes->round_keys + 16 * round);
        for (unsigned i = 0; i < GROUP_BLOCKS; i++) {
            block[i] = vaesmcq_u8(vaeseq_u8(block[i], key));
        }
    }
    key = vld1q_u8(aes->round_keys + 16 * (aes->rounds - 1));
    const uint8x16_t last = vld1q_u8(aes->round_keys + 16 * aes->rounds);
    for (unsigned i = 0; i < GROUP_BLOCKS; i++) {
        vst1q_u8(out + 16 * i, veorq_u8(vaeseq_u8(block[i], key), last));
    }
}

static void ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    uint64x2_t next = vreinterpretq_u64_u8(reverse_bytes(vld1q_u8(counter)));
    for (; blocks >= GROUP_BLOCKS; blocks -= GROUP_BLOCKS) {
        group(out, aes, next);
        next = counter_add(next, GROUP_BLOCKS);
        out += 16 * GROUP_BLOCKS;
    }
    if (blocks != 0) {
        /* One block takes nearly as long as eight. */
        uint8_t rest[16 * GROUP_BLOCKS];
        group(rest, aes, next);
        next = counter_add(next, blocks);
        memcpy(out, rest, 16 * blocks);
        mb_wipe(rest, sizeof rest);
    }
    vst1q_u8(counter, reverse_bytes(vreinterpretq_u8_u64(next)));
}

static const mb_aes_backend aes_ce_backend = {"AESE", init_128, init_256, ctr, NULL};

const mb_aes_backend *mb_aes_accelerated(unsigned features)
{
    return (features & MB_CPU_ARM_AES) != 0 ? &aes_ce_backend : NULL;
}

const mb_aes_backend *mb_aes_accelerated_vartime(unsigned features)
{
    return mb_aes_accelerated(features);
}
