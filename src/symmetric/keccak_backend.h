/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * How keccak.c finds its permutation: its own portable one, the processor's SHA-3 instructions (aarch64/keccak_ce.c), if
 * this machine has them, or assembly (cortex_m4/keccak.c). */
#ifndef MB_SYMMETRIC_KECCAK_BACKEND_H
#define MB_SYMMETRIC_KECCAK_BACKEND_H

#include <stddef.h>
#include <stdint.h>

/* Keccak-f[1600], 24 rounds, in place, SECRET or public. */
typedef void (*mb_keccak_permutation)(uint64_t lanes[25]);

/* The portable one. */
void mb_keccak_portable(uint64_t lanes[25]);

/* One that is quicker on this machine, or NULL if there is none. The build takes exactly one of the files that define it:
 * aarch64/keccak_ce.c, cortex_m4/keccak.c or portable/keccak_accelerated.c. */
mb_keccak_permutation mb_keccak_accelerated(void);

/* [FIPS 202 §3.2.5], for both. */
extern const uint64_t mb_keccak_round_constants[24];

#endif
