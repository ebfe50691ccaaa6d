/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The backend for processors with GFNI and AVX2 but no AVX-512; as gfni_avx512.c on 256-bit registers, with the same prepared
 * scalars. Build with -mgfni -mavx2; entered only where both exist. */
#include "linear/x86/x86.h"

#include <immintrin.h>

typedef __m256i vec_scalar;

#include "linear/x86/vec256.h"

static inline vec_scalar vec_matrix(const uint8_t *p)
{
    return _mm256_broadcastq_epi64(_mm_loadl_epi64((const void *)p));
}

static inline vec vec_times_matrix(vec v, vec_scalar scalar)
{
    return _mm256_gf2p8affine_epi64_epi8(v, scalar, 0);
}

#include "linear/x86/whole.h"

/* The matrices of four scalars: each is the sum of the matrices of the basis elements that the scalar has. */
static inline __m256i four_matrices(unsigned bits, const uint64_t *basis, __m128i scalars)
{
    const __m256i words = _mm256_cvtepu8_epi64(scalars);
    __m256i matrices = _mm256_setzero_si256();
    for (unsigned k = 0; k < bits; k++) {
        const __m256i bit = _mm256_set1_epi64x(1 << k);
        const __m256i has = _mm256_cmpeq_epi64(_mm256_and_si256(words, bit), bit);
        const __m256i matrix = _mm256_set1_epi64x((long long)basis[k]);
        matrices = _mm256_xor_si256(matrices, _mm256_and_si256(has, matrix));
    }
    return matrices;
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    uint64_t storage[8];
    const uint64_t *basis = mb_x86_basis_matrices(field, storage);
    uint8_t *out = prepared;
    size_t j = 0;
    for (; j + 4 <= count; j += 4) {
        int four;
        memcpy(&four, scalars + j, sizeof four);
        vec_store(out + 8 * j, four_matrices(field->bits, basis, _mm_cvtsi32_si128(four)));
    }
    for (; j < count; j++) {
        const __m256i matrices = four_matrices(field->bits, basis, _mm_cvtsi32_si128(scalars[j]));
        _mm_storel_epi64((void *)(out + 8 * j), _mm256_castsi256_si128(matrices));
    }
}

#include "linear/x86/kernels.h"
#include "linear/x86/elimination.h"

const mb_multiplier mb_gfni_avx2_multiplier = {"gfni-avx2", sizeof(vec), prepared_bytes, prepare, NULL, combine, combine_many};
const mb_solver mb_gfni_avx2_solver = {"gfni-avx2", factors_bytes, factor, solve};
const mb_gatherer mb_gfni_avx2_gatherer = {"gfni-avx2", gather_memory_bytes, gather_begin_vartime, gather_vartime, gather_collect_vartime};
