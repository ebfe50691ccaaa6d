/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The backend for processors with GFNI and AVX2 but no AVX-512; as gfni_avx512.c on 256-bit registers, with the same prepared
 * scalars. Build with -mgfni -mavx2; entered only where both exist. */
#include "linear/x86/transform.h"
#include "linear/x86/x86.h"

#include <immintrin.h>

typedef __m256i vec_scalar;

#include "linear/x86/vec256.h"

static inline vec_scalar vec_matrix(const uint8_t *p)
{
    __m256i all = _mm256_broadcastq_epi64(_mm_loadl_epi64((const void *)p));
    MB_X86_IN_REGISTER(all); /* with AVX-512 allowed too the compiler might broadcast */
    return all;
}

static inline vec vec_times_matrix(vec v, vec_scalar scalar)
{
    return _mm256_gf2p8affine_epi64_epi8(v, scalar, 0);
}

#include "linear/x86/whole.h"

/* Byte b of a scalar's matrix is a linear map of the scalar. */
static inline vec_basis vec_basis_of(const mb_field *field, vec_basis_storage *storage)
{
    return mb_x86_matrix_rows(field, storage->matrices);
}

/* The matrices of eight scalars: an affine map makes byte b of all eight at once, and what is left is to transpose 8 × 8 bytes. */
static inline void eight_matrices(__m256i out[2], vec_basis basis, long long eight)
{
    const __m256i scalars = _mm256_set1_epi64x(eight);
    /* Within halves: bytes of two rows side by side. */
    const __m256i pairs = _mm256_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12,
                                           5, 13, 6, 14, 7, 15);
    const __m256i rows_0 = _mm256_shuffle_epi8(
        _mm256_gf2p8affine_epi64_epi8(scalars, _mm256_loadu_si256((const void *)basis), 0), pairs); /* 01 | 23 */
    const __m256i rows_4 = _mm256_shuffle_epi8(
        _mm256_gf2p8affine_epi64_epi8(scalars, _mm256_loadu_si256((const void *)(basis + 4)), 0), pairs); /* 45 | 67 */
    const __m256i even = _mm256_permute2x128_si256(rows_0, rows_4, 0x20);                                 /* 01 | 45 */
    const __m256i odd = _mm256_permute2x128_si256(rows_0, rows_4, 0x31);                                  /* 23 | 67 */
    const __m256i first = _mm256_unpacklo_epi16(even, odd); /* bytes 0 … 3 of scalars 0 … 3 | bytes 4 … 7 */
    const __m256i last = _mm256_unpackhi_epi16(even, odd);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    out[0] = _mm256_permutevar8x32_epi32(first, order);
    out[1] = _mm256_permutevar8x32_epi32(last, order);
}

static inline vec_scalar vec_scalar_of(unsigned bits, vec_basis basis, uint8_t s)
{
    __m256i two[2];
    (void)bits;
    eight_matrices(two, basis, s);
    return _mm256_broadcastq_epi64(_mm256_castsi256_si128(two[0]));
}

static inline void prepare_bits(unsigned bits, vec_basis basis, uint8_t *out, const uint8_t *scalars, size_t count)
{
    __m256i matrices[2];
    long long eight = 0;
    (void)bits;
    for (; count >= 8; count -= 8, scalars += 8, out += 64) {
        memcpy(&eight, scalars, 8);
        eight_matrices(matrices, basis, eight);
        vec_store(out, matrices[0]);
        vec_store(out + 32, matrices[1]);
    }
    if (count != 0) {
        uint8_t all[64];
        eight = 0;
        for (size_t j = 0; j < count; j++) {
            eight |= (long long)scalars[j] << (8 * j);
        }
        eight_matrices(matrices, basis, eight);
        vec_store(all, matrices[0]);
        vec_store(all + 32, matrices[1]);
        for (size_t j = 0; j < count; j++) {
            memcpy(out + 8 * j, all + 8 * j, 8);
        }
    }
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    vec_basis_storage storage;
    prepare_bits(8, vec_basis_of(field, &storage), prepared, scalars, count);
}

#include "linear/x86/kernels.h"
#include "linear/x86/elimination.h"
#include "linear/x86/gather_rows.h"

/* Maps of bytes: bit matrices. */
enum { MAP_BYTES = 8 };

static inline void vec_map_join(unsigned bits, uint8_t *map, const uint8_t *scalars)
{
    uint64_t s[4], joined;
    memcpy(s, scalars, bits == 8 ? 8 : 32);
    joined = bits == 8 ? s[0] : mb_x86_join_matrices(s[0], s[2], s[1], s[3]);
    memcpy(map, &joined, sizeof joined);
}

static inline vec vec_map_add(vec sum, vec_split split, const uint8_t *map)
{
    return vec_xor(sum, vec_times_matrix(split, vec_matrix(map)));
}

#include "linear/x86/transform256.h"

const mb_multiplier mb_gfni_avx2_multiplier = {"gfni-avx2", sizeof(vec), prepared_bytes, prepare, NULL,
                                          combine, combine_many, scale, &transformation, NULL};
const mb_solver mb_gfni_avx2_solver = {"gfni-avx2", factors_bytes, factor, solve};
const mb_gatherer mb_gfni_avx2_gatherer = {"gfni-avx2", 0, gather_memory_bytes, gather_begin_vartime, gather_vartime,
                                         gather_collect_vartime, NULL};
