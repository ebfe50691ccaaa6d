/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A C program over the public headers, C99 to C23: signs and verifies. */
#include <moonbow/signature.h>
#include <moonbow/status.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scratch memory lies within longer blocks: C99 has no aligned_alloc. */
static uint8_t *blocks[3];
static unsigned blocks_len;

static void free_blocks(void)
{
    while (blocks_len != 0) {
        free(blocks[--blocks_len]);
    }
}

static moonbow_scratch lend(size_t bytes)
{
    uint8_t *memory = malloc(bytes + MOONBOW_SCRATCH_ALIGNMENT);
    moonbow_scratch scratch;
    if (memory == NULL || blocks_len == 3) {
        exit(2);
    }
    blocks[blocks_len++] = memory;
    scratch.start = memory + (MOONBOW_SCRATCH_ALIGNMENT - (uintptr_t)memory % MOONBOW_SCRATCH_ALIGNMENT);
    scratch.bytes = bytes;
    scratch.mode = MOONBOW_FAST;
    return scratch;
}

int main(void)
{
    const moonbow_algorithm *algorithm = &moonbow_uov_Is;
    const moonbow_parameters *sizes = algorithm->parameters;
    const moonbow_scratch generating = lend(moonbow_generate_scratch_bytes(algorithm->generator, MOONBOW_FAST));
    const moonbow_scratch signing = lend(moonbow_sign_scratch_bytes(algorithm->signer, MOONBOW_FAST));
    const moonbow_scratch verifying = lend(moonbow_verify_scratch_bytes(algorithm->verifier, MOONBOW_FAST));
    uint8_t *pk = malloc(sizes->public_key_bytes), *sk = malloc(sizes->secret_key_bytes);
    uint8_t *signature = malloc(sizes->signature_bytes), message[100];
    memset(message, 1, sizeof message);
    if (pk == NULL || sk == NULL || signature == NULL ||
        moonbow_generate(algorithm->generator, pk, sizes->public_key_bytes, sk, sizes->secret_key_bytes, NULL,
                         &generating) != MOONBOW_OK ||
        moonbow_sign(algorithm->signer, signature, sizes->signature_bytes, message, sizeof message, sk,
                     sizes->secret_key_bytes, NULL, &signing) != MOONBOW_OK ||
        moonbow_verify(algorithm->verifier, signature, sizes->signature_bytes, message, sizeof message, pk,
                       sizes->public_key_bytes, &verifying) != MOONBOW_OK) {
        fprintf(stderr, "%s does not work\n", sizes->name);
        return 1;
    }
    message[99] = 2;
    if (moonbow_verify(algorithm->verifier, signature, sizes->signature_bytes, message, sizeof message, pk,
                       sizes->public_key_bytes, &verifying) != MOONBOW_BAD_SIGNATURE) {
        fprintf(stderr, "%s takes a forgery\n", sizes->name);
        return 1;
    }
    free(pk);
    free(sk);
    free(signature);
    free_blocks();
    return 0;
}
