/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Prepared keys for all schemes: lengths, scratch, wiping. */
#include "platform/wipe.h"
#include "scheme/scheme.h"
#include "signature/scratch.h"

const moonbow_verifier *moonbow_prepared_verifier(const moonbow_preparer *preparer)
{
    return preparer->verifier;
}

const moonbow_signer *moonbow_prepared_signer(const moonbow_preparer *preparer)
{
    return preparer->signer;
}

size_t moonbow_prepare_scratch_bytes(const moonbow_preparer *preparer, moonbow_mode mode)
{
    return preparer->scratch_bytes(preparer, mode);
}

/* Runs one of the preparer's functions between the checks and the wiping. */
static int prepare(const moonbow_preparer *preparer,
                   int (*function)(const moonbow_preparer *preparer, uint8_t *prepared,
                                   const uint8_t *key, const moonbow_scratch *scratch),
                   uint8_t *prepared, size_t prepared_bytes, const uint8_t *key, int lengths_are_right,
                   const moonbow_scratch *scratch)
{
    int status = mb_scratch_check(
        scratch, scratch == NULL ? 0 : moonbow_prepare_scratch_bytes(preparer, scratch->mode));
    if (status == MOONBOW_OK && !lengths_are_right) {
        status = MOONBOW_WRONG_LENGTH;
    }
    if (status == MOONBOW_OK) {
        status = function(preparer, prepared, key, scratch);
        mb_scratch_wipe(scratch, moonbow_prepare_scratch_bytes(preparer, scratch->mode));
    }
    if (status != MOONBOW_OK) {
        mb_wipe(prepared, prepared_bytes);
    }
    return status;
}

int moonbow_prepare_public_key(const moonbow_preparer *preparer, uint8_t *prepared,
                               size_t prepared_bytes, const uint8_t *public_key,
                               size_t public_key_bytes, const moonbow_scratch *scratch)
{
    const int right = preparer->verifier != NULL &&
                      prepared_bytes == preparer->verifier->parameters->public_key_bytes &&
                      public_key_bytes == preparer->from_verifier->parameters->public_key_bytes;
    return prepare(preparer, preparer->prepare_public, prepared, prepared_bytes, public_key, right,
                   scratch);
}

int moonbow_prepare_secret_key(const moonbow_preparer *preparer, uint8_t *prepared,
                               size_t prepared_bytes, const uint8_t *secret_key,
                               size_t secret_key_bytes, const moonbow_scratch *scratch)
{
    const int right = preparer->signer != NULL &&
                      prepared_bytes == preparer->signer->parameters->secret_key_bytes &&
                      secret_key_bytes == preparer->from_signer->parameters->secret_key_bytes;
    return prepare(preparer, preparer->prepare_secret, prepared, prepared_bytes, secret_key, right,
                   scratch);
}
