/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Scalars prepared, and one sum of scaled vectors at a time. Part of kernels.h. */
#ifndef MB_LINEAR_AARCH64_MULTIPLY_H
#define MB_LINEAR_AARCH64_MULTIPLY_H

#include "platform/wipe.h"

/* How a field is multiplied in. */
typedef enum {
    PACKED,    /* GF(16): two elements a byte, a table of 16 products a scalar */
    SPLIT,     /* GF(256): a table of the 16 products with low nibbles */
    POLYNOMIAL /* GF(256) modulo 0x11b: the scalar in every byte */
} way;

static inline way way_of(const mb_field *field)
{
    if (field->bits == 4) {
        return PACKED;
    }
    return field->basis == MB_BASIS_POLYNOMIAL && field->modulus == 0x1b ? POLYNOMIAL : SPLIT;
}

static size_t prepared_bytes(const mb_field *field)
{
    (void)field;
    return VEC_BYTES;
}

/* ---- Preparing ---------------------------------------------------------------------------------- */

/* table[j][a] = Σ_k (bit k of a)·image[k][j]: with the products of sixteen scalars with 1, 2, 4 and 8, the scalars' tables. */
static MB_ALWAYS_INLINE void sixteen_tables(vec table[16], const vec image[4])
{
    /* Eight bytes for each scalar: its products with 1, 2, 3, 3 and 4, 8, 12, 12. A product with a is the sum of two of them. */
    static const uint8_t lower[16] = {255, 0, 1, 2, 255, 0, 1, 2, 255, 0, 1, 2, 255, 0, 1, 2};
    static const uint8_t upper[16] = {255, 255, 255, 255, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6};
    const vec lower_even = vec_load(lower), upper_even = vec_load(upper);
    const vec lower_odd = vqaddq_u8(lower_even, vdupq_n_u8(8)), upper_odd = vqaddq_u8(upper_even, vdupq_n_u8(8));
    const vec both[2] = {veorq_u8(image[0], image[1]), veorq_u8(image[2], image[3])};
    for (unsigned half = 0; half < 2; half++) {
        uint16x8_t four[2];
        vec eight[4];
        for (unsigned part = 0; part < 2; part++) {
            const vec a = image[2 * part], b = image[2 * part + 1], ab = both[part];
            const vec first = half == 0 ? vzip1q_u8(a, b) : vzip2q_u8(a, b);
            const vec last = half == 0 ? vzip1q_u8(ab, ab) : vzip2q_u8(ab, ab);
            four[0] = vzip1q_u16(vreinterpretq_u16_u8(first), vreinterpretq_u16_u8(last));
            four[1] = vzip2q_u16(vreinterpretq_u16_u8(first), vreinterpretq_u16_u8(last));
            eight[part] = vreinterpretq_u8_u16(four[0]);
            eight[2 + part] = vreinterpretq_u8_u16(four[1]);
        }
        for (unsigned quarter = 0; quarter < 2; quarter++) {
            const uint32x4_t l = vreinterpretq_u32_u8(eight[2 * quarter]), u = vreinterpretq_u32_u8(eight[2 * quarter + 1]);
            const vec pairs[2] = {vreinterpretq_u8_u32(vzip1q_u32(l, u)), vreinterpretq_u8_u32(vzip2q_u32(l, u))};
            for (unsigned i = 0; i < 2; i++) {
                vec *to = table + 8 * half + 4 * quarter + 2 * i;
                to[0] = veorq_u8(vqtbl1q_u8(pairs[i], lower_even), vqtbl1q_u8(pairs[i], upper_even));
                to[1] = veorq_u8(vqtbl1q_u8(pairs[i], lower_odd), vqtbl1q_u8(pairs[i], upper_odd));
            }
        }
    }
}

/* Tables of the products of sixteen scalars with 0 … 15 times basis element `from` (1, or 16 for high nibbles). */
static MB_ALWAYS_INLINE void tables_of(vec table[16], const mb_nibble_tables *basis, unsigned from, vec scalars)
{
    vec image[4];
    image[0] = from == 0 ? scalars : times_constant(scalars, &basis[from]);
    for (unsigned k = 1; k < 4; k++) {
        image[k] = times_constant(scalars, &basis[from + k]);
    }
    sixteen_tables(table, image);
}

