/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The change of variables by rows; see slabs.h for the formulas. */
#include "quadratic/slabs.h"

#include <string.h>

/* Columns of T are prepared together, as many as this holds but at least one. */
enum { PREPARED_BYTES = 4096 };

static size_t longest(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Vectors of the old map's rows in memory for one row: of q1 or q5, of q2, g1, g2. */
static size_t row_len(const mb_slabs *s)
{
    return longest(s->v, s->o1) + 2 * s->o1 + s->o2;
}

void mb_slabs_take(mb_slabs *slabs, mb_arena *arena, size_t bytes_most, size_t rows_bytes, size_t sums_bytes)
{
    const size_t column_bytes = mb_workspace_prepared_bytes(slabs->work, longest(slabs->v, slabs->o1));
    const size_t least_rows = slabs->work->field->bits == 4 ? 2 : 1; /* see `columns` */
    slabs->rows_bytes = longest(rows_bytes, least_rows * row_len(slabs) * bytes_most);
    slabs->sums_bytes = longest(sums_bytes, (slabs->o1 + slabs->o2) * bytes_most);
    slabs->prepared_bytes = longest(PREPARED_BYTES, column_bytes);
    slabs->rows = mb_arena_take(arena, slabs->rows_bytes);
    slabs->sums = mb_arena_take(arena, slabs->sums_bytes);
    slabs->prepared = mb_arena_take(arena, slabs->prepared_bytes);
}

/* ---- Products with T --------------------------------------------------------------------------- */

/* A T by columns of `height` scalars, and the rows of it that are wanted. */
typedef struct columns {
    const uint8_t *t;
    size_t height, len;
    size_t first, count; /* rows; `first` is even where two elements share a byte */
    size_t begin;        /* the first column that is wanted */
} columns;

/* Prepares these rows of the columns from `column` on, as many as fit; returns how many. */
static size_t prepare(const mb_slabs *s, columns of, size_t column)
{
    const size_t t_bytes = mb_field_bytes(s->work->field, of.height);
    const size_t skipped = mb_field_bytes(s->work->field, of.first);
    const size_t stride = mb_workspace_prepared_bytes(s->work, of.count);
    const size_t fit = s->prepared_bytes / stride, left = of.len - column;
    const size_t together = left < fit ? left : fit;
    for (size_t b = 0; b < together; b++) {
        mb_workspace_prepare_packed(s->work, s->prepared + b * stride, of.t + (column + b) * t_bytes + skipped, of.count);
    }
    return together;
}

/* out ^= Σ over [from, to) of vector k · (row k of the columns prepared from `column` on). */
static void add_range(const mb_slabs *s, uint8_t *out, size_t columns_len, const uint8_t *vectors, size_t height, size_t from,
                      size_t to)
{
    s->work->multiplier->combine_many(s->work->field, out, s->bytes, columns_len, s->bytes, vectors + from * s->bytes, s->bytes,
                                      s->prepared + mb_workspace_prepared_bytes(s->work, from), height, to - from);
}

/* Which vectors of a row i of a square block count. */
typedef enum extent { ALL, FROM_DIAGONAL, BUT_DIAGONAL } extent;

/* For each of the `rows` rows: out (of.len vectors) ^= (the row, `of.height` vectors)·T, from vector of.begin on. Row r is row
 * first + r of its block. */
static void add_rows_times(const mb_slabs *s, uint8_t *out, const uint8_t *vectors, columns of, extent which, size_t first,
                           size_t rows)
{
    size_t together;
    for (size_t column = of.begin; column < of.len; column += together) {
        together = prepare(s, of, column);
        for (size_t r = 0; r < rows; r++) {
            const uint8_t *row = vectors + r * of.height * s->bytes;
            uint8_t *at = out + (r * of.len + column) * s->bytes;
            const size_t diagonal = first + r;
            if (which != FROM_DIAGONAL) {
                add_range(s, at, together, row, of.height, 0, which == ALL ? of.height : diagonal);
            }
            if (which != ALL) {
                add_range(s, at, together, row, of.height, which == FROM_DIAGONAL ? diagonal : diagonal + 1, of.height);
            }
        }
    }
}

/* For the `of.count` rows g of `width` vectors each: sum (a, b) ^= Σ_r T[r, a]·g[r, b], for a in [first, end) of the columns
 * of T and b in [from, until). Sum (a, b) lies at `sums` + (a - first)·stride + (b - from)·step. */
typedef struct target {
    uint8_t *sums;
    size_t first, end, from, until;
    size_t stride, step;
} target;

static void add_products(const mb_slabs *s, target to, columns of, const uint8_t *g, size_t width)
{
    size_t together;
    of.len = to.end;
    for (size_t a = to.first; a < to.end; a += together) {
        together = prepare(s, of, a);
        for (size_t b = to.from; b < to.until; b++) {
            uint8_t *out = to.sums + (a - to.first) * to.stride + (b - to.from) * to.step;
            s->work->multiplier->combine_many(s->work->field, out, to.stride, together, s->bytes, g + b * s->bytes,
                                              width * s->bytes, s->prepared, of.count, of.count);
        }
    }
}

/* The rows [first, end) of UT(Tᵗ·g): element (j, k), j ≤ k, gains T[·, j]ᵗ·g[·, k] and, off the diagonal, T[·, k]ᵗ·g[·, j]. Row j
 * has `of.len - first` vectors, of which those before its diagonal stay unused. */
static void add_folded(const mb_slabs *s, uint8_t *sums, size_t row_bytes, size_t first, size_t end, columns of, const uint8_t *g)
{
    const mb_multiplier *multiplier = s->work->multiplier;
    const size_t width = of.len, stride = width * s->bytes;
    size_t together;
    for (size_t a = first; a < width; a += together) {
        together = prepare(s, of, a);
        /* The columns a, a + 1, … of T before `end`, as j. */
        for (size_t k = a; k < width && a < end; k++) {
            const size_t last = k + 1 < end ? k + 1 : end, outs = last - a < together ? last - a : together;
            multiplier->combine_many(s->work->field, sums + (a - first) * row_bytes + (k - first) * s->bytes, row_bytes, outs,
                                     s->bytes, g + k * s->bytes, stride, s->prepared, of.count, of.count);
        }
        /* The same columns as k. */
        for (size_t j = first; j < end && j + 1 < a + together; j++) {
            const size_t k = j + 1 > a ? j + 1 : a;
            multiplier->combine_many(s->work->field, sums + (j - first) * row_bytes + (k - first) * s->bytes, s->bytes,
                                     a + together - k, s->bytes, g + j * s->bytes, stride,
                                     s->prepared + mb_workspace_prepared_bytes(s->work, (k - a) * of.count), of.count, of.count);
        }
    }
}

static void add_vectors(uint8_t *out, const uint8_t *vectors, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        out[i] ^= vectors[i];
    }
}

