/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The digest of a public key while it streams, to pin it or to show it. */
#include "signature/verify.h"

#include <string.h>

static int finish(moonbow_verification *verification)
{
    mb_key_digest *digest = &verification->digest;
    uint8_t found[MOONBOW_KEY_DIGEST_BYTES];
    mb_sha256_finish(&digest->context, found);
    if (digest->out != NULL) {
        memcpy(digest->out, found, sizeof found);
    }
    if (digest->expected != NULL && memcmp(digest->expected, found, sizeof found) != 0) {
        return MOONBOW_WRONG_KEY;
    }
    return MOONBOW_OK;
}

/* What is hashed is what is evaluated, even if the caller's memory changes in between. */
static void take_key(moonbow_verification *v, const uint8_t *piece, size_t bytes)
{
    while (bytes != 0) {
        size_t part = bytes < MB_KEY_COPY_BYTES ? bytes : MB_KEY_COPY_BYTES;
        const uint8_t *copy = v->copy;
        if (v->mode == MOONBOW_SMALL) {
            copy = mb_sha256_take(&v->digest.context, piece, &part);
        } else {
            memcpy(v->copy, piece, part);
            mb_sha256_update(&v->digest.context, copy, part);
        }
        v->verifier->key(mb_verification_state(v), copy, part);
        piece += part;
        bytes -= part;
    }
}

static const mb_digest_steps steps = {take_key, finish};

static int start(moonbow_verification *verification, uint8_t *out, const uint8_t *expected)
{
    mb_key_digest *digest = &verification->digest;
    if (verification->status == MOONBOW_OK && (verification->key_bytes != 0 || digest->steps != NULL)) {
        verification->status = MOONBOW_WRONG_ORDER;
    }
    if (verification->status == MOONBOW_OK) {
        mb_sha256_init(&digest->context);
        digest->steps = &steps;
        digest->out = out;
        digest->expected = expected;
    }
    return verification->status;
}

int moonbow_verify_pin_key(moonbow_verification *verification,
                           const uint8_t digest[MOONBOW_KEY_DIGEST_BYTES])
{
    return start(verification, NULL, digest);
}

int moonbow_verify_digest_key(moonbow_verification *verification,
                              uint8_t digest[MOONBOW_KEY_DIGEST_BYTES])
{
    return start(verification, digest, NULL);
}
