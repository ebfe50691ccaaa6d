/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For tests: NIST's generator as a random source, lent scratch memory, hexadecimal, and small repeatable randomness. */
#ifndef TEST_NIST_H
#define TEST_NIST_H

#include "platform/random.h"
#include "symmetric/drbg.h"

#include <moonbow/signature.h>
#include <stdio.h>
#include <stdlib.h>

/* A draw of the generator at `context`, an mb_drbg. */
static inline int nist_fill(void *context, uint8_t *out, size_t bytes)
{
    mb_drbg_draw(context, out, bytes);
    return 0;
}

/* The generator that NIST's programs begin with: entropy input 00 01 … 2f. */
static inline mb_drbg nist_outer(void)
{
    uint8_t entropy[48];
    mb_drbg drbg;
    for (unsigned i = 0; i < sizeof entropy; i++) {
        entropy[i] = (uint8_t)i;
    }
    mb_drbg_init(&drbg, entropy);
    return drbg;
}

static inline moonbow_scratch lend(size_t bytes, moonbow_mode mode)
{
    const size_t rounded = (bytes + MOONBOW_SCRATCH_ALIGNMENT - 1) / MOONBOW_SCRATCH_ALIGNMENT *
                           MOONBOW_SCRATCH_ALIGNMENT;
    return (moonbow_scratch){aligned_alloc(MOONBOW_SCRATCH_ALIGNMENT, rounded), bytes, mode};
}

/* xorshift64*: repeatable, not random. */
static inline uint64_t next_number(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static inline void fill_bytes(uint64_t *state, uint8_t *out, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(next_number(state) >> 56);
    }
}

static inline void read_hex(uint8_t *out, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        unsigned byte = 0;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) {
            abort();
        }
        out[i] = (uint8_t)byte;
    }
}

#endif
