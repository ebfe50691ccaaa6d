/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The backend for processors with AVX2: multiplication by a scalar is two look-ups of nibbles in registers (PSHUFB), which
 * serves every field and basis. Build with -mavx2; entered only where it exists. */
#include "linear/x86/avx2.h"

enum { KERNEL_OUTS = 8 };

/* Of the last bytes no more than 16: the lower half of a register gets their low nibbles, the upper half the high ones. */
static inline int in_halves(size_t bytes, size_t tail)
{
    return bytes >= 16 && tail <= 16;
}

static MB_ALWAYS_INLINE void vec_tail_add(unsigned bits, vec_sum *sum, const uint8_t *p, size_t bytes, size_t tail,
                                          const uint8_t *prepared)
{
    if (!in_halves(bytes, tail)) {
        vec_sum_add(bits, sum, vec_split_for(bits, vec_load_end(p, bytes, tail)), vec_prepared(bits, prepared));
        return;
    }
    const __m256i nibbles = _mm256_srlv_epi64(in_both_halves(p + bytes - 16), _mm256_setr_epi64x(0, 0, 4, 4));
    const __m256i table = bits == 4 ? in_both_halves(prepared) : vec_load(prepared);
    sum->low = _mm256_xor_si256(sum->low, _mm256_shuffle_epi8(table, _mm256_and_si256(nibbles, _mm256_set1_epi8(15))));
}

static MB_ALWAYS_INLINE vec vec_tail_value(unsigned bits, const vec_sum *sum, size_t bytes, size_t tail)
{
    if (!in_halves(bytes, tail)) {
        return vec_only_tail(vec_sum_value(bits, sum), bytes, tail);
    }
    const __m128i of_high = _mm256_extracti128_si256(sum->low, 1);
    const __m128i value = _mm_xor_si128(_mm256_castsi256_si128(sum->low), bits == 4 ? _mm_slli_epi16(of_high, 4) : of_high);
    if (bytes < VEC_BYTES) {
        return _mm256_zextsi128_si256(value);
    }
    return vec_only_tail(_mm256_inserti128_si256(_mm256_setzero_si256(), value, 1), bytes, tail);
}

/* ---- Preparing ------------------------------------------------------------------------------------------ */

typedef const mb_nibble_tables *vec_basis;
typedef struct vec_basis_storage {
    mb_nibble_tables tables[8];
} vec_basis_storage;

static inline vec_basis vec_basis_of(const mb_field *field, vec_basis_storage *storage)
{
    return mb_basis_tables(field, storage->tables);
}

/* The tables of s are the sum of the tables of the basis elements that s has. */
static MB_ALWAYS_INLINE __m256i one_scalar(vec_basis basis, unsigned bits, uint8_t s)
{
    const __m256i scalar = _mm256_set1_epi8((char)s);
    __m256i tables = _mm256_setzero_si256();
    MB_UNROLL
    for (unsigned k = 0; k < bits; k++) {
        const __m256i bit = _mm256_set1_epi8((char)(1u << k));
        const __m256i has = _mm256_cmpeq_epi8(_mm256_and_si256(scalar, bit), bit);
        tables = _mm256_xor_si256(tables, _mm256_and_si256(has, vec_load(basis[k].products)));
    }
    return tables;
}

static MB_ALWAYS_INLINE vec_scalar vec_scalar_of(unsigned bits, vec_basis basis, uint8_t s)
{
    const __m256i tables = one_scalar(basis, bits, s);
    const __m256i low = _mm256_permute2x128_si256(tables, tables, 0x00);
    return (vec_scalar){low, bits == 4 ? low : _mm256_permute2x128_si256(tables, tables, 0x11)};
}

static inline __m256i two_halves(__m128i low, __m128i high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline __m128i half_at(const uint8_t *p)
{
    return _mm_loadu_si128((const void *)p);
}

/* From products with 1, 2, 4 and 8 to tables: products with one number after the other, transposed. */
static MB_ALWAYS_INLINE void make_tables(__m256i tables[16], const __m256i products[4])
{
    tables[0] = _mm256_setzero_si256();
    MB_UNROLL
    for (unsigned k = 0; k < 4; k++) {
        for (unsigned v = 0; v < 1u << k; v++) {
            tables[(1u << k) + v] = _mm256_xor_si256(tables[v], products[k]);
        }
    }
    vec_transpose_halves(tables);
}

/* Elements of 4 bits: the tables of scalars j and j + 16 in the halves of register j. */
static MB_ALWAYS_INLINE void thirty_two_scalars(__m256i tables[16], const mb_nibble_tables *basis, __m256i scalars)
{
    __m256i products[4];
    MB_UNROLL
    for (unsigned k = 0; k < 4; k++) {
        products[k] = _mm256_shuffle_epi8(in_both_halves(basis[k].products), scalars);
    }
    make_tables(tables, products);
}

/* Of 8 bits: both tables of scalar j in register j. Lower halves have products with 2^k, upper ones with 16·2^k. */
static MB_ALWAYS_INLINE void sixteen_scalars(__m256i tables[16], const mb_nibble_tables *basis, __m128i scalars)
{
    const __m128i nibble = _mm_set1_epi8(15);
    const __m256i low = _mm256_broadcastsi128_si256(_mm_and_si128(scalars, nibble));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_and_si128(_mm_srli_epi16(scalars, 4), nibble));
    __m256i products[4];
    MB_UNROLL
    for (unsigned k = 0; k < 4; k++) {
        const uint8_t *one = basis[k].products, *other = basis[k + 4].products;
        products[k] = _mm256_xor_si256(_mm256_shuffle_epi8(two_halves(half_at(one), half_at(other)), low),
                                       _mm256_shuffle_epi8(two_halves(half_at(one + 16), half_at(other + 16)), high));
    }
    make_tables(tables, products);
}

