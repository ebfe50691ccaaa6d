/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Linear systems (linear/contract.h) over the registers and prepared scalars of kernels.h, which is included before this.
 *
 * Gauss-Jordan elimination by columns, one element a byte. Step k looks in row k for the first column r ≥ k with an entry there and adds
 * it to column k if it is not column k itself; then, with p the pivot, s the entries of row k and c = (column k)/p, column j ^= c·s[j]
 * for j > k, where c has 1 + 1/p for row k, which so ends divided by p. Only columns to come are touched, and no entry is moved.
 * Columns added to columns change the unknowns, to x' with x = E_0·E_1 … x', where E_k adds x'_k to x'_r: done at the end. */
#ifndef MB_LINEAR_X86_ELIMINATION_H
#define MB_LINEAR_X86_ELIMINATION_H

#include "linear/x86/kernels.h"
#include "linear/tables/tables.h"
#include "linear/x86/pivot.h"
#include "platform/barrier.h"

typedef struct {
    size_t stride;     /* of a column: whole registers */
    uint8_t *columns;  /* n columns, and after its step each one's multipliers c */
    uint8_t *added;    /* for each step 0xff at the column that was added, 0 elsewhere */
    uint8_t *entries;  /* row k, one stride */
    uint8_t *prepared; /* its entries */
} elimination;

static size_t column_stride(size_t n)
{
    return (n + VEC_BYTES - 1) / VEC_BYTES * VEC_BYTES;
}

static size_t factors_bytes(const mb_field *field, size_t n)
{
    return column_stride(n) * (2 * n + 1 + prepared_bytes(field));
}

static elimination lay_out(void *factors, size_t n)
{
    elimination e;
    e.stride = column_stride(n);
    e.columns = factors;
    e.added = e.columns + n * e.stride;
    e.entries = e.added + n * e.stride;
    e.prepared = e.entries + e.stride;
    return e;
}

/* 0xff at one byte: read from `place` bytes before the middle on. */
static const uint8_t middle[2 * VEC_BYTES] = {[VEC_BYTES] = 0xff};

static inline vec byte_at(size_t place, uint8_t byte)
{
    return vec_and_byte(vec_load(middle + VEC_BYTES - place % VEC_BYTES), byte);
}

static void load_columns(const mb_field *field, const elimination *e, const uint8_t *matrix, size_t n)
{
    const size_t bytes = mb_field_bytes(field, n);
    for (size_t j = 0; j < n; j++) {
        uint8_t *column = e->columns + j * e->stride;
        for (size_t w = n / VEC_BYTES * VEC_BYTES; w < e->stride; w += VEC_BYTES) {
            vec_store(column + w, vec_zero());
        }
        if (field->bits == 4) {
            mb_x86_unpack_nibbles(column, matrix + j * bytes, bytes);
        } else {
            memcpy(column, matrix + j * bytes, bytes);
        }
    }
}

/* The bytes that lie `stride` bytes apart, `count` ≤ 8 of them, as a word. */
static MB_ALWAYS_INLINE uint64_t read_strided(const uint8_t *at, size_t stride, size_t count)
{
    uint64_t word = 0;
    if (count >= 8) {
        MB_UNROLL
        for (unsigned b = 0; b < 8; b++) {
            word |= (uint64_t)at[b * stride] << (8 * b);
        }
        return word;
    }
    for (unsigned b = 0; b < count; b++) {
        word |= (uint64_t)at[b * stride] << (8 * b);
    }
    return word;
}

/* Row k in the columns from k on, and 0 from n on; what stands for those before k is of no use. */
static MB_ALWAYS_INLINE void read_row(const elimination *e, size_t k, size_t n)
{
    const uint8_t *row = e->columns + k;
    for (size_t block = k / 32 * 32; block < n; block += 32) {
        uint64_t word[4] = {0};
        MB_UNROLL
        for (unsigned w = 0; w < 4; w++) {
            const size_t j = block + 8 * w;
            if (j + 8 > k && j < n) {
                word[w] = read_strided(row + j * e->stride, e->stride, n - j);
            }
        }
        mb_x86_store_words(e->entries + block, word);
    }
}

