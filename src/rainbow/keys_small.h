/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Key generation in little memory: the functions of keys.h in small mode, and for seeded keys on small machines in both. For keys.c alone. */
#ifndef MB_RAINBOW_KEYS_SMALL_H
#define MB_RAINBOW_KEYS_SMALL_H

#include "rainbow/keys.h"

/* `seeded`: the public key has a seed. */
size_t mb_rainbow_keys_small_scratch_bytes(const mb_rainbow_set *set, int seeded, moonbow_mode mode);

int mb_rainbow_keys_small_generate(const moonbow_generator *generator, const moonbow_sink *public_key,
                                   const moonbow_sink *secret_key, const uint8_t *seed, const moonbow_scratch *scratch);
int mb_rainbow_keys_small_derive(const moonbow_generator *generator, const moonbow_sink *public_key, const uint8_t *secret_key,
                                 const uint8_t *public_seed, const moonbow_scratch *scratch);
int mb_rainbow_keys_small_prepare_secret(const moonbow_preparer *preparer, uint8_t *prepared, const uint8_t *secret_key,
                                         const moonbow_scratch *scratch);

#endif
