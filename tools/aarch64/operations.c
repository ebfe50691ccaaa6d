/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Operations of one algorithm between marks, to be counted: region 0 generates a key pair, 1 signs, 2 verifies.
 * Usage: operations ALGORITHM fast|small SIGNATURES [SEED]. See tools/moonbow-aarch64. */
#include "mark.h"

#include <moonbow/signature.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "operations: %s\n", what);
        exit(1);
    }
}

static uint8_t *take(size_t bytes)
{
    uint8_t *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    require(memory != NULL, "no memory");
    memset(memory, 0, bytes);
    return memory;
}

static moonbow_scratch lend(size_t bytes, moonbow_mode mode)
{
    return (moonbow_scratch){take(bytes), bytes, mode};
}

/* The same bytes in each run. */
static int fill(void *context, uint8_t *out, size_t bytes)
{
    uint32_t *state = context;
    for (size_t i = 0; i < bytes; i++) {
        *state = *state * 1664525u + 1013904223u;
        out[i] = (uint8_t)(*state >> 24);
    }
    return 0;
}

int main(int argc, char **argv)
{
    uint32_t state = argc == 5 ? (uint32_t)strtoul(argv[4], NULL, 0) : 1;
    const moonbow_random random = {fill, &state};
    require(argc == 4 || argc == 5, "usage: operations ALGORITHM fast|small SIGNATURES [SEED]");
    const moonbow_algorithm *a = moonbow_algorithm_by_name(argv[1]);
    require(a != NULL, "no such algorithm");
    const moonbow_mode mode = strcmp(argv[2], "small") == 0 ? MOONBOW_SMALL : MOONBOW_FAST;
    const moonbow_parameters *p = a->parameters;
    const moonbow_scratch g = lend(moonbow_generate_scratch_bytes(a->generator, mode), mode);
    const moonbow_scratch s = lend(moonbow_sign_scratch_bytes(a->signer, mode), mode);
    const moonbow_scratch v = lend(moonbow_verify_scratch_bytes(a->verifier, mode), mode);
    uint8_t *pk = take(p->public_key_bytes), *sk = take(p->secret_key_bytes), *signature = take(p->signature_bytes);
    int status;

    MARK_BEGIN(0);
    status = moonbow_generate(a->generator, pk, p->public_key_bytes, sk, p->secret_key_bytes, &random, &g);
    MARK_END(0);
    require(status == MOONBOW_OK, "no key pair");
    for (long i = strtol(argv[3], NULL, 0); i > 0; i--) {
        uint8_t message[32];
        memset(message, (int)i, sizeof message);
        MARK_BEGIN(1);
        status = moonbow_sign(a->signer, signature, p->signature_bytes, message, sizeof message, sk, p->secret_key_bytes,
                              &random, &s);
        MARK_END(1);
        require(status == MOONBOW_OK, "no signature");
        MARK_BEGIN(2);
        status = moonbow_verify(a->verifier, signature, p->signature_bytes, message, sizeof message, pk,
                                p->public_key_bytes, &v);
        MARK_END(2);
        require(status == MOONBOW_OK, "the signature does not verify");
    }
    return 0;
}
