/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Keys and signatures for fuzz_verify. A small set is a shipped algorithm's roles with another field and shape in them. */
#define _POSIX_C_SOURCE 200112L
#include "subject.h"

#include "linear/contract.h"
#include "rainbow/parameters.h"
#include "require.h"
#include "scheme/scheme.h"
#include "uov/parameters.h"

#include <string.h>

subject small_subjects[SMALL_LEN], shipped_subjects[SHIPPED_LEN];
uint8_t good_message[MESSAGE_BYTES];

/* An algorithm, or its formats in another shape: v1, o1, o2 of Rainbow, n and m of UOV. */
typedef struct choice {
    const moonbow_algorithm *algorithm;
    int prepared; /* the verifier of prepared public keys */
    const mb_field *field;
    uint16_t shape[3]; /* all even over GF(16) */
} choice;

static const choice shipped[SHIPPED_LEN] = {
    {.algorithm = &moonbow_rainbow_I_classic},
    {.algorithm = &moonbow_rainbow_I_compressed},
    {.algorithm = &moonbow_rainbow_I_compressed, .prepared = 1},
    {.algorithm = &moonbow_rainbow_I_circumzenithal_tweaked},
    {.algorithm = &moonbow_uov_Ip_pkc},
    {.algorithm = &moonbow_uov_Is},
    {.algorithm = &moonbow_uov_Is_pkc},
    {.algorithm = &moonbow_uov_Is_pkc_skc},
};

static const choice small[SMALL_LEN] = {
    {&moonbow_rainbow_I_classic, 0, &mb_gf16_tower, {6, 4, 2}},
    {&moonbow_rainbow_I_circumzenithal, 0, &mb_gf16_polynomial, {12, 2, 10}},
    {&moonbow_rainbow_I_compressed, 1, &mb_gf16_tower, {8, 6, 4}},
    {&moonbow_rainbow_III_classic, 0, &mb_gf256_tower, {5, 3, 4}},
    {&moonbow_rainbow_III_circumzenithal, 0, &mb_gf256_tower, {7, 1, 3}},
    {&moonbow_rainbow_III_compressed, 1, &mb_gf256_aes, {3, 7, 1}},
    {&moonbow_rainbow_V_compressed, 0, &mb_gf256_tower, {17, 16, 15}},
    {&moonbow_uov_Is, 0, &mb_gf16_polynomial, {20, 6}},
    {&moonbow_uov_Is_pkc, 0, &mb_gf16_tower, {42, 34}},
    {&moonbow_uov_Is_pkc_skc, 1, &mb_gf16_polynomial, {16, 2}},
    {&moonbow_uov_Ip, 0, &mb_gf256_aes, {11, 5}},
    {&moonbow_uov_Ip_pkc, 0, &mb_gf256_tower, {40, 17}},
    {&moonbow_uov_Ip_pkc_skc, 0, &mb_gf256_aes, {3, 1}},
};

void choose_backend(backend which)
{
    static const char *const names[BACKENDS_LEN] = {NULL, "portable", "avx2", "gfni-avx2"};
    require((which == NATIVE ? unsetenv("MOONBOW_BACKEND") : setenv("MOONBOW_BACKEND", names[which], 1)) == 0,
            "no environment");
}

static void *take(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    require(memory != NULL, "no memory");
    return memory;
}

static moonbow_scratch lend(size_t bytes, moonbow_mode mode)
{
    return (moonbow_scratch){take(bytes), bytes, mode};
}

static int fill(void *context, uint8_t *out, size_t bytes)
{
    uint8_t *next = context;
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (*next)++;
    }
    return 0;
}

/* ---- Small sets ------------------------------------------------------------------------------- */

/* Everything that differs from the shipped algorithm. It stays where it is: its parts refer to one another. */
typedef struct variant {
    union {
        mb_rainbow_set rainbow;
        mb_uov_set uov;
    } set;
    moonbow_parameters parameters, prepared_parameters;
    moonbow_verifier verifier, prepared_verifier;
    moonbow_signer signer;
    moonbow_generator generator;
    moonbow_preparer preparer;
    moonbow_algorithm algorithm;
} variant;

static variant variants[SMALL_LEN];

static int is_rainbow(const moonbow_algorithm *algorithm)
{
    return strncmp(algorithm->parameters->name, "rainbow", 7) == 0;
}

static void set_shape(variant *v, const choice *from)
{
    const uint16_t *shape = from->shape;
    if (is_rainbow(from->algorithm)) {
        v->set.rainbow = *(const mb_rainbow_set *)from->algorithm->verifier->set;
        v->set.rainbow.field = from->field;
        v->set.rainbow.v1 = shape[0];
        v->set.rainbow.o1 = shape[1];
        v->set.rainbow.o2 = shape[2];
    } else {
        v->set.uov = (mb_uov_set){from->field, shape[0], shape[1]};
    }
}

static int count(void *context, const uint8_t *piece, size_t bytes)
{
    (void)piece;
    *(size_t *)context += bytes;
    return 0;
}

/* Key lengths are what the generator writes. */
static void measure(variant *v)
{
    uint8_t next = 1;
    const moonbow_random random = {fill, &next};
    const moonbow_scratch scratch =
        lend(moonbow_generate_scratch_bytes(&v->generator, MOONBOW_FAST), MOONBOW_FAST);
    v->parameters.public_key_bytes = v->parameters.secret_key_bytes = 0;
    const moonbow_sink pk = {count, &v->parameters.public_key_bytes},
                       sk = {count, &v->parameters.secret_key_bytes};
    require(moonbow_generate_to_sinks(&v->generator, &pk, &sk, &random, &scratch) == MOONBOW_OK,
            "no small key");
    free(scratch.start);
}

