/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The change of variables by rows; see slabs.h for the formulas. */
#include "quadratic/slabs.h"

#include <string.h>

/* Columns of T are prepared together, as many as this holds but at least one. Of the memory for rows this many are for rows of
 * the old map, if there is as much for those of g1 and g2: sums over many of these are quicker. */
enum { PREPARED_BYTES = 2560, OLD_ROWS = 4 };

static size_t longest(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Vectors in memory for a row of the old map: of q1 or q5, and of q2. */
static size_t old_len(const mb_slabs *s)
{
    return longest(s->v, s->o1) + s->o1;
}

void mb_slabs_take(mb_slabs *slabs, mb_arena *arena, size_t bytes_most, size_t rows_bytes, size_t sums_bytes)
{
    const size_t column_bytes = mb_workspace_prepared_bytes(slabs->work, longest(slabs->v, slabs->o1));
    const size_t least_rows = slabs->work->field->bits == 4 ? 2 : 1; /* see `columns` */
    slabs->rows_bytes = longest(rows_bytes, least_rows * (old_len(slabs) + slabs->o1 + slabs->o2) * bytes_most);
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

/* Rows from `first` on of the upper triangle of n variables, one after the other. */
typedef struct triangle_sums {
    uint8_t *sums;
    size_t n, first, end;
} triangle_sums;

static uint8_t *sum_at(const mb_slabs *s, const triangle_sums *to, size_t j, size_t k)
{
    return to->sums + (mb_triangle_index(to->n, j, k) - mb_triangle_index(to->n, to->first, to->first)) * s->bytes;
}

/* These rows ^= UT(Tᵗ·g): element (j, k), j ≤ k, gains T[·, j]ᵗ·g[·, k] and, off the diagonal, T[·, k]ᵗ·g[·, j]. */
static void add_folded(const mb_slabs *s, const triangle_sums *to, columns of, const uint8_t *g)
{
    const mb_workspace *work = s->work;
    const size_t stride = to->n * s->bytes, column_bytes = mb_workspace_prepared_bytes(work, of.count);
    size_t together;
    for (size_t a = to->first; a < to->n; a += together) {
        together = prepare(s, of, a);
        /* The prepared columns as j. */
        for (size_t j = a; j < a + together && j < to->end; j++) {
            for (size_t k = j; k < to->n; k++) {
                work->multiplier->combine(work->field, sum_at(s, to, j, k), s->bytes, g + k * s->bytes, stride,
                                          s->prepared + (j - a) * column_bytes, of.count);
            }
        }
        /* The same columns as k. */
        for (size_t j = to->first; j < to->end && j + 1 < a + together; j++) {
            const size_t k = j + 1 > a ? j + 1 : a;
            work->multiplier->combine_many(work->field, sum_at(s, to, j, k), s->bytes, a + together - k, s->bytes,
                                           g + j * s->bytes, stride, s->prepared + (k - a) * column_bytes, of.count, of.count);
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

/* Some rows of it, and of what is made of them. */
typedef struct slab {
    size_t first, count, limit;       /* rows of the old map; most that the memory holds */
    uint8_t *square;                  /* of q1 or q5, from the diagonal on or whole */
    uint8_t *q2;
    size_t g_first, g_count, g_limit; /* rows of g1 and g2, those above among them */
    uint8_t *g1, *g2;
} slab;

/* Even, so that a slab's rows of T begin with a byte; see `columns`. */
static size_t even(size_t n)
{
    return n < 2 ? n : n / 2 * 2;
}

/* The slab that begins a walk for which g1 and g2 have `g_len` vectors together: those of g2 are the last o2 of them, or there are
 * none of it. */
static slab begin_slab(const mb_slabs *s, size_t g_len)
{
    slab at = {0};
    const size_t vectors = s->rows_bytes / s->bytes;
    const size_t both = even(vectors / (old_len(s) + g_len));
    at.limit = both < OLD_ROWS ? both : OLD_ROWS;
    at.g_limit = even((vectors - at.limit * old_len(s)) / g_len);
    at.square = s->rows;
    at.q2 = at.square + at.limit * longest(s->v, s->o1) * s->bytes;
    at.g1 = at.q2 + at.limit * s->o1 * s->bytes;
    at.g2 = at.g1 + (g_len < s->o2 ? 0 : at.g_limit * (g_len - s->o2) * s->bytes);
    return at;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Goes on to the next rows of g1 and g2, of `rows`; 0 when there are none. */
static int next_g(slab *at, size_t rows)
{
    at->g_first += at->g_count;
    at->g_count = smaller(rows - at->g_first, at->g_limit);
    at->first = at->g_first;
    at->count = 0;
    return at->g_count != 0;
}

/* Goes on to the next rows of the old map among these; 0 when there are none. */
static int next_slab(slab *at)
{
    at->first += at->count;
    at->count = smaller(at->g_first + at->g_count - at->first, at->limit);
    return at->count != 0;
}

/* Where the slab's own rows of g1 and g2 are. */
static uint8_t *own_g1(const mb_slabs *s, const slab *at)
{
    return at->g1 + (at->first - at->g_first) * s->o1 * s->bytes;
}

static uint8_t *own_g2(const mb_slabs *s, const slab *at)
{
    return at->g2 + (at->first - at->g_first) * s->o2 * s->bytes;
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
        load(s, own_g1(s, at), block, mb_triangle_index(n, k, from), end - from); /* whose memory is free so far */
        for (size_t i = from; i < end; i++) {
            memcpy(at->square + ((i - at->first) * n + k) * s->bytes, own_g1(s, at) + (i - from) * s->bytes, s->bytes);
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

/* The rows of T that belong to rows of g1 and g2. */
static columns part(const uint8_t *t, size_t height, size_t len, const slab *at)
{
    return (columns){t, height, len, at->g_first, at->g_count, 0};
}

/* g2 = the rows' q3, plus q2·T3, plus q1·T2 with those vectors of q1 that are asked for; correct from column `begin` on. */
static void make_g2(const mb_slabs *s, const slab *at, extent which, size_t begin)
{
    load(s, own_g2(s, at), 3, at->first * s->o2, at->count * s->o2);
    add_rows_times(s, own_g2(s, at), at->square, from_column(begin, whole(s->t2, s->v, s->o2)), which, at->first, at->count);
    add_rows_times(s, own_g2(s, at), at->q2, from_column(begin, whole(s->t3, s->o1, s->o2)), ALL, 0, at->count);
}

/* g1 = q2 + q1·T1, likewise. */
static void make_g1(const mb_slabs *s, const slab *at, extent which, size_t begin)
{
    memcpy(own_g1(s, at), at->q2, at->count * s->o1 * s->bytes);
    add_rows_times(s, own_g1(s, at), at->square, from_column(begin, whole(s->t1, s->v, s->o1)), which, at->first, at->count);
}

static void load_vinegar_rows(const mb_slabs *s, const slab *at)
{
    load_upper(s, at, 1, s->v);
    load(s, at->q2, 2, at->first * s->o1, at->count * s->o1);
}

/* ---- Rows of the new map ----------------------------------------------------------------------- */

static void emit_vinegar_rows(const mb_slabs *s, const slab *at, unsigned blocks)
{
    for (size_t r = 0; r < at->count; r++) {
        const size_t i = at->first + r;
        if ((blocks & MB_SLABS_BLOCK(1)) != 0) {
            s->emit(s->context, 1, i, at->square + (r * s->v + i) * s->bytes, s->v - i);
        }
        if ((blocks & MB_SLABS_BLOCK(2)) != 0) {
            s->emit(s->context, 2, i, own_g1(s, at) + r * s->o1 * s->bytes, s->o1);
        }
        if ((blocks & MB_SLABS_BLOCK(3)) != 0) {
            s->emit(s->context, 3, i, own_g2(s, at) + r * s->o2 * s->bytes, s->o2);
        }
    }
}

/* Where `sums_6` is not NULL, `blocks` is block 3 alone, and T1ᵗ·(the new block 3) is added there. */
static void walk_vinegar_rows(const mb_slabs *s, unsigned blocks, uint8_t *sums_6)
{
    slab at = begin_slab(s, s->o1 + s->o2);
    while (next_g(&at, s->v)) {
        while (next_slab(&at)) {
            load_vinegar_rows(s, &at);
            load_lower(s, &at, 1, s->v);
            if ((blocks & MB_SLABS_BLOCK(2)) != 0) {
                make_g1(s, &at, BUT_DIAGONAL, 0);
            }
            if ((blocks & MB_SLABS_BLOCK(3)) != 0) {
                make_g2(s, &at, BUT_DIAGONAL, 0);
            }
            if (sums_6 == NULL) {
                emit_vinegar_rows(s, &at, blocks);
            }
        }
        if (sums_6 != NULL) {
            add_products(s, (target){sums_6, 0, s->o1, 0, s->o2, s->o2 * s->bytes, s->bytes}, part(s->t1, s->v, s->o1, &at),
                         at.g2, s->o2);
            for (size_t r = 0; r < at.g_count; r++) {
                s->emit(s->context, 3, at.g_first + r, at.g2 + r * s->o2 * s->bytes, s->o2);
            }
        }
    }
}

void mb_slabs_vinegar_rows(const mb_slabs *s, unsigned blocks)
{
    walk_vinegar_rows(s, blocks, NULL);
}

/* Rows [first, end) of the blocks 5 and 6 in s->sums: first those of block 5, if they are wanted, then those of block 6. */
typedef struct o1_sums {
    triangle_sums five;
    int want_5, want_6;
    uint8_t *six;
} o1_sums;

static uint8_t *row_6(const mb_slabs *s, const o1_sums *to, size_t j)
{
    return to->six + (j - to->five.first) * s->o2 * s->bytes;
}

/* What the vinegars add to them. */
static void add_vinegars(const mb_slabs *s, const o1_sums *to, int undone)
{
    const size_t first = to->five.first, end = to->five.end, row_bytes = s->o2 * s->bytes;
    const int need_g2 = to->want_6 && !undone;
    slab at = begin_slab(s, need_g2 ? s->o1 + s->o2 : s->o1);
    while (next_g(&at, s->v)) {
        const columns t1 = part(s->t1, s->v, s->o1, &at), t2 = part(s->t2, s->v, s->o2, &at);
        while (next_slab(&at)) {
            if (undone) { /* q2 in g1's place */
                load(s, own_g1(s, &at), 2, at.first * s->o1, at.count * s->o1);
                continue;
            }
            load_vinegar_rows(s, &at);
            make_g1(s, &at, FROM_DIAGONAL, first);
            if (need_g2) {
                make_g2(s, &at, FROM_DIAGONAL, 0);
            }
        }
        if (to->want_5) {
            add_folded(s, &to->five, t1, at.g1);
        }
        if (need_g2) {
            add_products(s, (target){to->six, first, end, 0, s->o2, row_bytes, s->bytes}, t1, at.g2, s->o2);
        }
        if (to->want_6) {
            /* Transposed: column k of T2 with columns [first, end) of g1. */
            add_products(s, (target){to->six, 0, s->o2, first, end, s->bytes, row_bytes}, t2, at.g1, s->o1);
        }
    }
}

/* What the old blocks 5 and 6 add to the slab's rows. */
static void add_o1_slab(const mb_slabs *s, const o1_sums *to, const slab *at)
{
    uint8_t *six = own_g2(s, at);
    const int has_5 = s->load(s->context, at->square, 5, 0, 1);
    if (has_5) {
        load_upper(s, at, 5, s->o1);
    }
    for (size_t r = 0; r < at->count && to->want_5 && has_5; r++) {
        const size_t j = at->first + r;
        add_vectors(sum_at(s, &to->five, j, j), at->square + (r * s->o1 + j) * s->bytes, (s->o1 - j) * s->bytes);
    }
    if (!to->want_6) {
        return;
    }
    load(s, six, 6, at->first * s->o2, at->count * s->o2);
    if (has_5) {
        load_lower(s, at, 5, s->o1);
        add_rows_times(s, six, at->square, whole(s->t3, s->o1, s->o2), BUT_DIAGONAL, at->first, at->count);
    }
    add_vectors(row_6(s, to, at->first), six, at->count * s->o2 * s->bytes);
}

static void add_o1(const mb_slabs *s, const o1_sums *to)
{
    slab at = begin_slab(s, s->o1 + s->o2);
    at.g_first = to->five.first;
    while (next_g(&at, to->five.end)) {
        while (next_slab(&at)) {
            add_o1_slab(s, to, &at);
        }
    }
}

/* How many of `rows` rows from `first` on fit that have `fixed` vectors each, and `rows` - j if they are those of a triangle. */
static size_t rows_that_fit(const mb_slabs *s, size_t fixed, int triangle, size_t first, size_t rows)
{
    size_t end = first, left = s->sums_bytes / s->bytes;
    while (end < rows && fixed + (triangle ? rows - end : 0) <= left) {
        left -= fixed + (triangle ? rows - end : 0);
        end++;
    }
    return end - first;
}

int mb_slabs_blocks_3_5_6(const mb_slabs *s)
{
    const size_t six_bytes = s->o1 * s->o2 * s->bytes;
    const o1_sums to = {{NULL, s->o1, 0, s->o1}, 0, 1, s->sums};
    mb_slabs fives = *s;
    if (s->sums_bytes < six_bytes + s->o1 * (s->o1 + 1) / 2 * s->bytes) {
        return 0;
    }
    memset(s->sums, 0, six_bytes);
    walk_vinegar_rows(s, MB_SLABS_BLOCK(3), s->sums);
    fives.sums += six_bytes;
    fives.sums_bytes -= six_bytes;
    mb_slabs_o1_rows(&fives, MB_SLABS_BLOCK(5));
    /* T1ᵗ·(new block 3) holds what T1ᵗ·g2 + g1ᵗ·T2 does but q2ᵗ·T2. */
    add_vinegars(s, &to, 1);
    add_o1(s, &to);
    for (size_t j = 0; j < s->o1; j++) {
        s->emit(s->context, 6, j, row_6(s, &to, j), s->o2);
    }
    return 1;
}

static void walk_o1_rows(const mb_slabs *s, unsigned blocks, int undone)
{
    o1_sums to = {{s->sums, s->o1, 0, 0}, (blocks & MB_SLABS_BLOCK(5)) != 0, (blocks & MB_SLABS_BLOCK(6)) != 0, NULL};
    for (; to.five.first < s->o1; to.five.first = to.five.end) {
        const size_t first = to.five.first;
        const size_t end = first + rows_that_fit(s, to.want_6 ? s->o2 : 0, to.want_5, first, s->o1);
        to.five.end = end;
        to.six = to.want_5 ? s->sums + (mb_triangle_index(s->o1, end, end) - mb_triangle_index(s->o1, first, first)) * s->bytes
                           : s->sums;
        memset(s->sums, 0, (size_t)(to.six - s->sums) + (to.want_6 ? (end - first) * s->o2 * s->bytes : 0));
        add_vinegars(s, &to, undone);
        add_o1(s, &to);
        for (size_t j = first; j < end; j++) {
            if (to.want_5) {
                s->emit(s->context, 5, j, sum_at(s, &to.five, j, j), s->o1 - j);
            }
            if (to.want_6) {
                s->emit(s->context, 6, j, row_6(s, &to, j), s->o2);
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
    return rows_that_fit(s, 0, 1, first, s->o2);
}

void mb_slabs_o2_sums(const mb_slabs *s, size_t first, size_t count)
{
    const triangle_sums to = {s->sums, s->o2, first, first + count};
    slab at = begin_slab(s, s->o2);
    memset(s->sums, 0, (mb_triangle_index(s->o2, to.end, to.end) - mb_triangle_index(s->o2, first, first)) * s->bytes);
    while (next_g(&at, s->v)) {
        while (next_slab(&at)) {
            load_vinegar_rows(s, &at);
            make_g2(s, &at, FROM_DIAGONAL, first);
        }
        add_folded(s, &to, part(s->t2, s->v, s->o2, &at), at.g2);
    }
    at = begin_slab(s, s->o2);
    while (next_g(&at, s->o1)) {
        while (next_slab(&at)) {
            load_upper(s, &at, 5, s->o1);
            load(s, own_g2(s, &at), 6, at.first * s->o2, at.count * s->o2);
            add_rows_times(s, own_g2(s, &at), at.square, from_column(first, whole(s->t3, s->o1, s->o2)), FROM_DIAGONAL,
                           at.first, at.count);
        }
        add_folded(s, &to, part(s->t3, s->o1, s->o2, &at), at.g2);
    }
}

void mb_slabs_o2_rows(const mb_slabs *s)
{
    size_t count;
    for (size_t first = 0; first < s->o2; first += count) {
        uint8_t *row = s->sums;
        count = mb_slabs_o2_rows_at_once(s, first);
        mb_slabs_o2_sums(s, first, count);
        for (size_t j = first; j < first + count; j++) {
            s->emit(s->context, 9, j, row, s->o2 - j);
            row += (s->o2 - j) * s->bytes;
        }
    }
}
