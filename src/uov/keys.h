/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * UOV key generation and the conversions between keys, as functions of a generator role and a preparer [UOV3 §5, §7]. */
#ifndef MB_UOV_KEYS_H
#define MB_UOV_KEYS_H

#include "scheme/scheme.h"
#include "uov/parameters.h"

typedef struct mb_uov_key_format {
    const mb_uov_public_format *public_key;
    mb_uov_secret_format secret_key;
} mb_uov_key_format;

/* generator->set is an mb_uov_set, generator->format an mb_uov_key_format. The seed is seed_sk. */
size_t mb_uov_keys_scratch_bytes(const moonbow_generator *generator, moonbow_mode mode);
int mb_uov_keys_generate(const moonbow_generator *generator, const moonbow_sink *public_key,
                         const moonbow_sink *secret_key, const uint8_t *seed, const moonbow_scratch *scratch);
int mb_uov_keys_derive(const moonbow_generator *generator, const moonbow_sink *public_key, const uint8_t *secret_key,
                       const uint8_t *public_seed, const moonbow_scratch *scratch);

/* The preparer of seeded keys: each becomes the classic key of the same pair. */
size_t mb_uov_prepare_scratch_bytes(const moonbow_preparer *preparer, moonbow_mode mode);
int mb_uov_prepare_public(const moonbow_preparer *preparer, uint8_t *prepared, const uint8_t *public_key,
                          const moonbow_scratch *scratch);
int mb_uov_prepare_secret(const moonbow_preparer *preparer, uint8_t *prepared, const uint8_t *secret_key,
                          const moonbow_scratch *scratch);

#endif
