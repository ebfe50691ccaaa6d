/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * One matrix times many vectors (linear/contract.h) on 256-bit registers, for avx2.c and gfni_avx2.c. 32 vectors at a time are
 * transposed into planes, byte b of all of them in plane b; a byte of the products is then a sum of planes, each under a linear map of
 * bytes that is the same for all vectors. Over GF(16) such a map is two rows and two columns of the matrix. Beside what kernels.h asks for:
 *
 * MAP_BYTES                               a prepared map's length
 * vec_map_join(out, s)                    the map of s[0], or over GF(16) of the rows s[0], s[1] | s[2], s[3]: prepared scalars
 * vec_map_add(sum, split, map)            a sum and a plane (vec_split) under a prepared map */
#ifndef MB_LINEAR_X86_TRANSFORM256_H
#define MB_LINEAR_X86_TRANSFORM256_H

#include "linear/x86/kernels.h"
#include "linear/x86/transform.h"

enum { VECTORS = 32, CHUNK = 16, CHUNKS_MOST = 4, MAPS = 4 };

/* ---- The matrix --------------------------------------------------------------------------------------- */

/* The maps of bytes (p, u), of products and of vectors: for each 4 values of p those of all u. */
static uint8_t *map_at(uint8_t *prepared, size_t in_bytes, size_t p, size_t u)
{
    return prepared + ((p / MAPS * in_bytes + u) * MAPS + p % MAPS) * MAP_BYTES;
}

static size_t maps_bytes(const mb_field *field, size_t rows, size_t columns)
{
    return (mb_field_bytes(field, rows) + MAPS - 1) / MAPS * MAPS * mb_field_bytes(field, columns) * MAP_BYTES;
}

static void prepare_maps(const mb_field *field, void *prepared, const uint8_t *matrix, size_t rows, size_t columns)
{
    const size_t out_bytes = mb_field_bytes(field, rows), in_bytes = mb_field_bytes(field, columns);
    const unsigned per_byte = 8u / field->bits;
    memset(prepared, 0, maps_bytes(field, rows, columns));
    for (size_t u = 0; u < in_bytes; u++) {
        for (size_t p = 0; p < out_bytes; p++) {
            uint8_t elements[4], scalars[4 * 32];
            for (size_t c = 0; c < per_byte; c++) { /* the byte of column u, or of columns 2u and 2u + 1 */
                mb_field_unpack(field, elements + 2 * c, matrix + (u * per_byte + c) * out_bytes + p, per_byte);
            }
            prepare(field, scalars, elements, per_byte * per_byte);
            vec_map_join(field->bits, map_at(prepared, in_bytes, p, u), scalars);
        }
    }
}

/* ---- Planes -------------------------------------------------------------------------------------------- */

static inline __m128i load_chunk(const uint8_t *p, size_t bytes)
{
    uint8_t chunk[CHUNK] = {0};
    if (bytes >= CHUNK) {
        return _mm_loadu_si128((const void *)p);
    }
    memcpy(chunk, p, bytes);
    return _mm_loadu_si128((const void *)chunk);
}

/* planes[b] = byte b of `count` vectors, 0 where there is none: `bytes` of them, and of the last 16 more than that. */
static void load_planes(uint8_t *planes, const uint8_t *vectors, size_t bytes, size_t stride, size_t count)
{
    for (size_t at = 0; at < bytes; at += CHUNK) {
        __m256i rows[CHUNK];
        for (size_t v = 0; v < CHUNK; v++) {
            __m128i half[2] = {_mm_setzero_si128(), _mm_setzero_si128()};
            for (size_t h = 0; h < 2 && v + h * CHUNK < count; h++) {
                half[h] = load_chunk(vectors + (v + h * CHUNK) * stride + at, bytes - at);
            }
            rows[v] = _mm256_inserti128_si256(_mm256_castsi128_si256(half[0]), half[1], 1);
        }
        vec_transpose_halves(rows);
        for (size_t b = 0; b < CHUNK; b++) {
            vec_store(planes + (at + b) * VEC_BYTES, rows[b]);
        }
    }
}

/* Four bytes of the products, as planes. */
static MB_ALWAYS_INLINE void multiply_planes(__m256i sum[MAPS], const uint8_t *planes, const uint8_t *maps, size_t planes_len)
{
    MB_UNROLL
    for (unsigned p = 0; p < MAPS; p++) {
        sum[p] = vec_zero();
    }
    for (size_t u = 0; u < planes_len; u++, maps += MAPS * MAP_BYTES) {
        const vec_split split = vec_split_for(8, vec_load(planes + u * VEC_BYTES));
        MB_UNROLL
        for (unsigned p = 0; p < MAPS; p++) {
            sum[p] = vec_map_add(sum[p], split, maps + p * MAP_BYTES);
        }
    }
}

/* Adds up to 16 bytes of the products to theirs. */
static void add_chunk(uint8_t *out, size_t bytes, size_t stride, __m256i rows[CHUNK], size_t count)
{
    vec_transpose_halves(rows);
    for (size_t v = 0; v < count; v++) {
        const __m256i both = rows[v % CHUNK];
        const __m128i row = v < CHUNK ? _mm256_castsi256_si128(both) : _mm256_extracti128_si256(both, 1);
        uint8_t *to = out + v * stride;
        if (bytes == CHUNK) {
            _mm_storeu_si128((void *)to, _mm_xor_si128(_mm_loadu_si128((const void *)to), row));
        } else {
            uint8_t chunk[CHUNK];
            _mm_storeu_si128((void *)chunk, row);
            mb_x86_add_word(to, chunk, bytes < 8 ? bytes : 8);
            mb_x86_add_word(to + 8, chunk + 8, bytes < 8 ? 0 : bytes - 8);
        }
    }
}

static void add_products(const mb_field *field, uint8_t *out, const uint8_t *vectors, size_t stride, size_t count,
                         const void *prepared, size_t rows, size_t columns)
{
    const size_t out_bytes = mb_field_bytes(field, rows), in_bytes = mb_field_bytes(field, columns);
    uint8_t planes[CHUNKS_MOST * CHUNK * VEC_BYTES];
    for (size_t v = 0; v < count; v += VECTORS) {
        const size_t some = count - v < VECTORS ? count - v : VECTORS;
        for (size_t u = 0; u < in_bytes; u += CHUNKS_MOST * CHUNK) {
            const size_t planes_len = in_bytes - u < CHUNKS_MOST * CHUNK ? in_bytes - u : CHUNKS_MOST * CHUNK;
            load_planes(planes, vectors + v * stride + u, planes_len, stride, some);
            for (size_t p = 0; p < out_bytes; p += CHUNK) {
                __m256i products[CHUNK];
                MB_UNROLL
                for (size_t q = 0; q < CHUNK; q += MAPS) {
                    if (p + q < out_bytes) {
                        multiply_planes(products + q, planes, (const uint8_t *)prepared + ((p + q) * in_bytes + u * MAPS) * MAP_BYTES,
                                        planes_len);
                    } else {
                        products[q] = products[q + 1] = products[q + 2] = products[q + 3] = vec_zero();
                    }
                }
                add_chunk(out + v * stride + p, out_bytes - p < CHUNK ? out_bytes - p : CHUNK, stride, products, some);
            }
        }
    }
}

static const mb_transformation transformation = {maps_bytes, prepare_maps, add_products};

#endif
