/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The portable backend: always built, and the oracle in the test of every other one. */
#ifndef MB_LINEAR_PORTABLE_PORTABLE_H
#define MB_LINEAR_PORTABLE_PORTABLE_H

#include "linear/contract.h"
#include "platform/bytes.h"

#include <string.h>

extern const mb_multiplier mb_portable_multiplier;
extern const mb_solver mb_portable_solver;
extern const mb_gatherer mb_portable_gatherer;

/* The words that hold `bytes` bytes. */
static inline size_t mb_words(size_t bytes)
{
    return (bytes + 7) / 8;
}

/* The next min(left, 8) bytes as a word whose other bytes are 0, and back, in the machine's order: no arithmetic here mixes
 * elements, so the order only has to be the same as where whole words are copied. */
static inline uint64_t mb_load_word(const uint8_t *in, size_t left)
{
    uint64_t word = 0;
    if (left >= 8) {
        memcpy(&word, in, 8);
        return word;
    }
    for (size_t i = 0; i < left; i++) {
        word |= (uint64_t)in[i] << (8 * i);
    }
    return mb_order64_le(word);
}

static inline void mb_store_word(uint8_t *out, size_t left, uint64_t word)
{
    if (left >= 8) {
        memcpy(out, &word, 8);
        return;
    }
    word = mb_order64_le(word);
    for (size_t i = 0; i < left; i++) {
        out[i] = (uint8_t)(word >> (8 * i));
    }
}

#endif
