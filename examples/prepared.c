/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Prepared keys: a seeded key is rewritten once, for many signatures under it. See docs/guide/using.md. */
#include "example.h"

static const moonbow_algorithm *const algorithm = &moonbow_uov_Is_pkc_skc;

/* A verifier and a public key in the form that it takes. */
typedef struct key_in_use {
    const moonbow_verifier *verifier;
    const uint8_t *pk;
    size_t pk_bytes;
    uint8_t *memory; /* of a prepared key, else NULL */
} key_in_use;

/* Prepares a public key, or takes it as it is where that is its quickest form already. */
static int prepare(key_in_use *use, const uint8_t *pk, size_t pk_bytes)
{
    const moonbow_preparer *preparer = algorithm->preparer;
    const moonbow_verifier *quicker = preparer == NULL ? NULL : moonbow_prepared_verifier(preparer);
    if (quicker == NULL) {
        *use = (key_in_use){algorithm->verifier, pk, pk_bytes, NULL};
        return MOONBOW_OK;
    }
    const size_t prepared_bytes = moonbow_verifier_parameters(quicker)->public_key_bytes;
    uint8_t *prepared = allocate(prepared_bytes);
    moonbow_scratch scratch = lend(moonbow_prepare_scratch_bytes(preparer, MOONBOW_FAST), MOONBOW_FAST);
    const int status = moonbow_prepare_public_key(preparer, prepared, prepared_bytes, pk, pk_bytes, &scratch);
    free(scratch.start);
    *use = (key_in_use){quicker, prepared, prepared_bytes, prepared};
    return status;
}

/* The prepared verifier is a verifier like any other. */
static int verify(const key_in_use *use, const uint8_t *signature, const uint8_t *message,
                  size_t message_bytes, const moonbow_scratch *scratch)
{
    return moonbow_verify(use->verifier, signature, algorithm->parameters->signature_bytes, message,
                          message_bytes, use->pk, use->pk_bytes, scratch);
}

int main(void)
{
    const moonbow_parameters *p = algorithm->parameters;
    moonbow_scratch to_generate =
        lend(moonbow_generate_scratch_bytes(algorithm->generator, MOONBOW_FAST), MOONBOW_FAST);
    moonbow_scratch to_sign = lend(moonbow_sign_scratch_bytes(algorithm->signer, MOONBOW_FAST), MOONBOW_FAST);
    moonbow_scratch to_verify;
    uint8_t *pk = allocate(p->public_key_bytes), *sk = allocate(p->secret_key_bytes);
    uint8_t *signature = allocate(p->signature_bytes);
    key_in_use use;
    expect(MOONBOW_OK, moonbow_generate(algorithm->generator, pk, p->public_key_bytes, sk,
                                        p->secret_key_bytes, NULL, &to_generate));
    expect(MOONBOW_OK, prepare(&use, pk, p->public_key_bytes));
    to_verify = lend(moonbow_verify_scratch_bytes(use.verifier, MOONBOW_FAST), MOONBOW_FAST);
    for (uint8_t message = 0; message < 10; message++) {
        expect(MOONBOW_OK, moonbow_sign(algorithm->signer, signature, p->signature_bytes, &message, 1, sk,
                                        p->secret_key_bytes, NULL, &to_sign));
        expect(MOONBOW_OK, verify(&use, signature, &message, 1, &to_verify));
    }
    free(pk), free(sk), free(signature), free(use.memory);
    free(to_generate.start), free(to_sign.start), free(to_verify.start);
    return EXIT_SUCCESS;
}
