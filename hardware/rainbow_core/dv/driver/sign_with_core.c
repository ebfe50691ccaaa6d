/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Signs files with the Verilated core and an unencrypted key file of the tool (rainbow-I-classic or -circumzenithal): sign_with_core KEY FILE... writes
 * FILE.sig. Software draws and hashes, the core solves [RB3 §6]: the signature is, bit by bit, the one of `moonbow sign`. */
#include "container/key.h"
#include "rainbow/expand.h"
#include "verilated_bus.h"

#include <moonbow/signature.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { V1_BYTES = 18, M_BYTES = 32, N_BYTES = 50, DIGEST_BYTES = 32 };

typedef struct {
    uint64_t context[64];
    uint8_t digest[DIGEST_BYTES];
    mb_drbg drbg;
} software;

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
    int result = RAINBOW_CORE_SINGULAR_1;
    for (unsigned attempts = 1; attempts < MB_RAINBOW_ATTEMPTS && result > RAINBOW_CORE_OK; attempts++) {
        uint32_t cycles = 0;
        if (result == RAINBOW_CORE_SINGULAR_1) {
            mb_drbg_draw(&s->drbg, vinegars, sizeof vinegars);
        }
        const mb_drbg before_salt = s->drbg;
        mb_drbg_draw(&s->drbg, salt, MB_RAINBOW_SALT_BYTES);
        mb_rainbow_target(&mb_rainbow_I, hash, s->digest, salt, s->context);
        result = rainbow_core_attempt(core, signature, vinegars, hash, &cycles);
        if (result == RAINBOW_CORE_SINGULAR_1) {
            s->drbg = before_salt;
        }
        printf("attempt %u: %s, %u cycles\n", attempts,
               result == RAINBOW_CORE_OK ? "signed" : result == RAINBOW_CORE_SINGULAR_1 ? "layer 1 singular" : "layer 2 singular", cycles);
    }
    moonbow_wipe(vinegars, sizeof vinegars);
    mb_drbg_wipe(&s->drbg);
    return result;
}

static int sign_file(rainbow_core *core, const uint8_t *secret_key, const char *path)
{
    software s;
    uint8_t signature[N_BYTES + MB_RAINBOW_SALT_BYTES];
    char name[4096];
    if (hash_file(&s, path) != 0) {
        fprintf(stderr, "sign_with_core: %s: cannot be read\n", path);
        return -1;
    }
    seed_generator(&s, secret_key);
    if (sign(&s, core, signature) != RAINBOW_CORE_OK) {
        fputs("sign_with_core: no signature\n", stderr);
        return -1;
    }
    snprintf(name, sizeof name, "%s.sig", path);
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(signature, sizeof signature, 1, file) != 1 || fclose(file) != 0) {
        fprintf(stderr, "sign_with_core: %s: cannot be written\n", name);
        return -1;
    }
    return 0;
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

int main(int argc, char **argv)
{
    moonbow_key *key = NULL;
    moonbow_detail detail = {""};
    if (argc < 3) {
        fputs("usage: sign_with_core KEY FILE...\n", stderr);
        return 2;
    }
    if (read_key(&key, argv[1], &detail) != MOONBOW_OK) {
        fprintf(stderr, "sign_with_core: %s: %s\n", argv[1], detail.text);
        return 2;
    }
    if (key->algorithm != &moonbow_rainbow_I_classic && key->algorithm != &moonbow_rainbow_I_circumzenithal) {
        fputs("sign_with_core: the core takes keys of rainbow-I-classic and rainbow-I-circumzenithal\n", stderr);
        return 2;
    }
    rainbow_core core = {.read = verilated_bus_read, .write = verilated_bus_write, .bus = checked(verilated_bus_new())};
    int status = rainbow_core_open(&core);
    if (status == RAINBOW_CORE_OK) {
        uint8_t *work = checked(malloc(rainbow_core_key_work_bytes(&core)));
        status = rainbow_core_load_key(&core, key->bytes, work);
        free(work);
    }
    for (int i = 2; i < argc && status == RAINBOW_CORE_OK; i++) {
        status = sign_file(&core, key->bytes, argv[i]);
    }
    rainbow_core_wipe(&core);
    rainbow_core_erase_key(&core);
    moonbow_key_free(key);
    verilated_bus_free(core.bus);
    return status == RAINBOW_CORE_OK ? 0 : 2;
}
