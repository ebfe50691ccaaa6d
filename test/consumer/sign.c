/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What a C program does with the library: by a name, by an object; a forgery is refused. */
#include <moonbow/signature.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Addresses of objects in another library are no constants on every platform: assigned at run time. */
static const moonbow_signer *signer;

static moonbow_scratch lend(size_t bytes)
{
    moonbow_scratch scratch = {NULL, bytes, MOONBOW_FAST};
    scratch.start = aligned_alloc(MOONBOW_SCRATCH_ALIGNMENT, bytes);
    if (!scratch.start)
        abort();
    return scratch;
}

int main(void)
{
    static uint8_t message[] = "A rainbow by moonlight";
    const moonbow_algorithm *a = moonbow_algorithm_by_name("uov-Is-pkc-skc");
    signer = &moonbow_uov_Is_pkc_skc_signer;
    if (!a || a->signer != signer || strcmp(moonbow_signer_parameters(signer)->name, "uov-Is-pkc-skc") != 0)
        return 2;
    const moonbow_parameters *p = a->parameters;
    uint8_t *pk = malloc(p->public_key_bytes), *sk = malloc(p->secret_key_bytes),
            *sig = malloc(p->signature_bytes);
    moonbow_scratch g = lend(moonbow_generate_scratch_bytes(a->generator, MOONBOW_FAST));
    moonbow_scratch s = lend(moonbow_sign_scratch_bytes(signer, MOONBOW_FAST));
    moonbow_scratch v = lend(moonbow_verify_scratch_bytes(a->verifier, MOONBOW_FAST));
    if (!pk || !sk || !sig ||
        moonbow_generate(a->generator, pk, p->public_key_bytes, sk, p->secret_key_bytes, NULL, &g) !=
            MOONBOW_OK)
        return 3;
    if (moonbow_sign(signer, sig, p->signature_bytes, message, sizeof message, sk, p->secret_key_bytes, NULL,
                     &s) != MOONBOW_OK)
        return 4;
    if (moonbow_verify(a->verifier, sig, p->signature_bytes, message, sizeof message, pk, p->public_key_bytes,
                       &v) != MOONBOW_OK)
        return 5;
    message[3] ^= 1;
    if (moonbow_verify(a->verifier, sig, p->signature_bytes, message, sizeof message, pk, p->public_key_bytes,
                       &v) != MOONBOW_BAD_SIGNATURE)
        return 6;
    printf("moonbow %s\n", moonbow_version());
    free(pk), free(sk), free(sig), free(g.start), free(s.start), free(v.start);
    return 0;
}