/* Adds the chosen column to column k, reading all that could have been chosen. Some registers of them. */
static MB_ALWAYS_INLINE void add_chosen(const elimination *e, unsigned registers, size_t at, size_t k, size_t n)
{
    const uint8_t *chosen = e->added + k * e->stride, *column = e->columns + at;
    uint8_t *own = e->columns + k * e->stride + at;
    size_t j = k + 1;
    vec sum[2][2]; /* two of each, because an addition waits for the one before */
    MB_UNROLL
    for (unsigned w = 0; w < registers; w++) {
        sum[0][w] = vec_load(own + w * VEC_BYTES);
        sum[1][w] = vec_zero();
    }
    for (; j + 2 <= n; j += 2) {
        MB_UNROLL
        for (unsigned s = 0; s < 2; s++) {
            MB_UNROLL
            for (unsigned w = 0; w < registers; w++) {
                const vec entry = vec_load(column + (j + s) * e->stride + w * VEC_BYTES);
                sum[s][w] = vec_xor(sum[s][w], vec_and_byte(entry, chosen[j + s]));
            }
        }
    }
    MB_UNROLL
    for (unsigned w = 0; w < registers; w++) {
        if (j < n) {
            sum[0][w] = vec_xor(sum[0][w], vec_and_byte(vec_load(column + j * e->stride + w * VEC_BYTES), chosen[j]));
        }
        vec_store(own + w * VEC_BYTES, vec_xor(sum[0][w], sum[1][w]));
    }
}

/* Column k becomes the multipliers of its step. */
static MB_ALWAYS_INLINE void divide_by_pivot(const mb_field *field, unsigned bits, vec_basis basis, const elimination *e, const uint8_t *inverses, size_t k)
{
    uint8_t *column = e->columns + k * e->stride;
    const uint8_t inverse = mb_x86_look_up(inverses, field->bits, column[k]);
    const vec_scalar scalar = vec_scalar_of(bits, basis, inverse);
    for (size_t w = 0; w < e->stride; w += VEC_BYTES) {
        vec_store(column + w, vec_times(bits, vec_load(column + w), scalar));
    }
    /* Its own entry is 1 now. */
    uint8_t *own = column + k / VEC_BYTES * VEC_BYTES;
    vec_store(own, vec_xor(vec_load(own), byte_at(k, inverse)));
}

/* Some registers of column j ^= c·s[j], for all j > k. */
static MB_ALWAYS_INLINE void clear_row(const elimination *e, unsigned bits, unsigned registers, size_t at, size_t k, size_t n)
{
    const uint8_t *prepared = e->prepared + (k + 1) * prepared_len(bits);
    uint8_t *column = e->columns + k * e->stride + at;
    vec_split multiplier[2];
    MB_UNROLL
    for (unsigned w = 0; w < registers; w++) {
        multiplier[w] = vec_split_for(bits, vec_load(column + w * VEC_BYTES));
    }
    for (size_t j = k + 1; j < n; j++, prepared += prepared_len(bits)) {
        const vec_scalar scalar = vec_prepared(bits, prepared);
        column += e->stride;
        MB_UNROLL
        for (unsigned w = 0; w < registers; w++) {
            const vec step = vec_elements_times(bits, multiplier[w], scalar);
            vec_store(column + w * VEC_BYTES, vec_xor(vec_load(column + w * VEC_BYTES), step));
        }
    }
}

