/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A secret key of the software [RB3 §5] in the order in which the core takes it: the schedule of ../model/schedule.py run with the names of
 * the variables, as in ../doc/theory.md. Addresses and branches depend on the shape only. */
#include "rainbow_core.h"

#include <string.h>

enum { SEED_BYTES = 32, NOTHING = -1 };

typedef struct {
    rainbow_core *core;
    const uint8_t *key; /* SECRET: the elements behind the seed */
    size_t v1, o1, o2, n, rows, columns, stride;
    size_t layer, known; /* the layer in work; its variables, the constant included */
    uint8_t *ring;       /* names of the variables; 0 is the constant */
    uint8_t *placed;     /* bitmap of the pairs of a layer that have had their place */
    uint32_t word;       /* SECRET: elements on their way into the register */
    unsigned filled;
} stream;

static size_t pairs_of(size_t variables)
{
    return variables * (variables + 1) / 2;
}

static size_t pair_index(size_t a, size_t b) /* a ≤ b */
{
    return pairs_of(b) + a;
}

size_t rainbow_core_key_work_bytes(const rainbow_core *core)
{
    return core->v1 + core->o1 + core->o2 + 1 + pairs_of(core->v1 + core->o1 + 1) / 8 + 1;
}

/* Seed, S1, T1, T4, T3, then the coefficients of both layers. */
size_t rainbow_core_secret_key_bytes(const rainbow_core *core)
{
    const size_t v1 = core->v1, o1 = core->o1, o2 = core->o2;
    const size_t matrices = v1 * o1 + v1 * o2 + 2 * o1 * o2;
    const size_t monomials_1 = pairs_of(v1) + v1 * o1, monomials_2 = pairs_of(v1 + o1) + (v1 + o1) * o2;
    return SEED_BYTES + rainbow_core_bytes(core, matrices + o1 * monomials_1 + o2 * monomials_2);
}

/* ---- The software's order --------------------------------------------------------------------- */

static uint8_t element(const stream *s, size_t index)
{
    return s->core->bits == 8 ? s->key[index] : (uint8_t)(s->key[index / 2] >> 4 * (index % 2) & 15);
}

/* Elements before a block: S1, T1, T4, T3, then the layers. */
static size_t matrix_start(const stream *s, unsigned which)
{
    const size_t lengths[4] = {s->o1 * s->o2, s->v1 * s->o1, s->v1 * s->o2, s->o1 * s->o2};
    size_t start = 0;
    for (unsigned i = 0; i < which; i++) {
        start += lengths[i];
    }
    return start;
}

static uint8_t matrix_element(const stream *s, unsigned which, size_t height, size_t row, size_t column)
{
    return element(s, matrix_start(s, which) + column * height + row); /* by columns */
}

static size_t row_of_triangle(size_t size, size_t i, size_t j) /* i ≤ j: monomials row by row */
{
    return i * size - i * (i + 1) / 2 + j;
}

/* The coefficient of x_i·x_j, i ≤ j from 0, in equation k of the layer in work [RB3 §4]. */
static uint8_t coefficient(const stream *s, size_t k, size_t i, size_t j)
{
    const size_t v1 = s->v1, o1 = s->o1, oils = s->layer == 0 ? s->o1 : s->o2;
    const size_t vv = pairs_of(v1), vo = v1 * o1;
    size_t start = matrix_start(s, 4), monomial;
    if (s->layer == 1) {
        start += o1 * (vv + vo);
    }
    if (j < v1) {
        monomial = row_of_triangle(v1, i, j);
    } else if (j < v1 + o1) {
        monomial = i < v1 ? vv + i * o1 + (j - v1) : vv + vo + v1 * s->o2 + row_of_triangle(o1, i - v1, j - v1);
    } else {
        monomial = i < v1 ? vv + vo + i * s->o2 + (j - v1 - o1)
                          : vv + vo + v1 * s->o2 + pairs_of(o1) + (i - v1) * s->o2 + (j - v1 - o1);
    }
    return element(s, start + monomial * oils + k);
}

