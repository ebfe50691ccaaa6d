/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * One matrix times many vectors for processors with GFNI and AVX-512 (gfni_avx512.h). 64 vectors at a time are transposed into
 * planes, byte b of all of them in plane b; a byte of the products is then a sum of planes, each times a bit matrix that is the same for all vectors. Over
 * GF(16) such a matrix is two rows and two columns of the given one. */
#include "linear/x86/gfni_avx512.h"
#include "linear/x86/transform.h"

#include <string.h>

enum { WORD = 8, VECTORS = 64, PLANES = 64, PREPARED_TOGETHER = 8 };

/* ---- The matrix --------------------------------------------------------------------------------------- */

/* Bit matrices of bytes (p, u): of products and of vectors; for each 8 values of p those of all u. */
static uint8_t *block_at(uint8_t *prepared, size_t in_bytes, size_t p, size_t u)
{
    return prepared + ((p / WORD * in_bytes + u) * WORD + p % WORD) * PREPARED_BYTES;
}

static size_t prepared_bytes(const mb_field *field, size_t rows, size_t columns)
{
    const size_t out_bytes = mb_field_bytes(field, rows), in_bytes = mb_field_bytes(field, columns);
    return (out_bytes + WORD - 1) / WORD * WORD * in_bytes * PREPARED_BYTES;
}

/* Column u of the matrix, from row p on: 8 prepared scalars, of rows that there are. */
static void prepare_8(const mb_field *field, uint64_t prepared[8], const uint8_t *column, size_t p, size_t rows)
{
    uint8_t scalars[PREPARED_TOGETHER] = {0};
    const size_t count = rows - p < PREPARED_TOGETHER ? rows - p : PREPARED_TOGETHER;
    mb_field_unpack(field, scalars, column + mb_field_bytes(field, p), count);
    mb_gfni_avx512_prepare(field, prepared, scalars, PREPARED_TOGETHER);
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *matrix, size_t rows, size_t columns)
{
    const size_t column_bytes = mb_field_bytes(field, rows), in_bytes = mb_field_bytes(field, columns);
    const unsigned per_byte = 8u / field->bits;
    memset(prepared, 0, prepared_bytes(field, rows, columns));
    for (size_t u = 0; u < columns; u += per_byte) {
        for (size_t p = 0; p < rows; p += PREPARED_TOGETHER) {
            uint64_t one[8], other[8] = {0};
            prepare_8(field, one, matrix + u * column_bytes, p, rows);
            if (per_byte == 2) {
                prepare_8(field, other, matrix + (u + 1) * column_bytes, p, rows);
            }
            for (size_t b = 0; b < PREPARED_TOGETHER && p + b < rows; b += per_byte) {
                const uint64_t block = per_byte == 1 ? one[b] : mb_x86_join_matrices(one[b], other[b], one[b + 1], other[b + 1]);
                memcpy(block_at(prepared, in_bytes, (p + b) / per_byte, u / per_byte), &block, sizeof block);
            }
        }
    }
}

/* ---- Transposing -------------------------------------------------------------------------------------- */

/* 8 × 8 words: three times, words whose numbers differ in one bit change places with registers that do. */
static MB_ALWAYS_INLINE void transpose_words(__m512i r[8])
{
    const __m512i low[3] = {_mm512_set_epi64(14, 6, 12, 4, 10, 2, 8, 0), _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0),
                            _mm512_set_epi64(11, 10, 9, 8, 3, 2, 1, 0)};
    const __m512i high[3] = {_mm512_set_epi64(15, 7, 13, 5, 11, 3, 9, 1), _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2),
                             _mm512_set_epi64(15, 14, 13, 12, 7, 6, 5, 4)};
    MB_UNROLL
    for (unsigned bit = 0; bit < 3; bit++) {
        MB_UNROLL
        for (unsigned i = 0; i < 8; i++) {
            if ((i >> bit & 1) == 0) {
                const __m512i one = r[i], other = r[i + (1u << bit)];
                r[i] = _mm512_permutex2var_epi64(one, low[bit], other);
                r[i + (1u << bit)] = _mm512_permutex2var_epi64(one, high[bit], other);
            }
        }
    }
}

/* 8 × 8 bytes within a register. */
static inline __m512i transpose_bytes(__m512i v)
{
    const __m512i transposed = _mm512_set_epi64(0x3f372f271f170f07, 0x3e362e261e160e06, 0x3d352d251d150d05,
                                                0x3c342c241c140c04, 0x3b332b231b130b03, 0x3a322a221a120a02,
                                                0x3931292119110901, 0x3830282018100800);
    return _mm512_permutexvar_epi8(transposed, v);
}

