/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * How keccak.c finds its permutation: its own portable one, or the processor's SHA-3 instructions (aarch64/keccak_ce.c), if
 * the build has that file and this machine the means. */
#ifndef MB_SYMMETRIC_KECCAK_BACKEND_H
#define MB_SYMMETRIC_KECCAK_BACKEND_H

#include <stddef.h>
#include <stdint.h>

/* Keccak-f[1600], 24 rounds, in place, SECRET or public. */
typedef void (*mb_keccak_permutation)(uint64_t lanes[25]);

/* The portable one. */
void mb_keccak_portable(uint64_t lanes[25]);

/* The one that uses this machine's instructions, or NULL if there are none. The build takes exactly one of the files that
 * define it: aarch64/keccak_ce.c or portable/keccak_accelerated.c. */
mb_keccak_permutation mb_keccak_accelerated(void);

/* [FIPS 202 §3.2.5], for both. */
extern const uint64_t mb_keccak_round_constants[24];

#endif
