/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Key pairs: into buffers, from a seed, into sinks; the public key of a secret key. See docs/guide/using.md. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "lend.h"

#include <stdio.h>
#include <string.h>

static const moonbow_algorithm *const algorithm = &moonbow_rainbow_I_circumzenithal;

typedef struct key_pair {
    uint8_t *pk, *sk;
} key_pair;

static int make(key_pair *pair, const moonbow_scratch *scratch)
{
    const moonbow_parameters *p = algorithm->parameters;
    pair->pk = malloc(p->public_key_bytes);
    pair->sk = malloc(p->secret_key_bytes);
    if (pair->pk == NULL || pair->sk == NULL) {
        return EXIT_FAILURE;
    }
    return moonbow_generate(algorithm->generator, pair->pk, p->public_key_bytes, pair->sk, p->secret_key_bytes,
                            NULL, scratch);
}

static void give_back(key_pair *pair)
{
    explicit_bzero(pair->sk, algorithm->parameters->secret_key_bytes);
    free(pair->sk);
    free(pair->pk);
}

/* The same pair again, from a seed that is as secret as the key. */
static int make_from_seed(key_pair *pair, const uint8_t seed[64], const moonbow_scratch *scratch)
{
    const moonbow_parameters *p = algorithm->parameters;
    return moonbow_generate_from_seed(algorithm->generator, pair->pk, p->public_key_bytes, pair->sk,
                                      p->secret_key_bytes, seed, p->generate_random_bytes, scratch);
}

/* A sink: takes the pieces of a key as they are made. */
static int write_to_file(void *context, const uint8_t *piece, size_t bytes)
{
    return fwrite(piece, 1, bytes, context) == bytes ? 0 : -1;
}

/* The public key of a secret key, into a file. pair->pk is there for its seed, which this format's secret
 * key does not hold. */
static int derive(FILE *file, const key_pair *pair, const moonbow_scratch *scratch)
{
    const moonbow_parameters *p = algorithm->parameters;
    const moonbow_sink sink = {write_to_file, file};
    return moonbow_derive_public_key(algorithm->generator, &sink, pair->sk, p->secret_key_bytes, pair->pk,
                                     p->public_seed_bytes, scratch);
}

/* 0 if the file holds exactly this public key. */
static int compare(FILE *file, const uint8_t *pk)
{
    const size_t pk_bytes = algorithm->parameters->public_key_bytes;
    uint8_t *found = malloc(pk_bytes + 1);
    int status = EXIT_FAILURE;
    rewind(file);
    if (found != NULL && fread(found, 1, pk_bytes + 1, file) == pk_bytes && memcmp(found, pk, pk_bytes) == 0) {
        status = EXIT_SUCCESS;
    }
    free(found);
    return status;
}

static int run(key_pair *pair, FILE *file, const moonbow_scratch *scratch)
{
    const moonbow_parameters *p = algorithm->parameters;
    const uint8_t seed[64] = {1, 2, 3}; /* of an example: never use a known seed */
    int status = make(pair, scratch);
    if (status == MOONBOW_OK) {
        status = make_from_seed(pair, seed, scratch);
    }
    if (status == MOONBOW_OK) {
        status = derive(file, pair, scratch);
    }
    if (status == MOONBOW_OK) {
        status = compare(file, pair->pk);
    }
    if (status == MOONBOW_OK) {
        status = moonbow_check_key_pair(algorithm->generator, pair->pk, p->public_key_bytes, pair->sk,
                                        p->secret_key_bytes, scratch);
    }
    return status;
}

int main(void)
{
    moonbow_scratch scratch =
        lend(moonbow_generate_scratch_bytes(algorithm->generator, MOONBOW_FAST), MOONBOW_FAST);
    key_pair pair = {NULL, NULL};
    FILE *file = tmpfile();
    const int status = file == NULL ? EXIT_FAILURE : run(&pair, file, &scratch);
    if (file != NULL) {
        fclose(file);
    }
    give_back(&pair);
    free(scratch.start);
    return status == MOONBOW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
