/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Checking and wiping the caller's scratch memory. */
#ifndef MB_SIGNATURE_SCRATCH_H
#define MB_SIGNATURE_SCRATCH_H

#include "platform/wipe.h"

#include <moonbow/signature.h>

/* OK, or BAD_SCRATCH unless there are `bytes` aligned bytes. */
static inline int mb_scratch_check(const moonbow_scratch *scratch, size_t bytes)
{
    if (scratch == NULL || scratch->start == NULL || scratch->bytes < bytes ||
        (uintptr_t)scratch->start % MOONBOW_SCRATCH_ALIGNMENT != 0) {
        return MOONBOW_BAD_SCRATCH;
    }
    return MOONBOW_OK;
}

/* Wipes its first `bytes` bytes, as far as there are. */
static inline void mb_scratch_wipe(const moonbow_scratch *scratch, size_t bytes)
{
    mb_wipe(scratch->start, bytes < scratch->bytes ? bytes : scratch->bytes);
}

#endif
