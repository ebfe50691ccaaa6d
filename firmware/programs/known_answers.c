/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The command kat: ALGORITHM. Makes the first vector of NIST's known answers (test/kat/README.md) and says the hashes of its text, SHA3-256
 * and SHA-256, and of its parts. The text itself goes no further than the hashes. */
#include "console.h"
#include "job.h"
#include "symmetric/drbg.h"
#include "symmetric/sha256.h"
#include "symmetric/sha3_256.h"

#include <string.h>

enum { KAT_SEED_BYTES = 48, KAT_MESSAGE_BYTES = 33 };

/* The text so far, in both hashes. */
typedef struct text {
    mb_sha3_256 sha3;
    mb_sha256 sha2;
} text;

static void add(text *t, const char *string)
{
    mb_sha3_256_update(&t->sha3, string, strlen(string));
    mb_sha256_update(&t->sha2, (const uint8_t *)string, strlen(string));
}

static void add_hex(text *t, const uint8_t *data, size_t bytes)
{
    static const char digits[] = "0123456789ABCDEF";
    char pair[3] = {0, 0, 0};
    for (size_t i = 0; i < bytes; i++) {
        pair[0] = digits[data[i] >> 4];
        pair[1] = digits[data[i] & 15];
        add(t, pair);
    }
}

static void add_field(text *t, const char *name, const uint8_t *data, size_t bytes)
{
    add(t, name);
    add_hex(t, data, bytes);
    add(t, "\n");
}

static void add_number(text *t, const char *name, uint32_t number)
{
    char digits[11] = {0};
    size_t first = sizeof digits - 1;
    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    add(t, name);
    add(t, digits + first);
    add(t, "\n");
}

static int draw(void *context, uint8_t *out, size_t bytes)
{
    mb_drbg_draw(context, out, bytes);
    return 0;
}

/* The first seed and message: two draws of the generator that begins with 00 01 ... 2f. */
static void first_inputs(uint8_t seed[KAT_SEED_BYTES], uint8_t message[KAT_MESSAGE_BYTES])
{
    uint8_t entropy[KAT_SEED_BYTES];
    mb_drbg outer;
    for (unsigned i = 0; i < sizeof entropy; i++) {
        entropy[i] = (uint8_t)i;
    }
    mb_drbg_init(&outer, entropy);
    mb_drbg_draw(&outer, seed, KAT_SEED_BYTES);
    mb_drbg_draw(&outer, message, KAT_MESSAGE_BYTES);
}

static void say_digests(text *t)
{
    uint8_t digest[32];
    mb_sha3_256_finish(&t->sha3, digest);
    console_text("sha3-256 ");
    console_hex(digest, sizeof digest);
    mb_sha256_finish(&t->sha2, digest);
    console_text("\nsha256 ");
    console_hex(digest, sizeof digest);
    console_text("\n");
}

/* Everything that a vector is made of, and memory for it. */
typedef struct vector {
    const moonbow_algorithm *algorithm;
    uint8_t *public_key, *secret_key, *signature;
    uint8_t seed[KAT_SEED_BYTES], message[KAT_MESSAGE_BYTES];
} vector;

static int make(vector *v)
{
    const moonbow_parameters *p = v->algorithm->parameters;
    mb_drbg drbg;
    const moonbow_random random = {draw, &drbg};
    moonbow_scratch scratch = job_scratch(moonbow_generate_scratch_bytes(v->algorithm->generator, MOONBOW_SMALL), MOONBOW_SMALL);
    if (scratch.start == NULL) {
        return -1;
    }
    mb_drbg_init(&drbg, v->seed);
    int status = moonbow_generate(v->algorithm->generator, v->public_key, p->public_key_bytes, v->secret_key,
                                  p->secret_key_bytes, &random, &scratch);
    if (status != MOONBOW_OK) {
        return job_failed("generate", status);
    }
    scratch = job_scratch(moonbow_sign_scratch_bytes(v->algorithm->signer, MOONBOW_SMALL), MOONBOW_SMALL);
    if (scratch.start == NULL) {
        return -1;
    }
    status = moonbow_sign(v->algorithm->signer, v->signature, p->signature_bytes, v->message, sizeof v->message, v->secret_key,
                          p->secret_key_bytes, &random, &scratch);
    return status == MOONBOW_OK ? 0 : job_failed("sign", status);
}

static int check(const vector *v)
{
    const moonbow_parameters *p = v->algorithm->parameters;
    const moonbow_scratch scratch = job_scratch(moonbow_verify_scratch_bytes(v->algorithm->verifier, MOONBOW_SMALL), MOONBOW_SMALL);
    if (scratch.start == NULL) {
        return -1;
    }
    const int status = moonbow_verify(v->algorithm->verifier, v->signature, p->signature_bytes, v->message, sizeof v->message,
                                      v->public_key, p->public_key_bytes, &scratch);
    return status == MOONBOW_OK ? 0 : job_failed("verify", status);
}

static void say(const vector *v)
{
    const moonbow_parameters *p = v->algorithm->parameters;
    text t;
    mb_sha3_256_init(&t.sha3);
    mb_sha256_init(&t.sha2);
    add(&t, "count = 0\n");
    add_field(&t, "seed = ", v->seed, sizeof v->seed);
    add_number(&t, "mlen = ", KAT_MESSAGE_BYTES);
    add_field(&t, "msg = ", v->message, sizeof v->message);
    add_field(&t, "pk = ", v->public_key, p->public_key_bytes);
    add_field(&t, "sk = ", v->secret_key, p->secret_key_bytes);
    add_number(&t, "smlen = ", (uint32_t)(KAT_MESSAGE_BYTES + p->signature_bytes));
    add(&t, "sm = ");
    add_hex(&t, v->message, sizeof v->message);
    add_field(&t, "", v->signature, p->signature_bytes);
    say_digests(&t);
}

int command_kat(const char *const *words, size_t count)
{
    vector v = {.algorithm = count == 0 ? NULL : moonbow_algorithm_by_name(words[0])};
    if (v.algorithm == NULL) {
        console_text("error no such algorithm\n");
        return -1;
    }
    const moonbow_parameters *p = v.algorithm->parameters;
    v.signature = room_take("signature", p->signature_bytes, ROOM_INTERNAL);
    v.secret_key = room_take("secret-key", p->secret_key_bytes, ROOM_INTERNAL);
    v.public_key = room_take("public-key", p->public_key_bytes, ROOM_INTERNAL);
    if (v.signature == NULL || v.secret_key == NULL || v.public_key == NULL) {
        return -1;
    }
    first_inputs(v.seed, v.message);
    if (make(&v) != 0 || check(&v) != 0) {
        return -1;
    }
    say(&v);
    return 0;
}
