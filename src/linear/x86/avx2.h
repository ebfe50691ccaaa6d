/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the multiplier and the gatherer for AVX2 share: prepared scalars as tables of nibbles, and products by PSHUFB. */
#ifndef MB_LINEAR_X86_AVX2_H
#define MB_LINEAR_X86_AVX2_H

#include "linear/x86/vec256.h"
#include "linear/x86/x86.h"
#include "platform/compiler.h"

/* The multiplier's, for the gatherer too (a verifier links no more of it). */
void mb_avx2_prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count);

/* A prepared scalar: its products with 0 … 15 and, where elements have 8 bits, with 0 … 15 in the high nibble; as a value, each in both
 * halves of a register. */
typedef struct vec_scalar {
    __m256i low, high;
} vec_scalar;

static inline unsigned kernel_bits(const mb_field *field)
{
    return field->bits;
}

static inline size_t prepared_len(unsigned bits)
{
    return bits == 4 ? 16 : 32;
}

static inline __m256i in_both_halves(const uint8_t *p)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)p));
}

static MB_ALWAYS_INLINE vec_scalar vec_prepared(unsigned bits, const uint8_t *p)
{
    const __m256i low = in_both_halves(p);
    return (vec_scalar){low, bits == 4 ? low : in_both_halves(p + 16)};
}

/* The nibbles of a register. */
typedef struct vec_split {
    __m256i low, high;
} vec_split;

static inline vec_split vec_split_for(unsigned bits, vec v)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    (void)bits;
    return (vec_split){_mm256_and_si256(v, nibble), _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble)};
}

static MB_ALWAYS_INLINE vec vec_elements_times(unsigned bits, vec_split split, vec_scalar scalar)
{
    const vec low = _mm256_shuffle_epi8(scalar.low, split.low);
    return bits == 4 ? low : _mm256_xor_si256(low, _mm256_shuffle_epi8(scalar.high, split.high));
}

/* Of elements of 4 bits those in low nibbles and those in high ones are summed apart. */
typedef struct vec_sum {
    __m256i low, high;
} vec_sum;

static inline vec_sum vec_sum_zero(void)
{
    return (vec_sum){_mm256_setzero_si256(), _mm256_setzero_si256()};
}

static MB_ALWAYS_INLINE void vec_sum_add(unsigned bits, vec_sum *sum, vec_split split, vec_scalar scalar)
{
    __m256i *of_high = bits == 4 ? &sum->high : &sum->low;
    sum->low = _mm256_xor_si256(sum->low, _mm256_shuffle_epi8(scalar.low, split.low));
    *of_high = _mm256_xor_si256(*of_high, _mm256_shuffle_epi8(scalar.high, split.high));
}

static MB_ALWAYS_INLINE vec vec_sum_value(unsigned bits, const vec_sum *sum)
{
    return bits == 4 ? _mm256_xor_si256(sum->low, _mm256_slli_epi16(sum->high, 4)) : sum->low;
}

static MB_ALWAYS_INLINE vec vec_times(unsigned bits, vec v, vec_scalar scalar)
{
    vec_sum sum = vec_sum_zero();
    vec_sum_add(bits, &sum, vec_split_for(bits, v), scalar);
    return vec_sum_value(bits, &sum);
}

#endif
