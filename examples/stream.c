/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Messages and public keys of any length through small buffers, and a key that is pinned by its digest.
 * See docs/guide/using.md. */
#include "example.h"

#include <string.h>

static const moonbow_algorithm *const algorithm = &moonbow_uov_Is_pkc;

/* The library's own statuses are 0 or negative. */
enum { READ_FAILED = 1 };

/* Signs the rest of a file. */
static int sign_file(uint8_t *signature, FILE *file, const uint8_t *sk, const moonbow_scratch *scratch)
{
    const moonbow_parameters *p = algorithm->parameters;
    moonbow_signing *signing;
    uint8_t piece[4096];
    size_t bytes;
    int status = moonbow_sign_begin(&signing, algorithm->signer, scratch);
    if (status != MOONBOW_OK) {
        return status; /* nothing was begun: there is nothing to finish */
    }
    while ((bytes = fread(piece, 1, sizeof piece, file)) != 0) {
        moonbow_sign_message(signing, piece, bytes);
    }
    if (ferror(file)) {
        moonbow_sign_abort(signing); /* half a message must not be signed */
        return READ_FAILED;
    }
    return moonbow_sign_finish(signing, signature, p->signature_bytes, sk, p->secret_key_bytes, NULL);
}

/* Verifies the rest of a file under a public key that is read from another one, which need not be
 * trusted: its SHA-256 must be the pinned digest. Neither file is held in memory. */
static int verify_file(const uint8_t *signature, FILE *message, FILE *key,
                       const uint8_t pinned[MOONBOW_KEY_DIGEST_BYTES], const moonbow_scratch *scratch)
{
    moonbow_verification *verification;
    uint8_t piece[4096];
    size_t bytes;
    int status = moonbow_verify_begin(&verification, algorithm->verifier, signature,
                                      algorithm->parameters->signature_bytes, scratch);
    if (status != MOONBOW_OK) {
        return status;
    }
    moonbow_verify_pin_key(verification, pinned);
    while ((bytes = fread(piece, 1, sizeof piece, key)) != 0) {
        moonbow_verify_key(verification, piece, bytes);
    }
    while ((bytes = fread(piece, 1, sizeof piece, message)) != 0) {
        moonbow_verify_message(verification, piece, bytes);
    }
    if (ferror(key) || ferror(message)) {
        moonbow_verify_abort(verification);
        return READ_FAILED;
    }
    return moonbow_verify_finish(verification); /* errors above are sticky and come out here */
}

/* The digest of a public key: what verify_file pins. Any signature of the right length serves to let the
 * key stream through. */
static int key_digest(uint8_t digest[MOONBOW_KEY_DIGEST_BYTES], const uint8_t *signature, const uint8_t *pk,
                      const moonbow_scratch *scratch)
{
    const moonbow_parameters *p = algorithm->parameters;
    moonbow_verification *verification;
    int status =
        moonbow_verify_begin(&verification, algorithm->verifier, signature, p->signature_bytes, scratch);
    if (status != MOONBOW_OK) {
        return status;
    }
    moonbow_verify_digest_key(verification, digest);
    moonbow_verify_key(verification, pk, p->public_key_bytes);
    status = moonbow_verify_finish(verification);
    return status == MOONBOW_BAD_SIGNATURE ? MOONBOW_OK : status;
}

/* A file with these bytes, to be read from its beginning. */
static FILE *file_of(const uint8_t *data, size_t bytes)
{
    FILE *file = tmpfile();
    if (file == NULL || fwrite(data, 1, bytes, file) != bytes) {
        exit(EXIT_FAILURE);
    }
    rewind(file);
    return file;
}

int main(void)
{
    const moonbow_parameters *p = algorithm->parameters;
    moonbow_scratch to_generate =
        lend(moonbow_generate_scratch_bytes(algorithm->generator, MOONBOW_FAST), MOONBOW_FAST);
    moonbow_scratch to_sign = lend(moonbow_sign_scratch_bytes(algorithm->signer, MOONBOW_FAST), MOONBOW_FAST);
    moonbow_scratch to_verify =
        lend(moonbow_verify_scratch_bytes(algorithm->verifier, MOONBOW_SMALL), MOONBOW_SMALL);
    uint8_t *pk = allocate(p->public_key_bytes), *sk = allocate(p->secret_key_bytes);
    uint8_t *signature = allocate(p->signature_bytes), *text = allocate(100000);
    uint8_t pinned[MOONBOW_KEY_DIGEST_BYTES];
    FILE *message, *key;
    memset(text, 'm', 100000);
    expect(MOONBOW_OK, moonbow_generate(algorithm->generator, pk, p->public_key_bytes, sk,
                                        p->secret_key_bytes, NULL, &to_generate));
    message = file_of(text, 100000);
    key = file_of(pk, p->public_key_bytes);
    memset(signature, 0, p->signature_bytes);
    expect(MOONBOW_OK, key_digest(pinned, signature, pk, &to_verify));
    expect(MOONBOW_OK, sign_file(signature, message, sk, &to_sign));
    rewind(message);
    expect(MOONBOW_OK, verify_file(signature, message, key, pinned, &to_verify));
    rewind(message);
    rewind(key);
    pinned[0] ^= 1;
    expect(MOONBOW_WRONG_KEY, verify_file(signature, message, key, pinned, &to_verify));
    fclose(message), fclose(key);
    free(pk), free(sk), free(signature), free(text);
    free(to_generate.start), free(to_sign.start), free(to_verify.start);
    return EXIT_SUCCESS;
}
