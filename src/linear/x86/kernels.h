/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Sums of scaled vectors (linear/contract.h) over vector registers, written once; linear systems: elimination.h.
 * A file that includes this one has defined the register type `vec`, what a prepared scalar is, and the operations listed
 * below. See gfni_avx2.c, avx2.c; AVX-512 has files of its own.
 *
 * VEC_BYTES                               a register's length
 * vec_zero(), vec_xor(a, b)
 * vec_load(p), vec_store(p, v)            whole registers, at any address
 * vec_load_end(p, bytes, tail)            of a vector of `bytes` bytes at p, its last `tail` < VEC_BYTES bytes in some place of a
 *                                         register, where others may be too
 * vec_only_tail(v, bytes, tail)           that with zeros elsewhere
 * vec_xor_tail(p, bytes, tail, v)         adds a register to those bytes, from the same place
 * vec_xor_padded(p, bytes, tail, v)       the same where VEC_BYTES bytes more may be read and written
 * vec_and_byte(v, mask)                   v and, in each byte, the mask
 * prepare(field, prepared, scalars, n)    as in the contract
 *
 * Elements may be split before they are multiplied, and sums joined at their end. `bits`, a constant, is what kernel_bits says:
 *
 * kernel_bits(field)                      an element's bits; or always 8, where nothing depends on them
 * prepared_len(bits)                      a prepared scalar's bytes
 * vec_prepared(bits, p)                   a prepared scalar, ready for use
 * vec_times(bits, v, s)                   the elements of a register times a prepared scalar
 * vec_split, vec_split_for(bits, v)       a register that is multiplied by many scalars
 * vec_elements_times(bits, split, s)      times one of them, where each byte is one element
 * vec_sum, vec_sum_zero()                 a sum of products
 * vec_sum_add(bits, &sum, split, s), vec_sum_value(bits, &sum)
 * vec_tail_add(bits, &sum, p, bytes, tail, prepared), vec_tail_value(bits, &sum, bytes, tail)
 *                                         a sum of such parts as vec_load_end loads, and its value as of vec_only_tail
 * vec_combine_pairs(bits, out, vectors, prepared, count)
 *                                         `combine` for as many of the vectors, of 16 bytes one after the other, as are quicker so
 * vec_basis, vec_basis_of(field, &storage), vec_scalar_of(bits, basis, byte)
 *                                         what scalars are made from, and one of them
 * prepare_bits(bits, basis, prepared, scalars, n)
 * KERNEL_OUTS                             so many sums stay in registers
 *
 * Nothing here branches on, or addresses memory by, a scalar or an element. */
#ifndef MB_LINEAR_X86_KERNELS_H
#define MB_LINEAR_X86_KERNELS_H

#include "linear/contract.h"
#include "linear/x86/x86.h"
#include "platform/compiler.h"

#include <string.h>

/* ---- Sums of scaled vectors ------------------------------------------------------------------ */

/* sum[0 … full - 1] and, if tail ≠ 0, sum[full] += scalar · vector, whose length is `bytes` and of which the part from `done` on is
 * concerned. */
static MB_ALWAYS_INLINE void add_vector(unsigned bits, vec_sum *sum, unsigned full, size_t tail, const uint8_t *vector, size_t done,
                                        size_t bytes, const uint8_t *prepared)
{
    const vec_scalar scalar = vec_prepared(bits, prepared);
    MB_UNROLL
    for (unsigned w = 0; w < full; w++) {
        vec_sum_add(bits, &sum[w], vec_split_for(bits, vec_load(vector + done + w * VEC_BYTES)), scalar);
    }
    if (tail != 0) {
        vec_tail_add(bits, &sum[full], vector, bytes, tail, prepared);
    }
}

/* The part of out from `done` on: `full` registers and a tail; one register alone in two sums, because an addition waits for the one before.
 * With `factor` the sum is scaled by that prepared scalar, and out has room for a register more. */
