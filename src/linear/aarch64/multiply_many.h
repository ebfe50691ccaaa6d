/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Many sums of the same vectors at once: key generation. Part of kernels.h.
 *
 * A look-up takes four bits and gives eight. Over GF(16), or over GF(256) as GF(16) twice, products have four: so the tables of
 * two sums share a byte (arrange). Over GF(256) = GF(16)[X] three products of nibbles are enough, by Karatsuba: with s = s0 + s1·X,
 * v = v0 + v1·X and X² = X + xy, s·v = (s0·v0 + xy·s1·v1) + ((s0 + s1)·(v0 + v1) + s0·v0)·X. Polynomials modulo 0x11b are
 * carried into the tower and the sums back: it is the same field. */
#ifndef MB_LINEAR_AARCH64_MULTIPLY_MANY_H
#define MB_LINEAR_AARCH64_MULTIPLY_MANY_H

#include "platform/wipe.h"

/* Sums are formed for PAIRS pairs and BLOCK registers at a time, from vectors that were split into nibbles, LOT at a time. */
enum { PAIRS = 2, BLOCK = 5, LOT = 48 };

/* A field isomorphism and its inverse, as sums of two look-ups. */
static const mb_nibble_tables polynomial_to_tower = {{
    0x00, 0x01, 0x41, 0x40, 0x66, 0x67, 0x27, 0x26, 0x6c, 0x6d, 0x2d, 0x2c, 0x0a, 0x0b, 0x4b, 0x4a,
    0x00, 0x56, 0x9a, 0xcc, 0x58, 0x0e, 0xc2, 0x94, 0xc4, 0x92, 0x5e, 0x08, 0x9c, 0xca, 0x06, 0x50}};
static const mb_nibble_tables tower_to_polynomial = {{
    0x00, 0x01, 0xbc, 0xbd, 0x5c, 0x5d, 0xe0, 0xe1, 0xb0, 0xb1, 0x0c, 0x0d, 0xec, 0xed, 0x50, 0x51,
    0x00, 0xf3, 0xe7, 0x14, 0x03, 0xf0, 0xe4, 0x17, 0xdf, 0x2c, 0x38, 0xcb, 0xdc, 0x2f, 0x3b, 0xc8}};

static inline int makes_pairs(const mb_field *field)
{
    return field->bits == 4 || field->basis == MB_BASIS_TOWER || way_of(field) == POLYNOMIAL;
}

/* A row of polynomials becomes the tables of their images in the tower. */
static void carry_row(uint8_t *row, size_t stride)
{
    uint8_t images[VEC_BYTES] = {0};
    for (size_t j = 0; j < stride; j += VEC_BYTES) {
        const size_t count = stride - j < VEC_BYTES ? stride - j : VEC_BYTES;
        for (size_t i = 0; i < count; i++) {
            images[i] = row[(j + i) * VEC_BYTES];
        }
        vec_store(images, times_constant(vec_load(images), &polynomial_to_tower));
        prepare_tables(&mb_gf256_tower, row + j * VEC_BYTES, images, count);
    }
    mb_wipe(images, sizeof images);
}

