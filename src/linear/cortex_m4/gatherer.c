/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification's inner loop over GF(16) on Cortex-M4. Where there are many rows, variables are taken by their value, and sums of vectors by the
 * value of their product go to four planes, one for each coordinate in the basis 1, g, g², g³, where g is a primitive element. Other vectors go
 * into a bucket for each power of g. gatherer_small.c needs less memory. Variable time: public data only. */
#include "linear/cortex_m4/cortex_m4.h"
#include "linear/cortex_m4/gatherer.h"
#include "linear/cortex_m4/words.h"
#include "platform/arena.h"

enum { POWERS = 15, PLANES = 4, CLASS_VECTOR_BYTES = 32 };

/* Fewer rows than this are not worth sorting. */
enum { CLASS_ROWS_LEAST = 16 };

typedef struct state {
    const uint8_t *x;
    uint8_t logarithm[16]; /* to the base g; POWERS for 0 */
    size_t stride; /* of planes and buckets */
    uint32_t *planes;
    /* Where rows come one by one. In the same memory, for many rows: all variables by their value. */
    uint8_t *buckets;
    int has_buckets; /* they are in use */
    mb_m4_classes *classes;
    mb_m4_row *rows;
} state;

/* gather_classes.S serves these. */
static int has_classes(const mb_gathering *g)
{
    return g->width == CLASS_VECTOR_BYTES;
}

/* Places everything behind the state itself, which is the arena's first piece. */
static void lay_out(const mb_gathering *g, state *s, mb_arena *arena)
{
    mb_arena_take(arena, sizeof(state));
    s->stride = (g->width + 3) / 4 * 4;
    s->planes = mb_arena_take(arena, PLANES * s->stride);
    if (has_classes(g)) {
        s->classes = mb_arena_take(arena, sizeof *s->classes);
        s->rows = mb_arena_take(arena, (g->n + 1) * sizeof *s->rows);
        s->buckets = (uint8_t *)s->classes;
    } else {
        s->buckets = mb_arena_take(arena, POWERS * s->stride);
    }
}

static size_t memory_bytes(const mb_gathering *g)
{
    mb_arena arena = {NULL, 0};
    state measured;
    lay_out(g, &measured, &arena);
    return arena.used;
}

/* What the compiler is to know where it is this one. */
static const mb_field tower = {4, MB_BASIS_TOWER, 0};

static MB_ALWAYS_INLINE void take_logarithms(const mb_field *field, uint8_t logarithm[16])
{
    uint32_t power = 1;
    logarithm[0] = POWERS; /* no power */
    for (unsigned i = 0; i < POWERS; i++) {
        logarithm[power] = (uint8_t)i;
        power = mb_m4_times_g(*field, power);
    }
}

static void begin(const mb_gathering *g, const uint8_t *x)
{
    mb_arena arena = {g->memory, 0};
    state *const s = g->memory;
    lay_out(g, s, &arena);
    s->x = x;
    s->has_buckets = 0;
    if (g->field->basis == MB_BASIS_TOWER) {
        take_logarithms(&tower, s->logarithm);
    } else {
        take_logarithms(g->field, s->logarithm);
    }
    memset(s->planes, 0, PLANES * s->stride);
}

static int aligned(const uint8_t *at, size_t bytes, size_t unit)
{
    return (uintptr_t)at % 4 == 0 && bytes % unit == 0;
}

/* Their sum, by Horner's rule, is added to the first plane, which is weighed by 1. */
static void close_buckets(const mb_gathering *g, state *s)
{
    for (size_t i = 0; s->has_buckets && i < s->stride; i += 4) {
        uint32_t sum = 0;
        for (size_t b = POWERS; b-- > 0;) {
            sum = mb_m4_times_g(*g->field, sum) ^ mb_m4_load(s->buckets + b * s->stride + i);
        }
        s->planes[i / 4] ^= sum;
    }
    s->has_buckets = 0;
}

static void open_buckets(state *s)
{
    if (!s->has_buckets) {
        memset(s->buckets, 0, POWERS * s->stride);
        s->has_buckets = 1;
    }
}

/* The buckets that the elements of the row stand for. */
static void gather_row(const state *s, size_t first, size_t bytes, const uint8_t *vectors, uint8_t x_i, const uint8_t *x, size_t count)
{
    uint8_t *bucket[16] = {NULL};
    for (unsigned value = 1; value < 16; value++) {
        const unsigned sum = s->logarithm[x_i] + s->logarithm[value];
        bucket[value] = s->buckets + (sum < POWERS ? sum : sum - POWERS) * s->stride + first;
    }
    if (aligned(vectors, bytes, 16) && first % 4 == 0) {
        mb_m4_gather_row_vartime(bucket, vectors, bytes / 16, x, count);
        return;
    }
    for (size_t c = 0; c < count; c++, vectors += bytes) {
        if (x[c] != 0) {
            mb_m4_add_to(bucket[x[c]], vectors, bytes);
        }
    }
}

