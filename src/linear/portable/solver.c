/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Gauss-Jordan elimination in portable C, constant time, on column-packed matrices. No row is swapped: the pivot row of
 * step k is a secret one-hot mask over the rows, and an entry is read from a column by that mask. */
#include "field/word.h"
#include "linear/contract.h"
#include "linear/portable/portable.h"
#include "platform/barrier.h"

#include <string.h>

/* factors: n records of a row mask (words) each; the inverses of the n pivots; then room for
 * `factor`'s work: unused rows, the current column, and its products with the basis. */
typedef struct {
    size_t words;       /* of a column */
    uint64_t *rows;     /* n × words: the pivot row of each step, all bits of one element set */
    uint64_t *unused;   /* words: rows without a pivot so far */
    uint64_t *multiple; /* bits × words: the current column times each basis element */
    uint8_t *inverse;   /* n */
} layout;

static layout lay_out(const mb_field *field, void *factors, size_t n)
{
    layout at;
    at.words = mb_words(mb_field_bytes(field, n));
    at.rows = factors;
    at.unused = at.rows + n * at.words;
    at.multiple = at.unused + at.words;
    at.inverse = (uint8_t *)(at.multiple + field->bits * at.words);
    return at;
}

static size_t factors_bytes(const mb_field *field, size_t n)
{
    const size_t words = mb_words(mb_field_bytes(field, n));
    return 8 * (n * words + words + field->bits * words) + 8 * mb_words(n);
}

/* All bits of each element that is not zero. */
static inline uint64_t nonzero(mb_field field, uint64_t w)
{
    if (field.bits == 8) {
        w |= w >> 4;
        w &= 0x0f0f0f0f0f0f0f0fu;
    }
    w |= w >> 2;
    w |= w >> 1;
    w &= mb_word_ones(field.bits);
    return (w << field.bits) - w;
}

/* The sum of all elements of a word. */
static inline uint8_t sum_elements(mb_field field, uint64_t w)
{
    w ^= w >> 32;
    w ^= w >> 16;
    w ^= w >> 8;
    if (field.bits == 4) {
        w ^= w >> 4;
        return (uint8_t)(w & 15);
    }
    return (uint8_t)w;
}

/* The element of a packed column at the one-hot row mask. */
static inline uint8_t entry_at(mb_field field, const uint8_t *column, const uint64_t *row, size_t bytes)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < bytes; i += 8) {
        sum ^= mb_load_word(column + i, bytes - i) & row[i / 8];
    }
    return sum_elements(field, sum);
}

/* column ^= scalar · (the column whose products with the basis are `multiple`). */
static inline void add_multiple(mb_field field, uint8_t *column, const uint64_t *multiple, size_t words,
                                uint8_t scalar, size_t bytes)
{
    uint64_t mask[8];
    for (unsigned k = 0; k < field.bits; k++) {
        mask[k] = mb_mask_u64((scalar >> k) & 1u);
    }
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t word = mb_load_word(column + i, bytes - i);
        for (unsigned k = 0; k < field.bits; k++) {
            word ^= multiple[k * words + i / 8] & mask[k];
        }
        mb_store_word(column + i, bytes - i, word);
    }
}

static inline void spread_column(mb_field field, uint64_t *multiple, const uint8_t *column, size_t words,
                                 size_t bytes)
{
    for (size_t i = 0; i < words; i++) {
        uint64_t plane[8];
        mb_word_spread(field, plane, mb_load_word(column + 8 * i, bytes - 8 * i));
        for (unsigned k = 0; k < field.bits; k++) {
            multiple[k * words + i] = plane[k];
        }
    }
}

/* The first unused row in which the column is not zero, as a mask; all zero when there is none.
 * Returns all ones if there is one. */