/* ---- The core's order ------------------------------------------------------------------------- */

static void put(stream *s, uint8_t value)
{
    s->word |= (uint32_t)value << s->filled;
    s->filled += s->core->bits;
    if (s->filled == 32) {
        s->core->write(s->core->bus, RAINBOW_CORE_KEY_DATA, s->word);
        s->word = 0;
        s->filled = 0;
    }
}

/* A beat ends with a whole word. */
static void end_row(stream *s, size_t row)
{
    if ((row + 1) % s->core->rows_a_cycle == 0) {
        while (s->filled != 0) {
            put(s, 0);
        }
    }
}

static void turn(stream *s, size_t size)
{
    const uint8_t first = s->ring[0];
    memmove(s->ring, s->ring + 1, size - 1);
    s->ring[size - 1] = first;
}

/* z = S⁻¹·y of the layer in work, S = [I S1; 0 I]; an S1 of characteristic two is its own inverse. */
static uint8_t message_value(const stream *s, size_t k, size_t index)
{
    if (s->layer == 1) {
        return index == s->o1 + k;
    }
    return index < s->o1 ? index == k : matrix_element(s, 0, s->o1, k, index - s->o1);
}

static void message_tiles(stream *s)
{
    const size_t oils = s->layer == 0 ? s->o1 : s->o2, m = s->o1 + s->o2;
    for (size_t first = 0; first < m + 1; first += s->columns) {
        for (size_t k = 0; k < s->rows; k++) {
            for (size_t j = 0; j < s->columns; j++) {
                put(s, k < oils && first + j < m ? message_value(s, k, first + j) : 0);
            }
            end_row(s, k);
        }
    }
}

/* Marks the pair of these places of the ring: its index, or NOTHING if it had its place before. */
static int claim(stream *s, size_t place_a, size_t place_b)
{
    const uint8_t a = s->ring[place_a], b = s->ring[place_b];
    const size_t index = a < b ? pair_index(a, b) : pair_index(b, a);
    if ((s->placed[index / 8] >> index % 8 & 1) != 0) {
        return NOTHING;
    }
    s->placed[index / 8] |= (uint8_t)(1 << index % 8);
    return (int)((a < b ? a : b) << 8 | (a < b ? b : a));
}

static uint8_t pair_value(const stream *s, size_t k, int pair)
{
    const size_t a = (size_t)pair >> 8, b = (size_t)pair & 0xFF;
    const size_t oils = s->layer == 0 ? s->o1 : s->o2;
    return pair == NOTHING || a == 0 || k >= oils ? 0 : coefficient(s, k, a - 1, b - 1); /* no linear terms in round 3 */
}

/* A tile of pairs: column j takes the pair of places first + j·step_a and first + j·step_a + distance(j). */
static void pairs_tile(stream *s, size_t step, size_t first_distance, size_t step_distance)
{
    int pairs[256];
    for (size_t j = 0; j < s->columns; j++) {
        const size_t place = j * step, distance = first_distance + j * step_distance;
        pairs[j] = place < s->known && distance < s->known ? claim(s, place, (place + distance) % s->known) : NOTHING;
    }
    for (size_t k = 0; k < s->rows; k++) {
        for (size_t j = 0; j < s->columns; j++) {
            put(s, pair_value(s, k, pairs[j]));
        }
        end_row(s, k);
    }
}

/* The matrix's share of one variable; rows beyond the layer's oils say that their oil is 0; the last column takes one more pair. */
static void linear_tile(stream *s)
{
    const size_t oils = s->layer == 0 ? s->o1 : s->o2, a = s->ring[0];
    const int last = s->columns < s->known ? claim(s, 0, s->columns) : NOTHING;
    for (size_t k = 0; k < s->rows; k++) {
        for (size_t j = 0; j < s->rows; j++) {
            uint8_t value = 0;
            if (a == 0) {
                value = j >= oils && j == k;
            } else if (k < oils && j < oils) {
                value = coefficient(s, k, a - 1, s->known - 1 + j);
            }
            put(s, value);
        }
        put(s, pair_value(s, k, last));
        end_row(s, k);
    }
}

