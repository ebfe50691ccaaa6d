/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Public maps for processors with GFNI and AVX-512 (gfni_avx512.h): the products x_i·x_j of a stretch of monomials are prepared
 * like any scalars, and the multiplier does the rest. A stretch goes on from row to row, so no loop is as short as a row.
 * Vectors of common lengths go four rows at a time (gfni_avx512_rows.h), as long as there are so many. */
#include "linear/x86/gfni_avx512_rows.h"
#include "platform/arena.h"

#include <string.h>

/* Monomials at a time. In small mode gfni_avx2.c, which goes row by row, takes this one's place. */
enum { STRETCH = 512 };

/* Which vectors `total` is of: of so many bytes, which concern the value from `first` on. */
typedef struct concern {
    size_t first, bytes;
} concern;

typedef struct layout {
    concern *concern;
    uint8_t *total;      /* of rows that went by fours */
    uint8_t *x;          /* n elements, one a byte, and room to read on */
    uint8_t *x_prepared;
    uint8_t *products;   /* a stretch, and room to write on */
    uint8_t *prepared;   /* a stretch */
    uint8_t *sum;
} layout;

static layout lay_out(const mb_gathering *g, mb_arena *arena)
{
    layout at;
    at.concern = mb_arena_take(arena, sizeof *at.concern);
    at.total = mb_arena_take(arena, TOTAL_BYTES);
    at.prepared = mb_arena_take(arena, STRETCH * PREPARED_BYTES);
    at.x_prepared = mb_arena_take(arena, g->n * PREPARED_BYTES);
    at.x = mb_arena_take(arena, g->n + REGISTER);
    at.products = mb_arena_take(arena, STRETCH + REGISTER);
    at.sum = mb_arena_take(arena, g->width);
    return at;
}

static layout find(const mb_gathering *g)
{
    MB_ASSUME(g->memory != NULL); /* else nothing is evaluated */
    mb_arena arena = {g->memory, 0};
    return lay_out(g, &arena);
}

static size_t memory_bytes(const mb_gathering *g)
{
    mb_arena arena = {NULL, 0};
    lay_out(g, &arena);
    return arena.used;
}

static void begin_vartime(const mb_gathering *g, const uint8_t *x)
{
    const layout at = find(g);
    memcpy(at.x, x, g->n);
    memset(at.x + g->n, 0, REGISTER);
    memset(at.sum, 0, g->width);
    memset(at.total, 0, TOTAL_BYTES);
    *at.concern = (concern){0, 0};
    mb_gfni_avx512_prepare(g->field, at.x_prepared, x, g->n);
}

/* x_i·x_{j + c} for c < count, and up to a register more is written. */
static void multiply_row(const layout *at, uint8_t *products, size_t i, size_t j, size_t count)
{
    const __m512i x_i = matrix_at(at->x_prepared + i * PREPARED_BYTES);
    for (size_t c = 0; c < count; c += REGISTER) {
        _mm512_storeu_si512(products + c, times(_mm512_loadu_si512(at->x + j + c), x_i));
    }
}

static void add_stretch(const mb_gathering *g, const layout *at, size_t first, size_t bytes, const uint8_t *vectors,
                        size_t count)
{
    mb_gfni_avx512_prepare(g->field, at->prepared, at->products, count);
    mb_gfni_avx512_combine(g->field, at->sum + first, bytes, vectors, bytes, at->prepared, count);
}

/* Adds what has come of this concern to the sum. */
static void settle(const layout *at)
{
    if (at->concern->bytes != 0) {
        add_total(at->sum + at->concern->first, at->concern->bytes, at->total);
        memset(at->total, 0, TOTAL_BYTES);
    }
}

/* As many rows as go by fours; returns the number of their vectors. */
static size_t gather_fours(const layout *at, size_t first, size_t bytes, const uint8_t *vectors, const mb_monomials *monomials)
{
    const some_points p = {at->x_prepared, &at->total};
    if (monomials->rows < FOUR || !goes_by_fours(bytes)) {
        return 0;
    }
    if (at->concern->first != first || at->concern->bytes != bytes) {
        settle(at);
        *at->concern = (concern){first, bytes};
    }
#define CASE(length) \
    case length: \
        return add_fours(&p, 1, length, vectors, monomials)
    switch (bytes) { /* as in goes_by_fours */
        CASE(16);
        CASE(32);
        CASE(36);
        CASE(44);
        CASE(48);
        CASE(64);
        CASE(72);
        CASE(80);
        CASE(96);
        CASE(100);
    default:
        return 0;
    }
#undef CASE
}

static void gather_vartime(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors,
                           const mb_monomials *monomials)
{
    const layout at = find(g);
    size_t waiting = 0, gone = gather_fours(&at, first, bytes, vectors, monomials);
    vectors += gone * bytes;
    for (size_t row = gone == 0 ? 0 : monomials->rows / FOUR * FOUR; row < monomials->rows; row++) {
        size_t count;
        for (size_t j = monomials->j + row * monomials->shrink; j < monomials->end; j += count) {
            const size_t left = monomials->end - j;
            count = left < STRETCH - waiting ? left : STRETCH - waiting;
            multiply_row(&at, at.products + waiting, monomials->i + row, j, count);
            waiting += count;
            if (waiting == STRETCH) {
                add_stretch(g, &at, first, bytes, vectors, waiting);
                vectors += waiting * bytes;
                waiting = 0;
            }
        }
    }
    add_stretch(g, &at, first, bytes, vectors, waiting);
}

static void collect_vartime(const mb_gathering *g, uint8_t *out)
{
    const layout at = find(g);
    settle(&at);
    memcpy(out, at.sum, g->width);
}

const mb_gatherer mb_gfni_avx512_gatherer = {"gfni-avx512", FOUR, memory_bytes, begin_vartime, gather_vartime,
                                             collect_vartime, mb_gfni_avx512_many_bytes};
