/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Square systems of up to 128 unknowns: Gauss-Jordan elimination by columns, one element a byte, as polynomials, where PMUL and PMULL
 * multiply two SECRET registers. Part of kernels.h.
 *
 * Step k takes the first row r not taken yet in which column k is not zero. With c = (column k)/p, p the pivot, but 1 + 1/p in row r, every
 * column v to come becomes v + c·v[r]: row r ends divided by p and as variable k, and no row moves. Four steps make a group. Each is done at
 * once on the group's own columns, of which those behind it hold multipliers: so these end as the multipliers of the whole group, with which
 * v + Σ c_i·v[r_i], all entries taken from v as it was, does four steps on a column to come and reduces once. Entries are fetched by TBL on
 * the whole column: no address depends on a row. */
#ifndef MB_LINEAR_AARCH64_SOLVE_H
#define MB_LINEAR_AARCH64_SOLVE_H

enum { STEPS = 4, UNKNOWNS_MOST = 128, REGISTERS_MOST = UNKNOWNS_MOST / VEC_BYTES };

/* Columns, of whole registers; behind the matrix there are columns of the identity, up to a whole group. */
typedef struct elimination {
    size_t columns_len;
    uint8_t *columns; /* after its group, a column's multipliers */
    uint8_t *rows;    /* the row that each step took, 255 for none */
    uint8_t *side;    /* a right-hand side */
    uint8_t *entries; /* of each column its four in the rows of the group */
} elimination;

/* Registers of a column; some numbers have no code of their own. */
static unsigned registers_for(const mb_field *field, size_t n)
{
    const unsigned regs = (unsigned)((n + VEC_BYTES - 1) / VEC_BYTES);
    if (field->bits == 4) {
        return regs <= 2 ? 2 : regs <= 4 ? 4 : REGISTERS_MOST;
    }
    return regs == 0 ? 1 : regs <= 6 ? regs : REGISTERS_MOST;
}

/* The coordinates that elements have elsewhere, and the way there and back; NULL where they are the same. */
typedef struct coordinates {
    const mb_nibble_tables *to_polynomial, *from_polynomial;
} coordinates;

static const mb_nibble_tables tower_to_polynomial_16 = {{0, 1, 6, 7, 2, 3, 4, 5, 12, 13, 10, 11, 14, 15, 8, 9}};
static const mb_nibble_tables polynomial_to_tower_16 = {{0, 1, 4, 5, 6, 7, 2, 3, 14, 15, 10, 11, 8, 9, 12, 13}};

static coordinates coordinates_of(const mb_field *field)
{
    if (field->basis != MB_BASIS_TOWER) {
        return (coordinates){NULL, NULL};
    }
    return field->bits == 4 ? (coordinates){&tower_to_polynomial_16, &polynomial_to_tower_16}
                            : (coordinates){&tower_to_polynomial, &polynomial_to_tower};
}

/* Whether these kernels have the field: all in use. */
static int is_known(const mb_field *field)
{
    return mb_field_equal(field, &mb_gf16_tower) || mb_field_equal(field, &mb_gf256_tower) ||
           mb_field_equal(field, &mb_gf16_polynomial) || mb_field_equal(field, &mb_gf256_aes);
}

static int goes_elsewhere(const mb_field *field, size_t n)
{
    return n > UNKNOWNS_MOST || !is_known(field);
}

static size_t whole_groups(size_t n)
{
    return (n + STEPS - 1) / STEPS * STEPS;
}

static size_t factors_bytes(const mb_field *field, size_t n)
{
    const size_t stride = (size_t)registers_for(field, n) * VEC_BYTES;
    if (goes_elsewhere(field, n)) {
        return mb_portable_solver.factors_bytes(field, n);
    }
    return stride * (whole_groups(n) + 2) + STEPS * whole_groups(n);
}

static MB_ALWAYS_INLINE elimination lay_out(void *factors, unsigned regs, size_t n)
{
    const size_t stride = (size_t)regs * VEC_BYTES;
    elimination e;
    e.columns_len = whole_groups(n);
    e.columns = factors;
    e.rows = e.columns + e.columns_len * stride;
    e.side = e.rows + stride;
    e.entries = e.side + stride;
    return e;
}

