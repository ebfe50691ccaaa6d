/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES with the instructions AESE and AESMC, eight blocks at a time to cover their latency. Build with -march=armv8-a+crypto; entered
 * only where they exist. */
#include "platform/compiler.h"
#include "platform/cpu.h"
#include "platform/wipe.h"
#include "symmetric/aes_backend.h"

#include <arm_neon.h>
#include <string.h>

enum { GROUP_BLOCKS = MB_AES_SHORTCUT_BLOCKS };

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

/* ---- Counter mode -------------------------------------------------------------------------------- */

/* A counter as it is computed with: its high half in lane 0, its low half in lane 1. Stored, each has its bytes reversed. */
static inline uint64x2_t counter_load(const uint8_t in[16])
{
    return vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(in)));
}

/* counter + n; the carry is a mask, not a branch: the counter may be SECRET. */
static inline uint64x2_t counter_add(uint64x2_t counter, uint64_t n)
{
    const uint64x2_t sum = vaddq_u64(counter, vcombine_u64(vcreate_u64(0), vcreate_u64(n)));
    const uint64x2_t carry = vcgtq_u64(counter, sum); /* all ones where it wrapped, which only lane 1 does */
    return vsubq_u64(sum, vextq_u64(carry, vdupq_n_u64(0), 1));
}

/* A key whose rounds' keys are in registers. The loops over it are unrolled. */
typedef struct round_keys {
    uint8x16_t key[15];
} round_keys;

static MB_ALWAYS_INLINE round_keys load_keys(const mb_aes *aes, unsigned rounds)
{
    round_keys k;
    MB_UNROLL
    for (unsigned i = 0; i <= rounds; i++) {
        k.key[i] = vld1q_u8(aes->round_keys + 16 * i);
    }
    return k;
}

/* A pair AESE, AESMC, which processors join. */
static MB_ALWAYS_INLINE uint8x16_t one_round(uint8x16_t block, uint8x16_t key)
{
    return vaesmcq_u8(vaeseq_u8(block, key));
}

/* The rounds of some blocks, a constant number, from `round` on, whose key is `key`. */
static MB_ALWAYS_INLINE void rounds_from(unsigned round, uint8_t *out, uint8x16_t *block, unsigned blocks, const round_keys *k, unsigned rounds,
                                         uint8x16_t key)
{
    MB_UNROLL
    for (; round + 1 < rounds; key = k->key[++round]) {
        MB_UNROLL
        for (unsigned i = 0; i < blocks; i++) {
            block[i] = one_round(block[i], key);
        }
    }
    MB_UNROLL
    for (unsigned i = 0; i < blocks; i++) {
        vst1q_u8(out + 16 * i, veorq_u8(vaeseq_u8(block[i], key), k->key[rounds]));
    }
}

/* The blocks at `counter`, `counter` + 1, …. With `carries`, the low half may wrap among them. */
static MB_ALWAYS_INLINE void group(uint8_t *out, const round_keys *k, unsigned rounds, uint64x2_t counter, int carries)
{
    uint8x16_t block[GROUP_BLOCKS];
    MB_UNROLL
    for (unsigned i = 0; i < GROUP_BLOCKS; i++) {
        const uint64x2_t next = carries ? counter_add(counter, i) : vaddq_u64(counter, vcombine_u64(vcreate_u64(0), vcreate_u64(i)));
        block[i] = vrev64q_u8(vreinterpretq_u8_u64(next));
    }
    rounds_from(0, out, block, GROUP_BLOCKS, k, rounds, k->key[0]);
}

/* Blocks past the last whole group: one takes nearly as long as eight. */
static MB_ALWAYS_INLINE void last_group(uint8_t *out, size_t blocks, const round_keys *k, unsigned rounds, uint64x2_t counter)
{
    uint8_t rest[16 * GROUP_BLOCKS];
    group(rest, k, rounds, counter, 1);
    memcpy(out, rest, 16 * blocks);
    mb_wipe(rest, sizeof rest);
}

/* With `vartime` the counter is public, and its low half is asked whether it wraps. */
static MB_ALWAYS_INLINE void ctr_rounds(const mb_aes *aes, unsigned rounds, int vartime, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    const round_keys k = load_keys(aes, rounds);
    uint64x2_t next = counter_load(counter);
    const uint64x2_t end = counter_add(next, blocks);
    if (vartime && vgetq_lane_u64(next, 0) == vgetq_lane_u64(end, 0)) {
        const uint64x2_t step = vcombine_u64(vcreate_u64(0), vcreate_u64(GROUP_BLOCKS));
        for (; blocks >= GROUP_BLOCKS; blocks -= GROUP_BLOCKS, out += 16 * GROUP_BLOCKS) {
            group(out, &k, rounds, next, 0);
            next = vaddq_u64(next, step);
        }
    }
    for (; blocks >= GROUP_BLOCKS; blocks -= GROUP_BLOCKS, out += 16 * GROUP_BLOCKS) {
        group(out, &k, rounds, next, 1);
        next = counter_add(next, GROUP_BLOCKS);
    }
    if (blocks != 0) {
        last_group(out, blocks, &k, rounds, next);
    }
    vst1q_u8(counter, vrev64q_u8(vreinterpretq_u8_u64(end)));
}