static MB_ALWAYS_INLINE int factor_in(const mb_field *field, unsigned bits, const elimination *e, size_t n)
{
    uint8_t storage[256];
    const uint8_t *inverses = mb_inverses(field, storage);
    vec_basis_storage basis_storage;
    const vec_basis basis = vec_basis_of(field, &basis_storage);
    uint32_t regular = 0xffffffffu;
    for (size_t w = 0; w < e->stride; w += VEC_BYTES) {
        vec_store(e->entries + w, vec_zero());
    }
    for (size_t k = 0; k < n; k++) {
        size_t at = 0;
        read_row(e, k, n);
        regular &= mb_x86_find_pivot(e->added + k * e->stride, e->entries, k, e->stride);
        for (; at + 2 * VEC_BYTES <= e->stride; at += 2 * VEC_BYTES) {
            add_chosen(e, 2, at, k, n);
        }
        if (at < e->stride) {
            add_chosen(e, 1, at, k, n);
        }
        divide_by_pivot(field, bits, basis, e, inverses, k);
        /* Whole groups of 32, or at the end of 16: the entries are padded. */
        const size_t from = (k + 1) / 32 * 32;
        prepare_bits(bits, basis, e->prepared + from * prepared_len(bits), e->entries + from,
                     (n + 15) / 16 * 16 - from);
        for (at = 0; at + 2 * VEC_BYTES <= e->stride; at += 2 * VEC_BYTES) {
            clear_row(e, bits, 2, at, k, n);
        }
        if (at < e->stride) {
            clear_row(e, bits, 1, at, k, n);
        }
    }
    return (int)mb_barrier_u32(regular & 1u) - 1;
}

/* Columns of one register, and of two where elements have 8 bits, get code of their own. */
static MB_ALWAYS_INLINE int factor_bits(const mb_field *field, unsigned bits, elimination e, size_t n)
{
    if (e.stride == VEC_BYTES) {
        e.stride = VEC_BYTES;
        return factor_in(field, bits, &e, n);
    }
    if (e.stride == 2 * VEC_BYTES && bits == 8) {
        e.stride = 2 * VEC_BYTES;
        return factor_in(field, bits, &e, n);
    }
    return factor_in(field, bits, &e, n);
}

static int factor(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    const elimination e = lay_out(factors, n);
    load_columns(field, &e, matrix, n);
    return kernel_bits(field) == 4 ? factor_bits(field, 4, e, n) : factor_bits(field, 8, e, n);
}

/* The same steps on a right-hand side, and then the columns that were added, last one first. */
static MB_ALWAYS_INLINE void solve_in(const mb_field *field, unsigned bits, const elimination *e, uint8_t *side, size_t n)
{
    vec_basis_storage storage;
    const vec_basis basis = vec_basis_of(field, &storage);
    for (size_t k = 0; k < n; k++) {
        const vec_scalar scalar = vec_scalar_of(bits, basis, side[k]);
        for (size_t w = 0; w < e->stride; w += VEC_BYTES) {
            const vec step = vec_elements_times(bits, vec_split_for(bits, vec_load(e->columns + k * e->stride + w)), scalar);
            vec_store(side + w, vec_xor(vec_load(side + w), step));
        }
    }
    for (size_t k = n; k-- > 0;) {
        const uint8_t entry = side[k];
        for (size_t w = k / VEC_BYTES * VEC_BYTES; w < e->stride; w += VEC_BYTES) {
            const vec added = vec_and_byte(vec_load(e->added + k * e->stride + w), entry);
            vec_store(side + w, vec_xor(vec_load(side + w), added));
        }
    }
}

static void solve(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors, size_t n)
{
    const elimination e = lay_out(factors, n);
    uint8_t *side = e.entries;
    (void)matrix;
    for (size_t w = 0; w < e.stride; w += VEC_BYTES) {
        vec_store(side + w, vec_zero());
    }
    mb_field_unpack(field, side, right, n);
    if (kernel_bits(field) == 4) {
        solve_in(field, 4, &e, side, n);
    } else {
        solve_in(field, 8, &e, side, n);
    }
    memcpy(x, side, n);
}

#endif
