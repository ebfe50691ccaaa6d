/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Rainbow verification as functions of a verifier role [RB3 §7]. Everything is public. */
#ifndef MB_RAINBOW_VERIFY_H
#define MB_RAINBOW_VERIFY_H

#include "scheme/scheme.h"

/* verifier->set is an mb_rainbow_set, verifier->format an mb_rainbow_public_format. */
size_t mb_rainbow_verify_state_bytes(const moonbow_verifier *verifier, moonbow_mode mode);
int mb_rainbow_verify_begin(const moonbow_verifier *verifier, const moonbow_scratch *scratch);
void mb_rainbow_verify_signature(void *state, const uint8_t *signature);
void mb_rainbow_verify_message(void *state, const uint8_t *piece, size_t bytes);
void mb_rainbow_verify_copy_message(void *state, const void *from);
void mb_rainbow_verify_key(void *state, const uint8_t *piece, size_t bytes);
struct mb_public_map *mb_rainbow_verify_map(void *state);
int mb_rainbow_verify_finish(void *state);

#endif
