/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Random bytes from the operating system. Firmware has none and supplies a function of the same
 * shape of its own. */
#ifndef MB_PLATFORM_RANDOM_H
#define MB_PLATFORM_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Fills out[0 .. bytes-1], SECRET, from the system's generator; waits until that is seeded.
 * `context` is ignored and may be NULL: it is there so that this function fits where users pass a
 * random source. Returns 0, or -1 if the system has no generator or it fails; `out` is then zero. */
int mb_system_random(void *context, uint8_t *out, size_t bytes);

#endif
