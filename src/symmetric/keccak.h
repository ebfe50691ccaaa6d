/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The permutation Keccak-f[1600] and a sponge over it [FIPS 202 §3, §4]: what SHA-3 and SHAKE share.
 * Constant time. Users want shake256.h or sha3_256.h. */
#ifndef MB_SYMMETRIC_KECCAK_H
#define MB_SYMMETRIC_KECCAK_H

#include <stddef.h>
#include <stdint.h>

/* A sponge. SECRET if anything it took is. All of the functions below need the same `rate`: bytes
 * per permutation, a multiple of 8 below 200. */
typedef struct mb_keccak {
    uint64_t lanes[25]; /* lane (x, y) at 5y + x, the first byte in the lowest bits */
    unsigned position;  /* the next byte of the rate to take or to give: 0 ... rate */
} mb_keccak;

/* Keccak-f[1600], 24 rounds, in place. */
void mb_keccak_permute(uint64_t lanes[25]);

void mb_keccak_init(mb_keccak *sponge);

/* Takes `bytes` bytes in. With 0 bytes `data` may be NULL. */
void mb_keccak_absorb(mb_keccak *sponge, unsigned rate, const void *data, size_t bytes);

/* Ends the input. `suffix` holds the domain bits and the first bit of the padding: 0x06 for SHA-3,
 * 0x1f for SHAKE. */
void mb_keccak_pad(mb_keccak *sponge, unsigned rate, uint8_t suffix);

/* Gives the next `bytes` bytes out. */
void mb_keccak_squeeze(mb_keccak *sponge, unsigned rate, uint8_t *out, size_t bytes);

#endif
