/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The example of the manual page moonbow(3): a key pair, a signature, its verification. */
#include <moonbow/signature.h>

#include <stdio.h>
#include <stdlib.h>

static moonbow_scratch lend(size_t bytes)
{
    moonbow_scratch scratch = {NULL, bytes, MOONBOW_FAST};
    scratch.start = aligned_alloc(MOONBOW_SCRATCH_ALIGNMENT, bytes);
    if (!scratch.start)
        abort();
    return scratch;
}

/* The keys and the signature have the lengths that the parameters give. */
static int sign_and_verify(const moonbow_algorithm *a, uint8_t *pk, uint8_t *sk, uint8_t *sig)
{
    size_t pk_bytes = a->parameters->public_key_bytes;
    size_t sk_bytes = a->parameters->secret_key_bytes;
    size_t sig_bytes = a->parameters->signature_bytes;
    uint8_t text[] = "A rainbow by moonlight";
    size_t len = sizeof text;

    moonbow_scratch s = lend(moonbow_generate_scratch_bytes(a->generator, MOONBOW_FAST));
    int status = moonbow_generate(a->generator, pk, pk_bytes, sk, sk_bytes, NULL, &s);
    free(s.start);
    if (status == MOONBOW_OK) {
        s = lend(moonbow_sign_scratch_bytes(a->signer, MOONBOW_FAST));
        status = moonbow_sign(a->signer, sig, sig_bytes, text, len, sk, sk_bytes, NULL, &s);
        free(s.start);
    }
    if (status == MOONBOW_OK) {
        s = lend(moonbow_verify_scratch_bytes(a->verifier, MOONBOW_FAST));
        status = moonbow_verify(a->verifier, sig, sig_bytes, text, len, pk, pk_bytes, &s);
        free(s.start);
    }
    moonbow_wipe(sk, sk_bytes);
    return status;
}

int main(void)
{
    const moonbow_algorithm *a = moonbow_algorithm_by_name("uov-Is-pkc");
    uint8_t *pk = malloc(a->parameters->public_key_bytes);
    uint8_t *sk = malloc(a->parameters->secret_key_bytes);
    uint8_t *sig = malloc(a->parameters->signature_bytes);
    int status = pk && sk && sig ? sign_and_verify(a, pk, sk, sig) : MOONBOW_BAD_SCRATCH;
    printf("%s: %s\n", a->parameters->name, moonbow_status_text(status));
    free(pk);
    free(sk);
    free(sig);
    return status == MOONBOW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
