/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The example of the README: a key pair, a signature, its verification. More in docs/guide/using.md. */
#include <moonbow/signature.h>
#include <stdio.h>
#include <stdlib.h>

static moonbow_scratch lend(size_t bytes)
{
    return (moonbow_scratch){aligned_alloc(MOONBOW_SCRATCH_ALIGNMENT, bytes), bytes, MOONBOW_FAST};
}

int main(void)
{
    const moonbow_algorithm *a = moonbow_algorithm_by_name("uov-Is-pkc");
    const moonbow_parameters *p = a->parameters;
    size_t pk_bytes = p->public_key_bytes, sk_bytes = p->secret_key_bytes, sig_bytes = p->signature_bytes;
    uint8_t *pk = malloc(pk_bytes), *sk = malloc(sk_bytes), *sig = malloc(sig_bytes), text[] = "Moonbow";
    moonbow_scratch g = lend(moonbow_generate_scratch_bytes(a->generator, MOONBOW_FAST));
    moonbow_scratch s = lend(moonbow_sign_scratch_bytes(a->signer, MOONBOW_FAST));
    moonbow_scratch v = lend(moonbow_verify_scratch_bytes(a->verifier, MOONBOW_FAST));
    int made = moonbow_generate(a->generator, pk, pk_bytes, sk, sk_bytes, NULL, &g);
    int done = moonbow_sign(a->signer, sig, sig_bytes, text, sizeof text, sk, sk_bytes, NULL, &s);
    int good = moonbow_verify(a->verifier, sig, sig_bytes, text, sizeof text, pk, pk_bytes, &v);

    printf("%s\nkeys: %s\nsigning: %s\nverification: %s\n", p->caution, moonbow_status_text(made),
           moonbow_status_text(done), moonbow_status_text(good));
    free(pk), free(sk), free(sig), free(g.start), free(s.start), free(v.start);
    return made == MOONBOW_OK && done == MOONBOW_OK && good == MOONBOW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