static void prepare_tables(const mb_field *field, uint8_t *prepared, const uint8_t *scalars, size_t count)
{
    mb_nibble_tables storage[8];
    const mb_nibble_tables *basis = mb_basis_tables(field, storage);
    vec table[16];
    for (; count >= 16; count -= 16) {
        tables_of(table, basis, 0, vec_load(scalars));
        for (unsigned j = 0; j < 16; j++) {
            vec_store(prepared + VEC_BYTES * j, table[j]);
        }
        scalars += 16;
        prepared += 16 * VEC_BYTES;
    }
    if (count != 0) {
        tables_of(table, basis, 0, load_short(scalars, count));
        memcpy(prepared, table, VEC_BYTES * count);
    }
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    uint8_t *out = prepared;
    if (way_of(field) != POLYNOMIAL) {
        prepare_tables(field, out, scalars, count);
        return;
    }
    for (size_t j = 0; j < count; j++) {
        vec_store(out + VEC_BYTES * j, vdupq_n_u8(scalars[j]));
    }
}

/* ---- Sums --------------------------------------------------------------------------------------- */

/* A sum of products not yet reduced: Σ s·low and Σ s·high, or the two halves' products of polynomials. */
typedef struct unreduced {
    vec first, second;
} unreduced;

static MB_ALWAYS_INLINE vec polynomial_low(vec v, vec scalar)
{
    return vreinterpretq_u8_p16(vmull_p8(vreinterpret_p8_u8(vget_low_u8(v)), vreinterpret_p8_u8(vget_low_u8(scalar))));
}

static MB_ALWAYS_INLINE vec polynomial_high(vec v, vec scalar)
{
    return vreinterpretq_u8_p16(vmull_high_p8(vreinterpretq_p8_u8(v), vreinterpretq_p8_u8(scalar)));
}

/* sum += v·s + v'·s' */
static MB_ALWAYS_INLINE void add_two(way w, unreduced *sum, vec v, vec scalar, vec v_next, vec scalar_next)
{
    if (w == POLYNOMIAL) {
        sum->first = vec_xor3(sum->first, polynomial_low(v, scalar), polynomial_low(v_next, scalar_next));
        sum->second = vec_xor3(sum->second, polynomial_high(v, scalar), polynomial_high(v_next, scalar_next));
    } else {
        sum->first = vec_xor3(sum->first, vqtbl1q_u8(scalar, low_nibbles(v)), vqtbl1q_u8(scalar_next, low_nibbles(v_next)));
        sum->second =
            vec_xor3(sum->second, vqtbl1q_u8(scalar, high_nibbles(v)), vqtbl1q_u8(scalar_next, high_nibbles(v_next)));
    }
}

static MB_ALWAYS_INLINE void add_one(way w, unreduced *sum, vec v, vec scalar)
{
    if (w == POLYNOMIAL) {
        sum->first = veorq_u8(sum->first, polynomial_low(v, scalar));
        sum->second = veorq_u8(sum->second, polynomial_high(v, scalar));
    } else {
        sum->first = veorq_u8(sum->first, vqtbl1q_u8(scalar, low_nibbles(v)));
        sum->second = veorq_u8(sum->second, vqtbl1q_u8(scalar, high_nibbles(v)));
    }
}

/* The products of z^8 with 0 … 15 and with those times 16, for polynomials modulo 0x11b. */
static const mb_nibble_tables overflow_11b = {{0x00, 0x1b, 0x36, 0x2d, 0x6c, 0x77, 0x5a, 0x41, 0xd8, 0xc3, 0xee, 0xf5, 0xb4, 0xaf, 0x82, 0x99,
                                               0x00, 0xab, 0x4d, 0xe6, 0x9a, 0x31, 0xd7, 0x7c, 0x2f, 0x84, 0x62, 0xc9, 0xb5, 0x1e, 0xf8, 0x53}};

