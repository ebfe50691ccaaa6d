/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Random bytes from Linux's getrandom(); elsewhere every request fails. See random.h. */
#if defined(__linux__)
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* declares getrandom() under -std=c11 too */
#endif
#include <errno.h>
#include <sys/random.h>
#endif

#include "platform/random.h"
#include "platform/wipe.h"

#if defined(__linux__)

int mb_system_random(void *context, uint8_t *out, size_t bytes)
{
    (void)context;
    size_t done = 0;
    while (done < bytes) {
        /* One call gives at most 2^25 - 1 bytes, and beyond 256 a signal may cut it short. */
        const ssize_t got = getrandom(out + done, bytes - done, 0);
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            mb_wipe(out, bytes);
            return -1;
        }
    }
    return 0;
}

#else

int mb_system_random(void *context, uint8_t *out, size_t bytes)
{
    (void)context;
    mb_wipe(out, bytes);
    return -1;
}

#endif
