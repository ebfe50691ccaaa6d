/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification's inner loop over GF(16) on Cortex-M4 in little memory: a product x_i·x_j has four coordinates in the basis 1, g, g², g³, where g is a
 * primitive element, and its vector goes to the planes, one for each coordinate, that are not 0. The planes are weighed at the end. Variable time:
 * public data only. */
#include "linear/cortex_m4/cortex_m4.h"
#include "linear/cortex_m4/gatherer.h"
#include "linear/cortex_m4/words.h"

enum { POWERS = 15, PLANES = 4, SORTED_VECTOR_BYTES = 32 };

/* Fewer rows than this are not worth sorting. */
enum { SORTED_ROWS_LEAST = 3 };

typedef struct state {
    const uint8_t *x;
    uint8_t logarithm[16];           /* to the base g; POWERS for 0 */
    uint8_t coordinates[POWERS + 1]; /* of the powers of g */
    uint8_t steps[POWERS + 1];       /* as mb_m4_sorted has it */
    uint32_t planes[];               /* of plane_bytes each; then columns by their value, each value's with an end */
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

/* t where code = t ^ t >> 1. */
static unsigned gray_place(unsigned code)
{
    code ^= code >> 2;
    return code ^ code >> 1;
}

static void begin(const mb_gathering *g, const uint8_t *x)
{
    state *const s = g->memory;
    const unsigned relation = mb_m4_primitive_relation(g->field);
    uint32_t power = 1;
    unsigned coordinates = 1;
    s->x = x;
    s->logarithm[0] = POWERS; /* no power */
    for (unsigned i = 0; i < POWERS; i++) {
        s->logarithm[power] = (uint8_t)i;
        s->coordinates[i] = (uint8_t)coordinates;
        s->steps[1 + gray_place(coordinates ^ 8)] = (uint8_t)i;
        power = mb_m4_times_primitive(*g->field, power);
        coordinates = coordinates << 1 ^ (coordinates >= 8 ? 16 | relation : 0);
    }
    memset(s->planes, 0, PLANES * plane_bytes(g));
}

/* Columns by their value, each value's in ascending order; the starts of values twice, one list behind the other. */
static void sort_columns(const state *s, uint8_t *columns, size_t first, size_t end, uint8_t starts[2 * POWERS])
{
    uint8_t next[POWERS + 1] = {0};
    unsigned start = 0;
    for (size_t j = first; j < end; j++) {
        next[s->logarithm[s->x[j]]]++; /* 0 counts as one value more */
    }
    for (unsigned w = 0; w < POWERS; w++) {
        const unsigned after = start + next[w];
        starts[w] = starts[w + POWERS] = next[w] = (uint8_t)start;
        columns[after] = MB_M4_NO_COLUMN;
        start = after + 1;
    }
    for (size_t j = first; j < end; j++) {
        const unsigned w = s->logarithm[s->x[j]];
        if (w != POWERS) {
            columns[next[w]++] = (uint8_t)j;
        }
    }
}

static int aligned(const uint8_t *at, size_t bytes, size_t unit)
{
    return (uintptr_t)at % 4 == 0 && bytes % unit == 0;
}

/* Some rows, if there is a way for these; returns 0, or -1 with nothing done. */
static int gather_sorted(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, const mb_monomials *m)
{
    state *const s = g->memory;
    uint8_t *const columns = (uint8_t *)s->planes + PLANES * SORTED_VECTOR_BYTES;
    mb_m4_sorted sorted = {(uint8_t *)s->planes, s->steps, columns, {0}};
    if (!is_sorted(g) || m->rows < SORTED_ROWS_LEAST || first != 0 || !aligned(vectors, bytes, SORTED_VECTOR_BYTES)) {
        return -1;
    }
    sort_columns(s, columns, m->j, m->end, sorted.starts);
    for (size_t r = 0, j = m->j; r < m->rows; r++) {
        const unsigned u = s->logarithm[s->x[m->i + r]], w = s->logarithm[s->x[j]];
        if (u != POWERS) {
            mb_m4_gather_sorted_vartime(&sorted, u, (const uint8_t *)((uintptr_t)vectors - SORTED_VECTOR_BYTES * j));
        }
        vectors += SORTED_VECTOR_BYTES * (m->end - j);
        if (m->shrink != 0) { /* the next row begins behind this column, which is the first one of its value */
            if (w != POWERS) {
                sorted.starts[w]++;
                sorted.starts[w + POWERS]++;
            }
            j++;
        }
    }
    return 0;
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
        product[value] = s->coordinates[sum < POWERS ? sum : sum - POWERS];
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

static void gather(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, const mb_monomials *m)
{
    const state *const s = g->memory;
    if (gather_sorted(g, first, bytes, vectors, m) == 0) {
        return;
    }
    for (size_t row = 0; row < m->rows; row++) {
        const size_t j = m->j + row * m->shrink, count = m->end - j;
        const unsigned u = s->logarithm[s->x[m->i + row]];
        if (u != POWERS) {
            gather_row(g, first, bytes, vectors, u, s->x + j, count);
        }
        vectors += count * bytes;
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
            sum = mb_m4_times_primitive(*g->field, sum) ^ s->planes[k * words + i];
        }
        memcpy(out + 4 * i, &sum, g->width - 4 * i < 4 ? g->width - 4 * i : 4);
    }
}

const mb_gatherer mb_m4_gatherer_16_small = {"cortex-m4", 0, memory_bytes, begin, gather, collect, NULL};
