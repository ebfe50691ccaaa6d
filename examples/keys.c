/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Key pairs: into buffers, from a seed, into sinks; the public key of a secret key. See docs/guide/using.md. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "example.h"

#include <string.h>

static const moonbow_algorithm *const algorithm = &moonbow_uov_Is_pkc;

typedef struct key_pair {
    uint8_t *pk, *sk;
} key_pair;

/* A new pair. */
static int make(key_pair *pair, const moonbow_scratch *scratch)
{
    const moonbow_parameters *p = algorithm->parameters;
    return moonbow_generate(algorithm->generator, pair->pk, p->public_key_bytes, pair->sk,
                            p->secret_key_bytes, NULL, scratch);
}

/* The pair that belongs to a seed, which is as secret as the key. */
static int make_from_seed(key_pair *pair, const uint8_t *seed, const moonbow_scratch *scratch)
{
    const moonbow_parameters *p = algorithm->parameters;
    return moonbow_generate_from_seed(algorithm->generator, pair->pk, p->public_key_bytes, pair->sk,
                                      p->secret_key_bytes, seed, p->generate_random_bytes, scratch);
}

/* A sink into a file. */
static int write_to_file(void *context, const uint8_t *piece, size_t bytes)
{
    return fwrite(piece, 1, bytes, context) == bytes ? 0 : -1;
}

/* The public key of a secret key, into a file. The old public key lends its seed where the format's
 * secret key does not hold it; elsewhere public_seed_bytes is 0. */
static int derive(FILE *file, const key_pair *pair, const moonbow_scratch *scratch)
{
    const moonbow_parameters *p = algorithm->parameters;
    const moonbow_sink sink = {write_to_file, file};
    return moonbow_derive_public_key(algorithm->generator, &sink, pair->sk, p->secret_key_bytes,
                                     p->public_seed_bytes == 0 ? NULL : pair->pk, p->public_seed_bytes,
                                     scratch);
}

static int check(const key_pair *pair, const moonbow_scratch *scratch)
{
    const moonbow_parameters *p = algorithm->parameters;
    return moonbow_check_key_pair(algorithm->generator, pair->pk, p->public_key_bytes, pair->sk,
                                  p->secret_key_bytes, scratch);
}

/* The library wipes the scratch memory it was lent; the keys are the caller's. */
static void give_back(key_pair *pair)
{
    explicit_bzero(pair->sk, algorithm->parameters->secret_key_bytes);
    free(pair->sk);
    free(pair->pk);
}

int main(void)
{
    const moonbow_parameters *p = algorithm->parameters;
    const size_t scratch_bytes = moonbow_generate_scratch_bytes(algorithm->generator, MOONBOW_FAST);
    const uint8_t seed[32] = {1, 2, 3}; /* of an example: whoever knows the seed has the key */
    moonbow_scratch scratch = lend(scratch_bytes, MOONBOW_FAST);
    key_pair pair = {allocate(p->public_key_bytes), allocate(p->secret_key_bytes)};
    key_pair seeded = {allocate(p->public_key_bytes), allocate(p->secret_key_bytes)};
    FILE *file = tmpfile();
    expect(MOONBOW_OK, make(&pair, &scratch));
    expect(MOONBOW_OK, make_from_seed(&seeded, seed, &scratch));
    expect(MOONBOW_OK, check(&pair, &scratch));
    memcpy(pair.pk, seeded.pk, p->public_key_bytes);
    expect(MOONBOW_WRONG_KEY, check(&pair, &scratch));
    if (file == NULL) {
        return EXIT_FAILURE;
    }
    expect(MOONBOW_OK, derive(file, &seeded, &scratch));
    if (ftell(file) != (long)p->public_key_bytes) {
        return EXIT_FAILURE;
    }
    fclose(file);
    give_back(&pair);
    give_back(&seeded);
    free(scratch.start);
    return EXIT_SUCCESS;
}
