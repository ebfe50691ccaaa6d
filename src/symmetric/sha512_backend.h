/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * How sha512.c finds its compression function: its own portable one, or the processor's SHA-512 instructions
 * (aarch64/sha512_ce.c), if the build has that file and this machine the means. */
#ifndef MB_SYMMETRIC_SHA512_BACKEND_H
#define MB_SYMMETRIC_SHA512_BACKEND_H

#include <stddef.h>
#include <stdint.h>

/* Takes `count` blocks of 128 bytes each, at any address, into the state [FIPS 180-4 §6.4.2], all SECRET or
 * public. `count` may be 0. */
typedef void (*mb_sha512_compress)(uint64_t state[8], const uint8_t *blocks, size_t count);

/* The portable mb_sha512_compress. */
void mb_sha512_portable(uint64_t state[8], const uint8_t *blocks, size_t count);

/* The one that uses this machine's instructions, or NULL if there are none. The build takes exactly one of the files that
 * define it: aarch64/sha512_ce.c or portable/sha512_accelerated.c. */
mb_sha512_compress mb_sha512_accelerated(void);

/* K_0 … K_79 [§4.2.3], for both. */
extern const uint64_t mb_sha512_round_constants[80];

#endif
