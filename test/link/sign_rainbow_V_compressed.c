/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A program that only signs with rainbow-V-compressed. It is linked and looked at, not run: see check_link.py. */
#include <moonbow/signature.h>

const uint8_t *message, *secret_key;
uint8_t *signature;
size_t message_bytes;
moonbow_random random_source;
moonbow_scratch scratch;

int main(void)
{
    const moonbow_signer *signer = &moonbow_rainbow_V_compressed_signer;
    const moonbow_parameters *parameters = moonbow_signer_parameters(signer);
    return moonbow_sign(signer, signature, parameters->signature_bytes, message, message_bytes, secret_key,
                        parameters->secret_key_bytes, &random_source, &scratch);
}
