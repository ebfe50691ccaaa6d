/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The change of variables, see substitute.h. Let A be the variables replaced, B those added, q the triangle on A, c the
 * monomials between A and B. With W = q·M + c (q upper triangular): c' = W + qᵗ·M, and B's own triangle gains UT(Mᵗ·W).
 * For a variable i before A, its monomials with B gain (its monomials with A)·M. */
#include "quadratic/substitute.h"

#include "platform/bytes.h"
#include "platform/lanes.h"

#include <string.h>

/* Columns of M are prepared together, as many as this memory holds but at least some: each group of columns
 * costs one more gathering of the map. */
enum { PREPARED_BYTES = 131072, ARRANGED_BYTES = 262144, COLUMNS_LEAST = 8 };

/* Where a kernel works on so many bytes at a time, coefficient vectors of some monomials are laid side by side: a strip. Strips have
 * some hundred bytes and, if it can be, whole registers; they lie apart so that they do not all want the same places of a cache. */
enum { STRIP_GRAIN = 32, REGISTER = 64, STRIP_LEAST = 256, STRIP_MOST = 1024, STRIP_STRIDE = STRIP_MOST + REGISTER };

static int goes_in_strips(const mb_workspace *work)
{
    return work->multiplier->grain >= STRIP_GRAIN;
}

size_t mb_substitution_vector_bytes(const mb_workspace *work, size_t bytes)
{
    return goes_in_strips(work) ? bytes : (bytes + 15) / 16 * 16;
}

