/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Public maps for processors with AVX2 (avx2.h). A vector is added to the bucket of its scalar, and the buckets are weighed at
 * the end: an addition for each register, where a product takes two look-ups. Variable time and addresses: public data only. */
#include "linear/x86/avx2.h"
#include "platform/arena.h"

#include <string.h>

/* Monomials at a time; they go on from row to row, because loops as short as a row end in a misprediction each. */
enum { STRETCH = 512 };

/* Over GF(16) vectors take turns with four sets of buckets: what was just stored is seldom what the next one needs. */
enum { SETS = 4 };

/* How far ahead of its use the key is asked for. */
enum { AHEAD = 2048 };

/* What the buckets hold: vectors of so many bytes, which concern the value from `first` on. */
typedef struct concern {
    size_t first, bytes;
} concern;

typedef struct layout {
    concern *concern;
    uint8_t *sum;        /* of what was before */
    uint8_t *x;          /* one element a byte, and room to read on */
    uint8_t *x_prepared;
    uint8_t *products;   /* a stretch, and room to write on */
    uint8_t *last;       /* a vector that nothing may be read behind */
    uint8_t *buckets;    /* each whole registers; what is there behind a vector's length means nothing */
} layout;

static size_t registers_of(size_t bytes)
{
    return (bytes + VEC_BYTES - 1) / VEC_BYTES;
}

static size_t buckets_len(unsigned bits)
{
    return bits == 4 ? SETS * 16 : 256;
}

static layout lay_out(const mb_gathering *g, mb_arena *arena)
{
    const size_t whole = registers_of(g->width) * VEC_BYTES;
    layout at;
    at.concern = mb_arena_take(arena, sizeof *at.concern);
    at.sum = mb_arena_take(arena, g->width);
    at.x = mb_arena_take(arena, g->n + VEC_BYTES);
    at.x_prepared = mb_arena_take(arena, g->n * prepared_len(g->field->bits));
    at.products = mb_arena_take(arena, STRETCH + VEC_BYTES);
    at.last = mb_arena_take(arena, whole);
    at.buckets = mb_arena_take(arena, buckets_len(g->field->bits) * whole);
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
    *at.concern = (concern){0, 0};
    memset(at.sum, 0, g->width);
    memcpy(at.x, x, g->n);
    memset(at.x + g->n, 0, VEC_BYTES);
    memset(at.last, 0, registers_of(g->width) * VEC_BYTES);
    mb_avx2_prepare(g->field, at.x_prepared, x, g->n);
}

/* ---- Weighing ---------------------------------------------------------------------------------------- */

/* Of a register's width of the buckets the sum, each times its value: what has the highest bit goes to the bucket without it, and
 * what went there is multiplied once. Bucket 0 is written and not read. */
static MB_ALWAYS_INLINE vec weigh(unsigned bits, uint8_t *buckets, size_t stride, const uint8_t *units)
{
    vec value = vec_zero();
    for (size_t s = 1; bits == 4 && s < SETS; s++) {
        for (size_t v = 1; v < 16; v++) {
            uint8_t *to = buckets + v * stride;
            vec_store(to, vec_xor(vec_load(to), vec_load(to + s * 16 * stride)));
        }
    }
    for (unsigned k = bits; k-- > 0;) {
        const uint8_t *upper = buckets + (stride << k);
        vec plane = vec_zero();
        for (size_t v = 0; v < (size_t)1 << k; v++) {
            const vec moved = vec_load(upper + v * stride);
            uint8_t *to = buckets + v * stride;
            plane = vec_xor(plane, moved);
            vec_store(to, vec_xor(vec_load(to), moved));
        }
        value = vec_xor(value, vec_times(bits, plane, vec_prepared(bits, units + k * prepared_len(bits))));
    }
    return value;
}

