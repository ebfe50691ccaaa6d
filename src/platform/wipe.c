/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Erasing secrets: memset that the optimiser must believe to be read afterwards. See wipe.h. */
#include "platform/wipe.h"

#include <stdint.h>
#include <string.h>

#if defined(__ARM_ARCH_7EM__) && !defined(MOONBOW_SMALL_CODE)
void mb_wipe_lines(void *lines, size_t count); /* wipe_lines.S */

/* Eight words at a time, where memset stores one. Returns how many bytes are done. */
static size_t wipe_lines(void *memory, size_t bytes)
{
    enum { LINE_BYTES = 64 };
    if ((uintptr_t)memory % 4 != 0 || bytes < LINE_BYTES) {
        return 0;
    }
    mb_wipe_lines(memory, bytes / LINE_BYTES);
    return bytes - bytes % LINE_BYTES;
}
#else
static size_t wipe_lines(void *memory, size_t bytes)
{
    (void)memory, (void)bytes;
    return 0;
}
#endif

void mb_wipe(void *memory, size_t bytes)
{
#if defined(__GNUC__) || defined(__clang__)
    const size_t done = wipe_lines(memory, bytes);
    if (bytes != done) {
        memset((unsigned char *)memory + done, 0, bytes - done);
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