/* ---- Elements ----------------------------------------------------------------------------------- */

/* Of a register, between coordinates. */
static MB_ALWAYS_INLINE vec carried(unsigned bits, vec v, const mb_nibble_tables *map)
{
    if (map == NULL) {
        return v;
    }
    return bits == 4 ? vqtbl1q_u8(vec_load(map->products), v) : times_constant(v, map);
}

/* Products of polynomials, summed. Over GF(16) they fit their bytes. */
static MB_ALWAYS_INLINE unreduced polynomial_product(unsigned bits, vec a, vec b)
{
    if (bits == 4) {
        return (unreduced){vreinterpretq_u8_p8(vmulq_p8(vreinterpretq_p8_u8(a), vreinterpretq_p8_u8(b))), vec_zero()};
    }
    return (unreduced){polynomial_low(a, b), polynomial_high(a, b)};
}

static MB_ALWAYS_INLINE unreduced sum_of_three(unsigned bits, unreduced a, unreduced b, unreduced c)
{
    return (unreduced){vec_xor3(a.first, b.first, c.first), bits == 4 ? a.second : vec_xor3(a.second, b.second, c.second)};
}

static MB_ALWAYS_INLINE unreduced sum_of_two(unsigned bits, unreduced a, unreduced b)
{
    return (unreduced){veorq_u8(a.first, b.first), bits == 4 ? a.second : veorq_u8(a.second, b.second)};
}

/* For each high nibble of a product over GF(16), what it is modulo z⁴ + z + 1, and itself. */
static const uint8_t overflow_16[16] = {0x00, 0x13, 0x26, 0x35, 0x4c, 0x5f, 0x6a, 0x79,
                                        0x8b, 0x98, 0xad, 0xbe, 0xc7, 0xd4, 0xe1, 0xf2};

/* v + the sum. */
static MB_ALWAYS_INLINE vec add_reduced(unsigned bits, vec v, unreduced sum)
{
    if (bits == 4) {
        return vec_xor3(v, sum.first, vqtbl1q_u8(vec_load(overflow_16), high_nibbles(sum.first)));
    }
    const vec low = vuzp1q_u8(sum.first, sum.second), high = vuzp2q_u8(sum.first, sum.second);
    const vec step = vec_xor3(low, vqtbl1q_u8(vec_load(overflow_11b.products), low_nibbles(high)),
                              vqtbl1q_u8(vec_load(overflow_11b.products + 16), high_nibbles(high)));
    return veorq_u8(v, step);
}

/* table[index] in a table of 64 bytes, where the index is below 64; elsewhere what `otherwise` has. */
static MB_ALWAYS_INLINE vec look_up_64(vec otherwise, const uint8_t *table, vec index)
{
    const uint8x16x4_t all = {{vec_load(table), vec_load(table + 16), vec_load(table + 32), vec_load(table + 48)}};
    return vqtbx4q_u8(otherwise, all, index);
}

/* The inverses of what is in the register, 0 for 0. All entries of the table go through registers. */
static MB_ALWAYS_INLINE vec inverses_of(unsigned bits, const uint8_t *table, vec v)
{
    if (bits == 4) {
        return vqtbl1q_u8(vec_load(table), v);
    }
    vec found = vec_zero();
    for (unsigned part = 0; part < 4; part++) {
        found = look_up_64(found, table + 64 * part, v);
        v = vsubq_u8(v, vdupq_n_u8(64));
    }
    return found;
}

/* column[rows[i]] in byte i; 0 where a row is 255. */
static MB_ALWAYS_INLINE vec entries_of(unsigned regs, const vec *column, vec rows)
{
    switch (regs) {
    case 1:
        return vqtbl1q_u8(column[0], rows);
    case 2:
        return vqtbl2q_u8((uint8x16x2_t){{column[0], column[1]}}, rows);
    case 3:
        return vqtbl3q_u8((uint8x16x3_t){{column[0], column[1], column[2]}}, rows);
    default:
        break;
    }
    const vec found = vqtbl4q_u8((uint8x16x4_t){{column[0], column[1], column[2], column[3]}}, rows);
    const vec others = vsubq_u8(rows, vdupq_n_u8(64));
    switch (regs) {
    case 4:
        return found;
    case 5:
        return vqtbx1q_u8(found, column[4], others);
    case 6:
        return vqtbx2q_u8(found, (uint8x16x2_t){{column[4], column[5]}}, others);
    default:
        return vqtbx4q_u8(found, (uint8x16x4_t){{column[4], column[5], column[6], column[7]}}, others);
    }
}

