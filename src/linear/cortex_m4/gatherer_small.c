/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification's inner loop over GF(16) on Cortex-M4 in little memory: a product x_i·x_j has four coordinates in the basis 1, g, g², g³, where g is a
 * primitive element, and its vector goes to the planes, one for each coordinate, that are not 0. The planes are weighed at the end. Variable time:
 * public data only. */
#include "linear/cortex_m4/cortex_m4.h"
#include "linear/cortex_m4/gatherer.h"

enum { POWERS = 15, PLANES = 4, SORTED_VECTOR_BYTES = 32 };

/* Fewer rows than this are not worth sorting. */
enum { SORTED_ROWS_LEAST = 3 };

/* The coordinates of the powers of g, since g⁴ = g + 1. */
static const uint8_t power_coordinates[POWERS] = {1, 2, 4, 8, 3, 6, 12, 11, 5, 10, 7, 14, 15, 13, 9};

typedef struct state {
    const uint8_t *x;
    uint8_t logarithm[16]; /* to the base g; POWERS for 0 */
    uint32_t planes[];     /* of plane_bytes each; then columns by their value, each value's with an end */
} state;

static size_t plane_bytes(const mb_gathering *g)
{
    return (g->width + 3) / 4 * 4;
}

/* gather_sorted.S serves these. */
static int is_sorted(const mb_gathering *g)
{
    return g->width == SORTED_VECTOR_BYTES && g->n + POWERS < MB_M4_NO_COLUMN;
}

static size_t memory_bytes(const mb_gathering *g)
{
    return sizeof(state) + PLANES * plane_bytes(g) + (is_sorted(g) ? g->n + POWERS : 0);
}

static void begin(const mb_gathering *g, const uint8_t *x)
{
    state *const s = g->memory;
    uint32_t power = 1;
    s->x = x;
    s->logarithm[0] = POWERS; /* no power */
    for (unsigned i = 0; i < POWERS; i++) {
        s->logarithm[power] = (uint8_t)i;
        power = mb_m4_times_g(*g->field, power);
    }
    memset(s->planes, 0, PLANES * plane_bytes(g));
}

/* Columns by their value, each value's in ascending order. */
static void sort_columns(const state *s, uint8_t *columns, uint8_t starts[2 * POWERS + 1], size_t first, size_t end)
{
    uint8_t *const next = starts + POWERS;
    unsigned start = 0;
    memset(next, 0, POWERS + 1);
    for (size_t j = first; j < end; j++) {
        next[s->logarithm[s->x[j]]]++; /* 0 counts as one value more */
    }
    for (unsigned w = 0; w < POWERS; w++) {
        const unsigned after = start + next[w];
        starts[w] = next[w] = (uint8_t)start;
        columns[after] = MB_M4_NO_COLUMN;
        start = after + 1;
    }
    for (size_t j = first; j < end; j++) {
        const unsigned w = s->logarithm[s->x[j]];
        if (w != POWERS) {
            columns[next[w]++] = (uint8_t)j;
        }
    }
    memcpy(next, starts, POWERS);
}

static int aligned(const uint8_t *at, size_t bytes, size_t unit)
{
    return (uintptr_t)at % 4 == 0 && bytes % unit == 0;
}

/* Some rows, for which is_sorted holds. */
static MB_NOINLINE void gather_sorted(const mb_gathering *g, const uint8_t *vectors, const mb_monomials *m)
{
    state *const s = g->memory;
    uint8_t *const planes = (uint8_t *)s->planes;
    uint8_t starts[2 * POWERS + 1]; /* twice, so that a place modulo 15 need not be reduced; and one byte of work memory */
    sort_columns(s, planes + PLANES * SORTED_VECTOR_BYTES, starts, m->j, m->end);
    for (size_t r = 0, j = m->j; r < m->rows; r++) {
        const unsigned u = s->logarithm[s->x[m->i + r]];
        if (u != POWERS) {
            mb_m4_gather_sorted_vartime(planes, u, (const uint8_t *)((uintptr_t)vectors - SORTED_VECTOR_BYTES * j), starts);
        }
        vectors += SORTED_VECTOR_BYTES * (m->end - j);
        if (m->shrink != 0) { /* the next row begins behind this column, which is the first one of its value */
            const unsigned w = s->logarithm[s->x[j++]];
            if (w != POWERS) {
                starts[w]++;
                starts[w + POWERS]++;
            }
        }
    }
}

/* A row whose variable is power u. */
static void gather_row(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, unsigned u, const uint8_t *x, size_t count)
{
    state *const s = g->memory;
    uint8_t *const planes = (uint8_t *)s->planes + first;
    const size_t stride = plane_bytes(g);
    uint8_t product[16] = {0};
    for (unsigned value = 1; value < 16; value++) {
        const unsigned sum = u + s->logarithm[value];
        product[value] = power_coordinates[sum < POWERS ? sum : sum - POWERS];
    }
    if (!MB_M4_SMALL_CODE && stride == SORTED_VECTOR_BYTES && aligned(vectors, bytes, 16) && first % 4 == 0) {
        mb_m4_gather_planes_vartime(planes, vectors, bytes / 16, product, x, count);
        return;
    }
    for (size_t c = 0; c < count; c++, vectors += bytes) {
        for (unsigned k = 0, bits = product[x[c]]; bits != 0; k++, bits >>= 1) {
            if ((bits & 1) != 0) {
                mb_m4_add_to(planes + k * stride, vectors, bytes);
            }
        }
    }
}

static MB_NOINLINE void gather_rows(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, const mb_monomials *m)
{
    const state *const s = g->memory;
    for (size_t row = 0; row < m->rows; row++) {
        const size_t j = m->j + row * m->shrink, count = m->end - j;
        const unsigned u = s->logarithm[s->x[m->i + row]];
        if (u != POWERS) {
            gather_row(g, first, bytes, vectors, u, s->x + j, count);
        }
        vectors += count * bytes;
    }
}

static void gather(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, const mb_monomials *m)
{
    if (is_sorted(g) && m->rows >= SORTED_ROWS_LEAST && first == 0 && aligned(vectors, bytes, SORTED_VECTOR_BYTES)) {
        gather_sorted(g, vectors, m);
    } else {
        gather_rows(g, first, bytes, vectors, m);
    }
}

/* By Horner's rule. */
static void collect(const mb_gathering *g, uint8_t *out)
{
    const state *const s = g->memory;
    const size_t words = plane_bytes(g) / 4;
    for (size_t i = 0; i < words; i++) {
        uint32_t sum = 0;
        for (size_t k = PLANES; k-- > 0;) {
            sum = mb_m4_times_g(*g->field, sum) ^ s->planes[k * words + i];
        }
        memcpy(out + 4 * i, &sum, g->width - 4 * i < 4 ? g->width - 4 * i : 4);
    }
}

const mb_gatherer mb_m4_gatherer_16_small = {"cortex-m4", 0, memory_bytes, begin, gather, collect, NULL};
