/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The backend for processors with AVX2: multiplication by a scalar is two look-ups of nibbles in registers (PSHUFB), which
 * serves every field and basis. Build with -mavx2; entered only where it exists. */
#include "linear/x86/x86.h"

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

/* The tables of s are the sum of the tables of the basis elements that s has. */
static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    mb_nibble_tables storage[8];
    const mb_nibble_tables *basis = mb_basis_tables(field, storage);
    uint8_t *out = prepared;
    for (size_t j = 0; j < count; j++) {
        const __m256i scalar = _mm256_set1_epi8((char)scalars[j]);
        __m256i tables = _mm256_setzero_si256();
        for (unsigned k = 0; k < field->bits; k++) {
            const __m256i bit = _mm256_set1_epi8((char)(1u << k));
            const __m256i has = _mm256_cmpeq_epi8(_mm256_and_si256(scalar, bit), bit);
            tables = _mm256_xor_si256(tables, _mm256_and_si256(has, vec_load(basis[k].products)));
        }
        vec_store(out + PREPARED_BYTES * j, tables);
    }
}

#include "linear/x86/kernels.h"
#include "linear/x86/elimination.h"

const mb_multiplier mb_avx2_multiplier = {"avx2", sizeof(vec), prepared_bytes, prepare, NULL, combine, combine_many};
const mb_solver mb_avx2_solver = {"avx2", factors_bytes, factor, solve};
const mb_gatherer mb_avx2_gatherer = {"avx2", gather_memory_bytes, gather_begin_vartime, gather_vartime, gather_collect_vartime};