/* planes[8w + b] = byte 8w + b of `count` vectors; up to 64 bytes of each, 0 where there is none. */
static void load_planes(uint8_t *planes, const uint8_t *vectors, size_t bytes, size_t stride, size_t count)
{
    const __mmask64 mask = bytes < REGISTER ? first(bytes) : ~(__mmask64)0;
    const size_t words = (bytes + WORD - 1) / WORD;
    __m512i r[8];
    /* First words: planes[8w + g] holds word w of the vectors 8g … 8g + 7. */
    for (size_t g = 0; g < 8; g++) {
        MB_UNROLL
        for (unsigned v = 0; v < 8; v++) {
            r[v] = 8 * g + v < count ? _mm512_maskz_loadu_epi8(mask, vectors + (8 * g + v) * stride) : _mm512_setzero_si512();
        }
        transpose_words(r);
        MB_UNROLL
        for (unsigned w = 0; w < 8; w++) {
            if (w < words) {
                _mm512_storeu_si512(planes + (8 * w + g) * REGISTER, r[w]);
            }
        }
    }
    for (size_t w = 0; w < words; w++) {
        MB_UNROLL
        for (unsigned g = 0; g < 8; g++) {
            r[g] = transpose_bytes(_mm512_loadu_si512(planes + (8 * w + g) * REGISTER));
        }
        transpose_words(r);
        MB_UNROLL
        for (unsigned b = 0; b < 8; b++) {
            _mm512_storeu_si512(planes + (8 * w + b) * REGISTER, r[b]);
        }
    }
}

/* Eight planes become words of 64 vectors, one after the other. */
static MB_ALWAYS_INLINE void store_words(uint8_t *words, __m512i r[8])
{
    transpose_words(r);
    MB_UNROLL
    for (unsigned g = 0; g < 8; g++) {
        _mm512_storeu_si512(words + g * REGISTER, transpose_bytes(r[g]));
    }
}

/* ---- Products ------------------------------------------------------------------------------------------- */

/* Eight bytes of the products, as words. */
static void multiply_word(uint8_t *words, const uint8_t *planes, const uint8_t *prepared, size_t planes_len)
{
    __m512i sum[8];
    MB_UNROLL
    for (unsigned p = 0; p < 8; p++) {
        sum[p] = _mm512_setzero_si512();
    }
    for (size_t u = 0; u < planes_len; u++) {
        const __m512i plane = _mm512_loadu_si512(planes + u * REGISTER);
        MB_UNROLL
        for (unsigned p = 0; p < 8; p++) {
            sum[p] = add_times(sum[p], plane, matrix_at(prepared + (u * WORD + p) * PREPARED_BYTES));
        }
    }
    store_words(words, sum);
}

static void add_words(uint8_t *out, size_t bytes, size_t stride, const uint8_t *words, size_t count)
{
    for (size_t v = 0; v < count; v++) {
        mb_x86_add_word(out + v * stride, words + v * WORD, bytes);
    }
}

static void add_products(const mb_field *field, uint8_t *out, const uint8_t *vectors, size_t stride, size_t count,
                         const void *prepared, size_t rows, size_t columns)
{
    const size_t out_bytes = mb_field_bytes(field, rows), in_bytes = mb_field_bytes(field, columns);
    uint8_t planes[PLANES * REGISTER], words[VECTORS * WORD];
    for (size_t v = 0; v < count; v += VECTORS) {
        const size_t some = count - v < VECTORS ? count - v : VECTORS;
        for (size_t u = 0; u < in_bytes; u += PLANES) {
            const size_t planes_len = in_bytes - u < PLANES ? in_bytes - u : PLANES;
            load_planes(planes, vectors + v * stride + u, planes_len, stride, some);
            for (size_t p = 0; p < out_bytes; p += WORD) {
                const uint8_t *matrices = (const uint8_t *)prepared + (p * in_bytes + u * WORD) * PREPARED_BYTES;
                multiply_word(words, planes, matrices, planes_len);
                add_words(out + v * stride + p, out_bytes - p < WORD ? out_bytes - p : WORD, stride, words, some);
            }
        }
    }
}

const mb_transformation mb_gfni_avx512_transformation = {prepared_bytes, prepare, add_products};