static void ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    if (aes->rounds == 10) {
        ctr_rounds(aes, 10, 0, counter, out, blocks);
    } else {
        ctr_rounds(aes, 14, 0, counter, out, blocks);
    }
}

static void ctr_vartime(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    if (aes->rounds == 10) {
        ctr_rounds(aes, 10, 1, counter, out, blocks);
    } else {
        ctr_rounds(aes, 14, 1, counter, out, blocks);
    }
}

/* ---- The shortcut -------------------------------------------------------------------------------- */

static MB_ALWAYS_INLINE uint8x16_t two_rounds(const round_keys *k, uint8x16_t counter)
{
    return one_round(one_round(counter, k->key[0]), k->key[1]);
}

static void make_shortcut_vartime(const mb_aes *aes, mb_aes_shortcut *shortcut, const uint8_t counter[16])
{
    const round_keys k = load_keys(aes, 10);
    const uint8x16_t one = vsetq_lane_u8(1, vdupq_n_u8(0), 15);
    uint8x16_t each = vsetq_lane_u8(0, vld1q_u8(counter), 15);
    for (unsigned last = 0; last < 256; last += 4) {
        MB_UNROLL
        for (unsigned i = 0; i < 4; i++) {
            vst1q_u8(shortcut->state[last + i], two_rounds(&k, each));
            each = vaddq_u8(each, one);
        }
    }
}

static MB_ALWAYS_INLINE void blocks_by_shortcut(uint8_t *out, const uint8_t *state, unsigned blocks, const round_keys *k, unsigned rounds,
                                                uint8x16_t key)
{
    uint8x16_t block[2 * GROUP_BLOCKS];
    MB_UNROLL
    for (unsigned i = 0; i < blocks; i++) {
        block[i] = vld1q_u8(state + 16 * i);
    }
    rounds_from(2, out, block, blocks, k, rounds, key);
}

/* Whole groups of counters that differ in the last byte alone. */
static MB_ALWAYS_INLINE void run_by_shortcut(const round_keys *k, unsigned rounds, const uint8_t *state, uint8x16_t counter, uint8_t *out, size_t blocks)
{
    const uint8x16_t key = veorq_u8(k->key[2], veorq_u8(two_rounds(k, counter), vld1q_u8(state)));
    for (size_t pairs = blocks / (2 * GROUP_BLOCKS); pairs != 0; pairs--) {
        blocks_by_shortcut(out, state, 2 * GROUP_BLOCKS, k, rounds, key);
        state += 2 * 16 * GROUP_BLOCKS;
        out += 2 * 16 * GROUP_BLOCKS;
    }
    if (blocks % (2 * GROUP_BLOCKS) != 0) {
        blocks_by_shortcut(out, state, GROUP_BLOCKS, k, rounds, key);
    }
}

static MB_ALWAYS_INLINE void ctr_rounds_by_shortcut(const mb_aes *aes, unsigned rounds, const mb_aes_shortcut *shortcut, uint8_t counter[16],
                                                    uint8_t *out, size_t blocks)
{
    const round_keys k = load_keys(aes, rounds);
    uint64x2_t next = counter_load(counter);
    while (blocks != 0) {
        const size_t last = vgetq_lane_u64(next, 1) & 255, until_carry = 256 - last;
        size_t run = GROUP_BLOCKS;
        if (until_carry < GROUP_BLOCKS) {
            group(out, &k, rounds, next, 0);
        } else {
            run = blocks < until_carry ? blocks : until_carry - until_carry % GROUP_BLOCKS;
            run_by_shortcut(&k, rounds, shortcut->state[last], vrev64q_u8(vreinterpretq_u8_u64(next)), out, run);
        }
        next = vaddq_u64(next, vcombine_u64(vcreate_u64(0), vcreate_u64(run)));
        out += 16 * run;
        blocks -= run;
    }
    vst1q_u8(counter, vrev64q_u8(vreinterpretq_u8_u64(next)));
}

static void ctr_by_shortcut_vartime(const mb_aes *aes, const mb_aes_shortcut *shortcut, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    if (aes->rounds == 10) {
        ctr_rounds_by_shortcut(aes, 10, shortcut, counter, out, blocks);
    } else {
        ctr_rounds_by_shortcut(aes, 14, shortcut, counter, out, blocks);
    }
}

static const mb_aes_backend aes_ce_backend = {"AESE", init_128, init_256, ctr, NULL, NULL, NULL};
static const mb_aes_backend aes_ce_vartime_backend = {"AESE, public counters", init_128, init_256, ctr_vartime, NULL, make_shortcut_vartime,
                                                      ctr_by_shortcut_vartime};

const mb_aes_backend *mb_aes_accelerated(unsigned features)
{
    return (features & MB_CPU_ARM_AES) != 0 ? &aes_ce_backend : &mb_aes_portable_backend;
}

const mb_aes_backend *mb_aes_accelerated_vartime(unsigned features)
{
    return (features & MB_CPU_ARM_AES) != 0 ? &aes_ce_vartime_backend : NULL;
}
