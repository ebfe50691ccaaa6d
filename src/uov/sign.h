/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * UOV signing as functions of a signer role [UOV3 §8]. Everything but the signature and whether an attempt failed is SECRET.
 * A stored key is read as it is; from a seeded one S is never built: P1 and P2 are evaluated as they stream. */
#ifndef MB_UOV_SIGN_H
#define MB_UOV_SIGN_H

#include "scheme/scheme.h"

/* signer->set is an mb_uov_set, signer->format an mb_uov_secret_format. */
size_t mb_uov_sign_state_bytes(const moonbow_signer *signer, moonbow_mode mode);
int mb_uov_sign_begin(const moonbow_signer *signer, const moonbow_scratch *scratch);
void mb_uov_sign_message(void *state, const uint8_t *piece, size_t bytes);
void mb_uov_sign_copy_message(void *state, const void *from);
int mb_uov_sign_finish(void *state, uint8_t *signature, const uint8_t *secret_key, const moonbow_random *random);

#endif
