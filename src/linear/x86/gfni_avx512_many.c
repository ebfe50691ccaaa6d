/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A public map at several public points (gfni_avx512.h): a register of coefficients is loaded once for some points and multiplied
 * by each one's x_j, which lie in memory in the same arrangement; the sum of a row is multiplied by x_i at its end. */
#include "linear/x86/gfni_avx512.h"
#include "platform/arena.h"

#include <string.h>

enum { POINTS_MOST = 8, REGISTERS_MOST = 9, SUMS_MOST = 18, WORD = 8 };

/* Vectors of whole words: `together` of them fill `registers` registers. So many points at once keep their sums in registers
 * and their arrangements in the first cache. */
typedef struct shape {
    size_t bytes;
    unsigned together, registers, points;
} shape;

static const shape shapes[] = {{16, 4, 1, 8}, {32, 2, 1, 8}, {48, 4, 3, 4}, {72, 8, 9, 2}, {80, 4, 5, 3}, {96, 2, 3, 2}};

/* NULL for vectors of other lengths. */
static const shape *shape_of(size_t bytes)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        if (shapes[s].bytes == bytes) {
            return &shapes[s];
        }
    }
    return NULL;
}

/* ---- A point's memory ------------------------------------------------------------------------------ */

/* Which vectors a point is arranged for: of so many bytes, which concern the value from `first` on. */
typedef struct concern {
    size_t first, bytes;
} concern;

typedef struct point {
    concern *concern;
    uint8_t *sum;    /* of what was before */
    uint8_t *total;  /* of vectors of this concern: as they lie in their registers, or a vector of another length */
    uint8_t *spread; /* for each word of a row of vectors the prepared x_j */
    uint8_t *x;      /* prepared */
} point;

static size_t whole_registers(size_t bytes)
{
    return (bytes + REGISTER - 1) / REGISTER * REGISTER;
}

static size_t total_bytes(const mb_gathering *g)
{
    const size_t value = whole_registers(g->width) + REGISTER;
    return value > REGISTERS_MOST * REGISTER ? value : REGISTERS_MOST * REGISTER;
}

static point lay_out(const mb_gathering *g, mb_arena *arena)
{
    point p;
    p.concern = mb_arena_take(arena, sizeof *p.concern);
    p.total = mb_arena_take(arena, total_bytes(g));
    p.spread = mb_arena_take(arena, whole_registers(g->n * g->width) + 2 * REGISTER);
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
    memset(p.sum, 0, g->width);
    mb_gfni_avx512_prepare(g->field, p.x, x, g->n);
}

/* Adds what has come of this concern to the sum. */
static void settle(const point *p)
{
    const shape *s = shape_of(p->concern->bytes);
    mb_gfni_avx512_add_vectors(p->sum + p->concern->first, p->concern->bytes, p->total, s == NULL ? 1 : s->together);
}

static void turn_to(const mb_gathering *g, const point *p, size_t first, size_t bytes)
{
    if (p->concern->first == first && p->concern->bytes == bytes) {
        return;
    }
    settle(p);
    *p->concern = (concern){first, bytes};
    memset(p->total, 0, total_bytes(g));
    for (size_t j = 0; j < g->n && shape_of(bytes) != NULL; j++) {
        /* Two registers are enough for any of the shapes; what is too much the next one overwrites. */
        const __m512i x_j = matrix_at(p->x + j * PREPARED_BYTES);
        _mm512_storeu_si512(p->spread + j * bytes, x_j);
        _mm512_storeu_si512(p->spread + j * bytes + REGISTER, x_j);
    }
}

static void collect_vartime(const mb_gathering *g, uint8_t *out)
{
    const point p = find(g);
    settle(&p);
    memcpy(out, p.sum, g->width);
}

/* ---- Rows -------------------------------------------------------------------------------------------- */

