/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Key generation in small mode: the functions of keys.h where scratch->mode is MOONBOW_SMALL. For keys.c alone. */
#ifndef MB_UOV_KEYS_SMALL_H
#define MB_UOV_KEYS_SMALL_H

#include "uov/keys.h"

size_t mb_uov_keys_small_scratch_bytes(const mb_uov_set *set);

int mb_uov_keys_small_generate(const moonbow_generator *generator, const moonbow_sink *public_key,
                               const moonbow_sink *secret_key, const uint8_t *seed, const moonbow_scratch *scratch);
int mb_uov_keys_small_derive(const moonbow_generator *generator, const moonbow_sink *public_key, const uint8_t *secret_key,
                             const moonbow_scratch *scratch);
int mb_uov_keys_small_prepare_secret(const moonbow_preparer *preparer, uint8_t *prepared, const uint8_t *secret_key,
                                     const moonbow_scratch *scratch);

#endif
