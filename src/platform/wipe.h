/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Erasing secrets from memory. Assumes nothing; every module that held a secret calls it before it
 * returns. */
#ifndef MB_PLATFORM_WIPE_H
#define MB_PLATFORM_WIPE_H

#include <stddef.h>

/* Writes zero over `bytes` bytes at `memory`. Unlike memset, the compiler may not leave it out when
 * the memory is not read again. `bytes` may be 0. */
void mb_wipe(void *memory, size_t bytes);

#endif
