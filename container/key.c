/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Keys in memory: allocation, generation, the public key of a secret one, fingerprints.
 * Their encodings are in der.c, encrypted.c and pem.c; read.c tells them apart. */
#include "key.h"

#include "memory.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

int moonbow_key_new(moonbow_key **key, const moonbow_algorithm *algorithm, moonbow_key_kind kind)
{
    const moonbow_parameters *parameters = algorithm->parameters;
    const int secret = kind == MOONBOW_SECRET_KEY;
    *key = calloc(1, sizeof **key);
    if (!*key)
        return MOONBOW_CONTAINER_NO_MEMORY;
    (*key)->algorithm = algorithm;
    (*key)->kind = kind;
    (*key)->bytes_len = secret ? parameters->secret_key_bytes : parameters->public_key_bytes;
    (*key)->public_seed_bytes = secret ? parameters->public_seed_bytes : 0;
    const size_t bytes = (*key)->bytes_len + (*key)->public_seed_bytes;
    (*key)->bytes = secret ? moonbow_memory_new_secret(bytes) : moonbow_memory_new(bytes);
    if (!(*key)->bytes) {
        moonbow_key_free(*key);
        *key = NULL;
        return MOONBOW_CONTAINER_NO_MEMORY;
    }
    (*key)->public_seed = (*key)->bytes + (*key)->bytes_len;
    return MOONBOW_OK;
}

void moonbow_key_free(moonbow_key *key)
{
    if (!key)
        return;
    moonbow_memory_free(key->bytes, key->bytes_len + key->public_seed_bytes);
    free(key);
}

/* Scratch for key generation, which also serves for deriving. start is NULL if there is no memory. */
static moonbow_scratch generation_scratch(const moonbow_algorithm *algorithm, moonbow_mode mode)
{
    moonbow_scratch scratch = {NULL, moonbow_generate_scratch_bytes(algorithm->generator, mode), mode};
    scratch.start = moonbow_memory_new_secret(scratch.bytes);
    return scratch;
}

static int generate_into(moonbow_key *public_key, moonbow_key *secret_key, const moonbow_random *random,
                         const uint8_t *seed, size_t seed_bytes, const moonbow_scratch *scratch)
{
    const moonbow_generator *generator = public_key->algorithm->generator;
    int status;
    if (!scratch->start)
        return MOONBOW_CONTAINER_NO_MEMORY;
    if (seed) {
        status =
            moonbow_generate_from_seed(generator, public_key->bytes, public_key->bytes_len, secret_key->bytes,
                                       secret_key->bytes_len, seed, seed_bytes, scratch);
    } else {
        status = moonbow_generate(generator, public_key->bytes, public_key->bytes_len, secret_key->bytes,
                                  secret_key->bytes_len, random, scratch);
    }
    if (status != MOONBOW_OK)
        return status;
    /* The seed is the public key's beginning (moonbow_parameters.public_seed_bytes). */
    memcpy(secret_key->public_seed, public_key->bytes, secret_key->public_seed_bytes);
    return MOONBOW_OK;
}

int moonbow_key_generate(moonbow_key **public_key, moonbow_key **secret_key,
                         const moonbow_algorithm *algorithm, const moonbow_random *random,
                         const uint8_t *seed, size_t seed_bytes, moonbow_mode mode)
{
    *public_key = *secret_key = NULL;
    int status = moonbow_key_new(public_key, algorithm, MOONBOW_PUBLIC_KEY);
    if (status == MOONBOW_OK)
        status = moonbow_key_new(secret_key, algorithm, MOONBOW_SECRET_KEY);
    if (status == MOONBOW_OK) {
        moonbow_scratch scratch = generation_scratch(algorithm, mode);
        status = generate_into(*public_key, *secret_key, random, seed, seed_bytes, &scratch);
        moonbow_memory_free(scratch.start, scratch.bytes);
    }
    if (status != MOONBOW_OK) {
        moonbow_key_free(*public_key);
        moonbow_key_free(*secret_key);
        *public_key = *secret_key = NULL;
    }
    return status;
}

/* A sink that fills a key from its beginning. */
typedef struct key_filler {
    moonbow_key *key;
    size_t filled;
} key_filler;

static int fill_key(void *context, const uint8_t *piece, size_t bytes)
{
    key_filler *filler = context;
    if (bytes > filler->key->bytes_len - filler->filled)
        return -1;
    memcpy(filler->key->bytes + filler->filled, piece, bytes);
    filler->filled += bytes;
    return 0;
}

int moonbow_key_derive_public(moonbow_key **public_key, const moonbow_key *secret_key, moonbow_mode mode)
{
    *public_key = NULL;
    int status = moonbow_key_new(public_key, secret_key->algorithm, MOONBOW_PUBLIC_KEY);
    if (status != MOONBOW_OK)
        return status;
    moonbow_scratch scratch = generation_scratch(secret_key->algorithm, mode);
    key_filler filler = {*public_key, 0};
    const moonbow_sink sink = {fill_key, &filler};
    status = MOONBOW_CONTAINER_NO_MEMORY;
    if (scratch.start) {
        const uint8_t *seed = secret_key->public_seed_bytes ? secret_key->public_seed : NULL;
        status =
            moonbow_derive_public_key(secret_key->algorithm->generator, &sink, secret_key->bytes,
                                      secret_key->bytes_len, seed, secret_key->public_seed_bytes, &scratch);
    }
    moonbow_memory_free(scratch.start, scratch.bytes);
    if (status != MOONBOW_OK) {
        moonbow_key_free(*public_key);
        *public_key = NULL;
    }
    return status;
}

int moonbow_key_digest(uint8_t digest[MOONBOW_KEY_DIGEST_BYTES], const moonbow_key *public_key)
{
    if (public_key->kind != MOONBOW_PUBLIC_KEY)
        return MOONBOW_CONTAINER_WRONG_KIND;
    if (!EVP_Digest(public_key->bytes, public_key->bytes_len, digest, NULL, EVP_sha256(), NULL)) {
        return MOONBOW_CONTAINER_LIBCRYPTO;
    }
    return MOONBOW_OK;
}

void moonbow_fingerprint_text(char text[MOONBOW_FINGERPRINT_BYTES],
                              const uint8_t digest[MOONBOW_KEY_DIGEST_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    memcpy(text, "SHA256:", 7);
    for (size_t i = 0; i < 8; i++) {
        text[7 + 2 * i] = digits[digest[i] >> 4];
        text[8 + 2 * i] = digits[digest[i] & 15];
    }
    text[23] = '\0';
}
