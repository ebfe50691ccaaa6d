/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Gauss-Jordan elimination on Cortex-M4, constant time, on column-packed matrices, in the matrix's own memory where its columns are
 * whole 16 bytes. No row is swapped: a pivot row is a secret number, and an entry is read by a mask over its column. */
#include "linear/cortex_m4/cortex_m4.h"
#include "linear/cortex_m4/words.h"
#include "linear/portable/portable.h"
#include "platform/arena.h"

enum { PART_BYTES = 16, PART_WORDS = 4 }; /* of a column, for select_entries.S */

typedef struct layout {
    size_t words;      /* of a column: whole parts */
    uint8_t *columns;  /* the matrix; in the end column k holds (it + 1 in its pivot row) / its pivot */
    uint8_t *pivot;    /* n: SECRET numbers of the pivot rows */
    uint32_t *unused;  /* words: rows without a pivot so far */
    uint32_t *mask;    /* words: the pivot row of this step */
    uint32_t *side;    /* words: the right-hand side */
    uint32_t *multiple; /* 2 · bits words for each two words of a column, for eliminate.S */
    uint32_t *entries; /* n: the pivot row of the columns to come, each in the highest bits */
} layout;

static size_t column_bytes(const mb_field *field, size_t n)
{
    return (mb_field_bytes(field, n) + PART_BYTES - 1) / PART_BYTES * PART_BYTES;
}

static layout lay_out(const mb_field *field, uint8_t *matrix, mb_arena *arena, size_t n)
{
    layout at;
    const size_t bytes = column_bytes(field, n);
    at.words = bytes / 4;
    at.columns = bytes == mb_field_bytes(field, n) ? matrix : mb_arena_take(arena, n * bytes);
    at.pivot = mb_arena_take(arena, n);
    at.unused = mb_arena_take(arena, bytes);
    at.mask = mb_arena_take(arena, bytes);
    at.side = at.mask; /* free after factoring */
    at.multiple = mb_arena_take(arena, field->bits * bytes);
    at.entries = mb_arena_take(arena, n * sizeof *at.entries);
    return at;
}

static size_t factors_bytes(const mb_field *field, size_t n)
{
    mb_arena arena = {NULL, 0};
    if (mb_m4_combine_for(field) == NULL) {
        return mb_portable_solver.factors_bytes(field, n);
    }
    lay_out(field, NULL, &arena, n);
    return arena.used;
}

/* 1 in each element. */
static MB_ALWAYS_INLINE uint32_t ones(mb_field field)
{
    return field.bits == 4 ? 0x11111111u : 0x01010101u;
}

/* The only element of a word that is not 0, if there is one. */
static MB_ALWAYS_INLINE uint8_t only_element(mb_field field, uint32_t word)
{
    return (uint8_t)(word * ones(field) >> (32u - field.bits));
}

/* 1 in each element that is not 0. */
static MB_ALWAYS_INLINE uint32_t nonzero(mb_field field, uint32_t word)
{
    if (field.bits == 8) {
        word |= word >> 4;
    }
    word |= word >> 2;
    word |= word >> 1;
    return word & ones(field);
}

