/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification's inner loop in portable C: vectors are thrown into a bucket by the value of their scalar (only exclusive ors),
 * and the buckets are weighed once at the end. Variable time: public data only. */
#include "field/word.h"
#include "linear/contract.h"
#include "linear/portable/portable.h"
#include "platform/compiler.h"
#include "platform/lanes.h"

#include <string.h>

/* Fast mode has a bucket for each field element. Small mode has one for each low nibble and, over
 * GF(256), one for each high nibble: a vector goes into both. Bucket 0 (value 0) of each group of
 * small mode is left out; in fast mode it is kept as a place that is written and never read, which is
 * quicker than a branch that half the time goes wrong. */
typedef struct layout {
    uint8_t *x;        /* n elements, one a byte, padded to whole lanes */
    uint8_t *products; /* of a row: x_i·x_j for the columns j at hand */
    size_t stride;     /* of the rows of `multiples` */
    uint8_t *multiples; /* fast mode: basis element k times x_j at k·stride + j */
    size_t bucket_stride;
    uint8_t *buckets;
    size_t buckets_len;
    size_t bytes; /* of all this */
} layout;

static size_t whole_lanes(size_t bytes)
{
    return (bytes + MB_LANES_BYTES - 1) / MB_LANES_BYTES * MB_LANES_BYTES;
}

static layout lay_out(const mb_gathering *g)
{
    layout at;
    uint8_t *start = g->memory;
    /* A row of products is computed in whole lanes from any place: room for one lane more. */
    const size_t row = whole_lanes(g->n) + MB_LANES_BYTES;
    at.stride = row;
    at.bucket_stride = whole_lanes(g->width);
    at.buckets_len = !g->small ? (size_t)1 << g->field->bits : g->field->bits == 4 ? 15 : 30;
    const size_t multiples_bytes = g->small ? 0 : g->field->bits * row;
    at.x = start;
    at.products = start + row;
    at.multiples = start + 2 * row;
    at.buckets = start + 2 * row + multiples_bytes;
    at.bytes = 2 * row + multiples_bytes + at.buckets_len * at.bucket_stride;
    return at;
}

static size_t memory_bytes(const mb_gathering *g)
{
    static uint8_t nowhere;
    mb_gathering measured = *g;
    measured.memory = &nowhere; /* offsets from it are taken, nothing is read */
    return lay_out(&measured).bytes;
}

static void begin_vartime(const mb_gathering *g, const uint8_t *x)
{
    const layout at = lay_out(g);
    memset(g->memory, 0, at.bytes);
    memcpy(at.x, x, g->n);
    for (size_t j = 0; j < at.stride && !g->small; j += 8) {
        uint64_t word, plane[8];
        memcpy(&word, at.x + j, 8);
        mb_word_spread(*g->field, plane, word);
        for (unsigned k = 0; k < g->field->bits; k++) {
            memcpy(at.multiples + k * at.stride + j, &plane[k], 8);
        }
    }
}

