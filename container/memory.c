/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Aligned memory that is wiped before it is freed. */
#include "memory.h"

#include <moonbow/signature.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

void *moonbow_memory_new(size_t bytes)
{
    void *start = NULL;
    if (posix_memalign(&start, MOONBOW_SCRATCH_ALIGNMENT, bytes ? bytes : 1) != 0)
        return NULL;
    memset(start, 0, bytes);
    return start;
}

void moonbow_memory_free(void *start, size_t bytes)
{
    if (!start)
        return;
    OPENSSL_cleanse(start, bytes);
    free(start);
}
