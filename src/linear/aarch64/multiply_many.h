/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Many sums of the same vectors at once: key generation. Part of kernels.h.
 *
 * A look-up takes four bits and gives eight. Over GF(16), or over GF(256) as GF(16) twice, products have four: so the tables of
 * two sums share a byte (arrange). Over GF(256) = GF(16)[X] three products of nibbles are enough, by Karatsuba: with s = s0 + s1·X,
 * v = v0 + v1·X and X² = X + xy, s·v = (s0·v0 + xy·s1·v1) + ((s0 + s1)·(v0 + v1) + s0·v0)·X. */
#ifndef MB_LINEAR_AARCH64_MULTIPLY_MANY_H
#define MB_LINEAR_AARCH64_MULTIPLY_MANY_H

#include "platform/wipe.h"

/* Sums are formed for PAIRS pairs and BLOCK registers at a time, from vectors that were split into nibbles, LOT at a time. */
enum { PAIRS = 4, BLOCK = 4, LOT = 48 };

static inline int makes_pairs(const mb_field *field)
{
    return field->bits == 4 || field->basis == MB_BASIS_TOWER;
}

/* Rows 2p and 2p + 1 become the tables of both with their low nibbles, the products with s0, and, over GF(256), those with s1. */
static void arrange(const mb_field *field, void *prepared, size_t stride, size_t outs)
{
    uint8_t *row = prepared;
    if (!makes_pairs(field)) {
        return;
    }
    for (; outs >= 2; outs -= 2, row += 2 * VEC_BYTES * stride) {
        for (size_t j = 0; j < stride; j++) {
            uint8_t *at = row + VEC_BYTES * j, *next = at + VEC_BYTES * stride;
            const vec first = vec_load(at), second = vec_load(next);
            vec_store(at, join_low(first, second));
            vec_store(next, join_high(first, second));
        }
    }
}

/* Of LOT vectors, BLOCK registers: the low nibbles, the high ones, and over GF(256) their sums. */
typedef struct nibbles {
    vec plane[3][LOT][BLOCK];
} nibbles;

/* Σ over the vectors of (table of the pair)[nibble], for each of the pairs and registers. With `other` ≠ 0 the table is the sum of
 * that one and the one `other` bytes further. */
static MB_ALWAYS_INLINE void sum_pairs(unsigned pairs, unsigned regs, size_t other, vec sum[PAIRS][BLOCK],
                                       const vec (*plane)[BLOCK], const uint8_t *tables, size_t pair_bytes, size_t count)
{
    for (unsigned p = 0; p < pairs; p++) {
        for (unsigned r = 0; r < regs; r++) {
            sum[p][r] = vec_zero();
        }
    }
    for (; count >= 2; count -= 2, plane += 2, tables += 2 * VEC_BYTES) {
        for (unsigned p = 0; p < pairs; p++) {
            const uint8_t *at = tables + p * pair_bytes;
            vec table = vec_load(at), next = vec_load(at + VEC_BYTES);
            if (other != 0) {
                table = veorq_u8(table, vec_load(at + other));
                next = veorq_u8(next, vec_load(at + other + VEC_BYTES));
            }
            for (unsigned r = 0; r < regs; r++) {
                sum[p][r] = vec_xor3(sum[p][r], vqtbl1q_u8(table, plane[0][r]), vqtbl1q_u8(next, plane[1][r]));
            }
        }
    }
    for (unsigned p = 0; p < pairs && count != 0; p++) {
        const uint8_t *at = tables + p * pair_bytes;
        const vec table = other != 0 ? veorq_u8(vec_load(at), vec_load(at + other)) : vec_load(at);
        for (unsigned r = 0; r < regs; r++) {
            sum[p][r] = veorq_u8(sum[p][r], vqtbl1q_u8(table, plane[0][r]));
        }
    }
}

/* Where a block of sums goes: register r of sum b at out + b·stride + 16·r; the last register, if `tail` ≠ 0, only with its last
 * `tail` bytes, at `back` bytes before. */
typedef struct destination {
    uint8_t *out;
    size_t stride, tail;
} destination;

static MB_ALWAYS_INLINE void add_to_out(const destination *to, unsigned b, unsigned r, unsigned regs, vec v)
{
    uint8_t *at = to->out + b * to->stride + VEC_BYTES * r;
    if (to->tail != 0 && r == regs - 1) {
        xor_store(at - (VEC_BYTES - to->tail), last_bytes(v, to->tail));
    } else {
        xor_store(at, v);
    }
}

