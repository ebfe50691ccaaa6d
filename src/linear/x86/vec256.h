/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * 256-bit registers for kernels.h: loads, stores and tails without masked instructions. */
#ifndef MB_LINEAR_X86_VEC256_H
#define MB_LINEAR_X86_VEC256_H

#include "platform/compiler.h"

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

typedef __m256i vec;
enum { VEC_BYTES = 32 };

static inline vec vec_zero(void)
{
    return _mm256_setzero_si256();
}

static inline vec vec_xor(vec a, vec b)
{
    return _mm256_xor_si256(a, b);
}

static inline vec vec_load(const uint8_t *p)
{
    return _mm256_loadu_si256((const void *)p);
}

static inline void vec_store(uint8_t *p, vec v)
{
    _mm256_storeu_si256((void *)p, v);
}

/* v and, in each byte, the mask. */
static inline vec vec_and_byte(vec v, uint8_t mask)
{
    return _mm256_and_si256(v, _mm256_set1_epi8((char)mask));
}

/* The last `tail` bytes of a register. */
static inline vec last_bytes(size_t tail)
{
    const __m256i place = _mm256_setr_epi8(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13,
                                           12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return _mm256_cmpgt_epi8(_mm256_set1_epi8((char)tail), place);
}

/* The tail ends a register that reaches back into the vector, where the vector is long enough; a vector
 * shorter than a register begins one. */
static inline vec vec_load_end(const uint8_t *p, size_t bytes, size_t tail)
{
    (void)tail;
    if (bytes >= VEC_BYTES) {
        return vec_load(p + bytes - VEC_BYTES);
    }
    if (bytes == 16) {
        return _mm256_zextsi128_si256(_mm_loadu_si128((const void *)p));
    }
    uint8_t whole[VEC_BYTES] = {0};
    memcpy(whole, p, bytes);
    return vec_load(whole);
}

/* Of a register as vec_load_end fills it: zero outside of the tail. */
static inline vec vec_only_tail(vec v, size_t bytes, size_t tail)
{
    return bytes >= VEC_BYTES ? _mm256_and_si256(v, last_bytes(tail)) : v;
}

static inline void vec_xor_tail(uint8_t *p, size_t bytes, size_t tail, vec v)
{
    (void)tail; /* v is zero outside of it */
    if (bytes >= VEC_BYTES) {
        uint8_t *at = p + bytes - VEC_BYTES;
        vec_store(at, vec_xor(vec_load(at), v));
        return;
    }
    if (bytes == 16) {
        const __m128i sum = _mm_xor_si128(_mm_loadu_si128((const void *)p), _mm256_castsi256_si128(v));
        _mm_storeu_si128((void *)p, sum);
        return;
    }
    uint8_t whole[VEC_BYTES];
    vec_store(whole, v);
    for (size_t i = 0; i < bytes; i++) {
        p[i] ^= whole[i];
    }
}

static inline void vec_xor_padded(uint8_t *p, size_t bytes, size_t tail, vec v)
{
    uint8_t *at = bytes >= VEC_BYTES ? p + bytes - VEC_BYTES : p;
    (void)tail; /* v is zero outside of it */
    vec_store(at, vec_xor(vec_load(at), v));
}

/* 16 × 16 bytes in each half: four times, what is eight registers apart comes side by side. */
static MB_ALWAYS_INLINE void vec_transpose_halves(__m256i rows[16])
{
    for (unsigned round = 0; round < 4; round++) {
        __m256i mixed[16];
        MB_UNROLL
        for (unsigned i = 0; i < 8; i++) {
            mixed[2 * i] = _mm256_unpacklo_epi8(rows[i], rows[i + 8]);
            mixed[2 * i + 1] = _mm256_unpackhi_epi8(rows[i], rows[i + 8]);
        }
        MB_UNROLL
        for (unsigned i = 0; i < 16; i++) {
            rows[i] = mixed[i];
        }
    }
}

#endif
