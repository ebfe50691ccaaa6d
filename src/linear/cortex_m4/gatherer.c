/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification's inner loop over GF(16) on Cortex-M4: vectors go into buckets by their scalar, one for each power of a primitive
 * element, which are weighed at the end. gatherer_small.c needs less memory. Variable time: public data only. */
#include "field/word.h"
#include "linear/cortex_m4/cortex_m4.h"
#include "linear/cortex_m4/gatherer.h"
#include "linear/cortex_m4/words.h"
#include "platform/arena.h"

#include <string.h>

enum { POWERS = 15, CLASS_VECTOR_BYTES = 32 };

/* Fewer rows than this are not worth sorting. */
enum { CLASS_ROWS_LEAST = 16 };

typedef struct state {
    const uint8_t *x;
    uint8_t power[POWERS + 1]; /* of a primitive element, which `mb_m4_times_primitive` multiplies by */
    uint8_t logarithm[16];     /* POWERS for 0 */
} state;

typedef struct layout {
    state *state;
    size_t stride; /* of the buckets */
    uint8_t *buckets;
    /* For many rows: all variables by their value. */
    mb_m4_class *classes;
    mb_m4_row *rows;
    uint32_t *columns;
} layout;

/* gather_classes.S serves these. */
static int has_classes(const mb_gathering *g)
{
    return g->width == CLASS_VECTOR_BYTES;
}

static layout lay_out(const mb_gathering *g, mb_arena *arena)
{
    layout at = {0};
    at.stride = (g->width + 7) / 8 * 8;
    at.state = mb_arena_take(arena, sizeof(state));
    at.buckets = mb_arena_take(arena, POWERS * at.stride);
    if (has_classes(g)) {
        at.classes = mb_arena_take(arena, POWERS * sizeof *at.classes);
        at.rows = mb_arena_take(arena, (g->n + POWERS) * sizeof *at.rows);
        at.columns = mb_arena_take(arena, (g->n + MB_M4_COLUMNS_MOST) * sizeof *at.columns);
    }
    return at;
}

static layout find(const mb_gathering *g)
{
    mb_arena arena = {g->memory, 0};
    return lay_out(g, &arena);
}

static size_t memory_bytes(const mb_gathering *g)
{
    mb_arena arena = {NULL, 0};
    lay_out(g, &arena);
    return arena.used;
}

static void take_logarithms(const mb_field *field, state *s)
{
    uint32_t power = 1;
    s->logarithm[0] = POWERS; /* no power */
    for (unsigned i = 0; i < POWERS; i++) {
        s->power[i] = (uint8_t)power;
        s->logarithm[power] = (uint8_t)i;
        power = mb_m4_times_primitive(*field, power);
    }
}

static void begin(const mb_gathering *g, const uint8_t *x)
{
    const layout at = find(g);
    take_logarithms(g->field, at.state);
    at.state->x = x;
    memset(at.buckets, 0, POWERS * at.stride);
}

static int aligned(const uint8_t *at, size_t bytes, size_t unit)
{
    return (uintptr_t)at % 4 == 0 && bytes % unit == 0;
}

