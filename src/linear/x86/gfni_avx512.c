/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The backend for processors with GFNI and AVX-512: multiplication by a scalar is an 8 × 8 bit matrix (GF2P8AFFINEQB), which
 * serves every field and basis; over GF(16) the matrix works on both nibbles of a byte. Build with -mgfni -mavx512f
 * -mavx512bw -mavx512vl; entered only where all exist. */
#include "linear/x86/x86.h"

#include <immintrin.h>

typedef __m512i vec;
typedef __m512i vec_scalar;
enum { VEC_BYTES = 64, PREPARED_BYTES = 8 };

static inline vec vec_zero(void)
{
    return _mm512_setzero_si512();
}

static inline vec vec_xor(vec a, vec b)
{
    return _mm512_xor_si512(a, b);
}

static inline vec vec_load(const uint8_t *p)
{
    return _mm512_loadu_si512(p);
}

static inline void vec_store(uint8_t *p, vec v)
{
    _mm512_storeu_si512(p, v);
}

static inline vec vec_load_tail(const uint8_t *p, size_t bytes, size_t tail)
{
    return _mm512_maskz_loadu_epi8(((__mmask64)1 << tail) - 1, p + (bytes - tail));
}

static inline void vec_xor_tail(uint8_t *p, size_t bytes, size_t tail, vec v)
{
    const __mmask64 mask = ((__mmask64)1 << tail) - 1;
    uint8_t *at = p + (bytes - tail);
    _mm512_mask_storeu_epi8(at, mask, _mm512_xor_si512(_mm512_maskz_loadu_epi8(mask, at), v));
}

static inline void vec_xor_padded(uint8_t *p, size_t bytes, size_t tail, vec v)
{
    uint8_t *at = p + (bytes - tail);
    vec_store(at, vec_xor(vec_load(at), v));
}

static inline vec vec_of_byte(uint8_t byte)
{
    return _mm512_set1_epi8((char)byte);
}

/* v where the byte mask (0 or 0xff) is set. */
static inline vec vec_and_byte(vec v, uint8_t mask)
{
    return _mm512_and_si512(v, _mm512_set1_epi8((char)mask));
}

static inline vec_scalar vec_prepared(const uint8_t *p)
{
    long long matrix;
    __builtin_memcpy(&matrix, p, sizeof matrix);
    return _mm512_set1_epi64(matrix);
}

static inline vec vec_times(vec v, vec_scalar scalar)
{
    return _mm512_gf2p8affine_epi64_epi8(v, scalar, 0);
}

/* The matrices of eight scalars: each is the sum of the matrices of the basis elements that the scalar has. */
static inline __m512i eight_matrices(unsigned bits, const uint64_t *basis, __m128i scalars)
{
    const __m512i words = _mm512_cvtepu8_epi64(scalars);
    __m512i matrices = _mm512_setzero_si512();
    for (unsigned k = 0; k < bits; k++) {
        const __mmask8 has = _mm512_test_epi64_mask(words, _mm512_set1_epi64(1 << k));
        matrices = _mm512_mask_xor_epi64(matrices, has, matrices, _mm512_set1_epi64((long long)basis[k]));
    }
    return matrices;
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    uint64_t storage[8];
    const uint64_t *basis = mb_x86_basis_matrices(field, storage);
    uint8_t *out = prepared;
    size_t j = 0;
    /* Whole stores wherever possible: what follows reads them at once, and masked stores do not forward. */
    for (; j + 8 <= count; j += 8) {
        const __m128i eight = _mm_loadl_epi64((const void *)(scalars + j));
        _mm512_storeu_si512(out + 8 * j, eight_matrices(field->bits, basis, eight));
    }
    for (; j < count; j++) {
        const __m128i one = _mm_cvtsi32_si128(scalars[j]);
        _mm_storel_epi64((void *)(out + 8 * j), _mm512_castsi512_si128(eight_matrices(field->bits, basis, one)));
    }
}

#include "linear/x86/kernels.h"

/* Vectors that half a register holds go to the 256-bit code, which does two of them at a time. */
static void combine_any(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                        const void *prepared, size_t count)
{
    (bytes <= 32 ? mb_gfni_avx2_multiplier.combine : combine)(field, out, bytes, vectors, stride, prepared, count);
}

