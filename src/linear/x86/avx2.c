/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The backend for processors with AVX2: multiplication by a scalar is two look-ups of nibbles in registers (PSHUFB), which
 * serves every field and basis. Build with -mavx2; entered only where it exists. */
#include "linear/x86/x86.h"
#include "platform/compiler.h"

#include <immintrin.h>

/* The products with low nibbles, and with high ones, in both halves of a register each. */
typedef struct vec_scalar {
    __m256i low, high;
} vec_scalar;
enum { PREPARED_BYTES = 32 };

#include "linear/x86/vec256.h"

static inline vec_scalar vec_prepared(const uint8_t *p)
{
    return (vec_scalar){_mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)p)),
                        _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(p + 16)))};
}

static inline vec vec_times(vec v, vec_scalar scalar)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i low = _mm256_and_si256(v, nibble);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble);
    return _mm256_xor_si256(_mm256_shuffle_epi8(scalar.low, low), _mm256_shuffle_epi8(scalar.high, high));
}

/* The nibbles of a register; only the low ones where elements have no more. */
typedef struct vec_split {
    __m256i low, high;
} vec_split;

static MB_ALWAYS_INLINE vec_split vec_split_for(unsigned bits, vec v)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    return (vec_split){_mm256_and_si256(v, nibble), bits == 4 ? v : _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble)};
}

static MB_ALWAYS_INLINE vec vec_split_times(unsigned bits, vec_split split, const uint8_t *prepared)
{
    const vec_scalar scalar = vec_prepared(prepared);
    const vec low = _mm256_shuffle_epi8(scalar.low, split.low);
    return bits == 4 ? low : _mm256_xor_si256(low, _mm256_shuffle_epi8(scalar.high, split.high));
}

/* ---- Preparing ------------------------------------------------------------------------------------------ */

/* The tables of s are the sum of the tables of the basis elements that s has. */
static inline __m256i one_scalar(const mb_nibble_tables *basis, unsigned bits, uint8_t s)
{
    const __m256i scalar = _mm256_set1_epi8((char)s);
    __m256i tables = _mm256_setzero_si256();
    for (unsigned k = 0; k < bits; k++) {
        const __m256i bit = _mm256_set1_epi8((char)(1u << k));
        const __m256i has = _mm256_cmpeq_epi8(_mm256_and_si256(scalar, bit), bit);
        tables = _mm256_xor_si256(tables, _mm256_and_si256(has, vec_load(basis[k].products)));
    }
    return tables;
}

static inline __m256i two_halves(const uint8_t *low, const uint8_t *high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)low)),
                                   _mm_loadu_si128((const void *)high), 1);
}

/* Products of sixteen scalars, byte by byte, with 2^k in the lower half and with 16·2^k in the upper one. */
static inline __m256i times_basis(const mb_nibble_tables *basis, unsigned bits, unsigned k, __m256i low, __m256i high)
{
    if (bits == 4) {
        return _mm256_shuffle_epi8(vec_load(basis[k].products), low);
    }
    const uint8_t *of_low = basis[k].products, *of_high = basis[k + 4].products;
    return _mm256_xor_si256(_mm256_shuffle_epi8(two_halves(of_low, of_high), low),
                            _mm256_shuffle_epi8(two_halves(of_low + 16, of_high + 16), high));
}

/* 16 × 16 bytes in each half: four times, what is eight registers apart comes side by side. */
static MB_ALWAYS_INLINE void transpose(__m256i rows[16])
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

/* The tables of sixteen scalars: their products with one number after the other, transposed. */
static MB_ALWAYS_INLINE void sixteen_scalars(__m256i tables[16], const mb_nibble_tables *basis, unsigned bits, __m128i scalars)
{
    const __m128i nibble = _mm_set1_epi8(15);
    const __m256i low = _mm256_broadcastsi128_si256(_mm_and_si128(scalars, nibble));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_and_si128(_mm_srli_epi16(scalars, 4), nibble));
    tables[0] = _mm256_setzero_si256();
    MB_UNROLL
    for (unsigned k = 0; k < 4; k++) {
        const __m256i product = times_basis(basis, bits, k, low, high);
        MB_UNROLL
        for (unsigned v = 0; v < 1u << k; v++) {
            tables[(1u << k) + v] = _mm256_xor_si256(tables[v], product);
        }
    }
    transpose(tables);
}

/* For so few one by one is quicker. */
enum { FEW = 3 };

static MB_ALWAYS_INLINE void prepare_in(const mb_nibble_tables *basis, unsigned bits, uint8_t *out, const uint8_t *scalars,
                                        size_t count)
{
    __m256i tables[16];
    for (; count >= 16; count -= 16, scalars += 16, out += 16 * PREPARED_BYTES) {
        sixteen_scalars(tables, basis, bits, _mm_loadu_si128((const void *)scalars));
        MB_UNROLL
        for (unsigned j = 0; j < 16; j++) {
            vec_store(out + j * PREPARED_BYTES, tables[j]);
        }
    }
    if (count > FEW) {
        uint8_t rest[16] = {0};
        memcpy(rest, scalars, count);
        sixteen_scalars(tables, basis, bits, _mm_loadu_si128((const void *)rest));
        for (unsigned j = 0; j < count; j++) {
            vec_store(out + j * PREPARED_BYTES, tables[j]);
        }
        return;
    }
    for (size_t j = 0; j < count; j++) {
        vec_store(out + j * PREPARED_BYTES, one_scalar(basis, bits, scalars[j]));
    }
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    mb_nibble_tables storage[8];
    const mb_nibble_tables *basis = mb_basis_tables(field, storage);
    if (field->bits == 4) {
        prepare_in(basis, 4, prepared, scalars, count);
    } else {
        prepare_in(basis, 8, prepared, scalars, count);
    }
}

#include "linear/x86/kernels.h"
#include "linear/x86/elimination.h"

const mb_multiplier mb_avx2_multiplier = {"avx2", sizeof(vec), prepared_bytes, prepare, NULL, combine, combine_many};
const mb_solver mb_avx2_solver = {"avx2", factors_bytes, factor, solve};
const mb_gatherer mb_avx2_gatherer = {"avx2", gather_memory_bytes, gather_begin_vartime, gather_vartime, gather_collect_vartime};