/* ---- Rows of the old map ----------------------------------------------------------------------- */

/* Some rows of it, and where they lie. */
typedef struct slab {
    size_t first, count, limit; /* rows; most that the memory holds */
    uint8_t *square;            /* of q1 or q5, from the diagonal on or whole */
    uint8_t *q2, *g1, *g2;
} slab;

/* The slab that begins a walk. */
static slab begin_slab(const mb_slabs *s)
{
    slab at = {0};
    const size_t fit = s->rows_bytes / (row_len(s) * s->bytes);
    at.limit = fit < 2 ? fit : fit / 2 * 2; /* see `columns` */
    at.square = s->rows;
    at.q2 = at.square + at.limit * longest(s->v, s->o1) * s->bytes;
    at.g1 = at.q2 + at.limit * s->o1 * s->bytes;
    at.g2 = at.g1 + at.limit * s->o1 * s->bytes;
    return at;
}

/* Goes on to the next rows of `rows`; 0 when there are none. */
static int next_slab(slab *at, size_t rows)
{
    at->first += at->count;
    at->count = rows - at->first < at->limit ? rows - at->first : at->limit;
    return at->count != 0;
}

/* Vectors from `index` on, or zeros. */
static void load(const mb_slabs *s, uint8_t *out, unsigned block, size_t index, size_t count)
{
    if (!s->load(s->context, out, block, index, count)) {
        memset(out, 0, count * s->bytes);
    }
}

/* Rows of block 1 or 5 from the diagonal on: a triangle of n variables. */
static void load_upper(const mb_slabs *s, const slab *at, unsigned block, size_t n)
{
    for (size_t r = 0; r < at->count; r++) {
        const size_t i = at->first + r;
        load(s, at->square + (r * n + i) * s->bytes, block, mb_triangle_index(n, i, i), n - i);
    }
}

/* The same rows of block + blockᵗ before the diagonal: columns of the rows above. */
static void load_lower(const mb_slabs *s, const slab *at, unsigned block, size_t n)
{
    const size_t end = at->first + at->count;
    for (size_t k = 0; k < end; k++) {
        const size_t from = k + 1 > at->first ? k + 1 : at->first;
        if (k >= at->first) { /* the row is in memory */
            for (size_t i = from; i < end; i++) {
                memcpy(at->square + ((i - at->first) * n + k) * s->bytes,
                       at->square + ((k - at->first) * n + i) * s->bytes, s->bytes);
            }
            continue;
        }
        load(s, at->g1, block, mb_triangle_index(n, k, from), end - from);
        for (size_t i = from; i < end; i++) {
            memcpy(at->square + ((i - at->first) * n + k) * s->bytes, at->g1 + (i - from) * s->bytes, s->bytes);
        }
    }
}

