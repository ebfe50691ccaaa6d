/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the gatherers of either field share: sums of vectors at any address, a primitive element g of GF(16), and the sum at the end. */
#ifndef MB_LINEAR_CORTEX_M4_GATHERER_H
#define MB_LINEAR_CORTEX_M4_GATHERER_H

#include "linear/contract.h"
#include "linear/cortex_m4/words.h"

#include <string.h>

/* a ^= vector. */
static inline void mb_m4_add_to(uint8_t *a, const uint8_t *vector, size_t bytes)
{
    size_t i = 0;
    for (; i + 4 <= bytes; i += 4) {
        uint32_t word, sum;
        memcpy(&word, vector + i, 4);
        memcpy(&sum, a + i, 4);
        sum ^= word;
        memcpy(a + i, &sum, 4);
    }
    for (; i < bytes; i++) {
        a[i] ^= vector[i];
    }
}

/* Times g, a primitive element of GF(16) with g⁴ = g + 1: y in the tower basis; in the polynomial one x, or what else has its relation where the modulus is not x⁴ + x + 1. */
static MB_ALWAYS_INLINE uint32_t mb_m4_times_g(mb_field field, uint32_t word)
{
    const unsigned g = field.modulus == 0x3 ? 0x2 : field.modulus == 0x9 ? 0xc : 0xa;
    uint32_t product = 0;
    if (field.basis == MB_BASIS_TOWER) {
        return mb_m4_tower_y(word);
    }
    for (unsigned bits = g; bits != 0; bits >>= 1) {
        const uint32_t carry = word & 0x88888888u;
        product ^= (bits & 1) != 0 ? word : 0;
        word = ((word ^ carry) << 1) ^ (carry >> 3) * field.modulus;
    }
    return product;
}

/* The sum at 8 bytes of the buckets. */
typedef uint64_t mb_m4_collector(const mb_field *field, const uint8_t *bucket, size_t stride);

static inline void mb_m4_collect(const mb_gathering *g, const uint8_t *buckets, size_t stride, mb_m4_collector *part, uint8_t *out)
{
    for (size_t i = 0; i < g->width; i += 8) {
        const uint64_t sum = part(g->field, buckets + i, stride);
        memcpy(out + i, &sum, g->width - i < 8 ? g->width - i : 8);
    }
}

#endif
