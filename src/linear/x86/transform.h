/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the products of a matrix and many vectors share. */
#ifndef MB_LINEAR_X86_TRANSFORM_H
#define MB_LINEAR_X86_TRANSFORM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Two rows and two columns over GF(16), of which the prepared form acts on both nibbles: row r of a bit matrix is byte 7 - r. */
static inline uint64_t mb_x86_join_matrices(uint64_t low_low, uint64_t low_high, uint64_t high_low, uint64_t high_high)
{
    return (low_low & 0x0f0f0f0f00000000) | (low_high & 0x0f0f0f0f00000000) << 4 | (high_low & 0x00000000f0f0f0f0) >> 4 |
           (high_high & 0x00000000f0f0f0f0);
}

/* out ^= the first `bytes` ≤ 8 bytes of a word. */
static inline void mb_x86_add_word(uint8_t *out, const uint8_t *word, size_t bytes)
{
    if (bytes == 8) {
        uint64_t sum, more;
        memcpy(&sum, out, 8);
        memcpy(&more, word, 8);
        sum ^= more;
        memcpy(out, &sum, 8);
        return;
    }
    if (bytes >= 4) {
        uint32_t sum, more;
        memcpy(&sum, out, 4);
        memcpy(&more, word, 4);
        sum ^= more;
        memcpy(out, &sum, 4);
        out += 4;
        word += 4;
        bytes -= 4;
    }
    for (size_t i = 0; i < bytes; i++) {
        out[i] ^= word[i];
    }
}

#endif