/* The first unused row in which column k is not 0: its mask and number, and the pivot there; 0 when there is none. */
static MB_ALWAYS_INLINE uint8_t choose_row(mb_field field, size_t words, const layout *at, size_t k)
{
    const uint8_t *column = at->columns + k * 4 * words;
    const unsigned shift = field.bits == 4 ? 2 : 3; /* bits to elements */
    uint32_t found = 0, number = 0, pivot = 0;
    MB_M4_UNROLL_PART
    for (uint32_t i = 0; i < words; i++) {
        const uint32_t word = mb_m4_load(column + 4 * i), unused = at->unused[i];
        const uint32_t candidates = nonzero(field, word) & unused;
        const uint32_t lowest = candidates & (0 - candidates) & ~found;
        const uint32_t here = mb_mask_u32((lowest | (0 - lowest)) >> 31);
        const uint32_t bit = 32 * i + 31 - (uint32_t)__builtin_clz(lowest | 1);
        const uint32_t mask = (lowest << field.bits) - lowest;
        at->mask[i] = mask;
        at->unused[i] = unused & ~mask;
        pivot |= word & mask;
        number |= bit >> shift & here;
        found |= here;
    }
    at->pivot[k] = (uint8_t)number;
    return only_element(field, pivot);
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

/* column := (column + 1 in the pivot row)·inverse. Adding e times this to another column, whose entry in the pivot row is e,
 * leaves e/pivot there, and eliminates as usual elsewhere. Then its products with the basis elements: for each two of its words
 * first those with the four highest. */
static MB_ALWAYS_INLINE void scale_and_spread(mb_field field, size_t words, const layout *at, uint8_t *column,
                                              uint8_t inverse)
{
    const mb_m4_scalar scalar = mb_m4_masks(field, inverse);
    for (size_t i = 0; i < words; i++) {
        uint32_t plane[8], *multiple = at->multiple + (i & ~(size_t)1) * field.bits + (i % 2 == 0 ? 4 : 0);
        const uint32_t word = mb_m4_load(column + 4 * i) ^ (at->mask[i] & ones(field));
        const uint32_t scaled = mb_m4_times(field, &scalar, word);
        mb_m4_store(column + 4 * i, scaled);
        mb_m4_spread(field, plane, scaled);
        MB_M4_UNROLL
        for (unsigned k = 0; k < field.bits; k++) {
            multiple[8 * ((field.bits - 1u - k) / 4) + k % 4] = plane[k];
        }
    }
}

/* Eliminates it from the `count` columns at `after`. */
static void eliminate(const layout *at, unsigned bits, uint8_t *after, size_t count)
{
    const size_t stride = 4 * at->words;
    const uint32_t element_ones = bits == 4 ? 0x11111111u : 0x01010101u;
    if (count == 0) {
        return;
    }
    for (size_t i = 0; i < at->words; i += PART_WORDS) {
        mb_m4_select_entries(at->entries, after + 4 * i, stride, at->mask + i, count, element_ones, i != 0);
    }
    for (unsigned nibble = 0; nibble < bits; nibble += 4) {
        for (size_t i = 0; i < at->words; i += 2) {
            mb_m4_eliminate(after + 4 * i, stride, at->multiple + i * bits + 2 * nibble, at->entries, count);
        }
        for (size_t j = 0; j < count && bits == 8; j++) {
            at->entries[j] <<= 4; /* from the high nibble to the low one */
        }
    }
}

static MB_ALWAYS_INLINE int factor_words(mb_field field, size_t words, const layout *at, size_t n)
{
    uint32_t regular = 1;
    uint8_t *column = at->columns;
    for (size_t k = 0; k < n; k++, column += 4 * words) {
        const uint8_t pivot = choose_row(field, words, at, k);
        scale_and_spread(field, words, at, column, invert(field, pivot));
        eliminate(at, field.bits, column + 4 * words, n - 1 - k);
        regular &= nonzero(field, pivot);
    }
    return (int)mb_barrier_u32(regular) - 1;
}

static MB_ALWAYS_INLINE void factor_field(mb_field field, int *status, const layout *at, size_t n)
{
    /* Rainbow I: 32 rows over GF(16). */
    *status = field.bits == 4 && at->words == PART_WORDS ? factor_words(field, PART_WORDS, at, n)
                                                         : factor_words(field, at->words, at, n);
}

static int factor(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    mb_arena arena = {factors, 0};
    int status;
    if (mb_m4_combine_for(field) == NULL) {
        return mb_portable_solver.factor(field, matrix, factors, n);
    }
    const layout at = lay_out(field, matrix, &arena, n);
    const size_t bytes = mb_field_bytes(field, n);
    for (size_t j = 0; j < n && at.columns != matrix; j++) {
        memset(at.columns + j * 4 * at.words, 0, 4 * at.words);
        memcpy(at.columns + j * 4 * at.words, matrix + j * bytes, bytes);
    }
    memset(at.unused, 0xff, 4 * at.words);
    MB_M4_DISPATCH(field, factor_field, &status, &at, n);
    return status;
}

/* The element of the right-hand side in the pivot row of column k. */
static MB_ALWAYS_INLINE uint8_t side_at(mb_field field, size_t words, const layout *at, size_t k)
{
    const uint32_t bit = at->pivot[k] * (uint32_t)field.bits;
    const uint32_t element = ((1u << field.bits) - 1) << (bit & 31);
    uint32_t found = 0;
    MB_M4_UNROLL_PART
    for (size_t i = 0; i < words; i++) {
        const uint32_t other = bit >> 5 ^ (uint32_t)i; /* 0 only for the word that holds it */
        found |= at->side[i] & element & mb_mask_u32((other - 1) >> 31);
    }
    return only_element(field, found);
}

static MB_ALWAYS_INLINE void solve_words(mb_field field, size_t words, uint8_t *x, const layout *at, size_t n)
{
    const uint8_t *column = at->columns;
    for (size_t k = 0; k < n; k++, column += 4 * words) {
        const mb_m4_scalar scalar = mb_m4_masks(field, side_at(field, words, at, k));
        for (size_t i = 0; i < words; i++) {
            at->side[i] ^= mb_m4_times(field, &scalar, mb_m4_load(column + 4 * i));
        }
    }
    for (size_t k = 0; k < n; k++) {
        x[k] = side_at(field, words, at, k);
    }
}

static MB_ALWAYS_INLINE void solve_field(mb_field field, uint8_t *x, const layout *at, size_t n)
{
    if (field.bits == 4 && at->words == PART_WORDS) {
        solve_words(field, PART_WORDS, x, at, n);
    } else {
        solve_words(field, at->words, x, at, n);
    }
}

static void solve(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors, size_t n)
{
    mb_arena arena = {factors, 0};
    if (mb_m4_combine_for(field) == NULL) {
        mb_portable_solver.solve(field, x, right, matrix, factors, n);
        return;
    }
    const layout at = lay_out(field, (uint8_t *)matrix, &arena, n); /* which is only read */
    memset(at.side, 0, 4 * at.words);
    memcpy(at.side, right, mb_field_bytes(field, n));
    MB_M4_DISPATCH(field, solve_field, x, &at, n);
}

const mb_solver mb_m4_solver = {"cortex-m4", factors_bytes, factor, solve};
