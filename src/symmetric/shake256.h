/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHAKE256 [FIPS 202 §6.2]: input of any length, then output of any length, both in pieces. Constant
 * time for inputs and outputs of given lengths. */
#ifndef MB_SYMMETRIC_SHAKE256_H
#define MB_SYMMETRIC_SHAKE256_H

#include "symmetric/keccak.h"

#include <stddef.h>
#include <stdint.h>

/* May be copied at any point, to fork a common prefix or to read the output again. SECRET if the
 * input is; mb_wipe it when done. */
typedef struct mb_shake256 {
    mb_keccak sponge;
} mb_shake256;

void mb_shake256_init(mb_shake256 *shake);

/* Takes `bytes` more input bytes, SECRET or public; any number of calls, before finish_absorb. With
 * 0 bytes `data` may be NULL. */
void mb_shake256_absorb(mb_shake256 *shake, const void *data, size_t bytes);

/* Ends the input, once. */
void mb_shake256_finish_absorb(mb_shake256 *shake);

/* Writes the next `bytes` output bytes; any number of calls, after finish_absorb. */
void mb_shake256_squeeze(mb_shake256 *shake, uint8_t *out, size_t bytes);

#endif
