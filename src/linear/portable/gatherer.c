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
static inline size_t bucket_stride(size_t width)
{
    return (width + MB_LANES_BYTES - 1) / MB_LANES_BYTES * MB_LANES_BYTES;
}

static size_t accumulator_bytes(const mb_field *field, size_t width, int small)
{
    const size_t buckets = !small ? (size_t)1 << field->bits : field->bits == 4 ? 15 : 30;
    return buckets * bucket_stride(width);
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

static MB_ALWAYS_INLINE void gather_fast(uint8_t *buckets, size_t stride, size_t bytes, const uint8_t *vectors,
                                         const uint8_t *scalars, size_t count)
{
    for (size_t j = 0; j < count; j++, vectors += bytes) {
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

static void gather_vartime(const mb_field *field, void *accumulators, size_t width, int small,
                           size_t first, size_t bytes, const uint8_t *vectors,
                           const uint8_t *scalars, size_t count)
{
    uint8_t *buckets = (uint8_t *)accumulators + first;
    const size_t stride = bucket_stride(width);
    (void)field;
    if (small) {
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

static void collect_vartime(const mb_field *field, uint8_t *out, void *accumulators, size_t width,
                            int small)
{
    const size_t stride = bucket_stride(width);
    /* Past the unread bucket 0 of fast mode. */
    uint8_t *buckets = (uint8_t *)accumulators + (small ? 0 : stride);
    for (size_t i = 0; i < width; i += 8) {
        uint64_t plane[8];
        if (small) {
            fold_buckets(plane, buckets + i, stride, 4);
            if (field->bits == 8) {
                fold_buckets(plane + 4, buckets + 15 * stride + i, stride, 4);
            }
        } else {
            fold_buckets(plane, buckets + i, stride, field->bits);
        }
        const uint64_t sum = mb_word_recombine(*field, plane);
        mb_store_word(out + i, width - i, sum);
    }
}

const mb_gatherer mb_portable_gatherer = {"portable", accumulator_bytes, gather_vartime,
                                          collect_vartime};
