/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * UOV's expansions: secret seed to public seed and O, public seed to P1 ‖ P2, message to target [UOV3 §4, §8]. */
#ifndef MB_UOV_EXPAND_H
#define MB_UOV_EXPAND_H

#include "symmetric/ctr.h"
#include "symmetric/shake256.h"
#include "uov/parameters.h"

/* Begins SHAKE256(seed_sk): writes seed_pk, and leaves `stream` at the first byte of O (SECRET), which
 * comes column by column. */
void mb_uov_expand_secret(uint8_t public_seed[MB_UOV_PUBLIC_SEED_BYTES], mb_shake256 *stream,
                          const uint8_t secret_seed[MB_UOV_SECRET_SEED_BYTES]);

/* Makes `stream` yield P1 ‖ P2: AES-128 in counter mode from counter zero. Public. */
void mb_uov_expand_public(mb_ctr *stream, const uint8_t public_seed[MB_UOV_PUBLIC_SEED_BYTES]);

/* t = SHAKE256(M ‖ salt, B(m)); `message` has absorbed M and is left as it was. */
void mb_uov_target(const mb_uov_set *set, uint8_t *target, const mb_shake256 *message,
                   const uint8_t salt[MB_UOV_SALT_BYTES]);

#endif
