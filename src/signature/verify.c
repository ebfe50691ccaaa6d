/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification for all schemes: lengths, scratch, order of calls. What a scheme does is in scheme/scheme.h. */
#include "signature/verify.h"

#include "platform/compiler.h"
#include "platform/wipe.h"
#include "signature/scratch.h"

size_t moonbow_verify_scratch_bytes(const moonbow_verifier *verifier, moonbow_mode mode)
{
    return mb_verification_bytes(mode) + verifier->state_bytes(verifier, mode);
}

const moonbow_parameters *moonbow_verifier_parameters(const moonbow_verifier *verifier)
{
    return verifier->parameters;
}

int moonbow_verify_begin_late(moonbow_verification **verification, const moonbow_verifier *verifier,
                              const moonbow_scratch *scratch)
{
    const size_t bytes = scratch == NULL ? 0 : moonbow_verify_scratch_bytes(verifier, scratch->mode);
    moonbow_verification *v;
    int status;
    *verification = NULL;
    if (mb_scratch_check(scratch, bytes) != 0) {
        return MOONBOW_BAD_SCRATCH;
    }
    v = scratch->start;
    v->verifier = verifier;
    v->scratch_bytes = bytes;
    v->key_bytes = 0;
    v->has_signature = 0;
    v->status = MOONBOW_OK;
    v->digest.steps = NULL;
    v->mode = (uint8_t)scratch->mode;
    v->leader = v->next = NULL;
    v->batch = NULL;
    const moonbow_scratch rest = {mb_verification_state(v), scratch->bytes - mb_verification_bytes(scratch->mode), scratch->mode};
    status = verifier->begin(verifier, &rest);
    *verification = status == MOONBOW_OK ? v : NULL;
    return status;
}

int moonbow_verify_signature(moonbow_verification *verification, const uint8_t *signature, size_t signature_bytes)
{
    moonbow_verification *v = verification;
    if (v->status == MOONBOW_OK && v->has_signature) {
        v->status = MOONBOW_WRONG_ORDER;
    } else if (v->status == MOONBOW_OK && signature_bytes != v->verifier->parameters->signature_bytes) {
        v->status = MOONBOW_WRONG_LENGTH;
    } else if (v->status == MOONBOW_OK) {
        v->verifier->signature(mb_verification_state(v), signature);
        v->has_signature = 1;
    }
    return v->status;
}

int moonbow_verify_begin(moonbow_verification **verification, const moonbow_verifier *verifier,
                         const uint8_t *signature, size_t signature_bytes,
                         const moonbow_scratch *scratch)
{
    int status;
    *verification = NULL;
    if (signature_bytes != verifier->parameters->signature_bytes) {
        return MOONBOW_WRONG_LENGTH;
    }
    status = moonbow_verify_begin_late(verification, verifier, scratch);
    if (status == MOONBOW_OK) {
        moonbow_verify_signature(*verification, signature, signature_bytes);
    }
    return status;
}

int moonbow_verify_message(moonbow_verification *verification, const uint8_t *piece, size_t bytes)
{
    if (verification->status == MOONBOW_OK && bytes != 0) {
        verification->verifier->message(mb_verification_state(verification), piece, bytes);
    }
    return verification->status;
}

int moonbow_verify_key(moonbow_verification *verification, const uint8_t *piece, size_t bytes)
{
    moonbow_verification *v = verification;
    if (v->status != MOONBOW_OK || bytes == 0) {
        return v->status;
    }
    if (v->leader != NULL || !v->has_signature) {
        v->status = MOONBOW_WRONG_ORDER;
        return v->status;
    }
    if (bytes > v->verifier->parameters->public_key_bytes - v->key_bytes) {
        v->status = MOONBOW_WRONG_LENGTH;
        return v->status;
    }
    v->key_bytes += bytes;
    if (v->batch != NULL) {
        v->batch->add_key(v, bytes);
    }
    if (v->digest.steps == NULL) {
        v->verifier->key(mb_verification_state(v), piece, bytes);
    } else {
        v->digest.steps->key(v, piece, bytes);
    }
    return MOONBOW_OK;
}

void moonbow_verify_abort(moonbow_verification *verification)
{
    if (verification->batch != NULL) {
        verification->batch->release(verification, MOONBOW_WRONG_ORDER);
        verification->batch->leave(verification);
    }
    mb_wipe(verification, verification->scratch_bytes);
}

int moonbow_verify_finish(moonbow_verification *verification)
{
    moonbow_verification *v = verification;
    int status = v->status;
    if (status == MOONBOW_OK && (v->leader != NULL || !v->has_signature)) {
        status = MOONBOW_WRONG_ORDER;
    }
    if (status == MOONBOW_OK && v->key_bytes != v->verifier->parameters->public_key_bytes) {
        status = MOONBOW_WRONG_LENGTH;
    }
    if (status == MOONBOW_OK && v->digest.steps != NULL) {
        status = v->digest.steps->finish(v);
    }
    if (v->batch != NULL) {
        v->batch->release(v, status);
    }
    if (status == MOONBOW_OK) {
        status = v->verifier->finish(mb_verification_state(v));
    }
    moonbow_verify_abort(v);
    return status;
}

/* By itself, so that the key finds less on the stack. */
static MB_NOINLINE int verify_rest(moonbow_verification *verification, const uint8_t *message, size_t message_bytes,
                                   const uint8_t *public_key, size_t public_key_bytes)
{
    moonbow_verify_message(verification, message, message_bytes);
    moonbow_verify_key(verification, public_key, public_key_bytes);
    return moonbow_verify_finish(verification);
}

int moonbow_verify(const moonbow_verifier *verifier, const uint8_t *signature, size_t signature_bytes,
                   const uint8_t *message, size_t message_bytes, const uint8_t *public_key,
                   size_t public_key_bytes, const moonbow_scratch *scratch)
{
    moonbow_verification *verification;
    int status;
    if (public_key_bytes != verifier->parameters->public_key_bytes) {
        return MOONBOW_WRONG_LENGTH;
    }
    status = moonbow_verify_begin(&verification, verifier, signature, signature_bytes, scratch);
    return status != MOONBOW_OK ? status : verify_rest(verification, message, message_bytes, public_key, public_key_bytes);
}
