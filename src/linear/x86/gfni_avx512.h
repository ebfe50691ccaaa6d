/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the multiplier and the gatherer for GFNI and AVX-512 (F, BW, VL, VBMI) share. A prepared scalar is the 8 × 8 bit matrix of
 * multiplication by it, for GF2P8AFFINEQB, which serves every field and basis; over GF(16) it works on both nibbles. */
#ifndef MB_LINEAR_X86_GFNI_AVX512_H
#define MB_LINEAR_X86_GFNI_AVX512_H

#include "linear/x86/x86.h"
#include "platform/compiler.h"

#include <immintrin.h>

enum { REGISTER = 64, PREPARED_BYTES = 8 };

/* How far ahead the coefficients of a long sum are asked for: the processor's own prefetching falls behind. */
enum { AHEAD = 4096 };

/* The multiplier's, for the gatherer too (a verifier links no more of it). */
void mb_gfni_avx512_prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count);
void mb_gfni_avx512_combine(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                            const void *prepared, size_t count);

static inline __m512i matrix_at(const uint8_t *prepared)
{
    long long matrix;
    __builtin_memcpy(&matrix, prepared, sizeof matrix);
    return _mm512_set1_epi64(matrix);
}

static inline __m512i times(__m512i v, __m512i matrix)
{
    return _mm512_gf2p8affine_epi64_epi8(v, matrix, 0);
}

static inline __m512i add(__m512i a, __m512i b)
{
    return _mm512_xor_si512(a, b);
}

/* sum += matrix·v */
static inline __m512i add_times(__m512i sum, __m512i v, __m512i matrix)
{
    return add(sum, times(v, matrix));
}

/* A mask of the first `count` < 64 of what it masks. */
static inline __mmask64 first(size_t count)
{
    return ((__mmask64)1 << count) - 1;
}

#endif