/* Rows 2p and 2p + 1 become the tables of both with their low nibbles, the products with s0, and, over GF(256), those with s1. */
static void arrange(const mb_field *field, void *prepared, size_t stride, size_t outs)
{
    uint8_t *row = prepared;
    if (!makes_pairs(field)) {
        return;
    }
    for (; outs >= 2; outs -= 2, row += 2 * VEC_BYTES * stride) {
        if (way_of(field) == POLYNOMIAL) {
            carry_row(row, stride);
            carry_row(row + VEC_BYTES * stride, stride);
        }
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
static MB_ALWAYS_INLINE void sum_pairs(unsigned pairs, unsigned regs, size_t other, vec *sum, const vec (*plane)[BLOCK],
                                       const uint8_t *tables, size_t pair_bytes, size_t count)
{
    MB_UNROLL
    for (unsigned u = 0; u < pairs * regs; u++) {
        sum[u] = vec_zero();
    }
    for (; count >= 2; count -= 2, plane += 2, tables += 2 * VEC_BYTES) {
        vec table[2];
        MB_UNROLL
        for (unsigned u = 0; u < pairs * regs; u++) {
            if (u % regs == 0) { /* the next pair */
                const uint8_t *at = tables + u / regs * pair_bytes;
                table[0] = vec_load(at);
                table[1] = vec_load(at + VEC_BYTES);
                if (other != 0) {
                    table[0] = veorq_u8(table[0], vec_load(at + other));
                    table[1] = veorq_u8(table[1], vec_load(at + other + VEC_BYTES));
                }
            }
            sum[u] = vec_xor3(sum[u], vqtbl1q_u8(table[0], plane[0][u % regs]), vqtbl1q_u8(table[1], plane[1][u % regs]));
        }
    }
    if (count != 0) {
        vec table;
        MB_UNROLL
        for (unsigned u = 0; u < pairs * regs; u++) {
            if (u % regs == 0) {
                const uint8_t *at = tables + u / regs * pair_bytes;
                table = other != 0 ? veorq_u8(vec_load(at), vec_load(at + other)) : vec_load(at);
            }
            sum[u] = veorq_u8(sum[u], vqtbl1q_u8(table, plane[0][u % regs]));
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

static MB_ALWAYS_INLINE void block_of_pairs(way w, unsigned pairs, unsigned regs, const destination *to, const nibbles *split,
                                            const uint8_t *tables, size_t row_bytes, size_t count)
{
    mb_nibble_tables storage[8];
    const mb_nibble_tables *xy = mb_basis_tables(&mb_gf16_tower, storage) + 3;
    vec low[PAIRS * BLOCK], high[PAIRS * BLOCK], mixed[PAIRS * BLOCK];
    sum_pairs(pairs, regs, 0, low, split->plane[0], tables, 2 * row_bytes, count);
    sum_pairs(pairs, regs, 0, high, split->plane[1], tables + (w == PACKED ? 0 : row_bytes), 2 * row_bytes, count);
    if (w != PACKED) {
        sum_pairs(pairs, regs, row_bytes, mixed, split->plane[2], tables, 2 * row_bytes, count);
    }
    for (unsigned p = 0; p < pairs; p++) {
        for (unsigned r = 0; r < regs; r++) {
            vec first = low[p * regs + r], second = high[p * regs + r];
            if (w != PACKED) {
                first = veorq_u8(first, times_constant(second, xy));
                second = veorq_u8(mixed[p * regs + r], low[p * regs + r]);
            }
            vec even = join_low(first, second), odd = join_high(first, second);
            if (w == POLYNOMIAL) {
                even = times_constant(even, &tower_to_polynomial);
                odd = times_constant(odd, &tower_to_polynomial);
            }
            add_to_out(to, 2 * p, r, regs, even);
            add_to_out(to, 2 * p + 1, r, regs, odd);
        }
    }
}

/* Splits `count` vectors: `regs` registers from `vectors` on, the last one, if tail ≠ 0, reaching back. */
static MB_ALWAYS_INLINE void split_vectors(nibbles *split, way w, unsigned regs, size_t tail, const uint8_t *vectors,
                                           size_t stride, size_t count)
{
    for (size_t j = 0; j < count; j++, vectors += stride) {
        for (unsigned r = 0; r < regs; r++) {
            const vec stored = vec_load(vectors + VEC_BYTES * r - (tail != 0 && r == regs - 1 ? VEC_BYTES - tail : 0));
            const vec v = w == POLYNOMIAL ? times_constant(stored, &polynomial_to_tower) : stored;
            const vec low = low_nibbles(v), high = high_nibbles(v);
            split->plane[0][j][r] = low;
            split->plane[1][j][r] = high;
            if (w != PACKED) {
                split->plane[2][j][r] = veorq_u8(low, high);
            }
        }
    }
}

static MB_ALWAYS_INLINE void lot_of_pairs(way w, unsigned regs, destination to, size_t outs, nibbles *split,
                                          const uint8_t *vectors, size_t stride, const uint8_t *tables, size_t row_bytes, size_t count)
{
    split_vectors(split, w, regs, to.tail, vectors, stride, count);
    for (; outs >= 2 * PAIRS; outs -= 2 * PAIRS) {
        block_of_pairs(w, PAIRS, regs, &to, split, tables, row_bytes, count);
        to.out += 2 * PAIRS * to.stride;
        tables += 2 * PAIRS * row_bytes;
    }
    if (outs >= 2) {
        block_of_pairs(w, 1, regs, &to, split, tables, row_bytes, count);
    }
}

/* `regs` registers of all pairs of sums. */
static MB_ALWAYS_INLINE void columns_of_pairs(way w, unsigned regs, destination to, size_t outs, nibbles *split,
                                              const uint8_t *vectors, size_t stride, const uint8_t *tables, size_t row_bytes,
                                              size_t count)
{
    while (count != 0) {
        const size_t lot = count <= LOT ? count : count < 2 * LOT ? (count + 1) / 2 : LOT;
        lot_of_pairs(w, regs, to, outs, split, vectors, stride, tables, row_bytes, lot);
        vectors += lot * stride;
        tables += lot * VEC_BYTES;
        count -= lot;
    }
}

static MB_ALWAYS_INLINE void many_pairs(way w, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
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
            columns_of_pairs(w, 1, to, outs, &split, vectors, stride, tables, row_bytes, count);
            break;
        case 2:
            columns_of_pairs(w, 2, to, outs, &split, vectors, stride, tables, row_bytes, count);
            break;
        case 3:
            columns_of_pairs(w, 3, to, outs, &split, vectors, stride, tables, row_bytes, count);
            break;
        case 4:
            columns_of_pairs(w, 4, to, outs, &split, vectors, stride, tables, row_bytes, count);
            break;
        default:
            columns_of_pairs(w, BLOCK, to, outs, &split, vectors, stride, tables, row_bytes, count);
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

MB_NOINLINE static void many_pairs_packed(uint8_t *out, size_t out_stride, size_t outs, size_t bytes, const uint8_t *vectors,
                                       size_t stride, const uint8_t *tables, size_t row_bytes, size_t count)
{
    many_pairs(PACKED, out, out_stride, outs, bytes, vectors, stride, tables, row_bytes, count);
}

MB_NOINLINE static void many_pairs_split(uint8_t *out, size_t out_stride, size_t outs, size_t bytes, const uint8_t *vectors,
                                       size_t stride, const uint8_t *tables, size_t row_bytes, size_t count)
{
    many_pairs(SPLIT, out, out_stride, outs, bytes, vectors, stride, tables, row_bytes, count);
}

MB_NOINLINE static void many_pairs_polynomial(uint8_t *out, size_t out_stride, size_t outs, size_t bytes, const uint8_t *vectors,
                                       size_t stride, const uint8_t *tables, size_t row_bytes, size_t count)
{
    many_pairs(POLYNOMIAL, out, out_stride, outs, bytes, vectors, stride, tables, row_bytes, count);
}

typedef void (*many_function)(uint8_t *out, size_t out_stride, size_t outs, size_t bytes, const uint8_t *vectors, size_t stride,
                              const uint8_t *tables, size_t row_bytes, size_t count);

static many_function many_for(const mb_field *field)
{
    const way w = way_of(field);
    return w == PACKED ? many_pairs_packed : w == SPLIT ? many_pairs_split : many_pairs_polynomial;
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
            many_for(field)(sums, VEC_BYTES, 2, VEC_BYTES, whole, 0, tables + b * row_bytes,
                                                             row_bytes, 1);
            xor_short(out + b * out_stride, bytes, vec_load(sums));
            xor_short(out + (b + 1) * out_stride, bytes, vec_load(sums + VEC_BYTES));
        }
        mb_wipe(whole, sizeof whole);
        mb_wipe(sums, sizeof sums);
    }
}

static void combine_arranged(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes, const uint8_t *vectors,
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
        many_for(field)(out, out_stride, outs, bytes, vectors, stride, rows, row_bytes, count);
    }
    combine_one_by_one(field, out + in_pairs * out_stride, out_stride, outs - in_pairs, bytes, vectors, stride,
                       rows + in_pairs * row_bytes, row_bytes, count);
}

static void combine_many(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes, const uint8_t *vectors,
                         size_t stride, const void *prepared, size_t prepared_stride, size_t count)
{
    combine_one_by_one(field, out, out_stride, outs, bytes, vectors, stride, prepared, prepared_stride * VEC_BYTES, count);
}

#endif