static columns from_column(size_t begin, columns of)
{
    of.begin = begin;
    return of;
}

static columns whole(const uint8_t *t, size_t height, size_t len)
{
    return (columns){t, height, len, 0, height, 0};
}

/* The rows of T that belong to a slab. */
static columns part(const uint8_t *t, size_t height, size_t len, const slab *at)
{
    return (columns){t, height, len, at->first, at->count, 0};
}

/* g2 = the rows' q3, plus q2·T3, plus q1·T2 with those vectors of q1 that are asked for; correct from column `begin` on. */
static void make_g2(const mb_slabs *s, const slab *at, extent which, size_t begin)
{
    load(s, at->g2, 3, at->first * s->o2, at->count * s->o2);
    add_rows_times(s, at->g2, at->square, from_column(begin, whole(s->t2, s->v, s->o2)), which, at->first, at->count);
    add_rows_times(s, at->g2, at->q2, from_column(begin, whole(s->t3, s->o1, s->o2)), ALL, 0, at->count);
}

/* g1 = q2 + q1·T1, likewise. */
static void make_g1(const mb_slabs *s, const slab *at, extent which, size_t begin)
{
    memcpy(at->g1, at->q2, at->count * s->o1 * s->bytes);
    add_rows_times(s, at->g1, at->square, from_column(begin, whole(s->t1, s->v, s->o1)), which, at->first, at->count);
}

static void load_vinegar_rows(const mb_slabs *s, const slab *at)
{
    load_upper(s, at, 1, s->v);
    load(s, at->q2, 2, at->first * s->o1, at->count * s->o1);
}

/* ---- Rows of the new map ----------------------------------------------------------------------- */

void mb_slabs_vinegar_rows(const mb_slabs *s, unsigned blocks)
{
    slab at = begin_slab(s);
    while (next_slab(&at, s->v)) {
        load_vinegar_rows(s, &at);
        load_lower(s, &at, 1, s->v);
        if ((blocks & MB_SLABS_BLOCK(2)) != 0) {
            make_g1(s, &at, BUT_DIAGONAL, 0);
        }
        if ((blocks & MB_SLABS_BLOCK(3)) != 0) {
            make_g2(s, &at, BUT_DIAGONAL, 0);
        }
        for (size_t r = 0; r < at.count; r++) {
            const size_t i = at.first + r;
            if ((blocks & MB_SLABS_BLOCK(1)) != 0) {
                s->emit(s->context, 1, i, at.square + (r * s->v + i) * s->bytes, s->v - i);
            }
            if ((blocks & MB_SLABS_BLOCK(2)) != 0) {
                s->emit(s->context, 2, i, at.g1 + r * s->o1 * s->bytes, s->o1);
            }
            if ((blocks & MB_SLABS_BLOCK(3)) != 0) {
                s->emit(s->context, 3, i, at.g2 + r * s->o2 * s->bytes, s->o2);
            }
        }
    }
}

/* Rows [first, end) of the blocks 5 and 6 in s->sums: for each, `five` vectors of block 5 from column `first` on, and `six` of
 * block 6. */
typedef struct o1_sums {
    size_t first, end, five, six;
    size_t row_bytes;
} o1_sums;

/* What the vinegars add to them. */
static void add_vinegars(const mb_slabs *s, const o1_sums *to, int undone)
{
    slab at = begin_slab(s);
    uint8_t *sums_6 = s->sums + to->five * s->bytes;
    while (next_slab(&at, s->v)) {
        const columns t1 = part(s->t1, s->v, s->o1, &at), t2 = part(s->t2, s->v, s->o2, &at);
        load_vinegar_rows(s, &at);
        if (!undone) {
            make_g1(s, &at, FROM_DIAGONAL, to->first);
        }
        if (to->five != 0) {
            add_folded(s, s->sums, to->row_bytes, to->first, to->end, t1, at.g1);
        }
        if (to->six != 0 && !undone) {
            make_g2(s, &at, FROM_DIAGONAL, 0);
            add_products(s, (target){sums_6, to->first, to->end, 0, s->o2, to->row_bytes, s->bytes}, t1, at.g2, s->o2);
        }
        if (to->six != 0) {
            /* Transposed: column k of T2 with columns [first, end) of g1 or q2. */
            const uint8_t *rows = undone ? at.q2 : at.g1;
            add_products(s, (target){sums_6, 0, s->o2, to->first, to->end, s->bytes, to->row_bytes}, t2, rows, s->o1);
        }
    }
}

