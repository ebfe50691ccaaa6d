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

/* Sums are formed for some pairs and up to BLOCK registers at a time, from vectors that were split into nibbles, LOT at a time: as many
 * pairs as have room in the registers, beside what they are formed from. */
enum { PAIRS_MOST = 8, BLOCK = 5, LOT = 100, SUMS_MOST = 12, ARRANGED_BYTES = 24 };

static MB_ALWAYS_INLINE unsigned pairs_for(unsigned regs)
{
    return regs == 5 ? 2 : regs == 4 ? 3 : regs == 3 ? 4 : regs == 2 ? 5 : PAIRS_MOST;
}

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

/* Rows of tables that a pair of sums has. Over GF(16) the second is not used. */
static inline size_t rows_of_pair(way w)
{
    return w == PACKED ? 2 : 3;
}

/* Where the tables of row b of the sums are, b even, or the last one. */
static inline size_t arranged_row(const mb_field *field, size_t b, size_t row_bytes)
{
    return makes_pairs(field) ? b / 2 * rows_of_pair(way_of(field)) * row_bytes : b * row_bytes;
}

/* Two rows of prepared scalars become those of the pair: the tables of both sums with low nibbles, the products with s0; over GF(256)
 * those with xy·s1, and with s0 + s1. `pair` may be the first row, or the second. */
static void arrange_pair(way w, uint8_t *pair, const uint8_t *row, size_t stride)
{
    const size_t row_bytes = VEC_BYTES * stride;
    mb_nibble_tables storage[8];
    const mb_nibble_tables *xy = mb_basis_tables(&mb_gf16_tower, storage) + 3;
    const vec xy_low = vec_load(xy->products), xy_high = vec_load(xy->products + 16); /* stores may alias the tables, for the compiler */
    for (size_t j = 0; j < row_bytes; j += VEC_BYTES) {
        const vec first = vec_load(row + j), second = vec_load(row + row_bytes + j);
        const vec low = join_low(first, second), high = join_high(first, second);
        vec_store(pair + j, low);
        if (w != PACKED) {
            vec_store(pair + row_bytes + j, veorq_u8(vqtbl1q_u8(xy_low, low_nibbles(high)), vqtbl1q_u8(xy_high, high_nibbles(high))));
            vec_store(pair + 2 * row_bytes + j, veorq_u8(low, high));
        }
    }
}

/* From the last pair on, since each moves up. */
static void arrange(const mb_field *field, void *prepared, size_t stride, size_t outs)
{
    const way w = way_of(field);
    const size_t row_bytes = VEC_BYTES * stride, pair_bytes = rows_of_pair(w) * row_bytes;
    uint8_t *rows = prepared;
    if (!makes_pairs(field)) {
        return;
    }
    if (outs % 2 != 0) {
        memmove(rows + outs / 2 * pair_bytes, rows + (outs - 1) * row_bytes, row_bytes);
    }
    for (size_t p = outs / 2; p-- > 0;) {
        uint8_t *row = rows + 2 * p * row_bytes;
        if (w == POLYNOMIAL) {
            carry_row(row, stride);
            carry_row(row + row_bytes, stride);
        }
        arrange_pair(w, rows + p * pair_bytes, row, stride);
    }
}

/* Of LOT vectors, up to BLOCK registers, which follow one another: the low nibbles, the high ones, and over GF(256) their sums. */
typedef struct nibbles {
    vec plane[3][LOT * BLOCK];
} nibbles;

