/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Signing for all schemes: lengths, scratch, order of calls, wiping. What a scheme does is in scheme/scheme.h. */
#include "signature/sign.h"

#include "platform/arena.h"
#include "platform/wipe.h"
#include "signature/scratch.h"

#include <string.h>

static size_t head_bytes(void)
{
    mb_arena arena = {NULL, 0};
    mb_arena_take(&arena, sizeof(moonbow_signing));
    return arena.used;
}

size_t moonbow_sign_scratch_bytes(const moonbow_signer *signer, moonbow_mode mode)
{
    return head_bytes() + signer->state_bytes(signer, mode);
}

const moonbow_parameters *moonbow_signer_parameters(const moonbow_signer *signer)
{
    return signer->parameters;
}

int moonbow_sign_begin(moonbow_signing **signing, const moonbow_signer *signer,
                       const moonbow_scratch *scratch)
{
    moonbow_signing *s;
    int status;
    *signing = NULL;
    if (mb_scratch_check(scratch, scratch == NULL
                                      ? 0
                                      : moonbow_sign_scratch_bytes(signer, scratch->mode)) != 0) {
        return MOONBOW_BAD_SCRATCH;
    }
    s = scratch->start;
    s->signer = signer;
    s->state = (uint8_t *)scratch->start + head_bytes();
    s->scratch_bytes = moonbow_sign_scratch_bytes(signer, scratch->mode);
    const moonbow_scratch rest = {s->state, scratch->bytes - head_bytes(), scratch->mode};
    status = signer->begin(signer, &rest);
    *signing = status == MOONBOW_OK ? s : NULL;
    return status;
}

int moonbow_sign_message(moonbow_signing *signing, const uint8_t *piece, size_t bytes)
{
    if (bytes != 0) {
        signing->signer->message(signing->state, piece, bytes);
    }
    return MOONBOW_OK;
}

void moonbow_sign_abort(moonbow_signing *signing)
{
    mb_wipe(signing, signing->scratch_bytes);
}

int moonbow_sign_finish(moonbow_signing *signing, uint8_t *signature, size_t signature_bytes,
                        const uint8_t *secret_key, size_t secret_key_bytes,
                        const moonbow_random *random)
{
    const moonbow_parameters *parameters = signing->signer->parameters;
    int status = MOONBOW_WRONG_LENGTH;
    if (signature_bytes == parameters->signature_bytes &&
        secret_key_bytes == parameters->secret_key_bytes) {
        status = signing->signer->finish(signing->state, signature, secret_key, random);
    }
    if (status != MOONBOW_OK) {
        memset(signature, 0, signature_bytes);
    }
    moonbow_sign_abort(signing);
    return status;
}

int moonbow_sign(const moonbow_signer *signer, uint8_t *signature, size_t signature_bytes,
                 const uint8_t *message, size_t message_bytes, const uint8_t *secret_key,
                 size_t secret_key_bytes, const moonbow_random *random, const moonbow_scratch *scratch)
{
    moonbow_signing *signing;
    const int status = moonbow_sign_begin(&signing, signer, scratch);
    if (status != MOONBOW_OK) {
        memset(signature, 0, signature_bytes);
        return status;
    }
    moonbow_sign_message(signing, message, message_bytes);
    return moonbow_sign_finish(signing, signature, signature_bytes, secret_key, secret_key_bytes, random);
}