/* `rest` is what the field's reduction needs: products with u, or with z^8. */
static MB_ALWAYS_INLINE vec reduce(way w, unreduced sum, const mb_nibble_tables *rest)
{
    if (w == PACKED) {
        return join_low(sum.first, sum.second);
    }
    if (w == SPLIT) {
        return veorq_u8(sum.first, times_constant(sum.second, rest));
    }
    return veorq_u8(vuzp1q_u8(sum.first, sum.second), times_constant(vuzp2q_u8(sum.first, sum.second), rest));
}

static MB_ALWAYS_INLINE const mb_nibble_tables *rest_of(way w, const mb_field *field, mb_nibble_tables storage[8])
{
    return w == PACKED ? NULL : w == SPLIT ? mb_basis_tables(field, storage) + 4 : &overflow_11b;
}

/* Of a sum: registers of its vectors, the last of which, if `partial`, begins `back` bytes earlier. All constants but `back`. */
typedef struct registers {
    unsigned regs;
    int partial;
    size_t back;
} registers;

/* Registers that are summed together: as many as have room beside what they are formed from. */
enum { SUMS_MANY = 8, SUMS_AT_ONCE = 9 };

/* Registers r, r + 1 (or r alone) of a vector. */
static MB_ALWAYS_INLINE void load_two(vec v[2], registers p, unsigned r, const uint8_t *vector)
{
    const int last = p.partial && r + 2 >= p.regs;
    if (r + 2 <= p.regs && !last) {
        load_pair(v, vector, r);
        return;
    }
    v[0] = vec_load(vector + VEC_BYTES * r - (p.partial && r + 1 == p.regs ? p.back : 0));
    if (r + 2 <= p.regs) {
        v[1] = vec_load(vector + VEC_BYTES * (r + 1) - p.back);
    }
}

/* sum[r] += (scalars s[0], s[1])·(register r of these two vectors). */
static MB_ALWAYS_INLINE void add_two_vectors(way w, registers p, unreduced *sum, const uint8_t *vector, const uint8_t *next, const vec s[2])
{
    MB_UNROLL
    for (unsigned r = 0; r < p.regs; r += 2) {
        vec a[2], b[2];
        load_two(a, p, r, vector);
        load_two(b, p, r, next);
        add_two(w, &sum[r], a[0], s[0], b[0], s[1]);
        if (r + 1 < p.regs) {
            add_two(w, &sum[r + 1], a[1], s[0], b[1], s[1]);
        }
    }
}

static MB_ALWAYS_INLINE void add_one_vector(way w, registers p, unreduced *sum, const uint8_t *vector, vec s)
{
    MB_UNROLL
    for (unsigned r = 0; r < p.regs; r += 2) {
        vec a[2];
        load_two(a, p, r, vector);
        add_one(w, &sum[r], a[0], s);
        if (r + 1 < p.regs) {
            add_one(w, &sum[r + 1], a[1], s);
        }
    }
}

/* sum[r] += Σ_j scalar j · (register r of vector j). */
static MB_ALWAYS_INLINE void sum_part(way w, registers p, unreduced *sum, const uint8_t *vectors, size_t stride, const uint8_t *prepared,
                                      size_t count)
{
    vec s[2];
    for (size_t turns = count / 4; turns != 0; turns--) {
        load_pair_next(s, &prepared);
        add_two_vectors(w, p, sum, vectors, vectors + stride, s);
        load_pair_next(s, &prepared);
        add_two_vectors(w, p, sum, vectors + 2 * stride, vectors + 3 * stride, s);
        vectors += 4 * stride;
    }
    if (count % 4 >= 2) {
        load_pair_next(s, &prepared);
        add_two_vectors(w, p, sum, vectors, vectors + stride, s);
        vectors += 2 * stride;
    }
    if (count % 2 != 0) {
        add_one_vector(w, p, sum, vectors, vec_load(prepared));
    }
}

static MB_ALWAYS_INLINE void clear_sums(unsigned regs, unreduced *sum)
{
    MB_UNROLL
    for (unsigned r = 0; r < regs; r++) {
        sum[r] = (unreduced){vec_zero(), vec_zero()};
    }
}

