/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * How sha256.c finds its compression function: portable code (sha256_portable.c), or the processor's SHA
 * instructions (x86/sha256_ni.c), if this machine has them, or assembly (cortex_m4/sha256.c). */
#ifndef MB_SYMMETRIC_SHA256_BACKEND_H
#define MB_SYMMETRIC_SHA256_BACKEND_H

#include <stddef.h>
#include <stdint.h>

/* Takes `count` blocks of 64 bytes each, at any address, into the state [FIPS 180-4 §6.2.2], all SECRET
 * or public. `count` may be 0. */
typedef void (*mb_sha256_compress)(uint32_t state[8], const uint8_t *blocks, size_t count);

/* The portable mb_sha256_compress. */
void mb_sha256_portable(uint32_t state[8], const uint8_t *blocks, size_t count);

/* The quickest one on this machine, which is the portable one where there is no other. The build takes exactly one of
 * the files that define it: x86/sha256_ni.c, aarch64/sha256_ce.c, cortex_m4/sha256.c or portable/sha256_accelerated.c, so
 * that firmware links one compression function. */
mb_sha256_compress mb_sha256_accelerated(void);

/* K_0 ... K_63 [§4.2.2], for both. */
extern const uint32_t mb_sha256_round_constants[64];

#endif