static MB_ALWAYS_INLINE void combine_part(unsigned bits, unsigned full, size_t tail, uint8_t *out, size_t done, size_t bytes,
                                          const uint8_t *vectors, size_t stride, const uint8_t *prepared,
                                          size_t count, const uint8_t *factor)
{
    const int twice = full == 1 && tail == 0;
    vec_sum sum[5], other = vec_sum_zero();
    vec value[5];
    size_t j = 0;
    MB_UNROLL
    for (unsigned w = 0; w <= full; w++) {
        sum[w] = vec_sum_zero();
    }
    for (; twice && j + 2 <= count; j += 2, vectors += 2 * stride, prepared += 2 * prepared_len(bits)) {
        add_vector(bits, sum, 1, 0, vectors, done, bytes, prepared);
        add_vector(bits, &other, 1, 0, vectors + stride, done, bytes, prepared + prepared_len(bits));
    }
    for (; j < count; j++, vectors += stride, prepared += prepared_len(bits)) {
        add_vector(bits, sum, full, tail, vectors, done, bytes, prepared);
    }
    MB_UNROLL
    for (unsigned w = 0; w <= full; w++) {
        value[w] = w < full ? vec_sum_value(bits, &sum[w]) : vec_tail_value(bits, &sum[w], bytes, tail);
    }
    if (twice) {
        value[0] = vec_xor(value[0], vec_sum_value(bits, &other));
    }
    MB_UNROLL
    for (unsigned w = 0; w <= full; w++) {
        value[w] = factor != NULL ? vec_times(bits, value[w], vec_prepared(bits, factor)) : value[w];
    }
    MB_UNROLL
    for (unsigned w = 0; w < full; w++) {
        uint8_t *at = out + done + w * VEC_BYTES;
        vec_store(at, vec_xor(vec_load(at), value[w]));
    }
    if (tail != 0 && factor != NULL) {
        vec_xor_padded(out, bytes, tail, value[full]);
    } else if (tail != 0) {
        vec_xor_tail(out, bytes, tail, value[full]);
    }
}

static MB_ALWAYS_INLINE void combine_scaled(unsigned bits, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                                            const uint8_t *prepared, size_t count, const uint8_t *factor)
{
    const size_t tail = bytes % VEC_BYTES;
    size_t done = 0;
    for (; done + 4 * VEC_BYTES <= bytes; done += 4 * VEC_BYTES) {
        combine_part(bits, 4, 0, out, done, bytes, vectors, stride, prepared, count, factor);
    }
    switch ((bytes - done) / VEC_BYTES) {
    case 0:
        if (tail != 0) {
            combine_part(bits, 0, tail, out, done, bytes, vectors, stride, prepared, count, factor);
        }
        return;
    case 1:
        combine_part(bits, 1, tail, out, done, bytes, vectors, stride, prepared, count, factor);
        return;
    case 2:
        combine_part(bits, 2, tail, out, done, bytes, vectors, stride, prepared, count, factor);
        return;
    default:
        combine_part(bits, 3, tail, out, done, bytes, vectors, stride, prepared, count, factor);
    }
}

/* A length that is common gets code of its own. */
static MB_ALWAYS_INLINE void combine_bits(unsigned bits, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                                          const uint8_t *prepared, size_t count)
{
    if (bytes == 16) {
        const size_t done = stride == 16 ? vec_combine_pairs(bits, out, vectors, prepared, count) : 0;
        vectors += done * 16;
        prepared += done * prepared_len(bits);
        count -= done;
        combine_part(bits, 0, 16, out, 0, 16, vectors, stride, prepared, count, NULL);
    } else {
        combine_scaled(bits, out, bytes, vectors, stride, prepared, count, NULL);
    }
}

static void combine(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                    const void *prepared, size_t count)
{
    if (kernel_bits(field) == 4) {
        combine_bits(4, out, bytes, vectors, stride, prepared, count);
    } else {
        combine_bits(8, out, bytes, vectors, stride, prepared, count);
    }
}

