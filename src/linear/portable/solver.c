/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Gauss-Jordan elimination in portable C, constant time, on column-packed matrices. No row is swapped: the pivot row of
 * step k is a secret one-hot mask over the rows, and an entry is read from a column by that mask. */
#include "field/word.h"
#include "linear/contract.h"
#include "linear/portable/portable.h"
#include "platform/barrier.h"
#include "platform/compiler.h"
#include "platform/lanes.h"

#include <string.h>

/* The factors: columns and masks are padded to whole lanes with zero elements. */
typedef struct {
    size_t lanes;       /* of a column */
    mb_lanes *columns;  /* n × lanes: the matrix, then the factors */
    mb_lanes *rows;     /* n × lanes: the pivot row of each step, all bits of one element set */
    uint8_t *inverse;   /* n: of each pivot */
    mb_lanes *unused;   /* lanes: rows without a pivot so far */
    mb_lanes *multiple; /* bits × lanes: the current column times each basis element */
    uint8_t *entries;   /* n, padded to words: the pivot row of the columns to come */
} layout;

static size_t lanes_of(const mb_field *field, size_t n)
{
    return (mb_field_bytes(field, n) + MB_LANES_BYTES - 1) / MB_LANES_BYTES;
}

static layout lay_out(const mb_field *field, void *factors, size_t n)
{
    layout at;
    at.lanes = lanes_of(field, n);
    at.columns = factors;
    at.rows = at.columns + n * at.lanes;
    at.unused = at.rows + n * at.lanes;
    at.multiple = at.unused + at.lanes;
    at.inverse = (uint8_t *)(at.multiple + field->bits * at.lanes);
    at.entries = at.inverse + 8 * mb_words(n);
    return at;
}

static size_t factors_bytes(const mb_field *field, size_t n)
{
    const size_t lanes = lanes_of(field, n);
    return MB_LANES_BYTES * (2 * n * lanes + lanes + field->bits * lanes) + 2 * 8 * mb_words(n);
}

/* A packed column into whole lanes. */
static void load_column(mb_lanes *column, const uint8_t *packed, size_t lanes, size_t bytes)
{
    memset(column, 0, lanes * sizeof *column);
    memcpy(column, packed, bytes);
}

/* 1 in each element that is not zero. */
static inline uint64_t nonzero(mb_field field, uint64_t w)
{
    if (field.bits == 8) {
        w |= w >> 4;
    }
    w |= w >> 2;
    w |= w >> 1;
    return w & mb_word_ones(field.bits);
}

/* The element of a column at the one-hot row mask: masks, then sums all elements. */
static MB_ALWAYS_INLINE uint8_t entry_at(mb_field field, const mb_lanes *column, const mb_lanes *row,
                                         size_t lanes)
{
    mb_lanes sum = column[0] & row[0];
    for (size_t i = 1; i < lanes; i++) {
        sum ^= column[i] & row[i];
    }
    uint64_t w = 0;
    for (size_t i = 0; i < MB_LANES_WORDS; i++) {
        w ^= MB_LANES_WORD(sum, i);
    }
    w ^= w >> 32;
    w ^= w >> 16;
    w ^= w >> 8;
    if (field.bits == 4) {
        w ^= w >> 4;
        return (uint8_t)(w & 15);
    }
    return (uint8_t)w;
}

/* The first unused row in which the column is not zero, as a mask; all zero when there is none.
 * Returns all ones if there is one. */
static MB_ALWAYS_INLINE uint64_t choose_row(mb_field field, mb_lanes *row, const mb_lanes *column,
                                            mb_lanes *unused, size_t lanes)
{
    uint64_t found = 0;
    for (size_t i = 0; i < lanes * MB_LANES_WORDS; i++) {
        const size_t lane = i / MB_LANES_WORDS, word = i % MB_LANES_WORDS;
        const uint64_t candidates = nonzero(field, MB_LANES_WORD(column[lane], word)) & MB_LANES_WORD(unused[lane], word);
        const uint64_t lowest = candidates & (0 - candidates) & ~found;
        MB_LANES_WORD(row[lane], word) = (lowest << field.bits) - lowest;
        MB_LANES_WORD(unused[lane], word) &= ~MB_LANES_WORD(row[lane], word);
        found |= mb_mask_u64((candidates | (0 - candidates)) >> 63);
    }
    return found;
}

/* Replaces the pivot p of the column by p + 1: adding e/p times this column to another one, whose entry
 * in the pivot row is e, leaves e/p there (e + (p + 1)·e/p) and eliminates as usual elsewhere.
 * Then spreads the column: its products with each basis element. */
static MB_ALWAYS_INLINE void adjust_and_spread(mb_field field, mb_lanes *multiple, mb_lanes *column,
                                               const mb_lanes *row, size_t lanes)
{
    for (size_t i = 0; i < lanes; i++) {
        column[i] ^= row[i] & mb_lanes_broadcast(mb_word_ones(field.bits));
        for (size_t w = 0; w < MB_LANES_WORDS; w++) {
            uint64_t plane[8];
            mb_word_spread(field, plane, MB_LANES_WORD(column[i], w));
            for (unsigned k = 0; k < field.bits; k++) {
                MB_LANES_WORD(multiple[k * lanes + i], w) = plane[k];
            }
        }
    }
}

