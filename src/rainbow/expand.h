/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Rainbow's uses of its hash: seeds to generators, messages to targets [RB3 §3, §6, §7]. */
#ifndef MB_RAINBOW_EXPAND_H
#define MB_RAINBOW_EXPAND_H

#include "rainbow/parameters.h"

/* PRNG(seed): seed_bytes ≥ 32. `context` is hash->context_bytes of work memory. */
void mb_rainbow_prng(const mb_rainbow_set *set, mb_drbg *drbg, const uint8_t *seed,
                          size_t seed_bytes, void *context);

/* z = XH(digest ‖ salt, bytes of m elements). */
void mb_rainbow_target(const mb_rainbow_set *set, uint8_t *target, const uint8_t *digest,
                       const uint8_t salt[MB_RAINBOW_SALT_BYTES], void *context);

#endif
