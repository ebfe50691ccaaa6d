/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A board's generator of random words as a random source. See docs/guide/embedding.md. */
#include "firmware.h"

#include <string.h>

/* The library asks for what it needs in few calls, and gives up with MOONBOW_NO_RANDOM at the first that
 * fails: never answer 0 with bytes that are not random. */
static int fill(void *context, uint8_t *out, size_t bytes)
{
    (void)context;
    while (bytes != 0) {
        uint32_t word;
        const size_t part = bytes < sizeof word ? bytes : sizeof word;
        if (board_random_word(&word) != 0) {
            return -1;
        }
        memcpy(out, &word, part);
        out += part;
        bytes -= part;
    }
    return 0;
}

const moonbow_random board_random = {fill, NULL};