static void combine_many_any(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                             const uint8_t *vectors, size_t stride, const void *prepared, size_t prepared_stride,
                             size_t count)
{
    (bytes <= 32 ? mb_gfni_avx2_multiplier.combine_many : combine_many)(
        field, out, out_stride, outs, bytes, vectors, stride, prepared, prepared_stride, count);
}

const mb_multiplier mb_gfni_avx512_multiplier = {"gfni-avx512", prepared_bytes, prepare, combine_any,
                                                 combine_many_any};
/* Systems whose rows half a register holds likewise. */
static int is_narrow(size_t n)
{
    return n <= 32;
}

static size_t factors_bytes_any(const mb_field *field, size_t n)
{
    return (is_narrow(n) ? mb_gfni_avx2_solver.factors_bytes : factors_bytes)(field, n);
}

static int factor_any(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    return (is_narrow(n) ? mb_gfni_avx2_solver.factor : factor)(field, matrix, factors, n);
}

static void solve_any(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors,
                      size_t n)
{
    (is_narrow(n) ? mb_gfni_avx2_solver.solve : solve)(field, x, right, matrix, factors, n);
}

const mb_solver mb_gfni_avx512_solver = {"gfni-avx512", factors_bytes_any, factor_any, solve_any};

/* Two vectors of 32 bytes, or four of 16, in one register, each under its own matrix. */
static inline vec spread_matrices(const uint8_t *prepared, size_t bytes)
{
    if (bytes == 32) {
        const __m512i order = _mm512_setr_epi64(0, 0, 0, 0, 1, 1, 1, 1);
        return _mm512_permutexvar_epi64(order, _mm512_castsi128_si512(_mm_loadu_si128((const void *)prepared)));
    }
    const __m512i order = _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3);
    return _mm512_permutexvar_epi64(order, _mm512_castsi256_si512(_mm256_loadu_si256((const void *)prepared)));
}

/* gather_vartime for vectors of 16 or 32 bytes (a constant). */
static MB_ALWAYS_INLINE void gather_narrow(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors,
                                           size_t i, size_t j, size_t count)
{
    const uint8_t *prepared = (const uint8_t *)g->memory + j * PREPARED_BYTES;
    const size_t together = VEC_BYTES / bytes;
    uint8_t *out = gather_sum(g) + first;
    __m512i sum = _mm512_setzero_si512();
    for (; count >= together; count -= together) {
        sum = _mm512_xor_si512(sum, vec_times(vec_load(vectors), spread_matrices(prepared, bytes)));
        vectors += VEC_BYTES;
        prepared += together * PREPARED_BYTES;
    }
    __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
    if (bytes == 16) {
        half = _mm256_xor_si256(half, _mm256_permute2x128_si256(half, half, 1));
    }
    for (; count != 0; count--) {
        const __m256i last = bytes == 16 ? _mm256_castsi128_si256(_mm_loadu_si128((const void *)vectors))
                                         : _mm256_loadu_si256((const void *)vectors);
        half = _mm256_xor_si256(half, _mm256_gf2p8affine_epi64_epi8(
                                          last, _mm256_broadcastq_epi64(_mm_loadl_epi64((const void *)prepared)), 0));
        vectors += bytes;
        prepared += PREPARED_BYTES;
    }
    const __m256i factor =
        _mm256_broadcastq_epi64(_mm_loadl_epi64((const void *)((const uint8_t *)g->memory + i * PREPARED_BYTES)));
    half = _mm256_gf2p8affine_epi64_epi8(half, factor, 0);
    if (bytes == 16) {
        const __m128i quarter = _mm256_castsi256_si128(half);
        _mm_storeu_si128((void *)out, _mm_xor_si128(_mm_loadu_si128((const void *)out), quarter));
    } else {
        _mm256_storeu_si256((void *)out, _mm256_xor_si256(_mm256_loadu_si256((const void *)out), half));
    }
}

static void gather_any_vartime(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, size_t i,
                               size_t j, size_t count)
{
    if (bytes == 32) {
        gather_narrow(g, first, 32, vectors, i, j, count);
    } else if (bytes == 16) {
        gather_narrow(g, first, 16, vectors, i, j, count);
    } else {
        gather_vartime(g, first, bytes, vectors, i, j, count);
    }
}

const mb_gatherer mb_gfni_avx512_gatherer = {"gfni-avx512", gather_memory_bytes, gather_begin_vartime,
                                             gather_any_vartime, NULL, gather_collect_vartime};
