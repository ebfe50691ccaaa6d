/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Repeatable randomness for tests: Marsaglia's xorshift64*, seeded from the command line or with a
 * constant, and printed, so that a failure can be run again. Not for keys. */
#ifndef MB_TEST_XORSHIFT_H
#define MB_TEST_XORSHIFT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct xorshift {
    uint64_t state; /* never 0 */
} xorshift;

/* Takes the seed from the program's first argument if there is one, and prints it. */
static inline xorshift xorshift_start(int argc, char **argv)
{
    xorshift random = {UINT64_C(0x6d6f6f6e626f7721)};
    if (argc > 1) {
        random.state = (uint64_t)strtoull(argv[1], NULL, 0);
    }
    if (random.state == 0) {
        random.state = 1;
    }
    printf("seed: 0x%016llx (give another as the first argument)\n", (unsigned long long)random.state);
    return random;
}

static inline uint64_t xorshift_next(xorshift *random)
{
    uint64_t x = random->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}

/* 0 ... bound - 1, nearly uniform. */
static inline size_t xorshift_below(xorshift *random, size_t bound)
{
    return (size_t)((xorshift_next(random) >> 32) % bound);
}

static inline void xorshift_fill(xorshift *random, uint8_t *out, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(xorshift_next(random) >> 56);
    }
}

#endif
