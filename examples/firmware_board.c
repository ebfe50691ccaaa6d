/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A board played by the host: makes a key with the board's random source, signs an image, and lets
 * firmware_verify.c judge it. See docs/guide/embedding.md. */
#include "example.h"
#include "firmware.h"

#include <string.h>

static const moonbow_algorithm *const algorithm = &moonbow_uov_Is_pkc;
static uint8_t *flash; /* the public key */
static uint32_t words; /* handed out as "random": an example's generator, not one to use */

void board_read_key(uint8_t *out, size_t offset, size_t bytes)
{
    memcpy(out, flash + offset, bytes);
}

int board_random_word(uint32_t *word)
{
    *word = ++words * 2654435769u;
    return 0;
}

/* The digest to pin: here any signature serves to let the key stream through. */
static void digest_of_flash(uint8_t digest[MOONBOW_KEY_DIGEST_BYTES])
{
    const moonbow_parameters *p = algorithm->parameters;
    moonbow_scratch scratch =
        lend(moonbow_verify_scratch_bytes(algorithm->verifier, MOONBOW_FAST), MOONBOW_FAST);
    uint8_t *signature = allocate(p->signature_bytes);
    moonbow_verification *verification;
    memset(signature, 0, p->signature_bytes);
    expect(MOONBOW_OK,
           moonbow_verify_begin(&verification, algorithm->verifier, signature, p->signature_bytes, &scratch));
    expect(MOONBOW_OK, moonbow_verify_digest_key(verification, digest));
    expect(MOONBOW_OK, moonbow_verify_key(verification, flash, p->public_key_bytes));
    expect(MOONBOW_BAD_SIGNATURE, moonbow_verify_finish(verification));
    free(signature), free(scratch.start);
}

static void make_key_and_sign(uint8_t *signature, const uint8_t *image, size_t image_bytes)
{
    const moonbow_parameters *p = algorithm->parameters;
    moonbow_scratch to_generate =
        lend(moonbow_generate_scratch_bytes(algorithm->generator, MOONBOW_FAST), MOONBOW_FAST);
    moonbow_scratch to_sign = lend(moonbow_sign_scratch_bytes(algorithm->signer, MOONBOW_FAST), MOONBOW_FAST);
    uint8_t *sk = allocate(p->secret_key_bytes);
    expect(MOONBOW_OK, moonbow_generate(algorithm->generator, flash, p->public_key_bytes, sk,
                                        p->secret_key_bytes, &board_random, &to_generate));
    expect(MOONBOW_OK, moonbow_sign(algorithm->signer, signature, p->signature_bytes, image, image_bytes, sk,
                                    p->secret_key_bytes, &board_random, &to_sign));
    free(sk), free(to_generate.start), free(to_sign.start);
}

int main(void)
{
    const size_t signature_bytes = algorithm->parameters->signature_bytes;
    uint8_t image[1000], pinned[MOONBOW_KEY_DIGEST_BYTES], *signature = allocate(signature_bytes);
    flash = allocate(algorithm->parameters->public_key_bytes);
    memset(image, 0xa5, sizeof image);
    make_key_and_sign(signature, image, sizeof image);
    digest_of_flash(pinned);
    expect(MOONBOW_OK, firmware_check_image(image, sizeof image, signature, signature_bytes, pinned));
    image[999] ^= 1;
    expect(MOONBOW_BAD_SIGNATURE,
           firmware_check_image(image, sizeof image, signature, signature_bytes, pinned));
    image[999] ^= 1;
    flash[100] ^= 1;
    expect(MOONBOW_WRONG_KEY, firmware_check_image(image, sizeof image, signature, signature_bytes, pinned));
    free(signature), free(flash);
    return EXIT_SUCCESS;
}
