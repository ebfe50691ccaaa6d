/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Signs files with the Verilated core and an unencrypted key file of the tool (rainbow-I-classic or -circumzenithal): sign_with_core KEY FILE... writes
 * FILE.sig. Software draws and hashes, the core solves [RB3 §6]: the signature is, bit by bit, the one of `moonbow sign`. A product would verify it
 * before it leaves: the core has no protection against faults. */
#include "container/key.h"
#include "rainbow/expand.h"
#include "verilated_bus.h"

#include <moonbow/signature.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { V1_BYTES = 18, M_BYTES = 32, N_BYTES = 50, DIGEST_BYTES = 32 };

/* SECRET: the secret seed passes through the hash. Wiped when a file is signed. */
typedef struct {
    uint64_t context[64];
    uint8_t digest[DIGEST_BYTES];
    mb_drbg drbg;
} software;

static const char *text_of(int result)
{
    switch (result) {
    case RAINBOW_CORE_OK: return "signed";
    case RAINBOW_CORE_SINGULAR_1: return "layer 1 singular";
    case RAINBOW_CORE_SINGULAR_2: return "layer 2 singular";
    case RAINBOW_CORE_ABSENT: return "there is no core for Rainbow I";
    case RAINBOW_CORE_NO_KEY: return "the core has no key, or not all of it";
    case RAINBOW_CORE_WRONG_KEY: return "the key does not fit the core";
    case RAINBOW_CORE_GIVEN_UP: return "the core was wiped meanwhile";
    default: return "the core does not answer";
    }
}

