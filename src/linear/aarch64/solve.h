/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Square systems: Gaussian elimination on rows, one element a byte. Part of kernels.h.
 *
 * Where a pivot is zero the first row below that has an entry in its column is added, chosen by a secret mask; no row is swapped,
 * so row k ends as variable k. A row is scaled by the inverse of its pivot when it becomes the pivot row. */
#ifndef MB_LINEAR_AARCH64_SOLVE_H
#define MB_LINEAR_AARCH64_SOLVE_H

/* The factors: rows, columns and masks are padded to whole registers with zeros. */
typedef struct elimination {
    size_t stride;
    uint8_t *rows;   /* n rows; while a system is solved, its right-hand side */
    uint8_t *column; /* n columns: of step k, what row i is to lose times row k, for i < k when solving backwards */
    uint8_t *added;  /* n columns: clear bytes at the row that was added to row k, 0xff elsewhere */
    uint8_t *scale;  /* n elements: the inverses of the pivots */
    uint8_t *tables; /* of a column, two for each element: the products with low nibbles, and with high ones */
} elimination;

static size_t row_stride(size_t n)
{
    return (n + VEC_BYTES - 1) / VEC_BYTES * VEC_BYTES;
}

static size_t factors_bytes(const mb_field *field, size_t n)
{
    const size_t stride = row_stride(n);
    (void)field;
    return (3 * stride + 1) * stride + 2 * VEC_BYTES * stride;
}

static elimination lay_out(void *factors, size_t n)
{
    elimination e;
    e.stride = row_stride(n);
    e.rows = factors;
    e.column = e.rows + e.stride * e.stride;
    e.added = e.column + e.stride * e.stride;
    e.scale = e.added + e.stride * e.stride;
    e.tables = e.scale + e.stride;
    return e;
}

/* ---- Elements ----------------------------------------------------------------------------------- */

/* Products with one SECRET scalar. */
typedef struct multiple {
    vec low, high;
} multiple;

static MB_ALWAYS_INLINE vec times(unsigned bits, vec v, multiple s)
{
    if (bits == 4) {
        return vqtbl1q_u8(s.low, v);
    }
    return veorq_u8(vqtbl1q_u8(s.low, low_nibbles(v)), vqtbl1q_u8(s.high, high_nibbles(v)));
}

/* The tables of one scalar, the same in all bytes of s: a sum of the basis elements' tables, chosen by masks. */
static MB_ALWAYS_INLINE multiple multiple_of(const mb_nibble_tables *basis, unsigned bits, vec s)
{
    multiple m = {vec_zero(), vec_zero()};
    MB_UNROLL
    for (unsigned k = 0; k < bits; k++) {
        const vec absent = vceqzq_u8(vandq_u8(s, vdupq_n_u8((uint8_t)(1u << k))));
        m.low = vec_xor_without(m.low, vec_load(basis[k].products), absent);
        if (bits == 8) {
            m.high = vec_xor_without(m.high, vec_load(basis[k].products + 16), absent);
        }
    }
    return m;
}

/* table[index], of 16 or 256 entries, all of which go through registers; in all bytes of the result. */
static MB_ALWAYS_INLINE vec look_up(const uint8_t *table, unsigned bits, uint8_t index)
{
    vec at = vdupq_n_u8(index), found = vqtbl1q_u8(vec_load(table), at);
    for (unsigned part = 1; part < (bits == 4 ? 1u : 16u); part++) {
        at = vsubq_u8(at, vdupq_n_u8(16));
        found = vqtbx1q_u8(found, vec_load(table + 16 * part), at);
    }
    return found;
}

/* ---- The matrix --------------------------------------------------------------------------------- */

