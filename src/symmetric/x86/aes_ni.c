/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES with the instructions AESENC, AESENCLAST and AESKEYGENASSIST, eight blocks at a time to cover
 * their latency. Build this file with -maes -msse4.1; it is entered only where both exist. */
#include "platform/compiler.h"
#include "platform/cpu.h"
#include "platform/wipe.h"
#include "symmetric/aes_backend.h"
#include "symmetric/x86/aes_x86.h"

#include <string.h>

#include <immintrin.h>

enum { GROUP_BLOCKS = MB_AES_SHORTCUT_BLOCKS };

static inline __m128i load(const uint8_t *in)
{
    return _mm_loadu_si128((const __m128i *)(const void *)in);
}

static inline void store(uint8_t *out, __m128i value)
{
    _mm_storeu_si128((__m128i *)(void *)out, value);
}

/* Words (w0, w1, w2, w3) to (w0, w0+w1, w0+w1+w2, w0+w1+w2+w3): the chain of xors in a key step. */
static inline __m128i running_sum(__m128i words)
{
    words = _mm_xor_si128(words, _mm_slli_si128(words, 4));
    return _mm_xor_si128(words, _mm_slli_si128(words, 8));
}

/* RotWord(SubWord(last word of key)) ^ constant in all four words. The constant is not given to
 * AESKEYGENASSIST because that wants it in the instruction. */
static inline __m128i rotated_substitute(__m128i key, unsigned constant)
{
    const __m128i assisted = _mm_shuffle_epi32(_mm_aeskeygenassist_si128(key, 0), 0xff);
    return _mm_xor_si128(assisted, _mm_set1_epi32((int)constant));
}

/* SubWord(last word of key) in all four words. */
static inline __m128i plain_substitute(__m128i key)
{
    return _mm_shuffle_epi32(_mm_aeskeygenassist_si128(key, 0), 0xaa);
}

/* The next round constant: times x in GF(256) [FIPS 197 §5.2]. */
static inline unsigned next_constant(unsigned constant)
{
    return (constant << 1 ^ (constant >> 7) * 0x1b) & 0xff;
}

static void init_128(mb_aes *aes, const uint8_t key[16])
{
    __m128i last = load(key);
    unsigned constant = 1;
    aes->rounds = 10;
    store(aes->round_keys, last);
    for (unsigned i = 1; i <= 10; i++) {
        last = _mm_xor_si128(running_sum(last), rotated_substitute(last, constant));
        constant = next_constant(constant);
        store(aes->round_keys + 16 * i, last);
    }
}

static void init_256(mb_aes *aes, const uint8_t key[32])
{
    __m128i even = load(key);
    __m128i odd = load(key + 16);
    unsigned constant = 1;
    aes->rounds = 14;
    store(aes->round_keys, even);
    store(aes->round_keys + 16, odd);
    for (unsigned i = 2; i <= 14; i += 2) {
        even = _mm_xor_si128(running_sum(even), rotated_substitute(odd, constant));
        constant = next_constant(constant);
        store(aes->round_keys + 16 * i, even);
        if (i < 14) {
            odd = _mm_xor_si128(running_sum(odd), plain_substitute(even));
            store(aes->round_keys + 16 * (i + 1), odd);
        }
    }
}

