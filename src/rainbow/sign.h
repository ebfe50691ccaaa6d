/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Rainbow signing as functions of a signer role [RB3 §6]. Everything but the signature and the number of attempts is SECRET.
 * A stored key is read as it is; a compressed one is never expanded: its blocks are evaluated as they stream. */
#ifndef MB_RAINBOW_SIGN_H
#define MB_RAINBOW_SIGN_H

#include "scheme/scheme.h"

/* How the two layers are evaluated at the vinegars: the one difference between key formats. */
typedef struct mb_rainbow_secret_format mb_rainbow_secret_format;
extern const mb_rainbow_secret_format mb_rainbow_secret_stored; /* classic and circumzenithal */
extern const mb_rainbow_secret_format mb_rainbow_secret_seeded; /* compressed: pk_seed ‖ sk_seed */

/* signer->set is an mb_rainbow_set, signer->format an mb_rainbow_secret_format. */
size_t mb_rainbow_sign_state_bytes(const moonbow_signer *signer, moonbow_mode mode);
int mb_rainbow_sign_begin(const moonbow_signer *signer, const moonbow_scratch *scratch);
void mb_rainbow_sign_message(void *state, const uint8_t *piece, size_t bytes);
void mb_rainbow_sign_copy_message(void *state, const void *from);
int mb_rainbow_sign_finish(void *state, uint8_t *signature, const uint8_t *secret_key,
                           const moonbow_random *random);

#endif