/* What the old blocks 5 and 6 add to them. */
static void add_o1(const mb_slabs *s, const o1_sums *to)
{
    slab at = begin_slab(s);
    at.first = to->first;
    while (next_slab(&at, to->end)) {
        uint8_t *sums = s->sums + (at.first - to->first) * to->row_bytes;
        const int has_5 = s->load(s->context, at.square, 5, 0, 1);
        if (has_5) {
            load_upper(s, &at, 5, s->o1);
        }
        for (size_t r = 0; r < at.count && to->five != 0 && has_5; r++) {
            const size_t j = at.first + r;
            add_vectors(sums + r * to->row_bytes + (j - to->first) * s->bytes, at.square + (r * s->o1 + j) * s->bytes,
                        (s->o1 - j) * s->bytes);
        }
        if (to->six == 0) {
            continue;
        }
        if (has_5) {
            load_lower(s, &at, 5, s->o1);
        }
        load(s, at.g2, 6, at.first * s->o2, at.count * s->o2);
        if (has_5) {
            add_rows_times(s, at.g2, at.square, whole(s->t3, s->o1, s->o2), BUT_DIAGONAL, at.first, at.count);
        }
        for (size_t r = 0; r < at.count; r++) {
            add_vectors(sums + r * to->row_bytes + to->five * s->bytes, at.g2 + r * s->o2 * s->bytes, s->o2 * s->bytes);
        }
    }
}

/* How many rows from `first` on fit that have `fixed` vectors each, and `to_the_end` less one for each row before `first`. */
static size_t rows_that_fit(const mb_slabs *s, size_t fixed, size_t to_the_end, size_t first, size_t rows)
{
    const size_t len = fixed + (to_the_end == 0 ? 0 : to_the_end - first);
    const size_t fit = s->sums_bytes / (len * s->bytes), left = rows - first;
    return fit < left ? fit : left;
}

static void walk_o1_rows(const mb_slabs *s, unsigned blocks, int undone)
{
    const size_t six = (blocks & MB_SLABS_BLOCK(6)) != 0 ? s->o2 : 0;
    const int want_5 = (blocks & MB_SLABS_BLOCK(5)) != 0;
    o1_sums to = {0};
    for (to.first = 0; to.first < s->o1; to.first = to.end) {
        to.five = want_5 ? s->o1 - to.first : 0;
        to.six = six;
        to.row_bytes = (to.five + to.six) * s->bytes;
        to.end = to.first + rows_that_fit(s, six, want_5 ? s->o1 : 0, to.first, s->o1);
        memset(s->sums, 0, (to.end - to.first) * to.row_bytes);
        add_vinegars(s, &to, undone);
        add_o1(s, &to);
        for (size_t j = to.first; j < to.end; j++) {
            uint8_t *row = s->sums + (j - to.first) * to.row_bytes;
            if (want_5) {
                s->emit(s->context, 5, j, row + (j - to.first) * s->bytes, s->o1 - j);
            }
            if (six != 0) {
                s->emit(s->context, 6, j, row + to.five * s->bytes, six);
            }
        }
    }
}

void mb_slabs_o1_rows(const mb_slabs *s, unsigned blocks)
{
    walk_o1_rows(s, blocks, 0);
}

void mb_slabs_o1_rows_undone(const mb_slabs *s)
{
    walk_o1_rows(s, MB_SLABS_BLOCK(6), 1);
}

size_t mb_slabs_o2_rows_at_once(const mb_slabs *s, size_t first)
{
    return rows_that_fit(s, 0, s->o2, first, s->o2);
}

void mb_slabs_o2_sums(const mb_slabs *s, size_t first, size_t count)
{
    const size_t row_bytes = (s->o2 - first) * s->bytes, end = first + count;
    slab at = begin_slab(s);
    memset(s->sums, 0, count * row_bytes);
    while (next_slab(&at, s->v)) {
        load_vinegar_rows(s, &at);
        make_g2(s, &at, FROM_DIAGONAL, first);
        add_folded(s, s->sums, row_bytes, first, end, part(s->t2, s->v, s->o2, &at), at.g2);
    }
    at = begin_slab(s);
    while (next_slab(&at, s->o1)) {
        load_upper(s, &at, 5, s->o1);
        load(s, at.g2, 6, at.first * s->o2, at.count * s->o2);
        add_rows_times(s, at.g2, at.square, from_column(first, whole(s->t3, s->o1, s->o2)), FROM_DIAGONAL, at.first, at.count);
        add_folded(s, s->sums, row_bytes, first, end, part(s->t3, s->o1, s->o2, &at), at.g2);
    }
}

void mb_slabs_o2_rows(const mb_slabs *s)
{
    size_t count;
    for (size_t first = 0; first < s->o2; first += count) {
        count = mb_slabs_o2_rows_at_once(s, first);
        mb_slabs_o2_sums(s, first, count);
        for (size_t r = 0; r < count; r++) {
            s->emit(s->context, 9, first + r, s->sums + ((s->o2 - first) * r + r) * s->bytes, s->o2 - first - r);
        }
    }
}
