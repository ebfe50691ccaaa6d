/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification's inner loop over GF(256) on Cortex-M4: vectors go into buckets by their scalar, one for each value, or in small mode for
 * each nibble, which are weighed at the end. Variable time: public data only. */
#include "field/word.h"
#include "linear/cortex_m4/cortex_m4.h"
#include "linear/cortex_m4/gatherer.h"
#include "linear/cortex_m4/words.h"
#include "platform/arena.h"

enum { VALUE_BUCKETS = 256, NIBBLE_BUCKETS = 32 };

typedef struct state {
    const uint8_t *x;
} state;

typedef struct layout {
    state *state;
    size_t stride; /* of the buckets */
    uint8_t *buckets;
    size_t buckets_len;
} layout;

static int is_small(const mb_gathering *g)
{
    return g->small || MB_M4_SMALL_CODE;
}

static layout lay_out(const mb_gathering *g, mb_arena *arena)
{
    layout at;
    const size_t unit = is_small(g) ? 8 : 16;
    at.stride = (g->width + unit - 1) / unit * unit;
    at.buckets_len = is_small(g) ? NIBBLE_BUCKETS : VALUE_BUCKETS;
    at.state = mb_arena_take(arena, sizeof(state));
    at.buckets = mb_arena_take(arena, at.buckets_len * at.stride);
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

/* Clears the buckets. */
static void begin(const mb_gathering *g, const uint8_t *x)
{
    const layout at = find(g);
    at.state->x = x;
    memset(at.buckets, 0, at.buckets_len * at.stride);
}

/* 16 bytes: the sums of the four products that the bits of a nibble stand for. */
static void write_sums(uint8_t out[16], const uint32_t product[4])
{
    uint32_t words[4];
    words[0] = product[0] << 8 | product[1] << 16 | (product[0] ^ product[1]) << 24;
    words[1] = words[0] ^ product[2] * 0x01010101u;
    words[2] = words[0] ^ product[3] * 0x01010101u;
    words[3] = words[1] ^ product[3] * 0x01010101u;
    memcpy(out, words, sizeof words);
}

/* The products of s with every low nibble and with every high nibble, as mb_field_nibble_products. */
static MB_ALWAYS_INLINE void nibble_products(mb_field field, uint8_t low[16], uint8_t high[16], uint8_t s)
{
    uint32_t basis[8];
    mb_m4_spread(field, basis, s);
    write_sums(low, basis);
    write_sums(high, basis + 4);
}

/* Whatever the vectors' length and the buckets' alignment. */
static void gather_anywhere(const mb_m4_values *to, const uint8_t *vectors, const uint8_t *x, size_t count, int small)
{
    for (size_t c = 0; c < count; c++) {
        const unsigned product = to->low[x[c] & 15] ^ to->high[x[c] >> 4];
        const uint8_t *vector = vectors + c * to->bytes;
        if (!small) {
            mb_m4_add_to(to->buckets + product * to->stride, vector, to->bytes);
            continue;
        }
        uint8_t *a = to->buckets + (product & 15) * to->stride, *b = to->buckets + (16 + (product >> 4)) * to->stride;
        for (size_t i = 0; i < to->bytes; i++) { /* both at once: each byte of the vector is read once */
            const uint8_t byte = vector[i];
            a[i] ^= byte;
            b[i] ^= byte;
        }
    }
}

static void gather_row(const mb_gathering *g, const layout *at, size_t first, size_t bytes, const uint8_t *vectors,
                           uint8_t x_i, const uint8_t *x, size_t count)
{
    mb_m4_values to = {.buckets = at->buckets + first, .stride = at->stride, .bytes = bytes};
    if (mb_m4_has_kernels(g->field)) {
        MB_M4_DISPATCH_256(g->field, nibble_products, to.low, to.high, x_i);
    } else {
        mb_field_nibble_products(g->field, to.low, to.high, x_i);
    }
    if (first % 4 != 0 || bytes % 4 > 1 || bytes / 16 > MB_M4_GROUPS_MOST) {
        gather_anywhere(&to, vectors, x, count, is_small(g));
    } else if (is_small(g)) {
        mb_m4_gather_nibbles_vartime(&to, vectors, x, count);
    } else {
        mb_m4_gather_values_vartime(&to, vectors, x, count);
    }
}

static void gather(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, const mb_monomials *monomials)
{
    const layout at = find(g);
    for (size_t row = 0; row < monomials->rows; row++) {
        const size_t j = monomials->j + row * monomials->shrink, count = monomials->end - j;
        const uint8_t x_i = at.state->x[monomials->i + row];
        if (x_i != 0) {
            gather_row(g, &at, first, bytes, vectors, x_i, at.state->x + j, count);
        }
        vectors += count * bytes;
    }
}

/* One bucket a value: plane k, the sum of the buckets whose value has bit k, comes to bucket 2^k. From the highest bit on, which is
 * then dropped from the values. */
static void fold_values(uint8_t *buckets, size_t stride)
{
    uint8_t *bucket[16] = {NULL}, ones[VALUE_BUCKETS / 2];
    memset(ones, 1, sizeof ones);
    for (size_t half = VALUE_BUCKETS / 2; half > 1; half /= 2) {
        uint8_t *const plane = buckets + half * stride;
        bucket[1] = buckets + stride;
        mb_m4_gather_row_vartime(bucket, plane + stride, (half - 1) * stride / 16, ones, 1);
        bucket[1] = plane;
        mb_m4_gather_row_vartime(bucket, plane + stride, stride / 16, ones, half - 1);
    }
}

/* 8 bytes of the sum: the planes weighed. */
static uint64_t join_planes(const mb_field *field, const uint8_t *bucket, size_t stride)
{
    uint64_t plane[8];
    for (unsigned k = 0; k < 8; k++) {
        memcpy(&plane[k], bucket + ((size_t)1 << k) * stride, 8);
    }
    return mb_word_recombine(*field, plane);
}

/* The same from a bucket for each nibble: plane k is the sum of those whose nibble has its bit. */
static uint64_t join_nibbles(const mb_field *field, const uint8_t *bucket, size_t stride)
{
    uint64_t plane[8] = {0}, word;
    for (unsigned b = 0; b < NIBBLE_BUCKETS; b++) {
        memcpy(&word, bucket + b * stride, 8);
        for (unsigned k = b < 16 ? 0 : 4, nibble = b % 16; nibble != 0; k++, nibble >>= 1) {
            plane[k] ^= (nibble & 1) != 0 ? word : 0;
        }
    }
    return mb_word_recombine(*field, plane);
}

static void collect(const mb_gathering *g, uint8_t *out)
{
    const layout at = find(g);
    if (is_small(g)) {
        mb_m4_collect(g, at.buckets, at.stride, join_nibbles, out);
    } else {
        fold_values(at.buckets, at.stride);
        mb_m4_collect(g, at.buckets, at.stride, join_planes, out);
    }
}

const mb_gatherer mb_m4_gatherer_256 = {"cortex-m4", 0, memory_bytes, begin, gather, collect, NULL};