/* One register's width, or the tail if `partial`, of some sums at once: the vectors are loaded once for all. */
static MB_ALWAYS_INLINE void sum_many(unsigned bits, int partial, size_t tail, uint8_t *out, size_t out_stride,
                                      size_t at, size_t bytes, const uint8_t *vectors, size_t stride,
                                      const uint8_t *prepared, size_t prepared_stride, size_t count)
{
    const unsigned outs = KERNEL_OUTS * bits / 8;
    vec_sum sum[KERNEL_OUTS];
    MB_UNROLL
    for (unsigned b = 0; b < outs; b++) {
        sum[b] = vec_sum_zero();
    }
    for (size_t j = 0; j < count; j++, vectors += stride, prepared += prepared_len(bits)) {
        const vec v = partial ? vec_load_end(vectors, bytes, tail) : vec_load(vectors + at);
        const vec_split split = vec_split_for(bits, v);
        MB_UNROLL
        for (unsigned b = 0; b < outs; b++) {
            vec_sum_add(bits, &sum[b], split, vec_prepared(bits, prepared + b * prepared_stride));
        }
    }
    MB_UNROLL
    for (unsigned b = 0; b < outs; b++) {
        uint8_t *to = out + b * out_stride;
        const vec value = vec_sum_value(bits, &sum[b]);
        if (partial) {
            vec_xor_tail(to, bytes, tail, vec_only_tail(value, bytes, tail));
        } else {
            vec_store(to + at, vec_xor(vec_load(to + at), value));
        }
    }
}

static MB_ALWAYS_INLINE void combine_many_bits(unsigned bits, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                                               const uint8_t *vectors, size_t stride, const uint8_t *prepared,
                                               size_t prepared_stride, size_t count)
{
    const unsigned together = KERNEL_OUTS * bits / 8;
    const size_t tail = bytes % VEC_BYTES;
    prepared_stride *= prepared_len(bits);
    for (; outs >= together; outs -= together) {
        for (size_t at = 0; at + VEC_BYTES <= bytes; at += VEC_BYTES) {
            sum_many(bits, 0, 0, out, out_stride, at, bytes, vectors, stride, prepared, prepared_stride, count);
        }
        if (tail != 0) {
            sum_many(bits, 1, tail, out, out_stride, 0, bytes, vectors, stride, prepared, prepared_stride, count);
        }
        out += together * out_stride;
        prepared += together * prepared_stride;
    }
    for (; outs != 0; outs--) {
        combine_scaled(bits, out, bytes, vectors, stride, prepared, count, NULL);
        out += out_stride;
        prepared += prepared_stride;
    }
}

static void combine_many(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                         const uint8_t *vectors, size_t stride, const void *prepared, size_t prepared_stride,
                         size_t count)
{
    if (kernel_bits(field) == 4) {
        combine_many_bits(4, out, out_stride, outs, bytes, vectors, stride, prepared, prepared_stride, count);
    } else {
        combine_many_bits(8, out, out_stride, outs, bytes, vectors, stride, prepared, prepared_stride, count);
    }
}

static MB_ALWAYS_INLINE void scale_bits(unsigned bits, uint8_t *out, const uint8_t *elements, const uint8_t *prepared, size_t count)
{
    const vec_scalar scalar = vec_prepared(bits, prepared);
    for (size_t c = 0; c < count; c += VEC_BYTES) {
        vec_store(out + c, vec_elements_times(bits, vec_split_for(bits, vec_load(elements + c)), scalar));
    }
}

static void scale(const mb_field *field, uint8_t *out, const uint8_t *elements, const void *prepared, size_t count)
{
    if (kernel_bits(field) == 4) {
        scale_bits(4, out, elements, prepared, count);
    } else {
        scale_bits(8, out, elements, prepared, count);
    }
}

static size_t prepared_bytes(const mb_field *field)
{
    return prepared_len(kernel_bits(field));
}

#endif
