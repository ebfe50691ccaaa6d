/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Rainbow key generation and the conversions between keys, as functions of a generator role and a preparer [RB3 §5]. */
#ifndef MB_RAINBOW_KEYS_H
#define MB_RAINBOW_KEYS_H

#include "rainbow/parameters.h"
#include "scheme/scheme.h"

/* The two halves of a key format. */
typedef struct mb_rainbow_key_format {
    const mb_rainbow_public_format *public_key;
    uint8_t secret_is_seeded; /* pk_seed ‖ sk_seed instead of a stored F */
} mb_rainbow_key_format;

extern const mb_rainbow_key_format mb_rainbow_classic;
extern const mb_rainbow_key_format mb_rainbow_circumzenithal;
extern const mb_rainbow_key_format mb_rainbow_compressed;

/* generator->set is an mb_rainbow_set, generator->format an mb_rainbow_key_format.
 * The seed is sk_seed, for seeded public keys followed by pk_seed. */
size_t mb_rainbow_keys_scratch_bytes(const moonbow_generator *generator, moonbow_mode mode);
int mb_rainbow_keys_generate(const moonbow_generator *generator, const moonbow_sink *public_key,
                             const moonbow_sink *secret_key, const uint8_t *seed, const moonbow_scratch *scratch);
int mb_rainbow_keys_derive(const moonbow_generator *generator, const moonbow_sink *public_key,
                           const uint8_t *secret_key, const uint8_t *public_seed, const moonbow_scratch *scratch);

/* The preparer of seeded keys: a public key gets its generated blocks, a compressed secret key its F. */
size_t mb_rainbow_prepare_scratch_bytes(const moonbow_preparer *preparer, moonbow_mode mode);
int mb_rainbow_prepare_public(const moonbow_preparer *preparer, uint8_t *prepared,
                              const uint8_t *public_key, const moonbow_scratch *scratch);
int mb_rainbow_prepare_secret(const moonbow_preparer *preparer, uint8_t *prepared,
                              const uint8_t *secret_key, const moonbow_scratch *scratch);

#endif
