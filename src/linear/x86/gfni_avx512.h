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

/* out ^= the sum of the `count` vectors that follow one another; a register behind the last may be read. */
void mb_gfni_avx512_add_vectors(uint8_t *out, size_t bytes, const uint8_t *vectors, unsigned count);

static inline __m512i matrix_at(const uint8_t *prepared)
{
    long long matrix;
    __builtin_memcpy(&matrix, prepared, sizeof matrix);
    __m512i all = _mm512_set1_epi64(matrix);
    MB_X86_IN_REGISTER(all);
    return all;
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

/* Words [from, to) of the eight of a register. */
static inline __mmask8 words_between(size_t from, size_t to)
{
    return (__mmask8)((to < 8 ? first(to) : 0xff) & ~(from < 8 ? first(from) : 0xff));
}

/* What lies in the last register of a vector of `bytes` ≥ REGISTER bytes, or of shorter ones: there the
 * vectors' own bytes come first, and with `more` bytes that may be read behind the vector's start no mask is needed. */
static MB_ALWAYS_INLINE __m512i load_last(const uint8_t *vector, size_t bytes, size_t more)
{
    if (bytes >= REGISTER) {
        return _mm512_loadu_si512(vector + bytes - REGISTER);
    }
    return more >= REGISTER ? _mm512_loadu_si512(vector) : _mm512_maskz_loadu_epi8(first(bytes), vector);
}

/* Adds the `tail` bytes that end a sum, from a register as load_last fills it. */
static MB_ALWAYS_INLINE void add_last(uint8_t *out, size_t bytes, size_t tail, __m512i sum)
{
    uint8_t *at = bytes >= REGISTER ? out + bytes - REGISTER : out;
    const __mmask64 mask = bytes >= REGISTER ? ~(~(__mmask64)0 >> tail) : first(tail);
    _mm512_mask_storeu_epi8(at, mask, add(_mm512_maskz_loadu_epi8(mask, at), sum));
}

#endif