void mb_substitution_take(mb_substitution *memory, mb_arena *arena, const mb_workspace *work,
                          size_t count, size_t columns, size_t bytes)
{
    const mb_arrangement *arrangement = work->multiplier->arrangement;
    const size_t column_bytes = arrangement == NULL ? mb_workspace_prepared_bytes(work, count) : count * arrangement->scalar_bytes;
    size_t together = (arrangement == NULL ? PREPARED_BYTES : ARRANGED_BYTES) / column_bytes;
    together = together < COLUMNS_LEAST ? COLUMNS_LEAST : together;
    memory->columns_at_once = together < columns ? together : columns;
    memory->in_strips = goes_in_strips(work);
    memory->column = mb_arena_take(arena, count * (memory->in_strips ? STRIP_STRIDE : bytes));
    memory->sums = mb_arena_take(arena, memory->columns_at_once * (memory->in_strips ? STRIP_STRIDE : bytes));
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

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
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

/* From monomial (i, j) to (i + 1, j). */
static inline size_t bytes_to_next_row(const mb_form *form, size_t i)
{
    return (form->n - i - 1) * form->bytes;
}

/* The monomials (a, i) with a ∈ from, a ≤ i, one after the other, each at the place of its part. */
static void gather_column(const mb_substitution *memory, const mb_form *form, const mb_change *c, size_t i)
{
    const size_t bytes = c->bytes, stride = form->bytes, end = c->from.first + c->from.count;
    const uint8_t *at = part_at(form, c, c->from.first, i);
    uint8_t *out = memory->column;
    for (size_t a = c->from.first; a < end && a <= i; a++, out += stride) {
        mb_copy_short(out, at, bytes);
        at += bytes_to_next_row(form, a);
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

static inline void add_vector(uint8_t *out, const uint8_t *vector, size_t bytes)
{
    size_t i = 0;
    for (; i + 2 * MB_LANES_BYTES <= bytes; i += 2 * MB_LANES_BYTES) {
        mb_lanes_store(out + i, mb_lanes_load(out + i) ^ mb_lanes_load(vector + i));
        mb_lanes_store(out + i + MB_LANES_BYTES, mb_lanes_load(out + i + MB_LANES_BYTES) ^ mb_lanes_load(vector + i + MB_LANES_BYTES));
    }
    if (i + MB_LANES_BYTES <= bytes) {
        mb_lanes_store(out + i, mb_lanes_load(out + i) ^ mb_lanes_load(vector + i));
        i += MB_LANES_BYTES;
    }
    if (i + 8 <= bytes) {
        uint64_t sum, word;
        memcpy(&sum, out + i, 8);
        memcpy(&word, vector + i, 8);
        sum ^= word;
        memcpy(out + i, &sum, 8);
        i += 8;
    }
    if (i + 4 <= bytes) {
        uint32_t sum, word;
        memcpy(&sum, out + i, 4);
        memcpy(&word, vector + i, 4);
        sum ^= word;
        memcpy(out + i, &sum, 4);
        i += 4;
    }
    for (; i < bytes; i++) {
        out[i] ^= vector[i];
    }
}

/* form[i, j] or form[j, i] gains the gathered column's sums with the prepared columns i = column + b, for b < columns. */
static void add_sums_apart(const mb_workspace *work, const mb_substitution *memory, const mb_form *form, const mb_change *c, size_t j,
                           size_t column, size_t columns)
{
    const size_t each = mb_workspace_prepared_bytes(work, c->from.count);
    for (size_t b = 0, i = column; b < columns; b++, i++) {
        work->multiplier->combine(work->field, i <= j ? part_at(form, c, i, j) : part_at(form, c, j, i), c->bytes, memory->column,
                                  form->bytes, memory->prepared + b * each, c->from.count);
    }
}

/* Of B's triangle: the monomials of variable j with the `columns` variables from i on gain the sums. */
static void add_column(const mb_substitution *memory, const mb_form *form, const mb_change *c, size_t j, size_t i, size_t columns)
{
    const size_t bytes = c->bytes, end = i + columns;
    const uint8_t *sum = memory->sums;
    uint8_t *at = i <= j ? part_at(form, c, i, j) : part_at(form, c, j, i);
    for (; i < end; i++, sum += bytes) {
        add_vector(at, sum, bytes);
        at += i < j ? bytes_to_next_row(form, i) : form->bytes;
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
        if (work->multiplier->arrangement == NULL) { /* sums of many columns together cost as much as one by one */
            const size_t wanted = j < kept ? columns : column < kept ? smaller(columns, kept - column) : 0;
            add_sums_apart(work, memory, form, c, j, column, wanted);
            continue;
        }
        memset(memory->sums, 0, columns * c->bytes);
        combine_columns(work, memory, memory->sums, c->bytes, columns, c->bytes, memory->column, form->bytes, c->from.count, 0,
                        c->from.count);
        add_column(memory, form, c, j, column, j < kept || column + columns <= kept ? columns : kept - column);
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

/* ---- The same in strips ------------------------------------------------------------------------------ */

/* Vectors side by side. */
static size_t strip_len(size_t bytes)
{
    size_t len = 1;
    while (len * bytes % REGISTER != 0 && 2 * len * bytes <= STRIP_MOST) {
        len *= 2;
    }
    while (len * bytes < STRIP_LEAST) {
        len *= 2;
    }
    return len;
}

/* The distance of strips: what they need. */
static size_t strip_stride(size_t bytes)
{
    return (strip_len(bytes) * bytes + REGISTER - 1) / REGISTER * REGISTER + REGISTER;
}

/* sums[b] = Σ_a M[a, b]·(strip a), of `len` vectors each, for the prepared columns b and a ∈ [skip, skip + count). */
static void sum_strips(const mb_workspace *work, const mb_substitution *memory, const mb_change *c, size_t columns, size_t len,
                       size_t skip, size_t count)
{
    const size_t stride = strip_stride(c->bytes);
    memset(memory->sums, 0, columns * stride);
    combine_columns(work, memory, memory->sums, stride, columns, len * c->bytes, memory->column + skip * stride, stride,
                    c->from.count, skip, count);
}

/* form[i, b] ^= its sum, for the vectors of a strip that begins with row `first`. */
static void add_sums(const mb_substitution *memory, const mb_form *form, const mb_change *c, size_t first, size_t len, size_t column,
                     size_t columns)
{
    const size_t stride = strip_stride(c->bytes);
    for (size_t i = 0; i < len; i++) {
        uint8_t *row = part_at(form, c, first + i, column);
        for (size_t b = 0; b < columns; b++) {
            add_vector(row + b * form->bytes, memory->sums + b * stride + i * c->bytes, c->bytes);
        }
    }
}

/* Strip a is column a of the rows from `first` on, which ends at the diagonal. */
static void add_upper_strips(const mb_workspace *work, const mb_substitution *memory, const mb_form *form, const mb_change *c,
                             size_t column, size_t columns)
{
    const size_t stride = strip_stride(c->bytes), rows = c->from.first + (c->linear ? 0 : c->from.count);
    size_t len;
    for (size_t first = 0; first < rows; first += len) {
        const size_t skip = first < c->from.first ? 0 : first - c->from.first;
        len = smaller(strip_len(c->bytes), rows - first);
        for (size_t i = first; i < first + len; i++) {
            const size_t diagonal = i < c->from.first ? 0 : i - c->from.first;
            const uint8_t *row = part_at(form, c, i, c->from.first + diagonal);
            uint8_t *to = memory->column + (i - first) * c->bytes;
            for (size_t a = skip; a < diagonal; a++) {
                memset(to + a * stride, 0, c->bytes); /* few, near the diagonal */
            }
            for (size_t a = diagonal; a < c->from.count; a++, row += form->bytes) {
                mb_copy_short(to + a * stride, row, c->bytes);
            }
        }
        sum_strips(work, memory, c, columns, len, skip, c->from.count - skip);
        add_sums(memory, form, c, first, len, column, columns);
    }
}

/* Strip a is a piece of row a of W. */
static void add_square_strips(const mb_workspace *work, const mb_substitution *memory, const mb_form *form, const mb_change *c,
                              size_t column, size_t columns)
{
    const size_t stride = strip_stride(c->bytes), kept = c->to.first + c->square;
    const size_t end = c->to.first + (column < kept ? c->to.count : c->square);
    size_t len;
    for (size_t first = c->to.first; first < end; first += len) {
        len = smaller(strip_len(c->bytes), end - first);
        for (size_t a = 0; a < c->from.count; a++) {
            const uint8_t *row = part_at(form, c, c->from.first + a, first);
            for (size_t j = 0; j < len; j++) {
                mb_copy_short(memory->column + a * stride + j * c->bytes, row + j * form->bytes, c->bytes);
            }
        }
        sum_strips(work, memory, c, columns, len, 0, c->from.count);
        for (size_t b = 0; b < columns; b++) {
            for (size_t j = first; j < first + len; j++) {
                const size_t i = column + b;
                if (i < kept || j < kept) {
                    add_vector(i <= j ? part_at(form, c, i, j) : part_at(form, c, j, i),
                               memory->sums + b * stride + (j - first) * c->bytes, c->bytes);
                }
            }
        }
    }
}

/* Strip a is a piece of row a, which begins at the diagonal. */
static void add_lower_strips(const mb_workspace *work, const mb_substitution *memory, const mb_form *form, const mb_change *c,
                             size_t column, size_t columns)
{
    const size_t stride = strip_stride(c->bytes);
    size_t len;
    for (size_t first = 0; first < c->from.count; first += len) {
        len = smaller(strip_len(c->bytes), c->from.count - first);
        for (size_t a = 0; a < first + len; a++) {
            uint8_t *to = memory->column + a * stride;
            const size_t before = a < first ? 0 : a - first; /* in the strip */
            const uint8_t *row = part_at(form, c, c->from.first + a, c->from.first + first + before);
            memset(to, 0, before * c->bytes);
            for (size_t i = before; i < len; i++, row += form->bytes) {
                mb_copy_short(to + i * c->bytes, row, c->bytes);
            }
        }
        sum_strips(work, memory, c, columns, len, 0, first + len);
        add_sums(memory, form, c, c->from.first + first, len, column, columns);
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
    run(memory->in_strips ? add_upper_strips : add_upper, 0, work, memory, form, change);
    if (!change->linear) {
        run(memory->in_strips ? add_square_strips : add_square, 0, work, memory, form, change);
        run(memory->in_strips ? add_lower_strips : add_lower, change->to.count - change->cross, work, memory, form, change);
    }
}
