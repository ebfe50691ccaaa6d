/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Signing, with and without a check, and verifying, with the errors told apart. See docs/guide/using.md. */
#include "example.h"

static const moonbow_algorithm *const algorithm = &moonbow_uov_Is_pkc;

typedef struct keys {
    uint8_t *pk, *sk;
    size_t pk_bytes, sk_bytes;
} keys;

/* Signs in little memory, with the system's randomness. */
static int sign(uint8_t *signature, const uint8_t *message, size_t message_bytes, const keys *k)
{
    const size_t scratch_bytes = moonbow_sign_scratch_bytes(algorithm->signer, MOONBOW_SMALL);
    moonbow_scratch scratch = lend(scratch_bytes, MOONBOW_SMALL);
    const int status = moonbow_sign(algorithm->signer, signature, algorithm->parameters->signature_bytes,
                                    message, message_bytes, k->sk, k->sk_bytes, NULL, &scratch);
    free(scratch.start);
    return status;
}

/* Signs, and verifies before the signature is released: guards against a fault of the machine. */
static int sign_checked(uint8_t *signature, const uint8_t *message, size_t message_bytes, const keys *k)
{
    const size_t to_sign = moonbow_sign_scratch_bytes(algorithm->signer, MOONBOW_FAST);
    const size_t to_verify = moonbow_verify_scratch_bytes(algorithm->verifier, MOONBOW_FAST);
    moonbow_scratch scratch = lend(to_sign > to_verify ? to_sign : to_verify, MOONBOW_FAST);
    const int status = moonbow_sign_checked(algorithm->signer, algorithm->verifier, signature,
                                            algorithm->parameters->signature_bytes, message, message_bytes,
                                            k->sk, k->sk_bytes, k->pk, k->pk_bytes, NULL, &scratch);
    free(scratch.start);
    return status;
}

/* 1 for a good signature, 0 for a bad one, -1 where nothing was learnt about the signature. */
static int judge(const uint8_t *signature, size_t signature_bytes, const uint8_t *message,
                 size_t message_bytes, const keys *k, const moonbow_scratch *scratch)
{
    const int status = moonbow_verify(algorithm->verifier, signature, signature_bytes, message, message_bytes,
                                      k->pk, k->pk_bytes, scratch);
    if (status == MOONBOW_OK) {
        return 1;
    }
    fprintf(stderr, "%s\n", moonbow_status_text(status));
    return status == MOONBOW_BAD_SIGNATURE ? 0 : -1;
}

int main(void)
{
    const moonbow_parameters *p = algorithm->parameters;
    moonbow_scratch to_generate =
        lend(moonbow_generate_scratch_bytes(algorithm->generator, MOONBOW_FAST), MOONBOW_FAST);
    moonbow_scratch to_verify =
        lend(moonbow_verify_scratch_bytes(algorithm->verifier, MOONBOW_FAST), MOONBOW_FAST);
    keys k = {allocate(p->public_key_bytes), allocate(p->secret_key_bytes), p->public_key_bytes,
              p->secret_key_bytes};
    uint8_t *signature = allocate(p->signature_bytes), *again = allocate(p->signature_bytes);
    uint8_t message[] = "The moon was up.";
    int good, forged, cut;
    expect(MOONBOW_OK,
           moonbow_generate(algorithm->generator, k.pk, k.pk_bytes, k.sk, k.sk_bytes, NULL, &to_generate));
    expect(MOONBOW_OK, sign(signature, message, sizeof message, &k));
    expect(MOONBOW_OK, sign_checked(again, message, sizeof message, &k));
    good = judge(again, p->signature_bytes, message, sizeof message, &k, &to_verify);
    message[4] ^= 1;
    forged = judge(signature, p->signature_bytes, message, sizeof message, &k, &to_verify);
    cut = judge(signature, p->signature_bytes - 1, message, sizeof message, &k, &to_verify);
    free(k.pk), free(k.sk), free(signature), free(again), free(to_generate.start), free(to_verify.start);
    return good == 1 && forged == 0 && cut == -1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
