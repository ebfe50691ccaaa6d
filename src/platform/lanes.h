/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Some words as one value for word-parallel code: 16 bytes in a vector register where the machine has one and in two 64-bit words
 * elsewhere; a single word for compilers without vector types, and with MB_LANES_PLAIN for tools that know none either.
 * Use it for bitwise work and shifts within the words; nothing depends on their order. MB_LANES_WORD is one of them, to assign to. */
#ifndef MB_PLATFORM_LANES_H
#define MB_PLATFORM_LANES_H

#include <stdint.h>
#include <string.h>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(MB_LANES_PLAIN)
typedef uint64_t mb_lanes __attribute__((vector_size(16)));
#define MB_LANES_WORD(lanes, word) ((lanes)[word])
#define MB_LANES_OF(word) {(word), (word)}
enum { MB_LANES_BYTES = 16, MB_LANES_WORDS = 2 };
#else
typedef uint64_t mb_lanes;
#define MB_LANES_WORD(lanes, word) (*((void)(word), &(lanes)))
#define MB_LANES_OF(word) (word)
enum { MB_LANES_BYTES = 8, MB_LANES_WORDS = 1 };
#endif

/* gcc tells, at each call, that such values are passed in other ways on x86 without SSE: they are never passed between files. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

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
    const mb_lanes lanes = MB_LANES_OF(word);
    return lanes;
}

#endif
