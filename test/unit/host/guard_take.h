/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Guarded memory for the unit tests on a host: pages of the operating system. firmware/test/guard_take.h is the target's. */
#ifndef TEST_GUARD_TAKE_H
#define TEST_GUARD_TAKE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct guard {
    uint8_t *start, *end; /* of the usable pages */
} guard;

/* At least `bytes` usable bytes; released when the program ends. */
static inline guard guard_take(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t usable = (bytes + page - 1) / page * page;
    uint8_t *all = mmap(NULL, usable + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all, page, PROT_NONE) != 0 ||
        mprotect(all + page + usable, page, PROT_NONE) != 0) {
        fprintf(stderr, "no guarded memory\n");
        abort();
    }
    return (guard){all + page, all + page + usable};
}

#endif