/* The buckets that the elements of the row stand for. */
static void gather_row(const layout *at, size_t first, size_t bytes, const uint8_t *vectors, uint8_t x_i,
                          const uint8_t *x, size_t count)
{
    uint8_t *bucket[16] = {NULL};
    unsigned sum = at->state->logarithm[x_i];
    for (unsigned i = 0; i < POWERS; i++) {
        bucket[at->state->power[i]] = at->buckets + sum * at->stride + first;
        sum = sum == POWERS - 1 ? 0 : sum + 1;
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

/* How many of the `count` variables from `first` on each class has; returns the most. */
static unsigned count_classes(const state *s, size_t first, size_t count, uint8_t lens[POWERS + 1])
{
    const uint8_t *x = s->x + first;
    unsigned most = 0;
    memset(lens, 0, POWERS + 1);
    for (size_t i = 0; i < count; i++) {
        lens[s->logarithm[x[i]]]++; /* 0 counts as one class more */
    }
    for (unsigned u = 0; u < POWERS; u++) {
        most = lens[u] > most ? lens[u] : most;
    }
    return most;
}

/* How gather_classes.S finds the code for so many vectors, one more than `entry` says. */
static int8_t one_more(int8_t entry)
{
    return (int8_t)(entry == 0 ? -5 : entry - 3);
}

/* A place for each class, and what the next row sees of the columns. */
typedef struct filling {
    mb_m4_row *row[POWERS];
    uint32_t *column[POWERS];
    mb_m4_row seen;
} filling;

static inline void add_column(filling *f, unsigned w, size_t j)
{
    *f->column[w]++ = (uint32_t)(CLASS_VECTOR_BYTES * j);
    f->seen.entry[w] = one_more(f->seen.entry[w]);
}

/* The row's vector in column 0 would lie at `base`. */
static inline void add_row(filling *f, unsigned u, uintptr_t base)
{
    f->seen.base = base;
    *--f->row[u] = f->seen;
}

static void begin_classes(const layout *at, filling *f, const uint8_t rows[POWERS], const uint8_t columns[POWERS])
{
    mb_m4_row *row = at->rows;
    uint32_t *column = at->columns;
    memset(&f->seen, 0, sizeof f->seen);
    for (unsigned u = 0; u < POWERS; u++) {
        at->classes[u] = (mb_m4_class){row, column, columns[u]};
        f->column[u] = column;
        f->row[u] = row + rows[u];
        *f->row[u] = f->seen; /* after the last row of the class: one without columns */
        row += rows[u] + 1u;
        column += columns[u];
    }
}

/* Whether rows and columns are of the same variables. */
static int is_square(const mb_monomials *m)
{
    return m->i == m->j && m->rows == m->end - m->j && m->shrink == 1;
}

/* From the last row to the first, as each sees the columns at or after it; `end` is the end of the vectors. */
static void fill_classes(filling *f, const state *s, const mb_monomials *m, uintptr_t end)
{
    for (size_t r = m->rows, j = m->end; r-- > 0;) {
        const size_t start = m->j + r * m->shrink;
        const unsigned u = s->logarithm[s->x[m->i + r]];
        for (; j > start; j--) {
            const unsigned w = s->logarithm[s->x[j - 1]];
            if (w != POWERS) {
                add_column(f, w, j - 1);
            }
        }
        end -= CLASS_VECTOR_BYTES * (m->end - start);
        if (u != POWERS) {
            add_row(f, u, end - CLASS_VECTOR_BYTES * start);
        }
    }
}

/* The same for a square one. */
static void fill_square(filling *f, const state *s, const mb_monomials *m, uintptr_t end)
{
    uintptr_t base = end - CLASS_VECTOR_BYTES * m->end;
    for (size_t j = m->end; j-- > m->j;) {
        const unsigned u = s->logarithm[s->x[j]];
        if (u != POWERS) {
            add_column(f, u, j);
            add_row(f, u, base);
        }
        base -= CLASS_VECTOR_BYTES * (m->end - j);
    }
}

/* Many rows at once, if there is a way for these; returns 0, or -1 with nothing done. */
static int gather_by_classes(const mb_gathering *g, const layout *at, size_t first, size_t bytes, const uint8_t *vectors,
                             const mb_monomials *monomials)
{
    const size_t vectors_len = monomials->rows * (monomials->end - monomials->j) -
                               monomials->shrink * (monomials->rows * (monomials->rows - 1) / 2);
    const uintptr_t end = (uintptr_t)vectors + CLASS_VECTOR_BYTES * vectors_len;
    uint8_t rows[POWERS + 1], columns[POWERS + 1];
    filling f;
    if (!has_classes(g) || monomials->rows < CLASS_ROWS_LEAST || first != 0 ||
        !aligned(vectors, bytes, CLASS_VECTOR_BYTES) || g->n > UINT8_MAX ||
        count_classes(at->state, monomials->j, monomials->end - monomials->j, columns) > MB_M4_COLUMNS_MOST) {
        return -1;
    }
    if (is_square(monomials)) {
        begin_classes(at, &f, columns, columns);
        fill_square(&f, at->state, monomials, end);
    } else {
        count_classes(at->state, monomials->i, monomials->rows, rows);
        begin_classes(at, &f, rows, columns);
        fill_classes(&f, at->state, monomials, end);
    }
    mb_m4_gather_classes_vartime(at->classes, at->buckets);
    return 0;
}

static void gather(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, const mb_monomials *monomials)
{
    const layout at = find(g);
    if (gather_by_classes(g, &at, first, bytes, vectors, monomials) == 0) {
        return;
    }
    for (size_t row = 0; row < monomials->rows; row++) {
        const size_t j = monomials->j + row * monomials->shrink, count = monomials->end - j;
        const uint8_t x_i = at.state->x[monomials->i + row];
        if (x_i != 0) {
            gather_row(&at, first, bytes, vectors, x_i, at.state->x + j, count);
        }
        vectors += count * bytes;
    }
}

/* By Horner's rule from the bucket of the highest power on. */
static MB_ALWAYS_INLINE uint32_t weigh_powers(mb_field field, const uint8_t *bucket, size_t stride)
{
    uint32_t sum = 0;
    bucket += POWERS * stride;
    for (unsigned b = 0; b < POWERS; b++) {
        bucket -= stride;
        sum = mb_m4_times_primitive(field, sum) ^ mb_m4_load(bucket);
    }
    return sum;
}

/* 8 bytes of the sum. */
static uint64_t collect_powers(const mb_field *field, const uint8_t *bucket, size_t stride)
{
    if (field->basis == MB_BASIS_TOWER) {
        const mb_field tower = {4, MB_BASIS_TOWER, 0};
        return (uint64_t)weigh_powers(tower, bucket + 4, stride) << 32 | weigh_powers(tower, bucket, stride);
    }
    return (uint64_t)weigh_powers(*field, bucket + 4, stride) << 32 | weigh_powers(*field, bucket, stride);
}

static void collect(const mb_gathering *g, uint8_t *out)
{
    const layout at = find(g);
    mb_m4_collect(g, at.buckets, at.stride, collect_powers, out);
}

const mb_gatherer mb_m4_gatherer_16 = {"cortex-m4", 0, memory_bytes, begin, gather, collect, NULL};
