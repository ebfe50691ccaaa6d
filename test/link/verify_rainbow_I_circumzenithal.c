/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A program that only verifies rainbow-I-circumzenithal. It is linked and looked at, not run: see check_link.py. */
#include <moonbow/signature.h>

const uint8_t *message, *signature, *public_key;
size_t message_bytes;
moonbow_scratch scratch;

int main(void)
{
    const moonbow_verifier *verifier = &moonbow_rainbow_I_circumzenithal_verifier;
    const moonbow_parameters *parameters = moonbow_verifier_parameters(verifier);
    return moonbow_verify(verifier, signature, parameters->signature_bytes, message, message_bytes, public_key,
                          parameters->public_key_bytes, &scratch);
}