/* Adds what has come of this concern to the sum. */
static void settle(const mb_gathering *g, const layout *at)
{
    static const uint8_t units[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const size_t bytes = at->concern->bytes, stride = registers_of(bytes) * VEC_BYTES;
    uint8_t prepared[8 * 32], *sum = at->sum + at->concern->first;
    if (bytes == 0) {
        return;
    }
    mb_avx2_prepare(g->field, prepared, units, g->field->bits);
    for (size_t w = 0; w < bytes; w += VEC_BYTES) {
        uint8_t part[VEC_BYTES], *buckets = at->buckets + w;
        vec_store(part, g->field->bits == 4 ? weigh(4, buckets, stride, prepared) : weigh(8, buckets, stride, prepared));
        for (size_t b = 0; b < VEC_BYTES && w + b < bytes; b++) {
            sum[w + b] ^= part[b];
        }
    }
}

static void turn_to(const mb_gathering *g, const layout *at, size_t first, size_t bytes)
{
    if (at->concern->first == first && at->concern->bytes == bytes) {
        return;
    }
    settle(g, at);
    *at->concern = (concern){first, bytes};
    memset(at->buckets, 0, buckets_len(g->field->bits) * registers_of(bytes) * VEC_BYTES);
}

static void collect_vartime(const mb_gathering *g, uint8_t *out)
{
    const layout at = find(g);
    settle(g, &at);
    memcpy(out, at.sum, g->width);
}

/* ---- Gathering --------------------------------------------------------------------------------------- */

static MB_ALWAYS_INLINE void add_vector(uint8_t *bucket, size_t registers, const uint8_t *vector)
{
    MB_UNROLL_ANY
    for (size_t w = 0; w < registers; w++) {
        uint8_t *to = bucket + w * VEC_BYTES;
        vec_store(to, vec_xor(vec_load(to), vec_load(vector + w * VEC_BYTES)));
    }
}

/* Whole registers are read. */
static MB_ALWAYS_INLINE void add_vectors(uint8_t *buckets, size_t registers, size_t sets, size_t bytes, const uint8_t *vectors,
                                         const uint8_t *scalars, size_t count)
{
    const size_t stride = registers * VEC_BYTES;
    size_t j = 0;
    for (; j + SETS <= count; j += SETS) {
        MB_UNROLL
        for (size_t s = 0; s < SETS; s++, vectors += bytes) {
            MB_PREFETCH(vectors + AHEAD);
            add_vector(buckets + (s % sets * 16 + scalars[j + s]) * stride, registers, vectors);
        }
    }
    for (; j < count; j++, vectors += bytes) {
        add_vector(buckets + scalars[j] * stride, registers, vectors);
    }
}

static MB_ALWAYS_INLINE void add_any(uint8_t *buckets, size_t sets, size_t bytes, const uint8_t *vectors, const uint8_t *scalars,
                                     size_t count)
{
    switch (registers_of(bytes)) {
    case 1:
        add_vectors(buckets, 1, sets, bytes, vectors, scalars, count);
        return;
    case 2:
        add_vectors(buckets, 2, sets, bytes, vectors, scalars, count);
        return;
    case 3:
        add_vectors(buckets, 3, sets, bytes, vectors, scalars, count);
        return;
    case 4:
        add_vectors(buckets, 4, sets, bytes, vectors, scalars, count);
        return;
    default:
        add_vectors(buckets, registers_of(bytes), sets, bytes, vectors, scalars, count);
    }
}

/* A stretch of monomials, with `after` vectors more behind theirs. */
static void add_stretch(const mb_gathering *g, const layout *at, const uint8_t *vectors, size_t count, size_t after)
{
    const size_t bytes = at->concern->bytes, stride = registers_of(bytes) * VEC_BYTES;
    const size_t apart = (stride - 1) / bytes; /* so many at the very end are not followed by a register's rest */
    const size_t together = after + count < apart ? 0 : after >= apart ? count : after + count - apart;
    if (g->field->bits == 4) {
        add_any(at->buckets, SETS, bytes, vectors, at->products, together);
    } else {
        add_any(at->buckets, 1, bytes, vectors, at->products, together);
    }
    for (size_t j = together; j < count; j++) {
        memcpy(at->last, vectors + j * bytes, bytes);
        add_any(at->buckets, 1, bytes, at->last, at->products + j, 1);
    }
}

static MB_ALWAYS_INLINE void multiply_bits(unsigned bits, uint8_t *products, const uint8_t *x, const uint8_t *prepared, size_t count)
{
    const vec_scalar x_i = vec_prepared(bits, prepared);
    for (size_t c = 0; c < count; c += VEC_BYTES) {
        vec_store(products + c, vec_elements_times(bits, vec_split_for(bits, vec_load(x + c)), x_i));
    }
}

/* x_i·x_{j + c} for c < count, and up to a register more is written. */
static void multiply_row(const mb_gathering *g, const layout *at, uint8_t *products, size_t i, size_t j, size_t count)
{
    if (g->field->bits == 4) {
        multiply_bits(4, products, at->x + j, at->x_prepared + i * prepared_len(4), count);
    } else {
        multiply_bits(8, products, at->x + j, at->x_prepared + i * prepared_len(8), count);
    }
}

static size_t monomials_len(const mb_monomials *m)
{
    return m->rows == 0 ? 0 : m->rows * (m->end - m->j) - m->shrink * (m->rows * (m->rows - 1) / 2);
}

static void gather_vartime(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, const mb_monomials *monomials)
{
    const layout at = find(g);
    size_t waiting = 0, after = monomials_len(monomials);
    turn_to(g, &at, first, bytes);
    for (size_t row = 0; row < monomials->rows; row++) {
        size_t count;
        for (size_t j = monomials->j + row * monomials->shrink; j < monomials->end; j += count) {
            const size_t left = monomials->end - j;
            count = left < STRETCH - waiting ? left : STRETCH - waiting;
            multiply_row(g, &at, at.products + waiting, monomials->i + row, j, count);
            waiting += count;
            if (waiting == STRETCH) {
                after -= waiting;
                add_stretch(g, &at, vectors, waiting, after);
                vectors += waiting * bytes;
                waiting = 0;
            }
        }
    }
    add_stretch(g, &at, vectors, waiting, 0);
}

const mb_gatherer mb_avx2_gatherer = {"avx2", 0, memory_bytes, begin_vartime, gather_vartime, collect_vartime, NULL};
