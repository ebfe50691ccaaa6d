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
    if (work->multiplier->arrange != NULL) {
        work->multiplier->arrange(work->field, memory->prepared, from.count, count);
    }
}

/* form[i, b] ^= Σ_a vectors[a]·M[a, b] for the prepared columns b, a from `skip` on. */
static void add_row(const mb_workspace *work, const mb_substitution *memory, const mb_form *form,
                    mb_range from, size_t i, size_t column, size_t columns, const uint8_t *vectors,
                    size_t skip, size_t count)
{
    work->multiplier->combine_many(work->field, mb_form_at(form, i, column), form->bytes, columns, form->bytes,
                                   vectors, form->bytes, memory->prepared + skip * work->prepared_bytes,
                                   from.count, count);
}

/* The monomials (a, i) with a ∈ from, a ≤ i, one after the other. */
static void gather_column(const mb_substitution *memory, const mb_form *form, mb_range from, size_t i)
{
    for (size_t a = 0; a < from.count && from.first + a <= i; a++) {
        memcpy(memory->column + a * form->bytes, mb_form_at(form, from.first + a, i), form->bytes);
    }
}

/* Rows before A gain their monomials with A times M; rows of A become W. */
static void add_upper(const mb_workspace *work, const mb_substitution *memory, const mb_form *form,
                      mb_range from, size_t column, size_t columns)
{
    for (size_t i = 0; i < from.first; i++) {
        add_row(work, memory, form, from, i, column, columns, mb_form_at(form, i, from.first), 0,
                from.count);
    }
    for (size_t a = 0; a < from.count; a++) {
        const size_t i = from.first + a;
        add_row(work, memory, form, from, i, column, columns, mb_form_at(form, i, i), a,
                from.count - a);
    }
}

static void add_vector(uint8_t *out, const uint8_t *vector, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        out[i] ^= vector[i];
    }
}

/* The triangle on B gains UT(Mᵗ·W): the prepared columns b of M against all columns of W, or, past the
 * first `square` variables of B, against those of W before them. */
static void add_square(const mb_workspace *work, const mb_substitution *memory, const mb_form *form,
                       mb_range from, mb_range to, size_t square, size_t column, size_t columns)
{
    const size_t end = to.first + (column < to.first + square ? to.count : square);
    for (size_t j = to.first; j < end; j++) {
        gather_column(memory, form, from, j);
        memset(memory->sums, 0, columns * form->bytes);
        work->multiplier->combine_many(work->field, memory->sums, form->bytes, columns, form->bytes, memory->column,
                                       form->bytes, memory->prepared, from.count, from.count);
        for (size_t b = 0; b < columns; b++) {
            const size_t i = column + b;
            if (i >= to.first + square && j >= to.first + square) {
                continue;
            }
            add_vector(i <= j ? mb_form_at(form, i, j) : mb_form_at(form, j, i), memory->sums + b * form->bytes,
                       form->bytes);
        }
    }
}

/* Rows of A: W becomes c' = W + qᵗ·M. The squares are in q and in qᵗ, so they go away, as they must. */
static void add_lower(const mb_workspace *work, const mb_substitution *memory, const mb_form *form,
                      mb_range from, size_t column, size_t columns)
{
    for (size_t a = 0; a < from.count; a++) {
        gather_column(memory, form, from, from.first + a);
        add_row(work, memory, form, from, from.first + a, column, columns, memory->column, 0, a + 1);
    }
}

void mb_substitute(const mb_workspace *work, const mb_substitution *memory, const mb_form *form,
                   mb_range from, mb_range to, const uint8_t *m, size_t square, int cross)
{
    /* Each phase needs the one before it on all columns. */
    for (int phase = 0; phase < (cross ? 3 : 2); phase++) {
        for (size_t b = 0; b < to.count; b += memory->columns_at_once) {
            const size_t left = to.count - b;
            const size_t columns = left < memory->columns_at_once ? left : memory->columns_at_once;
            prepare_columns(work, memory, from, m, b, columns);
            if (phase == 0) {
                add_upper(work, memory, form, from, to.first + b, columns);
            } else if (phase == 1) {
                add_square(work, memory, form, from, to, square, to.first + b, columns);
            } else {
                add_lower(work, memory, form, from, to.first + b, columns);
            }
        }
    }
}