/* ---- Columns ------------------------------------------------------------------------------------ */

/* Sixteen elements of a packed column of n elements from element i on, those past its end zero. */
static MB_ALWAYS_INLINE vec load_elements(unsigned bits, const uint8_t *packed, size_t i, size_t n)
{
    if (bits == 8) {
        if (i >= n) {
            return vec_zero();
        }
        if (i + 16 <= n) {
            return vec_load(packed + i);
        }
        /* The last sixteen, moved to the beginning. */
        static const uint8_t places[32] = {0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,
                                           255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
        return n < 16 ? load_short(packed, n) : vqtbl1q_u8(vec_load(packed + n - 16), vec_load(places + 16 - (n - i)));
    }
    const size_t bytes = i < n ? (n - i) / 2 : 0;
    const vec v = bytes >= 8 ? vcombine_u8(vld1_u8(packed + i / 2), vdup_n_u8(0)) : load_short(packed + i / 2, bytes);
    return vzip1q_u8(low_nibbles(v), high_nibbles(v));
}

static MB_ALWAYS_INLINE void load_column(unsigned bits, unsigned regs, uint8_t *column, const uint8_t *packed, size_t n,
                                         const mb_nibble_tables *map)
{
    MB_UNROLL
    for (unsigned r = 0; r < regs; r++) {
        vec_store(column + VEC_BYTES * r, carried(bits, load_elements(bits, packed, VEC_BYTES * r, n), map));
    }
}

static MB_ALWAYS_INLINE void load_columns(unsigned bits, unsigned regs, const elimination *e, const uint8_t *matrix, size_t n,
                                          const mb_nibble_tables *map)
{
    const size_t packed_bytes = bits == 4 ? n / 2 : n, stride = (size_t)regs * VEC_BYTES;
    for (size_t j = 0; j < n; j++) {
        load_column(bits, regs, e->columns + j * stride, matrix + j * packed_bytes, n, map);
    }
    for (size_t j = n; j < e->columns_len; j++) {
        memset(e->columns + j * stride, 0, stride);
        e->columns[j * stride + j] = 1;
    }
}

/* The numbers of sixteen rows from row `first` on. */
static MB_ALWAYS_INLINE vec row_numbers(unsigned first)
{
    static const uint8_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return vorrq_u8(vec_load(numbers), vdupq_n_u8((uint8_t)first));
}

/* ---- A step ------------------------------------------------------------------------------------- */

/* The first row that is not taken and in which the column is not zero, in every byte; 255 if there is none. `numbers` are the rows',
 * 255 where taken. */
static MB_ALWAYS_INLINE vec find_row(unsigned regs, const vec *column, const vec *numbers)
{
    vec first = vdupq_n_u8(255);
    MB_UNROLL
    for (unsigned r = 0; r < regs; r++) {
        first = vminq_u8(first, vorrq_u8(numbers[r], vceqzq_u8(column[r])));
    }
    return vdupq_n_u8(vminvq_u8(first));
}

/* column += multipliers·entry */
static MB_ALWAYS_INLINE void one_step(unsigned bits, unsigned regs, uint8_t *column, const vec *multiplier, vec row)
{
    vec v[REGISTERS_MOST];
    MB_UNROLL
    for (unsigned r = 0; r < regs; r++) {
        v[r] = vec_load(column + VEC_BYTES * r);
    }
    const vec entry = entries_of(regs, v, row);
    MB_UNROLL
    for (unsigned r = 0; r < regs; r++) {
        vec_store(column + VEC_BYTES * r, add_reduced(bits, v[r], polynomial_product(bits, multiplier[r], entry)));
    }
}

/* Step k on the columns of its group, which begins with column `first`. */
static MB_ALWAYS_INLINE void step_on_group(unsigned bits, unsigned regs, const elimination *e, const uint8_t *inverses, size_t first,
                                           size_t k, vec *numbers, vec *last_row)
{
    const size_t stride = (size_t)regs * VEC_BYTES;
    uint8_t *own = e->columns + k * stride;
    vec multiplier[REGISTERS_MOST];
    MB_UNROLL
    for (unsigned r = 0; r < regs; r++) {
        multiplier[r] = vec_load(own + VEC_BYTES * r);
    }
    const vec row = find_row(regs, multiplier, numbers);
    const vec inverse = inverses_of(bits, inverses, entries_of(regs, multiplier, row));
    const vec at_pivot = veorq_u8(inverse, vdupq_n_u8(1));
    *last_row = vmaxq_u8(*last_row, row);
    e->rows[k] = vgetq_lane_u8(row, 0);
    MB_UNROLL
    for (unsigned r = 0; r < regs; r++) {
        const vec here = vceqq_u8(numbers[r], row);
        numbers[r] = vorrq_u8(numbers[r], here);
        multiplier[r] = add_reduced(bits, vec_zero(), polynomial_product(bits, multiplier[r], inverse));
        multiplier[r] = vbslq_u8(here, at_pivot, multiplier[r]);
        vec_store(own + VEC_BYTES * r, multiplier[r]);
    }
    for (size_t j = first; j < first + STEPS; j++) {
        if (j != k) {
            one_step(bits, regs, e->columns + j * stride, multiplier, row);
        }
    }
}

/* ---- A group on other columns ------------------------------------------------------------------- */

/* entries[j] = those of column j in the rows of the group. */
static MB_ALWAYS_INLINE void take_entries(unsigned regs, uint8_t *entries, const uint8_t *columns, size_t count, const uint8_t *rows)
{
    uint32_t four;
    memcpy(&four, rows, sizeof four);
    const vec at = vreinterpretq_u8_u32(vdupq_n_u32(four));
    for (size_t j = 0; j < count; j++, columns += (size_t)regs * VEC_BYTES, entries += STEPS) {
        vec v[REGISTERS_MOST];
        load_several(v, regs, columns);
        four = vgetq_lane_u32(vreinterpretq_u32_u8(entries_of(regs, v, at)), 0);
        memcpy(entries, &four, sizeof four);
    }
}

/* Adds Σ multipliers·entries in `here` ≤ 3 of the columns' registers, where the multipliers of the group begin. */
static MB_ALWAYS_INLINE void add_group(unsigned bits, unsigned here, size_t stride, const uint8_t *multipliers, uint8_t *columns, size_t count,
                                       const uint8_t *entries)
{
    vec m[STEPS][3];
    MB_UNROLL
    for (unsigned i = 0; i < STEPS; i++) {
        load_several(m[i], here, multipliers + i * stride);
    }
    for (; count != 0; count--, columns += stride, entries += STEPS) {
        const uint8x16x4_t s = vld4q_dup_u8(entries);
        vec v[3];
        load_several(v, here, columns);
        MB_UNROLL
        for (unsigned r = 0; r < here; r++) {
            unreduced sum = sum_of_three(bits, polynomial_product(bits, m[0][r], s.val[0]), polynomial_product(bits, m[1][r], s.val[1]),
                                         polynomial_product(bits, m[2][r], s.val[2]));
            sum = sum_of_two(bits, sum, polynomial_product(bits, m[3][r], s.val[3]));
            v[r] = add_reduced(bits, v[r], sum);
        }
        store_several(columns, here, v);
    }
}

/* The steps k … k + 3 on `count` columns. */
static MB_ALWAYS_INLINE void group_on_columns(unsigned bits, unsigned regs, const elimination *e, size_t k, uint8_t *columns, size_t count)
{
    const size_t stride = (size_t)regs * VEC_BYTES;
    const uint8_t *multipliers = e->columns + k * stride;
    const unsigned here = regs % 4 == 0 ? 2 : regs < 3 ? regs : 3;
    take_entries(regs, e->entries, columns, count, e->rows + k);
    for (unsigned r = 0; r + here <= regs; r += here) {
        add_group(bits, here, stride, multipliers + VEC_BYTES * r, columns + VEC_BYTES * r, count, e->entries);
    }
    if (regs == 5) {
        add_group(bits, 2, stride, multipliers + VEC_BYTES * 3, columns + VEC_BYTES * 3, count, e->entries);
    }
}

/* ---- Systems ------------------------------------------------------------------------------------ */

static MB_ALWAYS_INLINE int factor_in(unsigned bits, unsigned regs, const mb_nibble_tables *map, const uint8_t *matrix, void *factors,
                                      size_t n)
{
    const elimination e = lay_out(factors, regs, n);
    const size_t stride = (size_t)regs * VEC_BYTES;
    uint8_t storage[256];
    const uint8_t *inverses = mb_inverses(bits == 4 ? &mb_gf16_polynomial : &mb_gf256_aes, storage);
    vec numbers[REGISTERS_MOST], last_row = vec_zero();
    MB_UNROLL
    for (unsigned r = 0; r < regs; r++) {
        numbers[r] = row_numbers(VEC_BYTES * r);
    }
    memset(e.rows, 255, stride);
    load_columns(bits, regs, &e, matrix, n, map);
    for (size_t first = 0; first < e.columns_len; first += STEPS) {
        for (size_t k = first; k < first + STEPS; k++) {
            step_on_group(bits, regs, &e, inverses, first, k, numbers, &last_row);
        }
        group_on_columns(bits, regs, &e, first, e.columns + (first + STEPS) * stride, e.columns_len - first - STEPS);
    }
    /* Some step found no row: 255. */
    return -(int)mb_barrier_u64(vgetq_lane_u8(last_row, 0) >> 7);
}

static MB_ALWAYS_INLINE void solve_in(unsigned bits, unsigned regs, coordinates c, uint8_t *x, const uint8_t *right, void *factors, size_t n)
{
    const elimination e = lay_out(factors, regs, n);
    uint8_t whole[REGISTERS_MOST * VEC_BYTES];
    vec v[REGISTERS_MOST];
    load_column(bits, regs, e.side, right, n, c.to_polynomial);
    for (size_t k = 0; k < e.columns_len; k += STEPS) {
        group_on_columns(bits, regs, &e, k, e.side, 1);
    }
    load_several(v, regs, e.side);
    for (unsigned r = 0; r < regs; r++) {
        const vec found = entries_of(regs, v, vec_load(e.rows + VEC_BYTES * r));
        vec_store(whole + VEC_BYTES * r, carried(bits, found, c.from_polynomial));
    }
    memcpy(x, whole, n);
    mb_wipe(whole, sizeof whole);
}

/* Each shape has code of its own. */
static int factor(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    const mb_nibble_tables *map = coordinates_of(field).to_polynomial;
    if (goes_elsewhere(field, n)) {
        return mb_portable_solver.factor(field, matrix, factors, n);
    }
    switch (8 * field->bits + registers_for(field, n)) {
#define SHAPE(bits, regs)                                          \
    case 8 * bits + regs:                                          \
        return factor_in(bits, regs, map, matrix, factors, n);
    SHAPE(4, 2)
    SHAPE(4, 4)
    SHAPE(4, 8)
    SHAPE(8, 1)
    SHAPE(8, 2)
    SHAPE(8, 3)
    SHAPE(8, 4)
    SHAPE(8, 5)
    SHAPE(8, 6)
#undef SHAPE
    default:
        return factor_in(8, REGISTERS_MOST, map, matrix, factors, n);
    }
}

static void solve(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors, size_t n)
{
    const coordinates c = coordinates_of(field);
    if (goes_elsewhere(field, n)) {
        mb_portable_solver.solve(field, x, right, matrix, factors, n);
        return;
    }
    switch (8 * field->bits + registers_for(field, n)) {
#define SHAPE(bits, regs)                                          \
    case 8 * bits + regs:                                          \
        solve_in(bits, regs, c, x, right, factors, n);             \
        return;
    SHAPE(4, 2)
    SHAPE(4, 4)
    SHAPE(4, 8)
    SHAPE(8, 1)
    SHAPE(8, 2)
    SHAPE(8, 3)
    SHAPE(8, 4)
    SHAPE(8, 5)
    SHAPE(8, 6)
#undef SHAPE
    default:
        solve_in(8, REGISTERS_MOST, c, x, right, factors, n);
    }
}

#endif
