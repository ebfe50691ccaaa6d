/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Rainbow's uses of its hash: seeds to generators, messages to targets [RB3 §3, §6, §7]. */
#ifndef MB_RAINBOW_EXPAND_H
#define MB_RAINBOW_EXPAND_H

#include "rainbow/parameters.h"

/* PRNG(seed): seed_bytes ≥ 32, SECRET. `context` is hash->context_bytes of work memory. */
void mb_rainbow_prng(const mb_rainbow_set *set, mb_drbg *drbg, const uint8_t *seed,
                          size_t seed_bytes, void *context);

/* PRNG(pk_seed), PUBLIC: the generator and its streams run in variable time. */
void mb_rainbow_prng_vartime(const mb_rainbow_set *set, mb_drbg *drbg, const uint8_t pk_seed[MB_RAINBOW_SEED_BYTES],
                             void *context);

/* z = XH(digest ‖ salt, bytes of m elements). The digest may lie where the target goes. */
void mb_rainbow_target(const mb_rainbow_set *set, uint8_t *target, const uint8_t *digest,
                       const uint8_t salt[MB_RAINBOW_SALT_BYTES], void *context);

#endif