/* No columns yet, and for each class a row without columns; returns the next one. */
static mb_m4_row *begin_classes(const state *s)
{
    mb_m4_classes *const c = s->classes;
    memset(s->rows, 0, sizeof *s->rows);
    memset(c->entry, 0, sizeof c->entry);
    for (unsigned u = 0; u < POWERS; u++) {
        c->place[u] = (mb_m4_place){s->rows, c->columns[u]};
    }
    c->place[POWERS].rows = NULL;
    return s->rows + 1;
}

/* Returns 0, or -1 when the class is full. An entry is how gather_classes.S finds the code for so many vectors. */
static int add_column(mb_m4_classes *c, unsigned w, size_t j)
{
    const int entry = c->entry[w], none = 0, one = -5, all = -2 - 3 * MB_M4_COLUMNS_MOST;
    if (entry == all) {
        return -1;
    }
    c->entry[w] = (int8_t)(entry == none ? one : entry - 3);
    *c->place[w].column++ = (uint32_t)(CLASS_VECTOR_BYTES * j);
    return 0;
}

/* In column 0 the row's vector would lie at `base`. */
static void add_row(mb_m4_classes *c, mb_m4_row *row, unsigned u, uintptr_t base)
{
    memcpy(row->entry, c->entry, sizeof c->entry);
    row->base = base;
    row->next = c->place[u].rows;
    c->place[u].rows = row;
}

/* From the last row to the first, as each sees the columns at or after it; `end` is the end of the vectors. 0, or -1 where a class is too
 * large. */
static int sort(const state *s, const mb_monomials *m, uintptr_t end)
{
    mb_m4_row *row = begin_classes(s);
    for (size_t r = m->rows, j = m->end; r-- > 0;) {
        const size_t start = m->j + r * m->shrink;
        const unsigned u = s->logarithm[s->x[m->i + r]];
        for (; j > start; j--) {
            const unsigned w = s->logarithm[s->x[j - 1]];
            if (w != POWERS && add_column(s->classes, w, j - 1) != 0) {
                return -1;
            }
        }
        end -= CLASS_VECTOR_BYTES * (m->end - start);
        if (u != POWERS) {
            add_row(s->classes, row++, u, end - CLASS_VECTOR_BYTES * start);
        }
    }
    return 0;
}

/* The same where rows and columns are of the same variables. */
static int sort_square(const state *s, const mb_monomials *m, uintptr_t end)
{
    return mb_m4_sort_square_vartime(s->classes, begin_classes(s), s->x + m->j, m->rows, s->logarithm,
                                     CLASS_VECTOR_BYTES * (m->end - 1), end - CLASS_VECTOR_BYTES * m->end);
}

static int is_square(const mb_monomials *m)
{
    return m->i == m->j && m->rows == m->end - m->j && m->shrink == 1;
}

/* Many rows at once, if there is a way for these; returns 0, or -1 with nothing added. */
static int gather_by_classes(const mb_gathering *g, state *s, size_t first, size_t bytes, const uint8_t *vectors,
                             const mb_monomials *monomials)
{
    const size_t vectors_len = monomials->rows * (monomials->end - monomials->j) -
                               monomials->shrink * (monomials->rows * (monomials->rows - 1) / 2);
    const uintptr_t end = (uintptr_t)vectors + CLASS_VECTOR_BYTES * vectors_len;
    if (!has_classes(g) || monomials->rows < CLASS_ROWS_LEAST || first != 0 || !aligned(vectors, bytes, CLASS_VECTOR_BYTES)) {
        return -1;
    }
    close_buckets(g, s);
    if ((is_square(monomials) ? sort_square : sort)(s, monomials, end) != 0) {
        return -1;
    }
    mb_m4_gather_classes_vartime(s->classes, s->planes);
    return 0;
}

static void gather(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, const mb_monomials *monomials)
{
    state *const s = g->memory;
    if (gather_by_classes(g, s, first, bytes, vectors, monomials) == 0) {
        return;
    }
    open_buckets(s);
    for (size_t row = 0; row < monomials->rows; row++) {
        const size_t j = monomials->j + row * monomials->shrink, count = monomials->end - j;
        const uint8_t x_i = s->x[monomials->i + row];
        if (x_i != 0) {
            gather_row(s, first, bytes, vectors, x_i, s->x + j, count);
        }
        vectors += count * bytes;
    }
}

/* By Horner's rule. */
static MB_ALWAYS_INLINE uint32_t weigh_planes(const mb_field *field, const uint32_t *planes, size_t words)
{
    uint32_t sum = planes[3 * words];
    sum = mb_m4_times_g(*field, sum) ^ planes[2 * words];
    sum = mb_m4_times_g(*field, sum) ^ planes[words];
    return mb_m4_times_g(*field, sum) ^ planes[0];
}

static void collect(const mb_gathering *g, uint8_t *out)
{
    state *const s = g->memory;
    const size_t words = s->stride / 4;
    close_buckets(g, s);
    for (size_t i = 0; i < words; i++) {
        const uint32_t *const planes = s->planes + i;
        s->planes[i] = g->field->basis == MB_BASIS_TOWER ? weigh_planes(&tower, planes, words) : weigh_planes(g->field, planes, words);
    }
    memcpy(out, s->planes, g->width);
}

const mb_gatherer mb_m4_gatherer_16 = {"cortex-m4", 0, memory_bytes, begin, gather, collect, NULL};