/* A prepared public key holds every coefficient of m polynomials in n variables. */
static void prepare_roles(variant *v, const moonbow_preparer *preparer, const choice *from, size_t n,
                          size_t m)
{
    v->preparer = *preparer;
    v->prepared_parameters = v->parameters;
    v->prepared_parameters.public_key_bytes = n * (n + 1) / 2 * mb_field_bytes(from->field, m);
    v->prepared_verifier = *moonbow_prepared_verifier(preparer);
    v->prepared_verifier.parameters = &v->prepared_parameters;
    v->prepared_verifier.set = &v->set;
    v->preparer.from_verifier = &v->verifier;
    v->preparer.from_signer = &v->signer;
    v->preparer.verifier = &v->prepared_verifier;
    v->preparer.signer = NULL;
}

static const moonbow_algorithm *make_variant(variant *v, const choice *from)
{
    const moonbow_algorithm *like = from->algorithm;
    const int rainbow = is_rainbow(like);
    const uint16_t *shape = from->shape;
    const size_t n = rainbow ? (size_t)shape[0] + shape[1] + shape[2] : shape[0];
    const size_t m = rainbow ? (size_t)shape[1] + shape[2] : shape[1];
    set_shape(v, from);
    v->parameters = *like->parameters;
    v->verifier = *like->verifier;
    v->signer = *like->signer;
    v->generator = *like->generator;
    v->verifier.parameters = v->signer.parameters = v->generator.parameters = &v->parameters;
    v->verifier.set = v->signer.set = v->generator.set = &v->set;
    measure(v);
    v->parameters.signature_bytes =
        mb_field_bytes(from->field, n) + (rainbow ? MB_RAINBOW_SALT_BYTES : MB_UOV_SALT_BYTES);
    if (from->prepared) {
        prepare_roles(v, like->preparer, from, n, m);
    }
    v->algorithm = (moonbow_algorithm){&v->parameters, &v->verifier, &v->signer, &v->generator, &v->preparer};
    return &v->algorithm;
}

/* ---- Keys and signatures ---------------------------------------------------------------------- */

static void sign(subject *s, const moonbow_algorithm *algorithm, const uint8_t *secret,
                 const moonbow_random *random)
{
    const moonbow_parameters *p = algorithm->parameters;
    const moonbow_scratch scratch =
        lend(moonbow_sign_scratch_bytes(algorithm->signer, MOONBOW_FAST), MOONBOW_FAST);
    require(p->signature_bytes <= sizeof s->signature, "a longer signature than expected");
    require(moonbow_sign(algorithm->signer, s->signature, p->signature_bytes, good_message, MESSAGE_BYTES,
                         secret, p->secret_key_bytes, random, &scratch) == MOONBOW_OK,
            "no signature");
    free(scratch.start);
}

static void make_pair(subject *s, const moonbow_algorithm *algorithm)
{
    const moonbow_parameters *p = algorithm->parameters;
    uint8_t next = 1, *secret = take(p->secret_key_bytes);
    const moonbow_random random = {fill, &next};
    const moonbow_scratch scratch =
        lend(moonbow_generate_scratch_bytes(algorithm->generator, MOONBOW_FAST), MOONBOW_FAST);
    s->key = take(p->public_key_bytes);
    require(moonbow_generate(algorithm->generator, s->key, p->public_key_bytes, secret, p->secret_key_bytes,
                             &random, &scratch) == MOONBOW_OK,
            "no key");
    sign(s, algorithm, secret, &random);
    free(secret);
    free(scratch.start);
}

/* Exchanges the key for its prepared form. */
static void prepare(subject *s, const moonbow_preparer *preparer)
{
    const size_t bytes = moonbow_verifier_parameters(s->verifier)->public_key_bytes;
    const moonbow_scratch scratch = lend(moonbow_prepare_scratch_bytes(preparer, MOONBOW_FAST), MOONBOW_FAST);
    uint8_t *prepared = take(bytes);
    require(moonbow_prepare_public_key(preparer, prepared, bytes, s->key,
                                       moonbow_verifier_parameters(preparer->from_verifier)->public_key_bytes,
                                       &scratch) == MOONBOW_OK,
            "no prepared key");
    free(s->key);
    free(scratch.start);
    s->key = prepared;
}

static void make(subject *s, const moonbow_algorithm *algorithm, int prepared)
{
    s->verifier = algorithm->verifier;
    make_pair(s, algorithm);
    if (prepared) {
        s->verifier = moonbow_prepared_verifier(algorithm->preparer);
        prepare(s, algorithm->preparer);
    }
    s->key_bytes = moonbow_verifier_parameters(s->verifier)->public_key_bytes;
    s->signature_bytes = algorithm->parameters->signature_bytes;
    for (int which = 0; which < BACKENDS_LEN; which++) {
        choose_backend((backend)which);
        for (int mode = 0; mode <= 1; mode++) {
            s->scratch[which][mode] =
                lend(moonbow_verify_scratch_bytes(s->verifier, (moonbow_mode)mode), (moonbow_mode)mode);
        }
    }
}

void make_subjects(void)
{
    for (size_t i = 0; i < MESSAGE_BYTES; i++) {
        good_message[i] = (uint8_t)(i * 7);
    }
    for (int which = 0; which < BACKENDS_LEN; which++) {
        choose_backend((backend)which);
        fprintf(stderr, "backend %d is %s\n", which, mb_linear_gatherer_16(0)->name);
    }
    for (size_t i = 0; i < SHIPPED_LEN; i++) {
        make(&shipped_subjects[i], shipped[i].algorithm, shipped[i].prepared);
    }
    for (size_t i = 0; i < SMALL_LEN; i++) {
        make(&small_subjects[i], make_variant(&variants[i], &small[i]), small[i].prepared);
    }
}
