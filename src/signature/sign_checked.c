/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Signing that verifies before it releases: a disturbed computation must not give away a wrong signature. */
#include <moonbow/signature.h>

#include <string.h>

int moonbow_sign_checked(const moonbow_signer *signer, const moonbow_verifier *verifier,
                         uint8_t *signature, size_t signature_bytes, const uint8_t *message,
                         size_t message_bytes, const uint8_t *secret_key, size_t secret_key_bytes,
                         const uint8_t *public_key, size_t public_key_bytes,
                         const moonbow_random *random, const moonbow_scratch *scratch)
{
    int status = moonbow_sign(signer, signature, signature_bytes, message, message_bytes, secret_key,
                              secret_key_bytes, random, scratch);
    if (status == MOONBOW_OK) {
        status = moonbow_verify(verifier, signature, signature_bytes, message, message_bytes,
                                public_key, public_key_bytes, scratch);
        if (status == MOONBOW_BAD_SIGNATURE) {
            status = MOONBOW_FAULT;
        }
    }
    if (status != MOONBOW_OK) {
        memset(signature, 0, signature_bytes);
    }
    return status;
}
