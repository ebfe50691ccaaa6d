/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The counter of counter mode: a big-endian number of 128 bits, here as two 64-bit halves. Constant
 * time, because the generator's counter is SECRET. */
#ifndef MB_SYMMETRIC_COUNTER_H
#define MB_SYMMETRIC_COUNTER_H

#include "platform/bytes.h"

#include <stdint.h>

typedef struct mb_counter {
    uint64_t high;
    uint64_t low;
} mb_counter;

static inline mb_counter mb_counter_load(const uint8_t in[16])
{
    const mb_counter counter = {mb_load64_be(in), mb_load64_be(in + 8)};
    return counter;
}

static inline void mb_counter_store(uint8_t out[16], mb_counter counter)
{
    mb_store64_be(out, counter.high);
    mb_store64_be(out + 8, counter.low);
}

/* counter + n modulo 2^128. */
static inline mb_counter mb_counter_add(mb_counter counter, uint64_t n)
{
    const uint64_t low = counter.low + n;
    /* The carry out of bit 63: both bits were set, or one was and the sum's is not. */
    const uint64_t carry = ((counter.low & n) | ((counter.low | n) & ~low)) >> 63;
    const mb_counter sum = {counter.high + carry, low};
    return sum;
}

#endif
