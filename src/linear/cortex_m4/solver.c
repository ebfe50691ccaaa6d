/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Linear systems on Cortex-M4, constant time, in the matrix's own memory where its columns are whole 16 bytes. The matrix's columns
 * are the rows of its transpose, which is factored: C·Mᵗ = L·U, C adding to some rows what follows them, so that every pivot lies
 * at a public place. Then M·x = b is xᵗ·Mᵗ = bᵗ: zᵗ·U = bᵗ from the front, yᵗ·L = zᵗ from the end, x = Cᵗ·y. */
#include "linear/cortex_m4/cortex_m4.h"
#include "linear/cortex_m4/words.h"
#include "linear/portable/portable.h"
#include "platform/arena.h"

extern const mb_solver mb_portable_solver __attribute__((weak)); /* see mb_m4_has_kernels */

enum { PART_BYTES = 16, PART_WORDS = 4 }; /* of a row, for add_until_nonzero.S and add_first.S */
enum { ROWS_MOST = 128 };                 /* so that numbers of rows compare in bytes */

typedef struct layout {
    size_t words;       /* of a row: whole parts */
    uint8_t *rows;      /* the matrix; in the end L without its diagonal, the pivots' inverses, and U without its ones */
    uint8_t *added;     /* n: how many of the rows that follow were added to each, SECRET */
    uint32_t *multiple; /* 2 · bits words for each two words of a row, for eliminate.S */
    uint32_t *entries;  /* n: the pivot's column in the rows to come, each in the highest bits */
    uint32_t *side;     /* words: the right-hand side, z, what is left of it. In `multiple`, which is free after factoring */
    uint8_t *y;         /* n, and what a word needs more. In `entries` */
} layout;

static size_t row_bytes(const mb_field *field, size_t n)
{
    return (mb_field_bytes(field, n) + PART_BYTES - 1) / PART_BYTES * PART_BYTES;
}

static int is_served(const mb_field *field, size_t n)
{
    return mb_m4_has_kernels(field) && n <= ROWS_MOST;
}

static layout lay_out(const mb_field *field, uint8_t *matrix, mb_arena *arena, size_t n)
{
    layout at;
    const size_t bytes = row_bytes(field, n);
    at.words = bytes / 4;
    at.rows = bytes == mb_field_bytes(field, n) ? matrix : mb_arena_take(arena, n * bytes);
    at.added = mb_arena_take(arena, n);
    at.multiple = mb_arena_take(arena, field->bits * bytes);
    at.entries = mb_arena_take(arena, (n + 1) * sizeof *at.entries);
    at.side = at.multiple;
    at.y = (uint8_t *)at.entries;
    return at;
}

static size_t factors_bytes(const mb_field *field, size_t n)
{
    mb_arena arena = {NULL, 0};
    if (!is_served(field, n)) {
        return mb_portable_solver.factors_bytes(field, n);
    }
    lay_out(field, NULL, &arena, n);
    return arena.used;
}

/* Where element i of a row is, and what lies before and behind it in its word. */
typedef struct place {
    size_t word;
    unsigned shift;
    uint32_t element, before, behind;
} place;

static MB_ALWAYS_INLINE place place_of(mb_field field, size_t i)
{
    const unsigned bit = (unsigned)i * field.bits, shift = bit % 32;
    const uint32_t element = ((1u << field.bits) - 1) << shift, before = (1u << shift) - 1;
    return (place){bit / 32, shift, element, before, ~(element | before)};
}

static MB_ALWAYS_INLINE uint8_t element_at(mb_field field, uint32_t word, place p)
{
    return (uint8_t)(word >> p.shift & ((1u << field.bits) - 1));
}

/* a^254 = a^2 · a^4 · … · a^128 over GF(256). */
static MB_ALWAYS_INLINE uint8_t invert_256(mb_field field, uint32_t a)
{
    uint32_t power = a, inverse = 1;
    for (unsigned k = 1; k < 8; k++) {
        const mb_m4_scalar by_power = mb_m4_masks(field, power);
        power = mb_m4_times(field, &by_power, power);
        const mb_m4_scalar by_inverse = mb_m4_masks(field, inverse);
        inverse = mb_m4_times(field, &by_inverse, power);
    }
    return (uint8_t)inverse;
}

