/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * 16 bytes as one value for word-parallel code: a vector register where the machine has one, two 64-bit words elsewhere.
 * Use it for bitwise work and shifts within the words; nothing depends on the order of the words. */
#ifndef MB_PLATFORM_LANES_H
#define MB_PLATFORM_LANES_H

#include <stdint.h>
#include <string.h>

typedef uint64_t mb_lanes __attribute__((vector_size(16)));

/* gcc tells, at each call, that such values are passed in other ways on x86 without SSE: they are never passed between files. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

enum { MB_LANES_BYTES = 16, MB_LANES_WORDS = 2 };

/* At any address. */
static inline mb_lanes mb_lanes_load(const uint8_t *in)
{
    mb_lanes lanes;
    memcpy(&lanes, in, sizeof lanes);
    return lanes;
}

static inline void mb_lanes_store(uint8_t *out, mb_lanes lanes)
{
    memcpy(out, &lanes, sizeof lanes);
}

static inline mb_lanes mb_lanes_broadcast(uint64_t word)
{
    return (mb_lanes){word, word};
}

#endif