/* products[c] = s·x[start + c] in fast mode, s not 0: the sum of the multiples of x for which s has bits. */
static void multiply_by_multiples(const layout *at, unsigned bits, uint8_t s, size_t start, size_t count)
{
    const uint8_t *chosen[8];
    unsigned chosen_len = 0;
    for (unsigned k = 0; k < bits; k++) {
        if ((s >> k) & 1) {
            chosen[chosen_len++] = at->multiples + k * at->stride + start;
        }
    }
    for (size_t c = 0; c < count; c += MB_LANES_BYTES) {
        /* s is not 0. NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        mb_lanes sum = mb_lanes_load(chosen[0] + c);
        for (unsigned k = 1; k < chosen_len; k++) {
            sum ^= mb_lanes_load(chosen[k] + c);
        }
        mb_lanes_store(at->products + c, sum);
    }
}

/* The same in small mode, by tables of the products of s with nibbles. */
static void multiply_by_nibbles(const layout *at, const mb_field *field, uint8_t s, size_t start, size_t count)
{
    uint8_t low[16], high[16] = {0};
    mb_field_nibble_products(field, low, high, s);
    for (size_t c = 0; c < count; c++) {
        const uint8_t x = at->x[start + c];
        at->products[c] = (uint8_t)(low[x & 15] ^ high[x >> 4]);
    }
}

/* bucket ^= vector */
static MB_ALWAYS_INLINE void add_to(uint8_t *bucket, const uint8_t *vector, size_t bytes)
{
    size_t i = 0;
    for (; i + MB_LANES_BYTES <= bytes; i += MB_LANES_BYTES) {
        mb_lanes_store(bucket + i, mb_lanes_load(bucket + i) ^ mb_lanes_load(vector + i));
    }
    for (; i + 4 <= bytes; i += 4) {
        uint32_t a, b;
        memcpy(&a, bucket + i, 4);
        memcpy(&b, vector + i, 4);
        a ^= b;
        memcpy(bucket + i, &a, 4);
    }
    for (; i < bytes; i++) {
        bucket[i] ^= vector[i];
    }
}

/* The key is read once, in order; how far ahead of its use it is asked for. Asking beyond its end is harmless. */
enum { AHEAD_BYTES = 1024 };

static MB_ALWAYS_INLINE void gather_fast(uint8_t *buckets, size_t stride, size_t bytes, const uint8_t *vectors,
                                         const uint8_t *scalars, size_t count)
{
    for (size_t j = 0; j < count; j++, vectors += bytes) {
        MB_PREFETCH(vectors + AHEAD_BYTES);
        add_to(buckets + scalars[j] * stride, vectors, bytes);
    }
}

static void gather_small(uint8_t *buckets, size_t stride, size_t bytes, const uint8_t *vectors,
                         const uint8_t *scalars, size_t count)
{
    for (size_t j = 0; j < count; j++, vectors += bytes) {
        const unsigned low = scalars[j] & 15u;
        const unsigned high = scalars[j] >> 4;
        if (low != 0) {
            add_to(buckets + (low - 1) * stride, vectors, bytes);
        }
        if (high != 0) {
            add_to(buckets + (15 + high - 1) * stride, vectors, bytes);
        }
    }
}

static void gather_products(const mb_gathering *g, const layout *at, size_t first, size_t bytes,
                            const uint8_t *vectors, size_t count)
{
    uint8_t *buckets = at->buckets + first;
    const size_t stride = at->bucket_stride;
    const uint8_t *scalars = at->products;
    if (g->small) {
        gather_small(buckets, stride, bytes, vectors, scalars, count);
        return;
    }
    /* Common lengths as constants: the compiler unrolls them. */
    switch (bytes) {
    case 16:
        gather_fast(buckets, stride, 16, vectors, scalars, count);
        return;
    case 32:
        gather_fast(buckets, stride, 32, vectors, scalars, count);
        return;
    case 36:
        gather_fast(buckets, stride, 36, vectors, scalars, count);
        return;
    case 48:
        gather_fast(buckets, stride, 48, vectors, scalars, count);
        return;
    case 64:
        gather_fast(buckets, stride, 64, vectors, scalars, count);
        return;
    case 80:
        gather_fast(buckets, stride, 80, vectors, scalars, count);
        return;
    case 96:
        gather_fast(buckets, stride, 96, vectors, scalars, count);
        return;
    case 100:
        gather_fast(buckets, stride, 100, vectors, scalars, count);
        return;
    default:
        gather_fast(buckets, stride, bytes, vectors, scalars, count);
    }
}

static void gather_row(const mb_gathering *g, const layout *at, size_t first, size_t bytes, const uint8_t *vectors,
                       size_t i, size_t j, size_t count)
{
    const uint8_t x_i = at->x[i];
    if (x_i == 0) {
        return;
    }
    if (g->small) {
        multiply_by_nibbles(at, g->field, x_i, j, count);
    } else {
        multiply_by_multiples(at, g->field->bits, x_i, j, count);
    }
    gather_products(g, at, first, bytes, vectors, count);
}

static void gather_vartime(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors,
                           const mb_monomials *monomials)
{
    const layout at = lay_out(g);
    for (size_t row = 0; row < monomials->rows; row++) {
        const size_t j = monomials->j + row * monomials->shrink, count = monomials->end - j;
        gather_row(g, &at, first, bytes, vectors, monomials->i + row, j, count);
        vectors += count * bytes;
    }
}

/* For the words at one place in 2^count - 1 buckets of values 1, 2, …: plane[k] becomes the sum of the
 * buckets whose value has bit k. Halving from the top: 2^k above its half goes to the lower half. */
static void fold_buckets(uint64_t *plane, uint8_t *buckets, size_t stride, unsigned bits)
{
    for (unsigned k = bits; k-- > 0;) {
        uint64_t sum = 0;
        for (size_t v = 0; v < (size_t)1 << k; v++) {
            uint64_t upper, lower;
            memcpy(&upper, buckets + (((size_t)1 << k) + v - 1) * stride, 8);
            sum ^= upper;
            if (v != 0) {
                memcpy(&lower, buckets + (v - 1) * stride, 8);
                lower ^= upper;
                memcpy(buckets + (v - 1) * stride, &lower, 8);
            }
        }
        plane[k] = sum;
    }
}

static void collect_vartime(const mb_gathering *g, uint8_t *out)
{
    const layout at = lay_out(g);
    /* Past the unread bucket 0 of fast mode. */
    uint8_t *buckets = at.buckets + (g->small ? 0 : at.bucket_stride);
    for (size_t i = 0; i < g->width; i += 8) {
        uint64_t plane[8];
        if (g->small) {
            fold_buckets(plane, buckets + i, at.bucket_stride, 4);
            if (g->field->bits == 8) {
                fold_buckets(plane + 4, buckets + 15 * at.bucket_stride + i, at.bucket_stride, 4);
            }
        } else {
            fold_buckets(plane, buckets + i, at.bucket_stride, g->field->bits);
        }
        mb_store_word(out + i, g->width - i, mb_word_recombine(*g->field, plane));
    }
}

const mb_gatherer mb_portable_gatherer = {"portable", 0, memory_bytes, begin_vartime, gather_vartime, collect_vartime, NULL};