/* The part of out from `done` on, of `regs` registers, the last of which, if `partial`, ends with the vectors and reaches back into
 * bytes that another one has: it adds its last `tail` bytes only. */
static MB_ALWAYS_INLINE void combine_part(way w, unsigned regs, int partial, size_t tail, uint8_t *out, size_t done,
                                          const uint8_t *vectors, size_t stride, const uint8_t *prepared, size_t count,
                                          const mb_nibble_tables *rest)
{
    const registers p = {regs, partial, VEC_BYTES - tail};
    unreduced sum[SUMS_AT_ONCE];
    clear_sums(regs, sum);
    sum_part(w, p, sum, vectors + done, stride, prepared, count);
    MB_UNROLL
    for (unsigned r = 0; r < regs; r++) {
        uint8_t *at = out + done + VEC_BYTES * r;
        const vec v = reduce(w, sum[r], rest);
        if (partial && r == regs - 1) {
            xor_store(at - p.back, last_bytes(v, tail));
        } else {
            xor_store(at, v);
        }
    }
}

/* Vectors shorter than a register. */
static MB_ALWAYS_INLINE void combine_short(way w, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                                           const uint8_t *prepared, size_t count, const mb_nibble_tables *rest)
{
    unreduced sum = {vec_zero(), vec_zero()};
    for (; count != 0; count--) {
        add_one(w, &sum, load_short(vectors, bytes), vec_load(prepared));
        vectors += stride;
        prepared += VEC_BYTES;
    }
    xor_short(out, bytes, reduce(w, sum, rest));
}

static MB_ALWAYS_INLINE void combine_way(way w, const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors,
                                         size_t stride, const uint8_t *prepared, size_t count)
{
    mb_nibble_tables storage[8];
    const mb_nibble_tables *rest = rest_of(w, field, storage);
    const size_t tail = bytes % VEC_BYTES;
    size_t done = 0, regs = (bytes + VEC_BYTES - 1) / VEC_BYTES;
    if (bytes < VEC_BYTES) {
        combine_short(w, out, bytes, vectors, stride, prepared, count, rest);
        return;
    }
    for (; regs >= 2 * SUMS_MANY; regs -= SUMS_MANY, done += SUMS_MANY * VEC_BYTES) {
        combine_part(w, SUMS_MANY, 0, 0, out, done, vectors, stride, prepared, count, rest);
    }
    if (regs > SUMS_MANY) {
        combine_part(w, SUMS_MANY / 2, 0, 0, out, done, vectors, stride, prepared, count, rest);
        regs -= SUMS_MANY / 2;
        done += SUMS_MANY / 2 * VEC_BYTES;
    }
    if (regs > SUMS_MANY) {
        combine_part(w, SUMS_MANY / 2, 0, 0, out, done, vectors, stride, prepared, count, rest);
        regs -= SUMS_MANY / 2;
        done += SUMS_MANY / 2 * VEC_BYTES;
    }
    switch (2 * regs + (tail != 0)) {
#define PART(regs, partial)                                                                                                  \
    case 2 * regs + partial:                                                                                                 \
        combine_part(w, regs, partial, tail, out, done, vectors, stride, prepared, count, rest);                       \
        return;
    PART(1, 0)
    PART(2, 0)
    PART(3, 0)
    PART(4, 0)
    PART(5, 0)
    PART(6, 0)
    PART(7, 0)
    PART(8, 0)
    PART(2, 1)
    PART(3, 1)
    PART(4, 1)
    PART(5, 1)
    PART(6, 1)
    PART(7, 1)
    PART(8, 1)
#undef PART
    default: /* 16 bytes or more are two registers if they are not one */
        return;
    }
}

static void combine(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                    const void *prepared, size_t count)
{
    switch (way_of(field)) {
    case PACKED:
        combine_way(PACKED, field, out, bytes, vectors, stride, prepared, count);
        return;
    case SPLIT:
        combine_way(SPLIT, field, out, bytes, vectors, stride, prepared, count);
        return;
    default:
        combine_way(POLYNOMIAL, field, out, bytes, vectors, stride, prepared, count);
    }
}

/* ---- Triangles ---------------------------------------------------------------------------------- */

