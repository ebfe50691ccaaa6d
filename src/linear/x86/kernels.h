/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Sums of scaled vectors and public maps (linear/contract.h) over vector registers, written once; linear systems: elimination.h.
 * A file that includes this one has defined the register type `vec`, what a prepared scalar is, and the operations listed
 * below. See gfni_avx2.c, avx2.c; AVX-512 has files of its own.
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
#include "linear/x86/x86.h"
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

static void gather_vartime(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors,
                           const mb_monomials *monomials)
{
    const uint8_t *prepared = g->memory;
    for (size_t row = 0; row < monomials->rows; row++) {
        const size_t j = monomials->j + row * monomials->shrink, count = monomials->end - j;
        combine_scaled(gather_sum(g) + first, bytes, vectors, bytes, prepared + j * PREPARED_BYTES, count,
                       prepared + (monomials->i + row) * PREPARED_BYTES);
        vectors += count * bytes;
    }
}

static void gather_collect_vartime(const mb_gathering *g, uint8_t *out)
{
    memcpy(out, gather_sum(g), g->width);
}

#endif
