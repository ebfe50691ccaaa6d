/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Operations of one algorithm between marks, to be counted or traced: region 0 generates a key pair, 1 signs, 2 verifies.
 * Usage: operations count ALGORITHM fast|small SIGNATURES
 *        operations trace ALGORITHM fast|small generate|sign KEYS    (keys that differ in their secret seed alone)
 *        operations product BYTES COUNT    (region 0: that many vectors over GF(256) as a tower, each times a scalar, summed)
 *        operations solver fast|small    (where the solver's factor() is)
 * See tools/moonbow-aarch64. */
#include "linear/contract.h"
#include "mark.h"

#include <moonbow/signature.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 32, SEED_MOST_BYTES = 64, SECRET_SEED_BYTES = 32 };

typedef struct job {
    const moonbow_algorithm *algorithm;
    const moonbow_parameters *parameters;
    moonbow_scratch generate, sign, verify;
    uint8_t *pk, *sk, *signature;
} job;

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

static moonbow_mode mode_of(const char *name)
{
    require(strcmp(name, "fast") == 0 || strcmp(name, "small") == 0, "a mode is fast or small");
    return strcmp(name, "small") == 0 ? MOONBOW_SMALL : MOONBOW_FAST;
}

static job prepare_job(const char *name, moonbow_mode mode)
{
    job j;
    j.algorithm = moonbow_algorithm_by_name(name);
    require(j.algorithm != NULL, "no such algorithm");
    j.parameters = j.algorithm->parameters;
    j.generate = lend(moonbow_generate_scratch_bytes(j.algorithm->generator, mode), mode);
    j.sign = lend(moonbow_sign_scratch_bytes(j.algorithm->signer, mode), mode);
    j.verify = lend(moonbow_verify_scratch_bytes(j.algorithm->verifier, mode), mode);
    j.pk = take(j.parameters->public_key_bytes);
    j.sk = take(j.parameters->secret_key_bytes);
    j.signature = take(j.parameters->signature_bytes);
    return j;
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

static void count(const char *name, moonbow_mode mode, long signatures)
{
    uint32_t state = 1;
    const moonbow_random random = {fill, &state};
    const job j = prepare_job(name, mode);
    const moonbow_parameters *p = j.parameters;
    int status;
    MARK_BEGIN(0);
    status = moonbow_generate(j.algorithm->generator, j.pk, p->public_key_bytes, j.sk, p->secret_key_bytes, &random, &j.generate);
    MARK_END(0);
    require(status == MOONBOW_OK, "no key pair");
    for (long i = signatures; i > 0; i--) {
        uint8_t message[MESSAGE_BYTES];
        memset(message, (int)i, sizeof message);
        MARK_BEGIN(1);
        status = moonbow_sign(j.algorithm->signer, j.signature, p->signature_bytes, message, sizeof message, j.sk, p->secret_key_bytes,
                              &random, &j.sign);
        MARK_END(1);
        require(status == MOONBOW_OK, "no signature");
        MARK_BEGIN(2);
        status = moonbow_verify(j.algorithm->verifier, j.signature, p->signature_bytes, message, sizeof message, j.pk,
                                p->public_key_bytes, &j.verify);
        MARK_END(2);
        require(status == MOONBOW_OK, "the signature does not verify");
    }
}

/* All but the secret seed, which comes first in a seed, is the same for each key: so that what differs between their traces depends on secrets. */
static void seed_of(uint8_t *seed, size_t bytes, uint32_t key)
{
    uint32_t state = 1000 + key, same = 1;
    const size_t secret = bytes < SECRET_SEED_BYTES ? bytes : SECRET_SEED_BYTES;
    fill(&state, seed, secret);
    fill(&same, seed + secret, bytes - secret);
}

static void trace(const char *name, moonbow_mode mode, int signs, uint32_t keys)
{
    const uint8_t message[MESSAGE_BYTES] = {1, 2, 3};
    uint8_t seed[SEED_MOST_BYTES];
    const job j = prepare_job(name, mode);
    const moonbow_parameters *p = j.parameters;
    require(p->generate_random_bytes <= sizeof seed, "a seed is longer than expected");
    for (uint32_t key = 0; key < keys; key++) {
        uint32_t state = 1;
        const moonbow_random random = {fill, &state};
        int status;
        seed_of(seed, p->generate_random_bytes, key);
        if (!signs) {
            MARK_BEGIN(0);
        }
        status = moonbow_generate_from_seed(j.algorithm->generator, j.pk, p->public_key_bytes, j.sk, p->secret_key_bytes, seed,
                                            p->generate_random_bytes, &j.generate);
        if (!signs) {
            MARK_END(0);
        }
        require(status == MOONBOW_OK, "no key pair");
        if (signs) {
            MARK_BEGIN(1);
            status = moonbow_sign(j.algorithm->signer, j.signature, p->signature_bytes, message, sizeof message, j.sk,
                                  p->secret_key_bytes, &random, &j.sign);
            MARK_END(1);
            require(status == MOONBOW_OK, "no signature");
        }
    }
}

/* What the multiplier alone takes: scalars prepared and used once. */
static void product(size_t bytes, size_t vectors_len)
{
    const mb_field *field = &mb_gf256_tower;
    const mb_multiplier *multiplier = mb_linear_multiplier();
    uint8_t *vectors = take(bytes * vectors_len), *out = take(bytes), *scalars = take(vectors_len);
    uint8_t *prepared = take(vectors_len * multiplier->prepared_bytes(field));
    uint32_t state = 1;
    fill(&state, vectors, bytes * vectors_len);
    fill(&state, scalars, vectors_len);
    MARK_BEGIN(0);
    multiplier->prepare(field, prepared, scalars, vectors_len);
    multiplier->combine(field, out, bytes, vectors, bytes, prepared, vectors_len);
    MARK_END(0);
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "count") == 0) {
        count(argv[2], mode_of(argv[3]), strtol(argv[4], NULL, 0));
    } else if (argc == 6 && strcmp(argv[1], "trace") == 0) {
        trace(argv[2], mode_of(argv[3]), strcmp(argv[4], "sign") == 0, (uint32_t)strtoul(argv[5], NULL, 0));
    } else if (argc == 4 && strcmp(argv[1], "product") == 0) {
        product(strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0));
    } else if (argc == 3 && strcmp(argv[1], "solver") == 0) {
        printf("%p\n", *(void **)(&(int (*)(const mb_field *, uint8_t *, void *, size_t)){
                           mb_linear_solver_16(mode_of(argv[2]) == MOONBOW_SMALL)->factor}));
    } else {
        require(0, "usage: operations count|trace|solver …");
    }
    return 0;
}