/* For so few one by one is quicker. */
enum { FEW = 3 };

static MB_ALWAYS_INLINE void store_half(uint8_t *p, __m128i v)
{
    _mm_storeu_si128((void *)p, v);
}

/* Fewer than 32 scalars. */
static inline __m256i load_fewer(const uint8_t *scalars, size_t count)
{
    uint8_t rest[32] = {0};
    memcpy(rest, scalars, count);
    return vec_load(rest);
}

static MB_NOINLINE void prepare_4(const mb_nibble_tables *basis, uint8_t *out, const uint8_t *scalars, size_t count)
{
    __m256i tables[16];
    for (; count >= 32; count -= 32, scalars += 32, out += 32 * 16) {
        thirty_two_scalars(tables, basis, vec_load(scalars));
        MB_UNROLL
        for (unsigned j = 0; j < 16; j++) {
            store_half(out + j * 16, _mm256_castsi256_si128(tables[j]));
            store_half(out + (j + 16) * 16, _mm256_extracti128_si256(tables[j], 1));
        }
    }
    if (count > FEW) {
        thirty_two_scalars(tables, basis, load_fewer(scalars, count));
        for (unsigned j = 0; j < 16 && j < count; j++) {
            store_half(out + j * 16, _mm256_castsi256_si128(tables[j]));
        }
        for (unsigned j = 16; j < count; j++) {
            store_half(out + j * 16, _mm256_extracti128_si256(tables[j - 16], 1));
        }
        return;
    }
    for (size_t j = 0; j < count; j++) {
        store_half(out + j * 16, _mm256_castsi256_si128(one_scalar(basis, 4, scalars[j])));
    }
}

static MB_NOINLINE void prepare_8(const mb_nibble_tables *basis, uint8_t *out, const uint8_t *scalars, size_t count)
{
    __m256i tables[16];
    for (; count >= 16; count -= 16, scalars += 16, out += 16 * 32) {
        sixteen_scalars(tables, basis, half_at(scalars));
        MB_UNROLL
        for (unsigned j = 0; j < 16; j++) {
            vec_store(out + j * 32, tables[j]);
        }
    }
    if (count > FEW) {
        sixteen_scalars(tables, basis, _mm256_castsi256_si128(load_fewer(scalars, count)));
        for (unsigned j = 0; j < count; j++) {
            vec_store(out + j * 32, tables[j]);
        }
        return;
    }
    for (size_t j = 0; j < count; j++) {
        vec_store(out + j * 32, one_scalar(basis, 8, scalars[j]));
    }
}

static MB_ALWAYS_INLINE void prepare_bits(unsigned bits, vec_basis basis, uint8_t *out, const uint8_t *scalars, size_t count)
{
    if (bits == 4) {
        prepare_4(basis, out, scalars, count);
    } else {
        prepare_8(basis, out, scalars, count);
    }
}

void mb_avx2_prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    vec_basis_storage storage;
    const vec_basis basis = vec_basis_of(field, &storage);
    if (field->bits == 4) {
        prepare_bits(4, basis, prepared, scalars, count);
    } else {
        prepare_bits(8, basis, prepared, scalars, count);
    }
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    mb_avx2_prepare(field, prepared, scalars, count);
}

/* Over GF(16) two vectors fill a register, and their tables another one. */
static MB_ALWAYS_INLINE size_t vec_combine_pairs(unsigned bits, uint8_t *out, const uint8_t *vectors, const uint8_t *prepared,
                                                 size_t count)
{
    vec_sum sum[2] = {vec_sum_zero(), vec_sum_zero()};
    size_t j = 0;
    if (bits != 4) {
        return 0;
    }
    for (; j + 4 <= count; j += 4, vectors += 64, prepared += 64) {
        const __m256i one = vec_load(prepared), other = vec_load(prepared + 32);
        vec_sum_add(4, &sum[0], vec_split_for(4, vec_load(vectors)), (vec_scalar){one, one});
        vec_sum_add(4, &sum[1], vec_split_for(4, vec_load(vectors + 32)), (vec_scalar){other, other});
    }
    const __m256i both = _mm256_xor_si256(vec_sum_value(4, &sum[0]), vec_sum_value(4, &sum[1]));
    const __m128i half = _mm_xor_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    store_half(out, _mm_xor_si128(half_at(out), half));
    return j;
}

#include "linear/x86/kernels.h"
#include "linear/x86/elimination.h"

/* Maps of bytes: two tables, also over GF(16), where an element of the table is two products. */
enum { MAP_BYTES = 32 };

static inline void vec_map_join(unsigned bits, uint8_t *map, const uint8_t *scalars)
{
    if (bits == 8) {
        vec_store(map, vec_load(scalars));
        return;
    }
    for (size_t nibble = 0; nibble < 2; nibble++) {
        const __m128i low = half_at(scalars + 32 * nibble), high = half_at(scalars + 32 * nibble + 16);
        store_half(map + 16 * nibble, _mm_xor_si128(low, _mm_slli_epi16(high, 4)));
    }
}

static MB_ALWAYS_INLINE vec vec_map_add(vec sum, vec_split split, const uint8_t *map)
{
    sum = vec_xor(sum, _mm256_shuffle_epi8(in_both_halves(map), split.low));
    return vec_xor(sum, _mm256_shuffle_epi8(in_both_halves(map + 16), split.high));
}

#include "linear/x86/transform256.h"

const mb_multiplier mb_avx2_multiplier = {"avx2", sizeof(vec), prepared_bytes, prepare, NULL,
                                          combine, combine_many, scale, &transformation, NULL};
const mb_solver mb_avx2_solver = {"avx2", factors_bytes, factor, solve};