static inline uint64_t choose_row(mb_field field, uint64_t *row, const uint8_t *column, uint64_t *unused,
                                  size_t words, size_t bytes)
{
    uint64_t found = 0;
    for (size_t i = 0; i < words; i++) {
        const uint64_t word = mb_load_word(column + 8 * i, bytes - 8 * i);
        const uint64_t candidates = nonzero(field, word) & unused[i] & mb_word_ones(field.bits);
        const uint64_t lowest = candidates & (0 - candidates) & ~found;
        row[i] = (lowest << field.bits) - lowest;
        unused[i] &= ~row[i];
        found |= mb_mask_u64(mb_barrier_u64(candidates | (0 - candidates)) >> 63);
    }
    return found;
}

/* Replaces the pivot p of the column by p + 1: adding e/p times this column to another one, whose entry
 * in the pivot row is e, leaves e/p there (e + (p + 1)·e/p) and eliminates as usual elsewhere. */
static inline void adjust_pivot(mb_field field, uint8_t *column, const uint64_t *row, size_t words,
                                size_t bytes)
{
    for (size_t i = 0; i < words; i++) {
        const uint64_t word = mb_load_word(column + 8 * i, bytes - 8 * i);
        mb_store_word(column + 8 * i, bytes - 8 * i, word ^ (row[i] & mb_word_ones(field.bits)));
    }
}

static inline void factor_field(mb_field field, int *status, uint8_t *matrix, void *factors, size_t n)
{
    const layout at = lay_out(&field, factors, n);
    const size_t bytes = mb_field_bytes(&field, n);
    uint64_t regular = ~(uint64_t)0;
    memset(at.unused, 0xff, at.words * 8);
    for (size_t k = 0; k < n; k++) {
        uint8_t *column = matrix + k * bytes;
        uint64_t *row = at.rows + k * at.words;
        regular &= choose_row(field, row, column, at.unused, at.words, bytes);
        at.inverse[k] = mb_field_invert(&field, entry_at(field, column, row, bytes));
        adjust_pivot(field, column, row, at.words, bytes);
        spread_column(field, at.multiple, column, at.words, bytes);
        for (size_t j = k + 1; j < n; j++) {
            uint8_t *other = matrix + j * bytes;
            const uint8_t entry = entry_at(field, other, row, bytes);
            const uint8_t scalar = mb_field_multiply(&field, entry, at.inverse[k]);
            add_multiple(field, other, at.multiple, at.words, scalar, bytes);
        }
    }
    *status = (int)mb_barrier_u64(regular & 1) - 1;
}

static inline void solve_field(mb_field field, uint8_t *x, uint8_t *right, const uint8_t *matrix,
                               const void *factors, size_t n)
{
    const size_t bytes = mb_field_bytes(&field, n);
    const size_t words = mb_words(bytes);
    const uint64_t *rows = factors;
    const uint8_t *inverse = (const uint8_t *)(rows + n * words + words + field.bits * words);
    for (size_t k = 0; k < n; k++) {
        const uint8_t entry = entry_at(field, right, rows + k * words, bytes);
        const uint8_t scalar = mb_field_multiply(&field, entry, inverse[k]);
        const uint8_t *column = matrix + k * bytes;
        for (size_t i = 0; i < bytes; i += 8) {
            const uint64_t word = mb_load_word(column + i, bytes - i);
            uint64_t plane[8];
            for (unsigned b = 0; b < field.bits; b++) {
                plane[b] = word & mb_mask_u64((scalar >> b) & 1u);
            }
            mb_store_word(right + i, bytes - i,
                          mb_load_word(right + i, bytes - i) ^ mb_word_recombine(field, plane));
        }
    }
    for (size_t k = 0; k < n; k++) {
        x[k] = entry_at(field, right, rows + k * words, bytes);
    }
}

static int factor(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    int status;
    MB_WORD_DISPATCH(field, factor_field, &status, matrix, factors, n);
    return status;
}

static void solve(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix,
                  const void *factors, size_t n)
{
    MB_WORD_DISPATCH(field, solve_field, x, right, matrix, factors, n);
}

const mb_solver mb_portable_solver = {"portable", factors_bytes, factor, solve};