enum { STRIP_BYTES = VEC_BYTES * SUMS_AT_ONCE, STRIP_COLUMNS_MOST = 4, SUMS_BYTES = 8 * STRIP_BYTES };

/* A few neighbouring columns of a triangle of vectors. What a row has of them lies together and is multiplied by the row's scalar, as if
 * it were one vector. */
typedef struct strip {
    const uint8_t *top; /* what the first row has of it */
    size_t stride;      /* from there to the second row's; each next row is `bytes` nearer */
    size_t bytes;       /* of a vector */
    size_t rows;        /* that have all columns; those that follow have one column less each, at the left */
    size_t columns;
    size_t width; /* bytes that are summed: those of all columns, or a piece of one */
} strip;

/* sum += Σ_i scalar i · (what row i has of the strip) */
static MB_ALWAYS_INLINE void sum_strip(way w, registers p, unreduced *sum, strip s, const uint8_t *prepared)
{
    static const uint8_t places[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint8_t *row = s.top;
    for (size_t pairs = s.rows / 2; pairs != 0; pairs--) {
        const uint8_t *next = row + s.stride;
        vec scalars[2];
        load_pair_next(scalars, &prepared);
        add_two_vectors(w, p, sum, row, next, scalars);
        row = next + s.stride - s.bytes;
        s.stride -= 2 * s.bytes;
    }
    if (s.rows % 2 != 0) {
        add_one_vector(w, p, sum, row, vec_load(prepared));
        row += s.stride;
        s.stride -= s.bytes;
        prepared += VEC_BYTES;
    }
    for (size_t cut = 1; cut < s.columns; cut++) {
        const vec scalar = vec_load(prepared), from = vdupq_n_u8((uint8_t)(cut * s.bytes));
        vec place = vec_load(places);
        MB_UNROLL
        for (unsigned r = 0; r < p.regs; r++) {
            const size_t back = p.partial && r + 1 == p.regs ? p.back : 0;
            const vec v = vec_load(row + VEC_BYTES * r - back);
            add_one(w, &sum[r], vandq_u8(v, vcgeq_u8(vsubq_u8(place, vdupq_n_u8((uint8_t)back)), from)), scalar);
            place = vaddq_u8(place, vdupq_n_u8(VEC_BYTES));
        }
        row += s.stride;
        s.stride -= s.bytes;
        prepared += VEC_BYTES;
    }
}

/* The strip at the right of this one. */
static MB_ALWAYS_INLINE strip next_strip(strip s)
{
    return (strip){s.top + s.columns * s.bytes, s.stride, s.bytes, s.rows + s.columns, s.columns, s.width};
}

static MB_ALWAYS_INLINE void sum_strips(way w, unsigned regs, int partial, size_t back, uint8_t *out, strip s, size_t strips,
                                        const uint8_t *prepared, const mb_nibble_tables *rest)
{
    const registers p = {regs, partial, back};
    for (; strips != 0; strips--) {
        unreduced sum[SUMS_AT_ONCE];
        vec reduced[SUMS_AT_ONCE];
        clear_sums(regs, sum);
        sum_strip(w, p, sum, s, prepared);
        MB_UNROLL
        for (unsigned r = 0; r < regs; r++) {
            reduced[r] = reduce(w, sum[r], rest);
        }
        MB_UNROLL
        for (unsigned r = 0; r < regs; r++) {
            vec_store(out + VEC_BYTES * r - (partial && r + 1 == regs ? back : 0), reduced[r]);
        }
        out += s.width;
        s = next_strip(s);
    }
}

/* For strips that are narrower than a register. */
static MB_ALWAYS_INLINE void sum_short_strips(way w, uint8_t *out, strip s, size_t strips, const uint8_t *prepared,
                                              const mb_nibble_tables *rest)
{
    memset(out, 0, strips * s.width);
    for (; strips != 0; strips--) {
        const uint8_t *row = s.top;
        for (size_t i = 0, left = 0; i < s.rows + s.columns - 1; i++) {
            left += i < s.rows ? 0 : s.bytes;
            combine_short(w, out + left, s.width - left, row + left, 0, prepared + VEC_BYTES * i, 1, rest);
            row += s.stride - i * s.bytes;
        }
        out += s.width;
        s = next_strip(s);
    }
}

/* For each strip, out = Σ_i scalar i · (what row i has of it); one after the other. */
static MB_ALWAYS_INLINE void strips_way(way w, const mb_field *field, uint8_t *out, strip s, size_t strips, const uint8_t *prepared)
{
    mb_nibble_tables storage[8];
    const mb_nibble_tables *rest = rest_of(w, field, storage);
    const size_t regs = (s.width + VEC_BYTES - 1) / VEC_BYTES, back = VEC_BYTES * regs - s.width;
    if (s.width < VEC_BYTES) {
        sum_short_strips(w, out, s, strips, prepared, rest);
        return;
    }
    switch (2 * regs + (back != 0)) {
#define PART(regs, partial)                                                                                                  \
    case 2 * regs + partial:                                                                                                 \
        sum_strips(w, regs, partial, partial ? back : 0, out, s, strips, prepared, rest);                                    \
        return;
    PART(1, 0)
    PART(2, 0)
    PART(3, 0)
    PART(4, 0)
    PART(5, 0)
    PART(6, 0)
    PART(7, 0)
    PART(8, 0)
    PART(9, 0)
    PART(2, 1)
    PART(3, 1)
    PART(4, 1)
    PART(5, 1)
    PART(6, 1)
    PART(7, 1)
    PART(8, 1)
    PART(9, 1)
#undef PART
    default: /* no strip is wider */
        return;
    }
}

static void combine_strips(const mb_field *field, uint8_t *out, strip s, size_t strips, const uint8_t *prepared)
{
    switch (way_of(field)) {
    case PACKED:
        strips_way(PACKED, field, out, s, strips, prepared);
        return;
    case SPLIT:
        strips_way(SPLIT, field, out, s, strips, prepared);
        return;
    default:
        strips_way(POLYNOMIAL, field, out, s, strips, prepared);
    }
}

/* How many columns of these vectors cost the fewest registers each. */
static size_t strip_columns(size_t bytes)
{
    size_t best = 1, best_regs = (bytes + VEC_BYTES - 1) / VEC_BYTES;
    for (size_t columns = 2; columns <= STRIP_COLUMNS_MOST && columns * bytes <= STRIP_BYTES; columns++) {
        const size_t regs = (columns * bytes + VEC_BYTES - 1) / VEC_BYTES;
        if (regs * best <= best_regs * columns) {
            best = columns;
            best_regs = regs;
        }
    }
    return best;
}

/* Σ_j x_j·(Σ_{i ≤ j} x_i·v_ij), the inner sums first, for as many columns j as `sums` holds. */
static void combine_triangle(const mb_field *field, mb_triangle t, const uint8_t *prepared, size_t n)
{
    uint8_t sums[SUMS_BYTES];
    const size_t piece_most = t.bytes < STRIP_BYTES ? t.bytes : STRIP_BYTES;
    const size_t columns_most = strip_columns(t.bytes), strips_most = sizeof sums / (columns_most * piece_most);
    for (size_t done = 0; done < t.bytes; done += piece_most) {
        const size_t piece = t.bytes - done < piece_most ? t.bytes - done : piece_most;
        for (size_t j = 0; j < n;) {
            const size_t columns = n - j < columns_most ? n - j : columns_most;
            const size_t left = (n - j) / columns, strips = left < strips_most ? left : strips_most;
            const strip first = {t.coefficients + j * t.bytes + done, (n - 1) * t.bytes, t.bytes, j + 1, columns, columns * piece};
            combine_strips(field, sums, first, strips, prepared);
            combine(field, t.constant + done, piece, sums, piece, prepared + j * VEC_BYTES, strips * columns);
            j += strips * columns;
        }
    }
    mb_wipe(sums, sizeof sums);
}

static int combine_triangles(const mb_field *field, const mb_triangle *triangles, size_t triangles_len, const void *prepared, size_t n)
{
    for (size_t t = 0; t < triangles_len; t++) {
        combine_triangle(field, triangles[t], prepared, n);
    }
    return 0;
}

#endif
