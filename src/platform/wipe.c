/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Erasing secrets: memset that the optimiser must believe to be read afterwards. See wipe.h. */
#include "platform/wipe.h"

#include <string.h>

void mb_wipe(void *memory, size_t bytes)
{
#if defined(__GNUC__) || defined(__clang__)
    if (bytes != 0) {
        memset(memory, 0, bytes);
    }
    /* The empty statement takes the pointer and may read any memory: the stores above are live. */
    __asm__ volatile("" : : "r"(memory) : "memory");
#else
    volatile unsigned char *byte = memory;
    for (size_t i = 0; i < bytes; i++) {
        byte[i] = 0;
    }
#endif
}