static MB_ALWAYS_INLINE void block_of_pairs(unsigned bits, unsigned pairs, unsigned regs, const destination *to, const nibbles *split,
                                            const uint8_t *tables, size_t row_bytes, size_t count)
{
    mb_nibble_tables storage[8];
    const mb_nibble_tables *xy = mb_basis_tables(&mb_gf16_tower, storage) + 3;
    vec low[PAIRS][BLOCK], high[PAIRS][BLOCK], mixed[PAIRS][BLOCK];
    sum_pairs(pairs, regs, 0, low, split->plane[0], tables, 2 * row_bytes, count);
    sum_pairs(pairs, regs, 0, high, split->plane[1], tables + (bits == 4 ? 0 : row_bytes), 2 * row_bytes, count);
    if (bits == 8) {
        sum_pairs(pairs, regs, row_bytes, mixed, split->plane[2], tables, 2 * row_bytes, count);
    }
    for (unsigned p = 0; p < pairs; p++) {
        for (unsigned r = 0; r < regs; r++) {
            vec first = low[p][r], second = high[p][r];
            if (bits == 8) {
                second = veorq_u8(mixed[p][r], first);
                first = veorq_u8(first, times_constant(high[p][r], xy));
            }
            add_to_out(to, 2 * p, r, regs, join_low(first, second));
            add_to_out(to, 2 * p + 1, r, regs, join_high(first, second));
        }
    }
}

/* Splits `count` vectors: `regs` registers from `vectors` on, the last one, if tail ≠ 0, reaching back. */
static MB_ALWAYS_INLINE void split_vectors(nibbles *split, unsigned bits, unsigned regs, size_t tail, const uint8_t *vectors,
                                           size_t stride, size_t count)
{
    for (size_t j = 0; j < count; j++, vectors += stride) {
        for (unsigned r = 0; r < regs; r++) {
            const vec v = vec_load(vectors + VEC_BYTES * r - (tail != 0 && r == regs - 1 ? VEC_BYTES - tail : 0));
            const vec low = low_nibbles(v), high = high_nibbles(v);
            split->plane[0][j][r] = low;
            split->plane[1][j][r] = high;
            if (bits == 8) {
                split->plane[2][j][r] = veorq_u8(low, high);
            }
        }
    }
}

static MB_ALWAYS_INLINE void lot_of_pairs(unsigned bits, unsigned regs, destination to, size_t outs, nibbles *split,
                                          const uint8_t *vectors, size_t stride, const uint8_t *tables, size_t row_bytes, size_t count)
{
    split_vectors(split, bits, regs, to.tail, vectors, stride, count);
    for (; outs >= 2 * PAIRS; outs -= 2 * PAIRS) {
        block_of_pairs(bits, PAIRS, regs, &to, split, tables, row_bytes, count);
        to.out += 2 * PAIRS * to.stride;
        tables += 2 * PAIRS * row_bytes;
    }
    if (outs >= 4) {
        block_of_pairs(bits, 2, regs, &to, split, tables, row_bytes, count);
        to.out += 4 * to.stride;
        tables += 4 * row_bytes;
        outs -= 4;
    }
    if (outs >= 2) {
        block_of_pairs(bits, 1, regs, &to, split, tables, row_bytes, count);
    }
}

/* `regs` registers of all pairs of sums. */
static MB_ALWAYS_INLINE void columns_of_pairs(unsigned bits, unsigned regs, destination to, size_t outs, nibbles *split,
                                              const uint8_t *vectors, size_t stride, const uint8_t *tables, size_t row_bytes,
                                              size_t count)
{
    while (count != 0) {
        const size_t lot = count <= LOT ? count : count < 2 * LOT ? (count + 1) / 2 : LOT;
        lot_of_pairs(bits, regs, to, outs, split, vectors, stride, tables, row_bytes, lot);
        vectors += lot * stride;
        tables += lot * VEC_BYTES;
        count -= lot;
    }
}

