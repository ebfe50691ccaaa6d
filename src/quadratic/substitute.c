/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The change of variables, see substitute.h. Let A be the variables replaced, B those added, q the triangle on A, c the
 * monomials between A and B. With W = q·M + c (q upper triangular): c' = W + qᵗ·M, and B's own triangle gains UT(Mᵗ·W).
 * For a variable i before A, its monomials with B gain (its monomials with A)·M. */
#include "quadratic/substitute.h"

#include <string.h>

/* Columns of M are prepared together, as many as this memory holds but at least some: each group of columns
 * costs one more gathering of the map. */
enum { PREPARED_BYTES = 131072, COLUMNS_LEAST = 8 };

void mb_substitution_take(mb_substitution *memory, mb_arena *arena, const mb_workspace *work,
                          size_t count, size_t columns, size_t bytes)
{
    const size_t column_bytes = mb_workspace_prepared_bytes(work, count);
    size_t together = PREPARED_BYTES / column_bytes;
    together = together < COLUMNS_LEAST ? COLUMNS_LEAST : together;
    memory->columns_at_once = together < columns ? together : columns;
    memory->column = mb_arena_take(arena, count * bytes);
    memory->sums = mb_arena_take(arena, memory->columns_at_once * bytes);
    memory->prepared = mb_arena_take(arena, memory->columns_at_once * column_bytes);
}

/* Prepares the columns b ∈ [first, first + count) of M. */
static void prepare_columns(const mb_workspace *work, const mb_substitution *memory, mb_range from,
                            const uint8_t *m, size_t first, size_t count)
{
    const size_t m_bytes = mb_field_bytes(work->field, from.count);
    const size_t stride = mb_workspace_prepared_bytes(work, from.count);
    for (size_t b = 0; b < count; b++) {
        mb_workspace_prepare_packed(work, memory->prepared + b * stride, m + (first + b) * m_bytes,
                                    from.count);
    }
    if (work->multiplier->arrangement != NULL) {
        work->multiplier->arrangement->arrange(work->field, memory->prepared, from.count, count);
    }
}

/* Sums of the `count` vectors with all prepared columns, from scalar `skip` of each on. */
static void combine_columns(const mb_workspace *work, const mb_substitution *memory, uint8_t *out, size_t out_stride, size_t columns,
                            size_t bytes, const uint8_t *vectors, size_t stride, size_t column_len, size_t skip, size_t count)
{
    const mb_multiplier *multiplier = work->multiplier;
    (multiplier->arrangement != NULL ? multiplier->arrangement->combine_many : multiplier->combine_many)(
        work->field, out, out_stride, columns, bytes, vectors, stride, memory->prepared + skip * work->prepared_bytes, column_len,
        count);
}

/* The changed part of the coefficient vector of monomial (i, j). */
static uint8_t *part_at(const mb_form *form, const mb_change *c, size_t i, size_t j)
{
    return mb_form_at(form, i, j) + c->first;
}

/* form[i, b] ^= Σ_a vectors[a]·M[a, b] for the prepared columns b, a from `skip` on; vectors[a] lies form->bytes after the last. */
static void add_row(const mb_workspace *work, const mb_substitution *memory, const mb_form *form, const mb_change *c,
                    size_t i, size_t column, size_t columns, const uint8_t *vectors, size_t skip, size_t count)
{
    combine_columns(work, memory, part_at(form, c, i, column), form->bytes, columns, c->bytes, vectors, form->bytes, c->from.count,
                    skip, count);
}

/* The monomials (a, i) with a ∈ from, a ≤ i, one after the other, each at the place of its part. */
static void gather_column(const mb_substitution *memory, const mb_form *form, const mb_change *c, size_t i)
{
    for (size_t a = 0; a < c->from.count && c->from.first + a <= i; a++) {
        memcpy(memory->column + a * form->bytes, part_at(form, c, c->from.first + a, i), c->bytes);
    }
}

/* Rows before A gain their monomials with A times M; rows of A become W. */
static void add_upper(const mb_workspace *work, const mb_substitution *memory, const mb_form *form, const mb_change *c,
                      size_t column, size_t columns)
{
    for (size_t i = 0; i < c->from.first; i++) {
        add_row(work, memory, form, c, i, column, columns, part_at(form, c, i, c->from.first), 0, c->from.count);
    }
    for (size_t a = 0; a < c->from.count && !c->linear; a++) {
        const size_t i = c->from.first + a;
        add_row(work, memory, form, c, i, column, columns, part_at(form, c, i, i), a, c->from.count - a);
    }
}

static void add_vector(uint8_t *out, const uint8_t *vector, size_t bytes)
{
    size_t i = 0;
    for (; i + 8 <= bytes; i += 8) {
        uint64_t sum, word;
        memcpy(&sum, out + i, 8);
        memcpy(&word, vector + i, 8);
        sum ^= word;
        memcpy(out + i, &sum, 8);
    }
    for (; i < bytes; i++) {
        out[i] ^= vector[i];
    }
}

/* The triangle on B gains UT(Mᵗ·W): the prepared columns b of M against all columns of W, or, past the
 * first `square` variables of B, against those of W before them. */
static void add_square(const mb_workspace *work, const mb_substitution *memory, const mb_form *form, const mb_change *c,
                       size_t column, size_t columns)
{
    const size_t first = c->to.first, kept = first + c->square, end = first + (column < kept ? c->to.count : c->square);
    for (size_t j = first; j < end; j++) {
        gather_column(memory, form, c, j);
        memset(memory->sums, 0, columns * c->bytes);
        combine_columns(work, memory, memory->sums, c->bytes, columns, c->bytes, memory->column, form->bytes, c->from.count, 0,
                        c->from.count);
        for (size_t b = 0; b < columns; b++) {
            const size_t i = column + b;
            if (i < kept || j < kept) {
                add_vector(i <= j ? part_at(form, c, i, j) : part_at(form, c, j, i), memory->sums + b * c->bytes, c->bytes);
            }
        }
    }
}

/* Rows of A: W becomes c' = W + qᵗ·M. The squares are in q and in qᵗ, so they go away, as they must. */
static void add_lower(const mb_workspace *work, const mb_substitution *memory, const mb_form *form, const mb_change *c,
                      size_t column, size_t columns)
{
    for (size_t a = 0; a < c->from.count; a++) {
        gather_column(memory, form, c, c->from.first + a);
        add_row(work, memory, form, c, c->from.first + a, column, columns, memory->column, 0, a + 1);
    }
}

typedef void phase(const mb_workspace *work, const mb_substitution *memory, const mb_form *form, const mb_change *c,
                   size_t column, size_t columns);

/* One phase on the columns of `to` from `first` on, as many at once as are prepared together. */
static void run(phase *add, size_t first, const mb_workspace *work, const mb_substitution *memory, const mb_form *form,
                const mb_change *c)
{
    for (size_t b = first; b < c->to.count; b += memory->columns_at_once) {
        const size_t left = c->to.count - b;
        const size_t columns = left < memory->columns_at_once ? left : memory->columns_at_once;
        prepare_columns(work, memory, c->from, c->m, b, columns);
        add(work, memory, form, c, c->to.first + b, columns);
    }
}

void mb_substitute(const mb_workspace *work, const mb_substitution *memory, const mb_form *form, const mb_change *change)
{
    /* Each phase needs the one before it on all columns. */
    run(add_upper, 0, work, memory, form, change);
    if (!change->linear) {
        run(add_square, 0, work, memory, form, change);
        run(add_lower, change->to.count - change->cross, work, memory, form, change);
    }
}