/* The inverse of a SECRET element, 0 for 0. Over GF(16) all inverses fit into two words, whence one is shifted out: a shift's time
 * does not depend on how far. */
static MB_ALWAYS_INLINE uint8_t invert(mb_field field, uint8_t a)
{
    const int tower = field.basis == MB_BASIS_TOWER;
    const uint32_t upper = mb_mask_u32(a >> 3 & 1u);
    const uint32_t below_8 = tower ? 0xb9cf2310u : 0x67bde910u, from_8 = tower ? 0x4de5786au : 0x834a5c2fu;
    if (field.bits == 8) {
        return invert_256(field, a);
    }
    return (uint8_t)(((below_8 & ~upper) | (from_8 & upper)) >> (4 * (a & 7u)) & 15);
}

/* Row i: adds rows to it until its pivot is not 0. Returns the pivot, 0 when there is none. */
static MB_ALWAYS_INLINE uint8_t find_pivot(mb_field field, size_t words, const layout *at, size_t i, size_t n)
{
    const place p = place_of(field, i);
    const size_t stride = 4 * words, part = p.word / PART_WORDS;
    uint8_t *row = at->rows + i * stride;
    const uint32_t added = mb_m4_add_until_nonzero(row + part * PART_BYTES, stride, p.element, n - 1 - i, p.word % PART_WORDS);
    for (size_t other = 0; other < words / PART_WORDS; other++) {
        if (other != part) {
            mb_m4_add_first(row + other * PART_BYTES, stride, added, n - 1 - i);
        }
    }
    at->added[i] = (uint8_t)added;
    return element_at(field, mb_m4_load(row + 4 * p.word), p);
}

/* Row i, from its pivot on: its multiple with a one there, of which the inverse takes the place. Then the products of what follows
 * with the basis elements: for each two words first those with the four highest. */
static MB_ALWAYS_INLINE void scale_and_spread(mb_field field, size_t words, const layout *at, size_t i, uint8_t inverse)
{
    const mb_m4_scalar scalar = mb_m4_masks(field, inverse);
    const place p = place_of(field, i);
    uint8_t *row = at->rows + i * 4 * words;
    uint32_t kept = (uint32_t)inverse << p.shift | (mb_m4_load(row + 4 * p.word) & p.before), wanted = p.behind;
    for (size_t k = p.word; k < words; k++) {
        uint32_t plane[8], *multiple = at->multiple + (k & ~(size_t)1) * field.bits + (k % 2 == 0 ? 4 : 0);
        const uint32_t scaled = mb_m4_times(field, &scalar, mb_m4_load(row + 4 * k) & wanted);
        mb_m4_store(row + 4 * k, scaled | kept);
        mb_m4_spread(field, plane, scaled);
        MB_M4_UNROLL
        for (unsigned b = 0; b < field.bits; b++) {
            multiple[8 * ((field.bits - 1u - b) / 4) + b % 4] = plane[b];
        }
        kept = 0;
        wanted = ~(uint32_t)0;
    }
    for (unsigned b = 0; b < field.bits && p.word % 2 != 0; b++) { /* nothing is added to the word before */
        at->multiple[(p.word & ~(size_t)1) * field.bits + 8 * (b / 4) + 4 + b % 4] = 0;
    }
}

/* For Rainbow I: the four words of a row. */
static MB_ALWAYS_INLINE void eliminate_four(const layout *at, size_t i, size_t n)
{
    const mb_field field = {4, MB_BASIS_TOWER, 0}; /* or any of 4 bits */
    const place p = place_of(field, i);
    uint8_t *below = at->rows + (i + 1) * PART_BYTES;
    if (p.word < 2) {
        mb_m4_eliminate_by_row(below, 32 * (unsigned)p.word + p.shift, at->multiple, at->entries, n - 1 - i);
        mb_m4_eliminate(below + 8, PART_BYTES, at->multiple + 8, at->entries, n - 1 - i);
    } else {
        mb_m4_eliminate_by_row(below + 8, 32 * ((unsigned)p.word - 2) + p.shift, at->multiple + 8, NULL, n - 1 - i);
    }
}