/* Each of the n elements, one a byte and padded to words, times the scalar. */
static MB_ALWAYS_INLINE void scale_elements(mb_field field, uint8_t *elements, size_t n, uint8_t scalar)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t plane[8], word;
        memcpy(&word, elements + i, 8);
        for (unsigned k = 0; k < field.bits; k++) {
            plane[k] = word & mb_mask_u64((scalar >> k) & 1u);
        }
        word = mb_word_recombine(field, plane);
        memcpy(elements + i, &word, 8);
    }
}

/* column ^= scalar · (the column whose products with the basis are `multiple`). */
static MB_ALWAYS_INLINE void add_multiple(mb_field field, mb_lanes *column, const mb_lanes *multiple,
                                          size_t lanes, uint8_t scalar)
{
    mb_lanes mask[8];
    for (unsigned k = 0; k < field.bits; k++) {
        mask[k] = mb_lanes_broadcast(mb_mask_u64((scalar >> k) & 1u));
    }
    for (size_t i = 0; i < lanes; i++) {
        mb_lanes sum = column[i];
        for (unsigned k = 0; k < field.bits; k++) {
            sum ^= multiple[k * lanes + i] & mask[k];
        }
        column[i] = sum;
    }
}

/* Step k: chooses its pivot row and eliminates column k from those after it. Returns all ones unless
 * the matrix has turned out to be singular. */
static MB_ALWAYS_INLINE uint64_t eliminate(mb_field field, const layout *at, size_t k, size_t n)
{
    const size_t lanes = at->lanes;
    mb_lanes *column = at->columns + k * lanes;
    mb_lanes *row = at->rows + k * lanes;
    const uint64_t found = choose_row(field, row, column, at->unused, lanes);
    at->inverse[k] = mb_field_invert(&field, entry_at(field, column, row, lanes));
    adjust_and_spread(field, at->multiple, column, row, lanes);
    for (size_t j = k + 1; j < n; j++) {
        at->entries[j] = entry_at(field, at->columns + j * lanes, row, lanes);
    }
    scale_elements(field, at->entries, n, at->inverse[k]);
    for (size_t j = k + 1; j < n; j++) {
        add_multiple(field, at->columns + j * lanes, at->multiple, lanes, at->entries[j]);
    }
    return found;
}

static MB_ALWAYS_INLINE void factor_field(mb_field field, int *status, const uint8_t *matrix, void *factors,
                                          size_t n)
{
    const layout at = lay_out(&field, factors, n);
    const size_t bytes = mb_field_bytes(&field, n);
    uint64_t regular = ~(uint64_t)0;
    for (size_t j = 0; j < n; j++) {
        load_column(at.columns + j * at.lanes, matrix + j * bytes, at.lanes, bytes);
    }
    memset(at.unused, 0xff, at.lanes * sizeof *at.unused);
    memset(at.entries, 0, 8 * mb_words(n));
    for (size_t k = 0; k < n; k++) {
        regular &= eliminate(field, &at, k, n);
    }
    *status = (int)mb_barrier_u64(regular & 1) - 1;
}

static MB_ALWAYS_INLINE void solve_field(mb_field field, uint8_t *x, uint8_t *right, const layout *at, size_t n)
{
    const size_t lanes = at->lanes;
    /* The multiples' memory is free after factoring: its first column holds the right-hand side. */
    mb_lanes *side = at->multiple;
    load_column(side, right, lanes, mb_field_bytes(&field, n));
    for (size_t k = 0; k < n; k++) {
        const mb_lanes *column = at->columns + k * lanes;
        const uint8_t entry = entry_at(field, side, at->rows + k * lanes, lanes);
        const uint8_t scalar = mb_field_multiply(&field, entry, at->inverse[k]);
        for (size_t i = 0; i < lanes; i++) {
            for (size_t w = 0; w < MB_LANES_WORDS; w++) {
                uint64_t plane[8];
                for (unsigned b = 0; b < field.bits; b++) {
                    plane[b] = MB_LANES_WORD(column[i], w) & mb_mask_u64((scalar >> b) & 1u);
                }
                MB_LANES_WORD(side[i], w) ^= mb_word_recombine(field, plane);
            }
        }
    }
    for (size_t k = 0; k < n; k++) {
        x[k] = entry_at(field, side, at->rows + k * lanes, lanes);
    }
}

static int factor(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    int status;
    MB_WORD_DISPATCH(field, factor_field, &status, matrix, factors, n);
    return status;
}

static void solve(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors,
                  size_t n)
{
    const layout at = lay_out(field, factors, n);
    (void)matrix; /* the factors hold their own, padded copy */
    MB_WORD_DISPATCH(field, solve_field, x, right, &at, n);
}

const mb_solver mb_portable_solver = {"portable", factors_bytes, factor, solve};
