/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The kernels of linear/contract.h over vector registers, written once. A file that includes this one has defined the
 * register type `vec`, what a prepared scalar is, and the operations listed below. See gfni_avx512.c, gfni_avx2.c, avx2.c.
 *
 * VEC_BYTES                               a register's length
 * PREPARED_BYTES                          a prepared scalar's length
 * vec_zero(), vec_xor(a, b)
 * vec_load(p), vec_store(p, v)            whole registers, at any address
 * vec_load_tail(p, bytes, tail)           of a vector of `bytes` bytes at p, its last `tail` < VEC_BYTES bytes,
 *                                         in some place of a register that is zero elsewhere
 * vec_xor_tail(p, bytes, tail, v)         adds a register to those bytes, from the same place
 * vec_xor_padded(p, bytes, tail, v)       the same where VEC_BYTES bytes more may be read and written
 * vec_prepared(p)                         a prepared scalar, ready for vec_times
 * vec_times(v, s)                         the elements of a register times a prepared scalar
 * vec_and_byte(v, mask)                   v if the byte mask is 0xff, zero if it is 0
 * vec_of_byte(b)                          a register of bytes b
 * prepare(field, prepared, scalars, n)    as in the contract
 *
 * Nothing here branches on, or addresses memory by, a scalar or an element. */
#ifndef MB_LINEAR_X86_KERNELS_H
#define MB_LINEAR_X86_KERNELS_H

#include "linear/contract.h"
#include "linear/x86/pivot.h"
#include "linear/x86/x86.h"
#include "platform/barrier.h"
#include "platform/compiler.h"

#include <string.h>

/* ---- Sums of scaled vectors ------------------------------------------------------------------ */

/* sum[0 … full - 1] and, if tail ≠ 0, sum[full] += Σ_j scalar j · vector j, whose length is `bytes` and of
 * which the part from `done` on is concerned. */
static MB_ALWAYS_INLINE void sum_vectors(vec *sum, unsigned full, size_t tail, const uint8_t *vectors, size_t done,
                                         size_t bytes, size_t stride, const uint8_t *prepared, size_t count)
{
    for (size_t j = 0; j < count; j++, vectors += stride, prepared += PREPARED_BYTES) {
        const vec_scalar scalar = vec_prepared(prepared);
        for (unsigned w = 0; w < full; w++) {
            sum[w] = vec_xor(sum[w], vec_times(vec_load(vectors + done + w * VEC_BYTES), scalar));
        }
        if (tail != 0) {
            sum[full] = vec_xor(sum[full], vec_times(vec_load_tail(vectors, bytes, tail), scalar));
        }
    }
}

/* The part of out from `done` on: `full` registers and a tail. With `factor` the sum is scaled by that
 * prepared scalar, and out has room for a register more. */
static MB_ALWAYS_INLINE void combine_part(unsigned full, size_t tail, uint8_t *out, size_t done, size_t bytes,
                                          const uint8_t *vectors, size_t stride, const uint8_t *prepared,
                                          size_t count, const uint8_t *factor)
{
    vec sum[5];
    for (unsigned w = 0; w <= full; w++) {
        sum[w] = vec_zero();
    }
    sum_vectors(sum, full, tail, vectors, done, bytes, stride, prepared, count);
    for (unsigned w = 0; w <= full && factor != NULL; w++) {
        sum[w] = vec_times(sum[w], vec_prepared(factor));
    }
    for (unsigned w = 0; w < full; w++) {
        uint8_t *at = out + done + w * VEC_BYTES;
        vec_store(at, vec_xor(vec_load(at), sum[w]));
    }
    if (tail != 0 && factor != NULL) {
        vec_xor_padded(out, bytes, tail, sum[full]);
    } else if (tail != 0) {
        vec_xor_tail(out, bytes, tail, sum[full]);
    }
}