/* Adds multiples of row i to the rows below, which keep in its column what they were multiples by. */
static MB_ALWAYS_INLINE void eliminate(mb_field field, size_t words, const layout *at, size_t i, size_t n)
{
    const place p = place_of(field, i);
    const size_t stride = 4 * words, count = n - 1 - i;
    uint8_t *below = at->rows + (i + 1) * stride;
    if (field.bits == 4 && words == PART_WORDS) {
        eliminate_four(at, i, n);
        return;
    }
    MB_M4_UNROLL_PART
    for (size_t j = 0; j < count; j++) {
        at->entries[j] = mb_m4_load(below + j * stride + 4 * p.word) << (32u - field.bits - p.shift);
    }
    for (unsigned nibble = 0; nibble < field.bits; nibble += 4) {
        for (size_t k = p.word & ~(size_t)1; k < words; k += 2) {
            mb_m4_eliminate(below + 4 * k, stride, at->multiple + k * field.bits + 2 * nibble, at->entries, count);
        }
        for (size_t j = 0; j < count && field.bits == 8; j++) {
            at->entries[j] <<= 4; /* from the high nibble to the low one */
        }
    }
}

static MB_ALWAYS_INLINE int factor_words(mb_field field, size_t words, const layout *at, size_t n)
{
    uint32_t regular = 1;
    for (size_t i = 0; i < n; i++) {
        const uint8_t pivot = find_pivot(field, words, at, i, n);
        scale_and_spread(field, words, at, i, invert(field, pivot));
        eliminate(field, words, at, i, n);
        regular &= ((uint32_t)0 - pivot) >> 31;
    }
    return (int)mb_barrier_u32(regular) - 1;
}

static MB_ALWAYS_INLINE void factor_field(mb_field field, int *status, const layout *at, size_t n)
{
    /* Rainbow I: 32 rows over GF(16). */
    *status = field.bits == 4 && at->words == PART_WORDS ? factor_words(field, PART_WORDS, at, n)
                                                         : factor_words(field, at->words, at, n);
}

/* `bits` are the field's, and a constant: a program links the code for its own. */
static MB_ALWAYS_INLINE int factor(unsigned bits, const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    mb_arena arena = {factors, 0};
    int status;
    if (!is_served(field, n)) {
        return mb_portable_solver.factor(field, matrix, factors, n);
    }
    const layout at = lay_out(field, matrix, &arena, n);
    const size_t bytes = mb_field_bytes(field, n);
    for (size_t j = 0; j < n && at.rows != matrix; j++) {
        memset(at.rows + j * 4 * at.words, 0, 4 * at.words);
        memcpy(at.rows + j * 4 * at.words, matrix + j * bytes, bytes);
    }
    if (bits == 4) {
        MB_M4_DISPATCH_16(field, factor_field, &status, &at, n);
    } else {
        MB_M4_DISPATCH_256(field, factor_field, &status, &at, n);
    }
    return status;
}

/* Two words of each row at a time: what other elements gain from these goes by way of sums of scaled rows. */
static MB_ALWAYS_INLINE size_t end_of_pair(mb_field field, size_t first, size_t n)
{
    const size_t elements = 64u / field.bits;
    return n - first < elements ? n : first + elements;
}

/* zᵗ, in y, with zᵗ·U = bᵗ: element i is ready when what the rows before add to it was taken off. */
static MB_ALWAYS_INLINE void solve_upper(mb_field field, mb_m4_combine *combine, const layout *at, size_t n)
{
    const size_t stride = 4 * at->words;
    for (size_t first = 0; first < n; first = end_of_pair(field, first, n)) {
        const size_t end = end_of_pair(field, first, n), behind = place_of(field, first).word + 2;
        for (size_t i = first; i < end; i++) {
            const place p = place_of(field, i);
            const uint8_t *row = at->rows + i * stride + 4 * p.word;
            at->y[i] = element_at(field, at->side[p.word], p);
            const mb_m4_scalar z = mb_m4_masks(field, at->y[i]);
            at->side[p.word] ^= mb_m4_times(field, &z, mb_m4_load(row) & p.behind);
            if (p.word % 2 == 0) {
                at->side[p.word + 1] ^= mb_m4_times(field, &z, mb_m4_load(row + 4));
            }
        }
        if (behind < at->words) {
            combine((uint8_t *)(at->side + behind), at->rows + first * stride + 4 * behind, stride, at->y + first, end - first,
                    (at->words - behind) / 2);
        }
    }
}