/* Σ over the vectors of (table of the pair)[nibble], for each of the pairs, whose tables lie pair_bytes apart, and registers. */
static MB_ALWAYS_INLINE void sum_pairs(unsigned pairs, unsigned regs, vec *sum, const vec *plane, const uint8_t *tables,
                                       size_t pair_bytes, size_t count)
{
    const uint8_t *from = (const uint8_t *)plane, *at[PAIRS_MOST];
    MB_UNROLL
    for (unsigned u = 0; u < pairs * regs; u++) {
        sum[u] = vec_zero();
        at[u / regs] = tables + u / regs * pair_bytes;
    }
    for (size_t turns = count / 2; turns != 0; turns--) {
        vec v[2 * BLOCK], table[2];
        MB_UNROLL
        for (unsigned r = 0; r < regs; r++) {
            load_pair_next(v + 2 * r, &from);
        }
        MB_UNROLL
        for (unsigned u = 0; u < pairs * regs; u++) {
            if (u % regs == 0) {
                load_pair_next(table, &at[u / regs]);
            }
            sum[u] = vec_xor3(sum[u], vqtbl1q_u8(table[0], v[u % regs]), vqtbl1q_u8(table[1], v[regs + u % regs]));
        }
    }
    if (count % 2 != 0) {
        vec v[BLOCK];
        load_several(v, regs, from);
        MB_UNROLL
        for (unsigned u = 0; u < pairs * regs; u++) {
            sum[u] = veorq_u8(sum[u], vqtbl1q_u8(vec_load(at[u / regs]), v[u % regs]));
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
    vec low[SUMS_MOST], high[SUMS_MOST], mixed[SUMS_MOST];
    const size_t pair_bytes = rows_of_pair(w) * row_bytes;
    sum_pairs(pairs, regs, low, split->plane[0], tables, pair_bytes, count);
    sum_pairs(pairs, regs, high, split->plane[1], tables + (w == PACKED ? 0 : row_bytes), pair_bytes, count);
    if (w != PACKED) {
        sum_pairs(pairs, regs, mixed, split->plane[2], tables + 2 * row_bytes, pair_bytes, count);
    }
    MB_UNROLL
    for (unsigned u = 0; u < pairs * regs; u++) {
        const unsigned p = u / regs, r = u % regs;
        vec first = low[u], second = high[u];
        if (w != PACKED) {
            first = veorq_u8(first, second);
            second = veorq_u8(mixed[u], low[u]);
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

/* Splits `count` vectors: `regs` registers from `vectors` on, the last one, if tail ≠ 0, reaching back. */
static MB_ALWAYS_INLINE void split_vectors(nibbles *split, way w, unsigned regs, size_t tail, const uint8_t *vectors,
                                           size_t stride, size_t count)
{
    for (size_t j = 0; j < count; j++, vectors += stride) {
        for (unsigned r = 0; r < regs; r++) {
            const vec stored = vec_load(vectors + VEC_BYTES * r - (tail != 0 && r == regs - 1 ? VEC_BYTES - tail : 0));
            const vec v = w == POLYNOMIAL ? times_constant(stored, &polynomial_to_tower) : stored;
            const vec low = low_nibbles(v), high = high_nibbles(v);
            split->plane[0][j * regs + r] = low;
            split->plane[1][j * regs + r] = high;
            if (w != PACKED) {
                split->plane[2][j * regs + r] = veorq_u8(low, high);
            }
        }
    }
}

/* As many of the sums as there are blocks of `pairs` pairs; the others are left. */
static MB_ALWAYS_INLINE void blocks_of_pairs(way w, unsigned pairs, unsigned regs, destination *to, size_t *outs, const nibbles *split,
                                             const uint8_t **tables, size_t row_bytes, size_t count)
{
    for (; *outs >= 2 * pairs; *outs -= 2 * pairs) {
        block_of_pairs(w, pairs, regs, to, split, *tables, row_bytes, count);
        to->out += 2 * pairs * to->stride;
        *tables += pairs * rows_of_pair(w) * row_bytes;
    }
}

static MB_ALWAYS_INLINE void lot_of_pairs(way w, unsigned regs, destination to, size_t outs, nibbles *split,
                                          const uint8_t *vectors, size_t stride, const uint8_t *tables, size_t row_bytes, size_t count)
{
    split_vectors(split, w, regs, to.tail, vectors, stride, count);
    blocks_of_pairs(w, pairs_for(regs), regs, &to, &outs, split, &tables, row_bytes, count);
    if (pairs_for(regs) > 2) {
        blocks_of_pairs(w, 2, regs, &to, &outs, split, &tables, row_bytes, count);
    }
    blocks_of_pairs(w, 1, regs, &to, &outs, split, &tables, row_bytes, count);
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
            many_for(field)(sums, VEC_BYTES, 2, VEC_BYTES, whole, 0, tables + arranged_row(field, b, row_bytes),
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
                       rows + arranged_row(field, in_pairs, row_bytes), row_bytes, count);
}

static void combine_many(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes, const uint8_t *vectors,
                         size_t stride, const void *prepared, size_t prepared_stride, size_t count)
{
    combine_one_by_one(field, out, out_stride, outs, bytes, vectors, stride, prepared, prepared_stride * VEC_BYTES, count);
}

#endif