static void *checked(void *memory)
{
    if (memory == NULL) {
        fputs("sign_with_core: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

static int hash_file(software *s, const char *path)
{
    uint8_t piece[4096];
    size_t count;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return -1;
    }
    mb_hash_sha256.init(s->context);
    while ((count = fread(piece, 1, sizeof piece, file)) != 0) {
        mb_hash_sha256.update(s->context, piece, count);
    }
    mb_hash_sha256.finish(s->context, s->digest);
    const int failed = ferror(file);
    fclose(file);
    return failed == 0 ? 0 : -1;
}

/* The generator of this signature: PRNG(H(sk_seed ‖ digest)) [RB3 §6.1]. */
static void seed_generator(software *s, const uint8_t *secret_key)
{
    uint8_t seed[DIGEST_BYTES];
    mb_hash_sha256.init(s->context);
    mb_hash_sha256.update(s->context, secret_key, MB_RAINBOW_SEED_BYTES);
    mb_hash_sha256.update(s->context, s->digest, sizeof s->digest);
    mb_hash_sha256.finish(s->context, seed);
    mb_rainbow_prng(&mb_rainbow_I, &s->drbg, seed, sizeof seed, s->context);
    moonbow_wipe(seed, sizeof seed);
}

/* Vinegars until layer 1 is regular, then salts until layer 2 is [RB3 §6]. Both are drawn for each attempt; the salt of an attempt
 * that failed in layer 1 is drawn back, for the software would not have drawn it yet. */
static int sign(software *s, rainbow_core *core, uint8_t signature[N_BYTES + MB_RAINBOW_SALT_BYTES])
{
    uint8_t vinegars[V1_BYTES], hash[M_BYTES], *salt = signature + N_BYTES;
    mb_drbg before_salt;
    int result = RAINBOW_CORE_SINGULAR_1;
    for (unsigned attempts = 1; attempts < MB_RAINBOW_ATTEMPTS && result > RAINBOW_CORE_OK; attempts++) {
        uint32_t cycles = 0;
        if (result == RAINBOW_CORE_SINGULAR_1) {
            mb_drbg_draw(&s->drbg, vinegars, sizeof vinegars);
        }
        before_salt = s->drbg;
        mb_drbg_draw(&s->drbg, salt, MB_RAINBOW_SALT_BYTES);
        mb_rainbow_target(&mb_rainbow_I, hash, s->digest, salt, s->context);
        result = rainbow_core_attempt(core, signature, vinegars, hash, &cycles);
        if (result == RAINBOW_CORE_SINGULAR_1) {
            s->drbg = before_salt;
        }
        printf("attempt %u: %s, %u cycles\n", attempts, text_of(result), cycles);
    }
    moonbow_wipe(vinegars, sizeof vinegars);
    mb_drbg_wipe(&before_salt);
    return result;
}

static int write_signature(const char *path, const uint8_t *signature, size_t bytes)
{
    char name[4096];
    if (snprintf(name, sizeof name, "%s.sig", path) >= (int)sizeof name) {
        return -1;
    }
    FILE *file = fopen(name, "wb");
    if (file == NULL) {
        return -1;
    }
    const int written = fwrite(signature, bytes, 1, file) == 1;
    return fclose(file) == 0 && written ? 0 : -1;
}

static const char *sign_file(rainbow_core *core, const uint8_t *secret_key, const char *path)
{
    software s;
    uint8_t signature[N_BYTES + MB_RAINBOW_SALT_BYTES];
    if (hash_file(&s, path) != 0) {
        return "cannot be read";
    }
    seed_generator(&s, secret_key);
    const int result = sign(&s, core, signature);
    moonbow_wipe(&s, sizeof s);
    if (result > RAINBOW_CORE_OK) {
        return "no attempt gave a signature";
    }
    if (result < RAINBOW_CORE_OK) {
        return text_of(result);
    }
    return write_signature(path, signature, sizeof signature) == 0 ? NULL : "its signature cannot be written";
}

static int read_key(moonbow_key **key, const char *path, moonbow_detail *detail)
{
    moonbow_encoding contents = {NULL, 0};
    int status = moonbow_contents_of_file(&contents, path, detail);
    if (status == MOONBOW_OK) {
        status = moonbow_key_from_bytes(key, contents.bytes, contents.bytes_len, MOONBOW_SECRET_KEY, NULL, detail);
    }
    moonbow_encoding_free(&contents);
    return status;
}

static int is_rainbow_I(const rainbow_core *core)
{
    return core->bits == 4 && core->v1 == mb_rainbow_I.v1 && core->o1 == mb_rainbow_I.o1 && core->o2 == mb_rainbow_I.o2;
}

/* The signatures of all files; what it finds wrong is said. */
static int sign_files(rainbow_core *core, const moonbow_key *key, uint8_t *work, char **paths)
{
    if (key->algorithm != &moonbow_rainbow_I_classic && key->algorithm != &moonbow_rainbow_I_circumzenithal) {
        fputs("sign_with_core: the core takes keys of rainbow-I-classic and rainbow-I-circumzenithal\n", stderr);
        return -1;
    }
    const int result = rainbow_core_load_key(core, key->bytes, key->bytes_len, work);
    if (result != RAINBOW_CORE_OK) {
        fprintf(stderr, "sign_with_core: %s\n", text_of(result));
        return -1;
    }
    for (; *paths != NULL; paths++) {
        const char *trouble = sign_file(core, key->bytes, *paths);
        if (trouble != NULL) {
            fprintf(stderr, "sign_with_core: %s: %s\n", *paths, trouble);
            return -1;
        }
    }
    return 0;
}

/* What may be missing is asked for before there is a secret. */
int main(int argc, char **argv)
{
    moonbow_key *key = NULL;
    moonbow_detail detail = {""};
    if (argc < 3) {
        fputs("usage: sign_with_core KEY FILE...\n", stderr);
        return 2;
    }
    rainbow_core core = {.read = verilated_bus_read, .write = verilated_bus_write, .bus = checked(verilated_bus_new())};
    if (rainbow_core_open(&core) != RAINBOW_CORE_OK || !is_rainbow_I(&core)) {
        fprintf(stderr, "sign_with_core: %s\n", text_of(RAINBOW_CORE_ABSENT));
        return 2;
    }
    uint8_t *work = checked(malloc(rainbow_core_key_work_bytes(&core)));
    int status = read_key(&key, argv[1], &detail);
    if (status != MOONBOW_OK) {
        fprintf(stderr, "sign_with_core: %s: %s\n", argv[1], detail.text);
    } else {
        status = sign_files(&core, key, work, argv + 2);
    }
    moonbow_key_free(key);
    if (rainbow_core_wipe(&core) != RAINBOW_CORE_OK || rainbow_core_erase_key(&core) != RAINBOW_CORE_OK) {
        fputs("sign_with_core: the core does not answer: its secrets stay\n", stderr);
        status = -1;
    }
    free(work);
    verilated_bus_free(core.bus);
    return status == 0 ? 0 : 2;
}
