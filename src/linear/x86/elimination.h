/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Linear systems (linear/contract.h) over the registers and prepared scalars of kernels.h, which is included before this. */
#ifndef MB_LINEAR_X86_ELIMINATION_H
#define MB_LINEAR_X86_ELIMINATION_H

#include "linear/x86/kernels.h"
#include "linear/tables/tables.h"
#include "linear/x86/pivot.h"
#include "platform/barrier.h"

/* Gauss-Jordan elimination on rows, one element a byte. Where a pivot is zero the first row below that has
 * an entry in its column is added, chosen by a secret mask; no row is swapped, so row k ends as variable k. */
typedef struct {
    size_t stride;       /* of a row: whole registers */
    uint8_t *rows;       /* n rows */
    uint8_t *multiplier; /* n rows: step k's multipliers, 0 for row k itself */
    uint8_t *prepared;   /* of one column of multipliers */
    uint8_t *added;      /* n rows: 0xff at the row that was added to row k, 0 elsewhere */
    uint8_t *scale;      /* n prepared scalars: the inverses of the pivots */
} elimination;

static size_t row_stride(size_t n)
{
    return (n + VEC_BYTES - 1) / VEC_BYTES * VEC_BYTES;
}

static size_t factors_bytes(const mb_field *field, size_t n)
{
    (void)field;
    return 3 * n * row_stride(n) + 2 * row_stride(n) * PREPARED_BYTES;
}

static elimination lay_out(void *factors, size_t n)
{
    elimination e;
    e.stride = row_stride(n);
    e.rows = factors;
    e.multiplier = e.rows + n * e.stride;
    e.added = e.multiplier + n * e.stride;
    e.scale = e.added + n * e.stride;
    e.prepared = e.scale + e.stride * PREPARED_BYTES;
    return e;
}

/* Packed columns to rows with one element a byte. */
static void load_rows(const mb_field *field, const elimination *e, const uint8_t *matrix, size_t n)
{
    memset(e->rows, 0, n * e->stride);
    if (field->bits == 8) {
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i < n; i++) {
                e->rows[i * e->stride + j] = matrix[j * n + i];
            }
        }
        return;
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n / 2; i++) {
            e->rows[2 * i * e->stride + j] = matrix[j * (n / 2) + i] & 15;
            e->rows[(2 * i + 1) * e->stride + j] = (uint8_t)(matrix[j * (n / 2) + i] >> 4);
        }
    }
}

/* Adds the chosen row to row k, reading all that could have been chosen, and its entry to column k. */
static void add_row(const elimination *e, uint8_t *column, size_t k, size_t n)
{
    const uint8_t *one_hot = e->added + k * e->stride;
    column[k] ^= mb_x86_masked_sum(column, one_hot, e->stride);
    for (size_t w = k / VEC_BYTES * VEC_BYTES; w < e->stride; w += VEC_BYTES) {
        vec row = vec_load(e->rows + k * e->stride + w);
        for (size_t i = k + 1; i < n; i++) {
            row = vec_xor(row, vec_and_byte(vec_load(e->rows + i * e->stride + w), one_hot[i]));
        }
        vec_store(e->rows + k * e->stride + w, row);
    }
}

/* Scales row k by the inverse of its pivot and clears column k elsewhere. */
static void clear_column(const mb_field *field, const elimination *e, const uint8_t *inverses, uint8_t *column,
                         size_t k, size_t n)
{
    uint8_t *pivot_row = e->rows + k * e->stride;
    const uint8_t inverse = mb_x86_look_up(inverses, field->bits, column[k]);
    prepare(field, e->scale + k * PREPARED_BYTES, &inverse, 1);
    column[k] = 0;
    prepare(field, e->prepared, column, n);
    /* What lies before column k is zero in row k already. */
    for (size_t w = k / VEC_BYTES * VEC_BYTES; w < e->stride; w += VEC_BYTES) {
        const vec row = vec_times(vec_load(pivot_row + w), vec_prepared(e->scale + k * PREPARED_BYTES));
        vec_store(pivot_row + w, row);
        for (size_t i = 0; i < n; i++) {
            uint8_t *at = e->rows + i * e->stride + w;
            const vec_scalar scalar = vec_prepared(e->prepared + i * PREPARED_BYTES);
            vec_store(at, vec_xor(vec_load(at), vec_times(row, scalar)));
        }
    }
}

static int factor(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    const elimination e = lay_out(factors, n);
    uint8_t storage[256];
    const uint8_t *inverses = mb_inverses(field, storage);
    uint32_t regular = 0xffffffffu;
    load_rows(field, &e, matrix, n);
    memset(e.multiplier, 0, n * e.stride);
    for (size_t k = 0; k < n; k++) {
        uint8_t *column = e.multiplier + k * e.stride;
        for (size_t i = 0; i < n; i++) {
            column[i] = e.rows[i * e.stride + k];
        }
        regular &= mb_x86_find_pivot(e.added + k * e.stride, column, k, e.stride);
        add_row(&e, column, k, n);
        clear_column(field, &e, inverses, column, k, n);
    }
    return (int)mb_barrier_u32(regular & 1u) - 1;
}

/* Row k of a right-hand side: the chosen row is added, and the sum scaled. */
static uint8_t solve_entry(const elimination *e, const uint8_t *side, size_t k)
{
    uint8_t scaled[VEC_BYTES];
    const uint8_t sum = (uint8_t)(side[k] ^ mb_x86_masked_sum(side, e->added + k * e->stride, e->stride));
    vec_store(scaled, vec_times(vec_of_byte(sum), vec_prepared(e->scale + k * PREPARED_BYTES)));
    return scaled[0];
}

/* The same steps on a right-hand side, for which the memory of the rows is free. */
static void solve(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors, size_t n)
{
    const elimination e = lay_out(factors, n);
    uint8_t *side = e.rows;
    (void)matrix;
    memset(side, 0, e.stride);
    mb_field_unpack(field, side, right, n);
    for (size_t k = 0; k < n; k++) {
        const uint8_t entry = solve_entry(&e, side, k);
        prepare(field, e.prepared, &entry, 1);
        for (size_t w = 0; w < e.stride; w += VEC_BYTES) {
            const vec step = vec_times(vec_load(e.multiplier + k * e.stride + w), vec_prepared(e.prepared));
            vec_store(side + w, vec_xor(vec_load(side + w), step));
        }
        side[k] = entry;
    }
    memcpy(x, side, n);
}

#endif
