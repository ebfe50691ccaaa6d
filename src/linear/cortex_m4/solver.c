/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Gauss-Jordan elimination on Cortex-M4, constant time, on column-packed matrices, in the matrix's own memory where its columns are
 * whole 16 bytes. No row is swapped: a pivot row is a secret number, and an entry is read by a mask over its column. */
#include "field/word.h"
#include "linear/cortex_m4/cortex_m4.h"
#include "linear/portable/portable.h"
#include "platform/arena.h"
#include "platform/barrier.h"
#include "platform/compiler.h"

enum { PART_BYTES = 16, PART_WORDS = 4 }; /* of a column, for select_entries.S */

typedef struct layout {
    size_t words;      /* of a column: whole parts */
    uint8_t *columns;  /* the matrix; in the end column k holds (it + 1 in its pivot row) / its pivot */
    uint8_t *pivot;    /* n: SECRET numbers of the pivot rows */
    uint32_t *unused;  /* words: rows without a pivot so far */
    uint32_t *mask;    /* words: the pivot row of this step */
    uint32_t *multiple; /* 2 · bits words for each two words of a column, for eliminate.S; in `solve`: the right-hand side */
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
static uint32_t ones(const mb_field *field)
{
    return (uint32_t)mb_word_ones(field->bits);
}

/* The only element of a word that is not 0, if there is one. */
static uint8_t only_element(const mb_field *field, uint32_t word)
{
    return (uint8_t)(word * ones(field) >> (32u - field->bits));
}

/* 1 in each element that is not 0. */
static uint32_t nonzero(const mb_field *field, uint32_t word)
{
    if (field->bits == 8) {
        word |= word >> 4;
    }
    word |= word >> 2;
    word |= word >> 1;
    return word & ones(field);
}

static uint32_t column_word(const uint8_t *column, size_t i)
{
    uint32_t word;
    memcpy(&word, column + 4 * i, 4);
    return word;
}

/* The first unused row in which column k is not 0: its mask and number, and the pivot there; 0 when there is none. */
static uint8_t choose_row(const mb_field *field, const layout *at, size_t k)
{
    const uint8_t *column = at->columns + k * 4 * at->words;
    const unsigned shift = field->bits == 4 ? 2 : 3; /* bits to elements, without a division, whose time varies */
    uint32_t found = 0, number = 0, pivot = 0;
    for (size_t i = 0; i < at->words; i++) {
        const uint32_t word = column_word(column, i), candidates = nonzero(field, word) & at->unused[i];
        const uint32_t lowest = candidates & (0 - candidates) & ~found;
        const uint32_t here = mb_mask_u32((lowest | (0 - lowest)) >> 31);
        const uint32_t bit = 32 * (uint32_t)i + 31 - (uint32_t)__builtin_clz(lowest | 1);
        at->mask[i] = (lowest << field->bits) - lowest;
        at->unused[i] &= ~at->mask[i];
        pivot |= word & at->mask[i];
        number |= bit >> shift & here;
        found |= here;
    }
    at->pivot[k] = (uint8_t)number;
    return only_element(field, pivot);
}

/* The inverse of a SECRET element, 0 for 0. Over GF(16) all inverses fit into two words, whence one is shifted out: a shift's time
 * does not depend on how far. */
static uint8_t invert(const mb_field *field, uint8_t a)
{
    static const uint32_t tower[2] = {0xb9cf2310, 0x4de5786a}, polynomial[2] = {0x67bde910, 0x834a5c2f};
    const uint32_t *inverses = field->basis == MB_BASIS_TOWER ? tower : polynomial;
    const uint32_t upper = mb_mask_u32(a >> 3 & 1u);
    if (field->bits == 8) {
        return mb_field_invert(field, a);
    }
    return (uint8_t)(((inverses[0] & ~upper) | (inverses[1] & upper)) >> (4 * (a & 7u)) & 15);
}

/* column k := (column k + 1 in the pivot row) / pivot. Adding e times this to another column, whose entry in the pivot row is e,
 * leaves e/pivot there, and eliminates as usual elsewhere. */
static void scale_column(const mb_field *field, const layout *at, size_t k, uint8_t pivot)
{
    uint8_t *column = at->columns + k * 4 * at->words;
    const uint8_t inverse = invert(field, pivot);
    uint32_t *adjusted = at->multiple;
    for (size_t i = 0; i < at->words; i++) {
        adjusted[i] = column_word(column, i) ^ (at->mask[i] & ones(field));
    }
    memset(column, 0, 4 * at->words);
    mb_m4_combine_for(field)(column, (const uint8_t *)adjusted, 0, &inverse, 1, at->words / 2);
}

/* Column k times each basis element: for each two of its words first the multiples by the four highest elements. */
static MB_ALWAYS_INLINE void spread_field(mb_field field, const layout *at, size_t k)
{
    const uint8_t *column = at->columns + k * 4 * at->words;
    uint32_t *multiple = at->multiple;
    for (size_t i = 0; i < at->words; i += 2, multiple += 2 * field.bits) {
        uint64_t plane[8], word;
        memcpy(&word, column + 4 * i, 8);
        mb_word_spread(field, plane, word);
        for (unsigned nibble = 0; nibble < field.bits; nibble += 4) {
            uint32_t *part = multiple + 2 * (field.bits - 4 - nibble);
            for (unsigned b = 0; b < 4; b++) {
                part[b] = (uint32_t)(plane[nibble + b] >> 32);
                part[4 + b] = (uint32_t)plane[nibble + b];
            }
        }
    }
}

/* Step k: chooses its pivot row and eliminates column k from those after it. Returns its pivot, 0 if the matrix is singular. */
static uint8_t step(const mb_field *field, const layout *at, size_t k, size_t n)
{
    const size_t stride = 4 * at->words, left = n - 1 - k;
    uint8_t *after = at->columns + (k + 1) * stride;
    const uint8_t pivot = choose_row(field, at, k);
    scale_column(field, at, k, pivot);
    if (left == 0) {
        return pivot;
    }
    MB_WORD_DISPATCH(field, spread_field, at, k);
    memset(at->entries, 0, left * sizeof *at->entries);
    for (size_t i = 0; i < at->words; i += PART_WORDS) {
        mb_m4_select_entries(at->entries, after + 4 * i, stride, at->mask + i, left, ones(field));
    }
    for (unsigned nibble = 0; nibble < field->bits; nibble += 4) {
        for (size_t i = 0; i < at->words; i += 2) {
            mb_m4_eliminate(after + 4 * i, stride, at->multiple + i * field->bits + 2 * nibble, at->entries, left);
        }
        for (size_t j = 0; j < left && field->bits == 8; j++) {
            at->entries[j] <<= 4;
        }
    }
    return pivot;
}

static int factor(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    mb_arena arena = {factors, 0};
    uint32_t regular = 1;
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
    for (size_t k = 0; k < n; k++) {
        regular &= nonzero(field, step(field, &at, k, n));
    }
    return (int)mb_barrier_u32(regular) - 1;
}

/* The element of the right-hand side in the pivot row of column k. */
static uint8_t side_at(const mb_field *field, const layout *at, const uint32_t *side, size_t k)
{
    const uint32_t bit = at->pivot[k] * (uint32_t)field->bits;
    const uint32_t element = ((1u << field->bits) - 1) << (bit & 31);
    uint32_t found = 0;
    for (size_t i = 0; i < at->words; i++) {
        const uint32_t other = bit >> 5 ^ (uint32_t)i; /* 0 only for the word that holds it */
        found |= side[i] & element & mb_mask_u32((other - 1) >> 31);
    }
    return only_element(field, found);
}

static void solve(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors, size_t n)
{
    mb_arena arena = {factors, 0};
    mb_m4_combine *combine = mb_m4_combine_for(field);
    if (combine == NULL) {
        mb_portable_solver.solve(field, x, right, matrix, factors, n);
        return;
    }
    const layout at = lay_out(field, (uint8_t *)matrix, &arena, n); /* which is only read */
    uint32_t *side = at.multiple;
    memset(side, 0, 4 * at.words);
    memcpy(side, right, mb_field_bytes(field, n));
    for (size_t k = 0; k < n; k++) {
        x[k] = side_at(field, &at, side, k);
        combine((uint8_t *)side, at.columns + k * 4 * at.words, 0, x + k, 1, at.words / 2);
    }
    for (size_t k = 0; k < n; k++) {
        x[k] = side_at(field, &at, side, k);
    }
}

const mb_solver mb_m4_solver = {"cortex-m4", factors_bytes, factor, solve};