/* Sixteen elements of a packed column of n elements from element i on, those past its end zero. */
static MB_ALWAYS_INLINE vec load_elements(unsigned bits, const uint8_t *packed, size_t i, size_t n)
{
    if (bits == 8) {
        return i + 16 <= n ? vec_load(packed + i) : load_short(packed + i, n - i);
    }
    const size_t bytes = (n - i) / 2;
    vec v;
    if (bytes >= 8) {
        v = vcombine_u8(vld1_u8(packed + i / 2), vdup_n_u8(0));
    } else {
        v = load_short(packed + i / 2, bytes);
    }
    return vzip1q_u8(low_nibbles(v), high_nibbles(v));
}

/* Packed columns to rows with one element a byte. */
static MB_ALWAYS_INLINE void load_rows(unsigned bits, const elimination *e, const uint8_t *matrix, size_t n)
{
    const size_t bytes = bits == 4 ? n / 2 : n;
    for (size_t j = 0; j < e->stride; j += 16) {
        for (size_t i = 0; i < e->stride; i += 16) {
            vec block[16];
            for (size_t c = 0; c < 16; c++) {
                block[c] = j + c < n ? load_elements(bits, matrix + (j + c) * bytes, i, n) : vec_zero();
            }
            transpose_sixteen(block);
            for (size_t r = 0; r < 16; r++) {
                vec_store(e->rows + (i + r) * e->stride + j, block[r]);
            }
        }
    }
}

/* ---- Elimination -------------------------------------------------------------------------------- */

/* The first of the rows k … n - 1 with an entry in this column: writes a clear byte at that row, unless it is k itself, and 0xff
 * elsewhere. Returns all ones if there is such a row, else 0. */