static void layer_tiles(stream *s, size_t layer)
{
    const size_t before = layer == 0 ? 0 : s->known, left = (s->v1 + s->o1) / 2;
    s->layer = layer;
    s->known = 1 + s->v1 + (layer == 0 ? 0 : s->o1);
    for (size_t i = before; i < s->known; i++) {
        s->ring[i] = (uint8_t)i;
    }
    memset(s->placed, 0, pairs_of(s->known) / 8 + 1);
    message_tiles(s);
    for (size_t i = 0; i < s->known; i++, turn(s, s->known)) {
        pairs_tile(s, 0, 0, 1);
    }
    if (layer == 1 && left > s->columns) {
        for (size_t i = 0; i < s->stride; i++, turn(s, s->known)) {
            pairs_tile(s, s->stride, left, 0);
        }
    }
    for (size_t i = 0; i < s->known; i++, turn(s, s->known)) {
        linear_tile(s);
    }
}

/* T⁻¹ = [I T1 T4; 0 I T3; 0 0 I]: row k, variable from 1 on. */
static uint8_t output_value(const stream *s, size_t k, size_t variable)
{
    const size_t v1 = s->v1, o1 = s->o1, i = variable - 1;
    if (variable == 0 || k >= s->n || i <= k) {
        return variable != 0 && i == k;
    }
    if (k < v1) {
        return i < v1 ? 0 : i < v1 + o1 ? matrix_element(s, 1, v1, k, i - v1) : matrix_element(s, 2, v1, k, i - v1 - o1);
    }
    return k < v1 + o1 && i >= v1 + o1 ? matrix_element(s, 3, o1, k - v1, i - v1 - o1) : 0;
}

static void output_tiles(stream *s)
{
    for (size_t i = s->known; i <= s->n; i++) {
        s->ring[i] = (uint8_t)i;
    }
    for (size_t first = 0; first < s->n; first += s->rows) {
        for (size_t i = 0; i < s->stride; i++, turn(s, s->n + 1)) {
            for (size_t k = 0; k < s->rows; k++) {
                for (size_t j = 0; j < s->columns; j++) {
                    /* Places beyond the ring's end come round to variables that had their place. */
                    put(s, s->stride * j + i <= s->n ? output_value(s, first + k, s->ring[s->stride * j]) : 0);
                }
                end_row(s, k);
            }
        }
    }
}

int rainbow_core_load_key(rainbow_core *core, const uint8_t *secret_key, size_t secret_key_bytes, uint8_t *work)
{
    stream s = {.core = core, .v1 = core->v1, .o1 = core->o1, .o2 = core->o2};
    if (secret_key_bytes != rainbow_core_secret_key_bytes(core)) {
        return RAINBOW_CORE_WRONG_KEY;
    }
    if (rainbow_core_wait(core) != RAINBOW_CORE_OK) {
        return RAINBOW_CORE_STUCK;
    }
    s.key = secret_key + SEED_BYTES;
    s.n = s.v1 + s.o1 + s.o2;
    s.rows = s.o1 > s.o2 ? s.o1 : s.o2;
    s.columns = s.rows + 1;
    s.stride = (s.n + s.columns) / s.columns;
    s.ring = work;
    s.placed = work + s.n + 1;
    core->write(core->bus, RAINBOW_CORE_CONTROL, RAINBOW_CORE_REWIND);
    layer_tiles(&s, 0);
    layer_tiles(&s, 1);
    output_tiles(&s);
    return (core->read(core->bus, RAINBOW_CORE_STATUS) & RAINBOW_CORE_KEY_LOADED) != 0 ? RAINBOW_CORE_OK : RAINBOW_CORE_NO_KEY;
}
