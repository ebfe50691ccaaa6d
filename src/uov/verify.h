/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * UOV verification as functions of a verifier role [UOV3 §9]. Everything is public. */
#ifndef MB_UOV_VERIFY_H
#define MB_UOV_VERIFY_H

#include "scheme/scheme.h"

/* verifier->set is an mb_uov_set, verifier->format an mb_uov_public_format. */
size_t mb_uov_verify_state_bytes(const moonbow_verifier *verifier, moonbow_mode mode);
int mb_uov_verify_begin(const moonbow_verifier *verifier, const moonbow_scratch *scratch);
void mb_uov_verify_signature(void *state, const uint8_t *signature);
void mb_uov_verify_message(void *state, const uint8_t *piece, size_t bytes);
void mb_uov_verify_copy_message(void *state, const void *from);
void mb_uov_verify_key(void *state, const uint8_t *piece, size_t bytes);
struct mb_public_map *mb_uov_verify_map(void *state);
int mb_uov_verify_finish(void *state);

#endif