static MB_ALWAYS_INLINE uint64_t find_row(uint8_t *without, const uint8_t *column, size_t k, size_t bytes)
{
    static const uint8_t one_each[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint64_t found = 0;
    memset(without, 0xff, k / VEC_BYTES * VEC_BYTES);
    for (size_t i = k / VEC_BYTES * VEC_BYTES; i < bytes; i += VEC_BYTES) {
        /* One bit for each row of this register. */
        const vec entry = vtstq_u8(vec_load(column + i), vec_load(column + i));
        const vec bit = vandq_u8(entry, vec_load(one_each));
        const vec sums = vpaddq_u8(vpaddq_u8(vpaddq_u8(bit, bit), vec_zero()), vec_zero());
        const uint64_t rows = vgetq_lane_u16(vreinterpretq_u16_u8(sums), 0);
        /* Public: which of them come after k, or are it. */
        const uint64_t allowed = k <= i ? 0xffff : 0xffffu << (k - i) & 0xffff, itself = k >= i ? (uint64_t)1 << (k - i) : 0;
        const uint64_t candidates = rows & allowed;
        const uint64_t lowest = candidates & (0 - candidates) & ~found;
        const uint64_t chosen = lowest & ~itself;
        const vec spread = vcombine_u8(vdup_n_u8((uint8_t)chosen), vdup_n_u8((uint8_t)(chosen >> 8)));
        vec_store(without + i, vceqzq_u8(vandq_u8(spread, vec_load(one_each))));
        found |= mb_mask_u64((candidates | (0 - candidates)) >> 63);
    }
    return found;
}

/* The one byte of the column that the mask lets through, or 0. */
static MB_ALWAYS_INLINE uint8_t masked_byte(const uint8_t *column, const uint8_t *without, size_t from, size_t bytes)
{
    vec sum = vec_zero();
    for (size_t i = from / VEC_BYTES * VEC_BYTES; i < bytes; i += VEC_BYTES) {
        sum = vorrq_u8(sum, vbicq_u8(vec_load(column + i), vec_load(without + i)));
    }
    return vmaxvq_u8(sum);
}

/* In the `regs` ≤ 6 registers, a constant number, from column `from` on: adds the chosen row to row k, reading all that could have been
 * chosen, and scales it. */
static MB_ALWAYS_INLINE void make_pivot_row(unsigned bits, unsigned regs, const elimination *e, size_t from, size_t k, size_t n,
                                            multiple inverse)
{
    const uint8_t *without = e->added + k * e->stride;
    uint8_t *row = e->rows + k * e->stride + from;
    vec sum[6];
    for (unsigned r = 0; r < regs; r++) {
        sum[r] = vec_load(row + VEC_BYTES * r);
    }
    for (size_t i = k + 1; i < n; i++) {
        const vec mask = vdupq_n_u8(without[i]);
        const uint8_t *other = e->rows + i * e->stride + from;
        for (unsigned r = 0; r < regs; r++) {
            sum[r] = vec_xor_without(sum[r], vec_load(other + VEC_BYTES * r), mask);
        }
    }
    for (unsigned r = 0; r < regs; r++) {
        vec_store(row + VEC_BYTES * r, times(bits, sum[r], inverse));
    }
}

/* Row i loses column[i] times row k, for i > k, in these registers. */
static MB_ALWAYS_INLINE void eliminate_below(unsigned bits, unsigned regs, const mb_nibble_tables *basis, const elimination *e,
                                             size_t from, size_t k, size_t n)
{
    const uint8_t *pivot = e->rows + k * e->stride + from, *column = e->column + k * e->stride;
    vec low_of[6], high_of[6];
    for (unsigned r = 0; r < regs; r++) {
        low_of[r] = bits == 4 ? vec_load(pivot + VEC_BYTES * r) : low_nibbles(vec_load(pivot + VEC_BYTES * r));
        high_of[r] = high_nibbles(vec_load(pivot + VEC_BYTES * r));
    }
    for (size_t block = (k + 1) / 16 * 16; block < n; block += 16) {
        vec low[16], high[16];
        const size_t first = block > k ? block : k + 1, end = block + 16 < n ? block + 16 : n;
        tables_of(low, basis, 0, vec_load(column + block));
        if (bits == 8) {
            tables_of(high, basis, 4, vec_load(column + block));
        }
        for (size_t i = first; i < end; i++) {
            const vec s_low = low[i - block], s_high = bits == 8 ? high[i - block] : vec_zero();
            uint8_t *row = e->rows + i * e->stride + from;
            for (unsigned r = 0; r < regs; r++) {
                const vec was = vec_load(row + VEC_BYTES * r), step = vqtbl1q_u8(s_low, low_of[r]);
                vec_store(row + VEC_BYTES * r,
                          bits == 4 ? veorq_u8(was, step) : vec_xor3(was, step, vqtbl1q_u8(s_high, high_of[r])));
            }
        }
    }
}

/* Both on `regs` registers. */
static MB_ALWAYS_INLINE void step_on(unsigned bits, unsigned regs, const mb_nibble_tables *basis, const elimination *e, size_t from,
                                     size_t k, size_t n, multiple inverse)
{
    make_pivot_row(bits, regs, e, from, k, n, inverse);
    eliminate_below(bits, regs, basis, e, from, k, n);
}

/* Step k from the register of column k on. */
static MB_ALWAYS_INLINE void eliminate(unsigned bits, const mb_nibble_tables *basis, const elimination *e, size_t k, size_t n,
                                       multiple inverse)
{
    size_t from = k / VEC_BYTES * VEC_BYTES;
    for (; from + 6 * VEC_BYTES < e->stride; from += 4 * VEC_BYTES) {
        step_on(bits, 4, basis, e, from, k, n, inverse);
    }
    switch ((e->stride - from) / VEC_BYTES) {
    case 1:
        step_on(bits, 1, basis, e, from, k, n, inverse);
        return;
    case 2:
        step_on(bits, 2, basis, e, from, k, n, inverse);
        return;
    case 3:
        step_on(bits, 3, basis, e, from, k, n, inverse);
        return;
    case 4:
        step_on(bits, 4, basis, e, from, k, n, inverse);
        return;
    case 5:
        step_on(bits, 5, basis, e, from, k, n, inverse);
        return;
    default:
        step_on(bits, 6, basis, e, from, k, n, inverse);
    }
}

static MB_ALWAYS_INLINE int factor_bits(unsigned bits, const mb_field *field, const uint8_t *matrix, void *factors, size_t n)
{
    const elimination e = lay_out(factors, n);
    mb_nibble_tables storage[8];
    uint8_t inverse_storage[256];
    const mb_nibble_tables *basis = mb_basis_tables(field, storage);
    const uint8_t *inverses = mb_inverses(field, inverse_storage);
    uint64_t regular = ~(uint64_t)0;
    load_rows(bits, &e, matrix, n);
    for (size_t k = 0; k < n; k++) {
        uint8_t *column = e.column + k * e.stride, *without = e.added + k * e.stride;
        const uint8_t *next = e.rows + k;
        for (size_t i = 0; i < e.stride; i += VEC_BYTES) {
            vec_store(column + i, load_strided(&next, e.stride));
        }
        regular &= find_row(without, column, k, e.stride);
        const uint8_t pivot = (uint8_t)(column[k] ^ masked_byte(column, without, k, e.stride));
        const vec inverse = look_up(inverses, bits, pivot);
        e.scale[k] = vgetq_lane_u8(inverse, 0);
        column[k] = 0;
        eliminate(bits, basis, &e, k, n, multiple_of(basis, bits, inverse));
    }
    return (int)mb_barrier_u64(regular & 1) - 1;
}

static int factor(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    return field->bits == 4 ? factor_bits(4, field, matrix, factors, n) : factor_bits(8, field, matrix, factors, n);
}

/* side loses entry times the column, in the registers [from, to). */
static MB_ALWAYS_INLINE void subtract_column(unsigned bits, uint8_t *side, const uint8_t *column, multiple entry, size_t from,
                                             size_t to)
{
    for (size_t at = from; at < to; at += VEC_BYTES) {
        xor_store(side + at, times(bits, vec_load(column + at), entry));
    }
}

/* Forwards the steps of the elimination, which concern the rows after k; then backwards what column k has for the rows before. */
static MB_ALWAYS_INLINE void solve_bits(unsigned bits, const mb_field *field, uint8_t *x, const uint8_t *right, void *factors,
                                        size_t n)
{
    static const uint8_t clear_then_set[32] = {0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
                                               0,    0,    0,    0,    0,    0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                               0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    const elimination e = lay_out(factors, n);
    mb_nibble_tables storage[8];
    const mb_nibble_tables *basis = mb_basis_tables(field, storage);
    uint8_t *side = e.rows;
    memset(side, 0, e.stride);
    mb_field_unpack(field, side, right, n);
    for (size_t k = 0; k < n; k++) {
        const uint8_t *column = e.column + k * e.stride;
        const size_t here = k / VEC_BYTES * VEC_BYTES;
        const vec after = vec_load(clear_then_set + 15 - k % VEC_BYTES);
        const uint8_t sum = (uint8_t)(side[k] ^ masked_byte(side, e.added + k * e.stride, k, e.stride));
        const vec entry = times(bits, vdupq_n_u8(sum), multiple_of(basis, bits, vdupq_n_u8(e.scale[k])));
        const multiple m = multiple_of(basis, bits, entry);
        xor_store(side + here, vandq_u8(times(bits, vec_load(column + here), m), after));
        side[k] = vgetq_lane_u8(entry, 0);
        subtract_column(bits, side, column, m, here + VEC_BYTES, e.stride);
    }
    for (size_t k = n; k-- > 0;) {
        const uint8_t *column = e.column + k * e.stride;
        const size_t here = k / VEC_BYTES * VEC_BYTES;
        const vec after = vec_load(clear_then_set + 15 - k % VEC_BYTES);
        const multiple m = multiple_of(basis, bits, vdupq_n_u8(side[k]));
        subtract_column(bits, side, column, m, 0, here);
        xor_store(side + here, vbicq_u8(times(bits, vec_load(column + here), m), after));
    }
    memcpy(x, side, n);
}

static void solve(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors, size_t n)
{
    (void)matrix;
    if (field->bits == 4) {
        solve_bits(4, field, x, right, factors, n);
    } else {
        solve_bits(8, field, x, right, factors, n);
    }
}

#endif
