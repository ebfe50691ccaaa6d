/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A public map at several public points (gfni_avx512_rows.h): a register of coefficients is loaded once for some points and
 * multiplied by each one's x_j, which lie side by side; the sum of a row is multiplied by x_i at its end. */
#include "linear/x86/gfni_avx512_rows.h"
#include "platform/arena.h"

#include <string.h>

enum { POINTS_MOST = 8 };

/* So many points at once keep their sums in registers. */
static MB_ALWAYS_INLINE unsigned points_for(size_t bytes)
{
    return bytes < REGISTER ? 8 : 4;
}

/* ---- A point's memory ------------------------------------------------------------------------------ */

/* Which vectors `total` is of: of so many bytes, which concern the value from `first` on. */
typedef struct concern {
    size_t first, bytes;
} concern;

/* Which points' x lie side by side in this one's memory, and in which one's, at which place, this one's does. */
typedef struct group {
    const uint8_t *member[POINTS_MOST];
    unsigned points, place;
    const uint8_t *leader;
} group;

typedef struct point {
    concern *concern;
    group *group;
    uint8_t *sum;   /* of what was before */
    uint8_t *total; /* of vectors of this concern: parts, as gfni_avx512_rows.h has them, or a vector of another length */
    uint8_t *x;     /* prepared */
    uint8_t *side;  /* the prepared x of some points side by side */
} point;

static size_t whole_registers(size_t bytes)
{
    return (bytes + REGISTER - 1) / REGISTER * REGISTER;
}

static size_t total_bytes(const mb_gathering *g)
{
    const size_t value = whole_registers(g->width) + REGISTER;
    return value > TOTAL_BYTES ? value : TOTAL_BYTES;
}

static point lay_out(const mb_gathering *g, mb_arena *arena)
{
    point p;
    p.concern = mb_arena_take(arena, sizeof *p.concern);
    p.group = mb_arena_take(arena, sizeof *p.group);
    p.total = mb_arena_take(arena, total_bytes(g));
    p.side = mb_arena_take(arena, g->n * POINTS_MOST * PREPARED_BYTES);
    p.x = mb_arena_take(arena, g->n * PREPARED_BYTES);
    p.sum = mb_arena_take(arena, g->width);
    return p;
}

static point find(const mb_gathering *g)
{
    MB_ASSUME(g->memory != NULL); /* else nothing is evaluated */
    mb_arena arena = {g->memory, 0};
    return lay_out(g, &arena);
}

size_t mb_gfni_avx512_many_bytes(const mb_gathering *g)
{
    mb_arena arena = {NULL, 0};
    lay_out(g, &arena);
    return arena.used;
}

static void begin_vartime(const mb_gathering *g, const uint8_t *x)
{
    const point p = find(g);
    *p.concern = (concern){0, 0};
    memset(p.group, 0, sizeof *p.group);
    memset(p.sum, 0, g->width);
    mb_gfni_avx512_prepare(g->field, p.x, x, g->n);
}

/* Adds what has come of this concern to the sum. */
static void settle(const point *p)
{
    const size_t bytes = p->concern->bytes;
    uint8_t *sum = p->sum + p->concern->first;
    if (goes_by_fours(bytes)) {
        add_total(sum, bytes, p->total);
        return;
    }
    for (size_t b = 0; b < bytes; b++) {
        sum[b] ^= p->total[b];
    }
}

static void turn_to(const mb_gathering *g, const point *p, size_t first, size_t bytes)
{
    if (p->concern->first == first && p->concern->bytes == bytes) {
        return;
    }
    settle(p);
    *p->concern = (concern){first, bytes};
    memset(p->total, 0, total_bytes(g));
}

static void collect_vartime(const mb_gathering *g, uint8_t *out)
{
    const point p = find(g);
    settle(&p);
    memcpy(out, p.sum, g->width);
}

/* ---- Rows -------------------------------------------------------------------------------------------- */

static int are_side_by_side(const point *p, unsigned points)
{
    for (unsigned k = 0; k < points; k++) {
        if (p->group->member[k] != p[k].x || p[k].group->leader != p->x || p[k].group->place != k) {
            return 0;
        }
    }
    return p->group->points == points;
}

/* The points' prepared x, in the memory of the first, unless they are there from an earlier call. */
static void put_side_by_side(const point *p, unsigned points, size_t n)
{
    if (are_side_by_side(p, points)) {
        return;
    }
    p->group->points = points;
    for (unsigned k = 0; k < points; k++) {
        const uint8_t *from = p[k].x;
        uint8_t *to = p->side + k * PREPARED_BYTES;
        p->group->member[k] = from;
        p[k].group->leader = p->x;
        p[k].group->place = k;
        for (size_t j = 0; j < n; j++, from += PREPARED_BYTES, to += points * PREPARED_BYTES) {
            memcpy(to, from, PREPARED_BYTES);
        }
    }
}