/* yᵗ with yᵗ·L = zᵗ, from the last element to the first. */
static MB_ALWAYS_INLINE void solve_lower(mb_field field, mb_m4_combine *combine, const layout *at, size_t n)
{
    const size_t stride = 4 * at->words;
    for (size_t first = (n - 1) / (64u / field.bits) * (64u / field.bits) + 64u / field.bits; first != 0;) {
        first -= 64u / field.bits;
        const size_t end = end_of_pair(field, first, n), before = place_of(field, first).word;
        for (size_t i = end; i-- > first;) {
            const place p = place_of(field, i);
            const uint8_t *row = at->rows + i * stride + 4 * p.word;
            const uint32_t last = mb_m4_load(row);
            const mb_m4_scalar z = mb_m4_masks(field, element_at(field, at->side[p.word], p));
            at->y[i] = (uint8_t)mb_m4_times(field, &z, element_at(field, last, p));
            const mb_m4_scalar y = mb_m4_masks(field, at->y[i]);
            at->side[p.word] ^= mb_m4_times(field, &y, last & p.before);
            if (p.word % 2 != 0) {
                at->side[p.word - 1] ^= mb_m4_times(field, &y, mb_m4_load(row - 4));
            }
        }
        if (before != 0) {
            combine((uint8_t *)at->side, at->rows + first * stride, stride, at->y + first, end - first, before / 2);
        }
    }
}

/* y becomes Cᵗ·y: y_i is added to as many elements behind it as rows were added to row i. From the last one on, as each y_i is
 * wanted as it was. Four elements at a time; in each byte, bit 7 of 128 + added - distance says whether. */
static void undo_additions(const layout *at, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        const uint32_t y_i = at->y[i], added = at->added[i] * 0x01010101u | 0x80808080u;
        uint32_t distance = 0x04030201u;
        for (size_t j = i + 1; j < n; j += 4) {
            const uint32_t near = (added - distance) >> 7 & 0x01010101u;
            mb_m4_store(at->y + j, mb_m4_load(at->y + j) ^ near * y_i);
            distance += 0x04040404u;
        }
    }
}

static MB_ALWAYS_INLINE void solve_field(mb_field field, mb_m4_combine *combine, const layout *at, size_t n)
{
    solve_upper(field, combine, at, n);
    solve_lower(field, combine, at, n);
}

static MB_ALWAYS_INLINE void solve(unsigned bits, const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors, size_t n)
{
    mb_arena arena = {factors, 0};
    if (!is_served(field, n)) {
        mb_portable_solver.solve(field, x, right, matrix, factors, n);
        return;
    }
    const layout at = lay_out(field, (uint8_t *)matrix, &arena, n); /* which is only read */
    memset(at.side, 0, 4 * at.words);
    memcpy(at.side, right, mb_field_bytes(field, n));
    if (n != 0 && bits == 4) {
        MB_M4_DISPATCH_16(field, solve_field, mb_m4_combine_for(field), &at, n);
    } else if (n != 0) {
        MB_M4_DISPATCH_256(field, solve_field, mb_m4_combine_for(field), &at, n);
    }
    undo_additions(&at, n);
    memcpy(x, at.y, n);
}

static int factor_16(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    return factor(4, field, matrix, factors, n);
}

static void solve_16(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors, size_t n)
{
    solve(4, field, x, right, matrix, factors, n);
}

static int factor_256(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    return factor(8, field, matrix, factors, n);
}

static void solve_256(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors, size_t n)
{
    solve(8, field, x, right, matrix, factors, n);
}

const mb_solver mb_m4_solver_16 = {"cortex-m4", factors_bytes, factor_16, solve_16};
const mb_solver mb_m4_solver_256 = {"cortex-m4", factors_bytes, factor_256, solve_256};