static MB_ALWAYS_INLINE void many_pairs(unsigned bits, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                                        const uint8_t *vectors, size_t stride, const uint8_t *tables, size_t row_bytes, size_t count)
{
    nibbles split;
    size_t regs = (bytes + VEC_BYTES - 1) / VEC_BYTES, used = 0;
    while (regs != 0) {
        /* Blocks of nearly the same width. */
        const size_t blocks = (regs + BLOCK - 1) / BLOCK, width = (regs + blocks - 1) / blocks;
        const destination to = {out, out_stride, width == regs ? bytes % VEC_BYTES : 0};
        switch (width) {
        case 1:
            columns_of_pairs(bits, 1, to, outs, &split, vectors, stride, tables, row_bytes, count);
            break;
        case 2:
            columns_of_pairs(bits, 2, to, outs, &split, vectors, stride, tables, row_bytes, count);
            break;
        case 3:
            columns_of_pairs(bits, 3, to, outs, &split, vectors, stride, tables, row_bytes, count);
            break;
        default:
            columns_of_pairs(bits, 4, to, outs, &split, vectors, stride, tables, row_bytes, count);
        }
        used |= width;
        out += width * VEC_BYTES;
        vectors += width * VEC_BYTES;
        regs -= width;
    }
    if (used != 0) {
        mb_wipe(&split, sizeof split);
    }
}

MB_NOINLINE static void many_pairs_4(uint8_t *out, size_t out_stride, size_t outs, size_t bytes, const uint8_t *vectors,
                                     size_t stride, const uint8_t *tables, size_t row_bytes, size_t count)
{
    many_pairs(4, out, out_stride, outs, bytes, vectors, stride, tables, row_bytes, count);
}

MB_NOINLINE static void many_pairs_8(uint8_t *out, size_t out_stride, size_t outs, size_t bytes, const uint8_t *vectors,
                                     size_t stride, const uint8_t *tables, size_t row_bytes, size_t count)
{
    many_pairs(8, out, out_stride, outs, bytes, vectors, stride, tables, row_bytes, count);
}

static void combine_one_by_one(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                               const uint8_t *vectors, size_t stride, const uint8_t *prepared, size_t row_bytes, size_t count)
{
    for (size_t b = 0; b < outs; b++) {
        combine(field, out + b * out_stride, bytes, vectors, stride, prepared + b * row_bytes, count);
    }
}

/* Pairs of a sum whose vectors are shorter than a register: through a buffer. */
static void many_short(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes, const uint8_t *vectors,
                       size_t stride, const uint8_t *tables, size_t row_bytes, size_t count)
{
    for (size_t j = 0; j < count; j++, vectors += stride, tables += VEC_BYTES) {
        uint8_t whole[VEC_BYTES], sums[2 * VEC_BYTES];
        vec_store(whole, load_short(vectors, bytes));
        for (size_t b = 0; b + 2 <= outs; b += 2) {
            memset(sums, 0, sizeof sums);
            (field->bits == 4 ? many_pairs_4 : many_pairs_8)(sums, VEC_BYTES, 2, VEC_BYTES, whole, 0, tables + b * row_bytes,
                                                             row_bytes, 1);
            xor_short(out + b * out_stride, bytes, vec_load(sums));
            xor_short(out + (b + 1) * out_stride, bytes, vec_load(sums + VEC_BYTES));
        }
        mb_wipe(whole, sizeof whole);
        mb_wipe(sums, sizeof sums);
    }
}

static void combine_many(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes, const uint8_t *vectors,
                         size_t stride, const void *prepared, size_t prepared_stride, size_t count)
{
    const size_t row_bytes = prepared_stride * prepared_bytes(field), in_pairs = outs / 2 * 2;
    const uint8_t *rows = prepared;
    if (!makes_pairs(field)) {
        combine_one_by_one(field, out, out_stride, outs, bytes, vectors, stride, rows, row_bytes, count);
        return;
    }
    if (bytes < VEC_BYTES) {
        many_short(field, out, out_stride, outs, bytes, vectors, stride, rows, row_bytes, count);
    } else {
        (field->bits == 4 ? many_pairs_4 : many_pairs_8)(out, out_stride, outs, bytes, vectors, stride, rows, row_bytes, count);
    }
    combine_one_by_one(field, out + in_pairs * out_stride, out_stride, outs - in_pairs, bytes, vectors, stride,
                       rows + in_pairs * row_bytes, row_bytes, count);
}

#endif