static MB_ALWAYS_INLINE void gather_rows(const point *p, unsigned points, size_t n, size_t bytes, const uint8_t *vectors,
                                         const mb_monomials *m)
{
    uint8_t *totals[POINTS_MOST];
    const some_points some = {points == 1 ? p->x : p->side, totals};
    for (unsigned k = 0; k < points; k++) {
        totals[k] = p[k].total;
    }
    if (points != 1) {
        put_side_by_side(p, points, n);
    }
    vectors += add_fours(&some, points, bytes, vectors, m) * bytes;
    for (size_t row = m->rows / FOUR * FOUR; row < m->rows; row++) {
        const size_t j = m->j + row * m->shrink;
        add_row(&some, points, bytes, vectors, m->i + row, j, m->end);
        vectors += (m->end - j) * bytes;
    }
}

/* Vectors of any length: the register's width from `at` on, or with `tail` the last bytes. */
static MB_ALWAYS_INLINE void gather_part(const point *p, unsigned points, size_t bytes, size_t at, size_t tail,
                                         const uint8_t *vectors, const mb_monomials *m)
{
    size_t left = 0; /* bytes */
    for (size_t row = 0; row < m->rows; row++) {
        left += (m->end - m->j - row * m->shrink) * bytes;
    }
    for (size_t row = 0; row < m->rows; row++) {
        __m512i sum[POINTS_MOST];
        MB_UNROLL
        for (unsigned k = 0; k < points; k++) {
            sum[k] = _mm512_setzero_si512();
        }
        for (size_t j = m->j + row * m->shrink; j < m->end; j++, vectors += bytes, left -= bytes) {
            const __m512i v = tail != 0 ? load_last(vectors, bytes, left) : _mm512_loadu_si512(vectors + at);
            MB_PREFETCH(vectors + at + AHEAD);
            MB_UNROLL
            for (unsigned k = 0; k < points; k++) {
                sum[k] = add_times(sum[k], v, matrix_at(p[k].x + j * PREPARED_BYTES));
            }
        }
        MB_UNROLL
        for (unsigned k = 0; k < points; k++) {
            sum[k] = times(sum[k], matrix_at(p[k].x + (m->i + row) * PREPARED_BYTES));
            if (tail != 0) {
                add_last(p[k].total, bytes, tail, sum[k]);
            } else {
                _mm512_storeu_si512(p[k].total + at, add(_mm512_loadu_si512(p[k].total + at), sum[k]));
            }
        }
    }
}

static MB_ALWAYS_INLINE void gather_any(const point *p, unsigned points, size_t bytes, const uint8_t *vectors,
                                        const mb_monomials *m)
{
    for (size_t at = 0; at + REGISTER <= bytes; at += REGISTER) {
        gather_part(p, points, bytes, at, 0, vectors, m);
    }
    if (bytes % REGISTER != 0) {
        gather_part(p, points, bytes, 0, bytes % REGISTER, vectors, m);
    }
}

/* As many of `count` points as go together; returns how many. */
static size_t gather_some(const point *p, size_t count, size_t n, size_t bytes, const uint8_t *vectors, const mb_monomials *m)
{
    const size_t points = goes_by_fours(bytes) ? points_for(bytes) : POINTS_MOST, taken = count < points ? 1 : points;
#define CASE(length) \
    case length: \
        if (taken == 1) { \
            gather_rows(p, 1, n, length, vectors, m); \
        } else { \
            gather_rows(p, points_for(length), n, length, vectors, m); \
        } \
        break
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
        if (taken == 1) {
            gather_any(p, 1, bytes, vectors, m);
        } else {
            gather_any(p, POINTS_MOST, bytes, vectors, m);
        }
    }
#undef CASE
    return taken;
}

static void gather_vartime(const mb_gathering *const *gatherings, size_t count, size_t first, size_t bytes,
                           const uint8_t *vectors, const mb_monomials *monomials)
{
    for (size_t done = 0; done < count;) {
        point p[POINTS_MOST];
        const size_t some = count - done < POINTS_MOST ? count - done : POINTS_MOST;
        for (size_t k = 0; k < some; k++) {
            p[k] = find(gatherings[done + k]);
            turn_to(gatherings[done + k], &p[k], first, bytes);
        }
        done += gather_some(p, some, gatherings[done]->n, bytes, vectors, monomials);
    }
}

const mb_many_gatherer mb_gfni_avx512_many_gatherer = {"gfni-avx512", begin_vartime, gather_vartime, collect_vartime};
