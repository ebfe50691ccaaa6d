/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Drawing from a caller's random source, or the system's where there is none. */
#ifndef MB_SCHEME_RANDOM_H
#define MB_SCHEME_RANDOM_H

#include "platform/random.h"

#include <moonbow/signature.h>

/* One draw of SECRET bytes; 0, or not 0 when the source failed. */
static inline int mb_random_fill(const moonbow_random *random, uint8_t *out, size_t bytes)
{
    return random == NULL ? mb_system_random(NULL, out, bytes) : random->fill(random->context, out, bytes);
}

#endif
