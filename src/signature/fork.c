/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A second operation where a first one stands in its message. What the first one read is not read again. */
#include "signature/sign.h"
#include "signature/verify.h"

int moonbow_sign_fork(moonbow_signing **copy, const moonbow_signing *signing, const moonbow_scratch *scratch)
{
    const int status = moonbow_sign_begin(copy, signing->signer, scratch);
    if (status == MOONBOW_OK) {
        signing->signer->copy_message((*copy)->state, signing->state);
    }
    return status;
}

int moonbow_verify_fork(moonbow_verification **copy, const moonbow_verification *verification,
                        const moonbow_scratch *scratch)
{
    int status = verification->status;
    *copy = NULL;
    if (status == MOONBOW_OK && (verification->has_signature || verification->digest.steps != NULL)) {
        status = MOONBOW_WRONG_ORDER;
    }
    if (status == MOONBOW_OK) {
        status = moonbow_verify_begin_late(copy, verification->verifier, scratch);
    }
    if (status == MOONBOW_OK) {
        verification->verifier->copy_message(mb_verification_state(*copy), mb_verification_state(verification));
    }
    return status;
}