/* Between a counter as it is stored and as it is computed with: its low half in the low lane. */
static inline __m128i reverse_bytes(__m128i block)
{
    return _mm_shuffle_epi8(block, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

/* counter + n for n below 2^63: then the low half carries out iff its top bit goes from one to zero.
 * (Not a comparison: the counter may be SECRET.) */
static inline __m128i counter_add(__m128i counter, unsigned n)
{
    const __m128i sum = _mm_add_epi64(counter, _mm_set_epi64x(0, n));
    const __m128i carry = _mm_srli_epi64(_mm_andnot_si128(sum, counter), 63);
    return _mm_add_epi64(sum, _mm_slli_si128(carry, 8));
}

static inline __m128i counter_block(__m128i counter, unsigned n)
{
    return reverse_bytes(counter_add(counter, n));
}

/* A group's rounds from `round` on. The loops over blocks are unrolled: these stay in registers. */
static MB_ALWAYS_INLINE void finish_group(uint8_t out[16 * GROUP_BLOCKS], const mb_aes *aes, unsigned round, __m128i block[GROUP_BLOCKS])
{
    for (; round < aes->rounds; round++) {
        const __m128i key = load(aes->round_keys + 16 * round);
        MB_UNROLL
        for (unsigned i = 0; i < GROUP_BLOCKS; i++) {
            block[i] = _mm_aesenc_si128(block[i], key);
        }
    }
    const __m128i key = load(aes->round_keys + 16 * aes->rounds);
    MB_UNROLL
    for (unsigned i = 0; i < GROUP_BLOCKS; i++) {
        store(out + 16 * i, _mm_aesenclast_si128(block[i], key));
    }
}

/* Eight blocks of key stream from `counter` on. */
static MB_ALWAYS_INLINE void group(uint8_t out[16 * GROUP_BLOCKS], const mb_aes *aes, __m128i counter)
{
    const __m128i key = load(aes->round_keys);
    __m128i block[GROUP_BLOCKS];
    MB_UNROLL
    for (unsigned i = 0; i < GROUP_BLOCKS; i++) {
        block[i] = _mm_xor_si128(counter_block(counter, i), key);
    }
    finish_group(out, aes, 1, block);
}

void mb_aes_ni_ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    __m128i next = reverse_bytes(load(counter));
    for (; blocks >= GROUP_BLOCKS; blocks -= GROUP_BLOCKS) {
        group(out, aes, next);
        next = counter_add(next, GROUP_BLOCKS);
        out += 16 * GROUP_BLOCKS;
    }
    if (blocks != 0) {
        /* One block takes nearly as long as eight. */
        uint8_t last[16 * GROUP_BLOCKS];
        group(last, aes, next);
        next = counter_add(next, (unsigned)blocks);
        memcpy(out, last, 16 * blocks);
        mb_wipe(last, sizeof last);
    }
    store(counter, reverse_bytes(next));
}

static __m128i two_rounds(const mb_aes *aes, __m128i counter)
{
    const __m128i first = _mm_aesenc_si128(_mm_xor_si128(counter, load(aes->round_keys)), load(aes->round_keys + 16));
    return _mm_aesenc_si128(first, _mm_setzero_si128());
}

static void make_shortcut_vartime(const mb_aes *aes, mb_aes_shortcut *shortcut, const uint8_t counter[16])
{
    uint8_t each[16];
    memcpy(each, counter, 16);
    for (unsigned last = 0; last < 256; last++) {
        each[15] = (uint8_t)last;
        store(shortcut->state[last], two_rounds(aes, load(each)));
    }
}

mb_aes_ni_run mb_aes_ni_next_run(const mb_aes *aes, const mb_aes_shortcut *shortcut, uint8_t counter[16], size_t blocks)
{
    const size_t until_carry = (size_t)256 - counter[15];
    const uint8_t *state = shortcut->state[counter[15]];
    const __m128i difference = _mm_xor_si128(load(state), two_rounds(aes, load(counter)));
    const mb_aes_ni_run run = {state, blocks < until_carry ? blocks : until_carry - until_carry % GROUP_BLOCKS,
                               _mm_xor_si128(difference, load(aes->round_keys + 32))};
    store(counter, reverse_bytes(counter_add(reverse_bytes(load(counter)), (unsigned)run.blocks)));
    return run;
}

static void ctr_by_shortcut_vartime(const mb_aes *aes, const mb_aes_shortcut *shortcut, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    while (blocks != 0) {
        mb_aes_ni_run run = mb_aes_ni_next_run(aes, shortcut, counter, blocks);
        blocks -= run.blocks;
        if (run.blocks == 0) {
            mb_aes_ni_ctr(aes, counter, out, GROUP_BLOCKS);
            out += 16 * GROUP_BLOCKS;
            blocks -= GROUP_BLOCKS;
        }
        for (; run.blocks != 0; run.blocks -= GROUP_BLOCKS) {
            __m128i block[GROUP_BLOCKS];
            MB_UNROLL
            for (unsigned i = 0; i < GROUP_BLOCKS; i++) {
                block[i] = _mm_xor_si128(load(run.state + 16 * i), run.key);
            }
            finish_group(out, aes, 3, block);
            run.state += 16 * GROUP_BLOCKS;
            out += 16 * GROUP_BLOCKS;
        }
    }
}

static const mb_aes_backend aes_ni_backend = {"AES-NI", init_128, init_256, mb_aes_ni_ctr, NULL, NULL, NULL};
static const mb_aes_backend vaes_backend = {"VAES", init_128, init_256, mb_aes_vaes_ctr, NULL, NULL, NULL};
static const mb_aes_backend aes_ni_vartime_backend = {"AES-NI, public counters", init_128, init_256, mb_aes_ni_ctr, NULL,
                                                      make_shortcut_vartime, ctr_by_shortcut_vartime};
static const mb_aes_backend vaes_vartime_backend = {"VAES, public counters", init_128, init_256, mb_aes_vaes_ctr, NULL,
                                                    make_shortcut_vartime, mb_aes_vaes_ctr_by_shortcut_vartime};

static const mb_aes_backend *choose(unsigned features, const mb_aes_backend *wide, const mb_aes_backend *narrow)
{
    const unsigned needed = MB_CPU_AESNI | MB_CPU_VAES | MB_CPU_AVX512;
    if ((features & needed) == needed) {
        return wide;
    }
    return (features & MB_CPU_AESNI) != 0 ? narrow : NULL;
}

const mb_aes_backend *mb_aes_accelerated(unsigned features)
{
    const mb_aes_backend *chosen = choose(features, &vaes_backend, &aes_ni_backend);
    return chosen != NULL ? chosen : &mb_aes_portable_backend;
}

const mb_aes_backend *mb_aes_accelerated_vartime(unsigned features)
{
    return choose(features, &vaes_vartime_backend, &aes_ni_vartime_backend);
}