/* total += x_i·sum, of each point in turn. */
static MB_ALWAYS_INLINE void end_row(const point *p, unsigned points, unsigned registers, const __m512i *sum, size_t i)
{
    MB_UNROLL
    for (unsigned k = 0; k < points; k++) {
        const __m512i x_i = matrix_at(p[k].x + i * PREPARED_BYTES);
        MB_UNROLL
        for (unsigned w = 0; w < registers; w++) {
            uint8_t *at = p[k].total + w * REGISTER;
            _mm512_storeu_si512(at, add_times(_mm512_loadu_si512(at), sum[k * registers + w], x_i));
        }
    }
}

/* sum += the vectors' words, at most whole registers, times what the points have for columns from j on. */
static MB_ALWAYS_INLINE void add_columns(__m512i *sum, const point *p, unsigned points, unsigned registers,
                                         const uint8_t *vectors, size_t words, size_t spread_from)
{
    MB_UNROLL
    for (unsigned w = 0; w < registers; w++) {
        if (w * WORD < words) {
            const __mmask8 mask = words_between(0, words - w * WORD);
            const __m512i v = _mm512_maskz_loadu_epi64(mask, vectors + w * REGISTER);
            MB_UNROLL
            for (unsigned k = 0; k < points; k++) {
                const __m512i x = _mm512_loadu_si512(p[k].spread + spread_from + w * REGISTER);
                sum[k * registers + w] = add_times(sum[k * registers + w], v, x);
            }
        }
    }
}

/* Columns before one with which a period begins go alone, so that the points' arrangements are read by whole
 * aligned registers. */
static MB_ALWAYS_INLINE void gather_packed(const point *p, unsigned points, size_t bytes, unsigned together,
                                           unsigned registers, const uint8_t *vectors, const mb_monomials *m)
{
    const unsigned alone = bytes > REGISTER ? 2 : 1; /* registers of one vector */
    for (size_t row = 0; row < m->rows; row++) {
        __m512i sum[SUMS_MOST];
        size_t j = m->j + row * m->shrink;
        MB_UNROLL
        for (unsigned w = 0; w < points * registers; w++) {
            sum[w] = _mm512_setzero_si512();
        }
        for (; j < m->end && j % together != 0; j++, vectors += bytes) {
            MB_UNROLL
            for (unsigned w = 0; w < alone; w++) {
                const __mmask8 mask = words_between(0, bytes / WORD - w * WORD);
                const __m512i v = _mm512_maskz_loadu_epi64(mask, vectors + w * REGISTER);
                MB_UNROLL
                for (unsigned k = 0; k < points; k++) {
                    const __m512i x_j = matrix_at(p[k].x + j * PREPARED_BYTES);
                    sum[k * registers + w] = add_times(sum[k * registers + w], v, x_j);
                }
            }
        }
        for (; j + together <= m->end; j += together, vectors += registers * REGISTER) {
            add_columns(sum, p, points, registers, vectors, registers * WORD, j * bytes);
        }
        add_columns(sum, p, points, registers, vectors, (m->end - j) * bytes / WORD, j * bytes);
        vectors += (m->end - j) * bytes;
        end_row(p, points, registers, sum, m->i + row);
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
static size_t gather_some(const point *p, size_t count, size_t bytes, const uint8_t *vectors, const mb_monomials *m)
{
    const shape *s = shape_of(bytes);
    const size_t points = s == NULL ? POINTS_MOST : s->points, taken = count < points ? 1 : points;
#define CASE(length, together, registers, points) \
    case length: \
        if (taken == 1) { \
            gather_packed(p, 1, length, together, registers, vectors, m); \
        } else { \
            gather_packed(p, points, length, together, registers, vectors, m); \
        } \
        break
    switch (bytes) { /* as in `shapes` */
        CASE(16, 4, 1, 8);
        CASE(32, 2, 1, 8);
        CASE(48, 4, 3, 4);
        CASE(72, 8, 9, 2);
        CASE(80, 4, 5, 3);
        CASE(96, 2, 3, 2);
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
        done += gather_some(p, some, bytes, vectors, monomials);
    }
}

const mb_many_gatherer mb_gfni_avx512_many_gatherer = {"gfni-avx512", begin_vartime, gather_vartime, collect_vartime};
