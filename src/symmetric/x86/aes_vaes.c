/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES in counter mode on 512-bit registers: thirty-two, sixteen, eight or four blocks at a time. Build this file with -mvaes -mavx512f -mavx512bw
 * -mavx512vl -maes; it is entered only where all exist. Keys are expanded by aes_ni.c. */
#include "platform/compiler.h"
#include "symmetric/x86/aes_x86.h"

#include <string.h>

#include <immintrin.h>

enum { REGISTERS_MOST = 8, REGISTER_BLOCKS = 4 };

static inline __m512i round_key(const mb_aes *aes, unsigned round)
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)(aes->round_keys + 16 * round)));
}

/* Between counters as they are stored and as they are computed with: the low half in the low lane. */
static inline __m512i reverse_bytes(__m512i blocks)
{
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_shuffle_epi8(blocks, _mm512_broadcast_i32x4(order));
}

/* Adds small numbers to 128-bit counters; the carry is a mask, not a branch: counters may be SECRET. */
static inline __m512i counter_add(__m512i counters, __m512i numbers)
{
    const __m512i sum = _mm512_add_epi64(counters, numbers);
    const __mmask8 carry = (__mmask8)(_mm512_cmplt_epu64_mask(sum, numbers) << 1);
    return _mm512_mask_sub_epi64(sum, carry, sum, _mm512_set1_epi64(-1));
}

/* The rounds of so many registers from `round` on; returns where the next blocks go. */
static MB_ALWAYS_INLINE uint8_t *finish_group(unsigned registers, uint8_t *out, const mb_aes *aes, unsigned round, __m512i *block)
{
    __m512i key;
    for (; round < aes->rounds; round++) {
        key = round_key(aes, round);
        for (unsigned i = 0; i < registers; i++) {
            block[i] = _mm512_aesenc_epi128(block[i], key);
        }
    }
    key = round_key(aes, aes->rounds);
    for (unsigned i = 0; i < registers; i++) {
        _mm512_storeu_si512(out + 64 * i, _mm512_aesenclast_epi128(block[i], key));
    }
    return out + 64 * registers;
}

/* So many registers' worth of blocks; returns where the next ones go. */
static MB_ALWAYS_INLINE uint8_t *group(unsigned registers, uint8_t *out, const mb_aes *aes, __m512i *next)
{
    const __m512i step = _mm512_set_epi64(0, REGISTER_BLOCKS, 0, REGISTER_BLOCKS, 0, REGISTER_BLOCKS, 0,
                                          REGISTER_BLOCKS);
    __m512i block[REGISTERS_MOST];
    const __m512i key = round_key(aes, 0);
    for (unsigned i = 0; i < registers; i++) {
        block[i] = _mm512_xor_si512(reverse_bytes(*next), key);
        *next = counter_add(*next, step);
    }
    return finish_group(registers, out, aes, 1, block);
}

/* The same by the shortcut's states from `state` on. */
static MB_ALWAYS_INLINE uint8_t *group_by_shortcut(unsigned registers, uint8_t *out, const mb_aes *aes, const uint8_t *state, __m512i second)
{
    __m512i block[REGISTERS_MOST];
    for (unsigned i = 0; i < registers; i++) {
        block[i] = _mm512_xor_si512(_mm512_loadu_si512(state + 64 * i), second);
    }
    return finish_group(registers, out, aes, 3, block);
}

void mb_aes_vaes_ctr_by_shortcut_vartime(const mb_aes *aes, const mb_aes_shortcut *shortcut, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    while (blocks != 0) {
        mb_aes_ni_run run = mb_aes_ni_next_run(aes, shortcut, counter, blocks);
        const __m512i key = _mm512_broadcast_i32x4(run.key);
        blocks -= run.blocks;
        if (run.blocks == 0) {
            mb_aes_vaes_ctr(aes, counter, out, MB_AES_SHORTCUT_BLOCKS);
            out += 16 * MB_AES_SHORTCUT_BLOCKS;
            blocks -= MB_AES_SHORTCUT_BLOCKS;
        }
        for (; run.blocks >= 32; run.blocks -= 32, run.state += 16 * 32) {
            out = group_by_shortcut(8, out, aes, run.state, key);
        }
        if (run.blocks >= 16) {
            out = group_by_shortcut(4, out, aes, run.state, key);
            run.blocks -= 16;
            run.state += 16 * 16;
        }
        if (run.blocks != 0) {
            out = group_by_shortcut(2, out, aes, run.state, key);
        }
    }
}

void mb_aes_vaes_ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    const __m128i stored = _mm_loadu_si128((const void *)counter);
    __m512i next = counter_add(reverse_bytes(_mm512_broadcast_i32x4(stored)),
                               _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0));
    for (; blocks >= 32; blocks -= 32) {
        out = group(8, out, aes, &next);
    }
    if (blocks >= 16) {
        out = group(4, out, aes, &next);
        blocks -= 16;
    }
    if (blocks >= 8) {
        out = group(2, out, aes, &next);
        blocks -= 8;
    }
    if (blocks >= 4) {
        out = group(1, out, aes, &next);
        blocks -= 4;
    }
    _mm_storeu_si128((void *)counter, _mm512_castsi512_si128(reverse_bytes(next)));
    if (blocks != 0) {
        mb_aes_ni_ctr(aes, counter, out, blocks);
    }
}