static MB_ALWAYS_INLINE void combine_scaled(uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                                            const uint8_t *prepared, size_t count, const uint8_t *factor)
{
    const size_t tail = bytes % VEC_BYTES;
    size_t done = 0;
    for (; done + 4 * VEC_BYTES <= bytes; done += 4 * VEC_BYTES) {
        combine_part(4, 0, out, done, bytes, vectors, stride, prepared, count, factor);
    }
    switch ((bytes - done) / VEC_BYTES) {
    case 0:
        if (tail != 0) {
            combine_part(0, tail, out, done, bytes, vectors, stride, prepared, count, factor);
        }
        return;
    case 1:
        combine_part(1, tail, out, done, bytes, vectors, stride, prepared, count, factor);
        return;
    case 2:
        combine_part(2, tail, out, done, bytes, vectors, stride, prepared, count, factor);
        return;
    default:
        combine_part(3, tail, out, done, bytes, vectors, stride, prepared, count, factor);
    }
}

static void combine(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                    const void *prepared, size_t count)
{
    (void)field; /* it is in the prepared scalars */
    combine_scaled(out, bytes, vectors, stride, prepared, count, NULL);
}

/* One register's width, or the tail if `partial`, of OUTS sums at once: the vectors are loaded once for all. */
enum { OUTS = 8 };

static MB_ALWAYS_INLINE void sum_many(unsigned outs, int partial, size_t tail, uint8_t *out, size_t out_stride,
                                      size_t at, size_t bytes, const uint8_t *vectors, size_t stride,
                                      const uint8_t *prepared, size_t prepared_stride, size_t count)
{
    vec sum[OUTS];
    for (unsigned b = 0; b < outs; b++) {
        sum[b] = vec_zero();
    }
    for (size_t j = 0; j < count; j++, vectors += stride, prepared += PREPARED_BYTES) {
        const vec v = partial ? vec_load_tail(vectors, bytes, tail) : vec_load(vectors + at);
        for (unsigned b = 0; b < outs; b++) {
            sum[b] = vec_xor(sum[b], vec_times(v, vec_prepared(prepared + b * prepared_stride)));
        }
    }
    for (unsigned b = 0; b < outs; b++) {
        uint8_t *to = out + b * out_stride;
        if (partial) {
            vec_xor_tail(to, bytes, tail, sum[b]);
        } else {
            vec_store(to + at, vec_xor(vec_load(to + at), sum[b]));
        }
    }
}

static void combine_many(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                         const uint8_t *vectors, size_t stride, const void *prepared, size_t prepared_stride,
                         size_t count)
{
    const uint8_t *scalars = prepared;
    const size_t tail = bytes % VEC_BYTES;
    prepared_stride *= PREPARED_BYTES;
    for (; outs >= OUTS; outs -= OUTS) {
        for (size_t at = 0; at + VEC_BYTES <= bytes; at += VEC_BYTES) {
            sum_many(OUTS, 0, 0, out, out_stride, at, bytes, vectors, stride, scalars, prepared_stride, count);
        }
        if (tail != 0) {
            sum_many(OUTS, 1, tail, out, out_stride, 0, bytes, vectors, stride, scalars, prepared_stride, count);
        }
        out += OUTS * out_stride;
        scalars += OUTS * prepared_stride;
    }
    for (; outs != 0; outs--) {
        combine(field, out, bytes, vectors, stride, scalars, count);
        out += out_stride;
        scalars += prepared_stride;
    }
}

static size_t prepared_bytes(const mb_field *field)
{
    (void)field;
    return PREPARED_BYTES;
}

/* ---- Public maps --------------------------------------------------------------------------------- */

/* Memory: x prepared; the sum, and room for a register. A row is summed with the x_j and scaled once by x_i. */
static size_t gather_memory_bytes(const mb_gathering *g)
{
    return g->n * PREPARED_BYTES + g->width + VEC_BYTES;
}

static uint8_t *gather_sum(const mb_gathering *g)
{
    return (uint8_t *)g->memory + g->n * PREPARED_BYTES;
}

static void gather_begin_vartime(const mb_gathering *g, const uint8_t *x)
{
    prepare(g->field, g->memory, x, g->n);
    memset(gather_sum(g), 0, g->width + VEC_BYTES);
}

static void gather_vartime(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, size_t i,
                           size_t j, size_t count)
{
    const uint8_t *prepared = g->memory;
    combine_scaled(gather_sum(g) + first, bytes, vectors, bytes, prepared + j * PREPARED_BYTES, count,
                   prepared + i * PREPARED_BYTES);
}

static void gather_collect_vartime(const mb_gathering *g, uint8_t *out)
{
    memcpy(out, gather_sum(g), g->width);
}

/* ---- Linear systems ---------------------------------------------------------------------------- */

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
