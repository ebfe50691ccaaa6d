/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Rainbow in shapes that nobody ships, against the vectors of the independent model (test/model/README.md): parameter sets
 * and roles are made here at run time, as src/rainbow/algorithms.c does for the shipped sets. */
#include "linear/contract.h"
#include "nist.h"
#include "rainbow/keys.h"
#include "rainbow/sign.h"
#include "rainbow/verify.h"
#include "symmetric/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

/* An algorithm of one vector, its prepared form, and its keys. */
typedef struct model {
    mb_rainbow_set set;
    moonbow_parameters parameters, prepared_parameters;
    moonbow_verifier verifier, prepared_verifier;
    moonbow_signer signer, prepared_signer;
    moonbow_generator generator;
    moonbow_preparer preparer;
    int seeded_public, seeded_secret;
    uint8_t *pk, *sk;
    uint8_t *prepared_pk, *prepared_sk; /* NULL where there is no such form */
} model;

/* ---- Reading --------------------------------------------------------------------------------- */

static const char *text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static size_t number(const json_t *object, const char *name)
{
    assert_true(json_is_integer(json_object_get(object, name)));
    return (size_t)json_integer_value(json_object_get(object, name));
}

/* The bytes of a hexadecimal string, in memory of exactly that length. */
static uint8_t *bytes_of(const char *hex, size_t *bytes)
{
    *bytes = strlen(hex) / 2;
    uint8_t *data = malloc(*bytes == 0 ? 1 : *bytes);
    assert_non_null(data);
    read_hex(data, hex, *bytes);
    return data;
}

static const mb_field *field_named(const char *name)
{
    return strcmp(name, "gf16_tower") == 0        ? &mb_gf16_tower
           : strcmp(name, "gf16_polynomial") == 0 ? &mb_gf16_polynomial
           : strcmp(name, "gf256_tower") == 0     ? &mb_gf256_tower
           : strcmp(name, "gf256_aes") == 0       ? &mb_gf256_aes
                                                  : NULL;
}

static const mb_hash *hash_named(const char *name)
{
    return strcmp(name, "sha256") == 0   ? &mb_hash_sha256
           : strcmp(name, "sha384") == 0 ? &mb_hash_sha384
           : strcmp(name, "sha512") == 0 ? &mb_hash_sha512
                                         : NULL;
}

/* ---- Roles ----------------------------------------------------------------------------------- */

static moonbow_verifier make_verifier(const model *m, const moonbow_parameters *parameters,
                                      const mb_rainbow_public_format *format)
{
    return (moonbow_verifier){.parameters = parameters,
                              .gatherer = m->set.field->bits == 4 ? mb_linear_gatherer_16 : mb_linear_gatherer_256,
                              .set = &m->set,
                              .format = format,
                              .state_bytes = mb_rainbow_verify_state_bytes,
                              .begin = mb_rainbow_verify_begin,
                              .signature = mb_rainbow_verify_signature,
                              .message = mb_rainbow_verify_message,
                              .copy_message = mb_rainbow_verify_copy_message,
                              .key = mb_rainbow_verify_key,
                              .finish = mb_rainbow_verify_finish};
}

static moonbow_signer make_signer(const model *m, const moonbow_parameters *parameters,
                                  const mb_rainbow_secret_format *format)
{
    return (moonbow_signer){.parameters = parameters,
                            .set = &m->set,
                            .format = format,
                            .solver = m->set.field->bits == 4 ? mb_linear_solver_16 : mb_linear_solver_256,
                            .state_bytes = mb_rainbow_sign_state_bytes,
                            .begin = mb_rainbow_sign_begin,
                            .message = mb_rainbow_sign_message,
                            .copy_message = mb_rainbow_sign_copy_message,
                            .finish = mb_rainbow_sign_finish};
}

/* [RB3 §5, Keys] in packed elements. */
static size_t classic_public_bytes(const mb_rainbow_set *set)
{
    const size_t n = (size_t)set->v1 + set->o1 + set->o2;
    return n * (n + 1) / 2 * mb_field_bytes(set->field, (size_t)set->o1 + set->o2);
}

static size_t stored_secret_bytes(const mb_rainbow_set *set)
{
    const size_t v1 = set->v1, o1 = set->o1, o2 = set->o2;
    const size_t linear = 2 * o1 * o2 + v1 * (o1 + o2);
    const size_t layer_1 = (v1 * (v1 + 1) / 2 + v1 * o1) * o1;
    const size_t layer_2 = (v1 * (v1 + 1) / 2 + v1 * (o1 + o2) + o1 * (o1 + 1) / 2 + o1 * o2) * o2;
    return 32 + mb_field_bytes(set->field, linear + layer_1 + layer_2);
}

static void make_roles(model *m, const json_t *vector)
{
    moonbow_parameters *p = &m->parameters;
    *p = (moonbow_parameters){.name = text(vector, "name"), .title = "", .caution = "", .security = MOONBOW_BROKEN};
    p->public_key_bytes = number(vector, "pk_bytes");
    p->secret_key_bytes = number(vector, "sk_bytes");
    p->signature_bytes = mb_field_bytes(m->set.field, (size_t)m->set.v1 + m->set.o1 + m->set.o2) + 16;
    p->generate_random_bytes = m->seeded_public ? 64 : 32;
    p->public_seed_bytes = m->seeded_public && !m->seeded_secret ? 32 : 0;
    p->streams_message = 1;
    m->prepared_parameters = *p;
    m->prepared_parameters.public_key_bytes = classic_public_bytes(&m->set);
    m->prepared_parameters.secret_key_bytes = stored_secret_bytes(&m->set);
    m->verifier = make_verifier(m, p, m->seeded_public ? &mb_rainbow_public_seeded : &mb_rainbow_public_classic);
    m->prepared_verifier = make_verifier(m, &m->prepared_parameters, &mb_rainbow_public_prepared);
    m->signer = make_signer(m, p, m->seeded_secret ? &mb_rainbow_secret_seeded : &mb_rainbow_secret_stored);
    m->prepared_signer = make_signer(m, &m->prepared_parameters, &mb_rainbow_secret_stored);
    m->generator = (moonbow_generator){.parameters = p,
                                       .set = &m->set,
                                       .format = m->seeded_secret   ? &mb_rainbow_compressed
                                                 : m->seeded_public ? &mb_rainbow_circumzenithal
                                                                    : &mb_rainbow_classic,
                                       .draw_bytes = MB_RAINBOW_SEED_BYTES,
                                       .scratch_bytes = mb_rainbow_keys_scratch_bytes,
                                       .generate = mb_rainbow_keys_generate,
                                       .derive = mb_rainbow_keys_derive};
    m->preparer = (moonbow_preparer){.from_verifier = &m->verifier,
                                     .from_signer = &m->signer,
                                     .verifier = m->seeded_public ? &m->prepared_verifier : NULL,
                                     .signer = m->seeded_secret ? &m->prepared_signer : NULL,
                                     .scratch_bytes = mb_rainbow_prepare_scratch_bytes,
                                     .prepare_public = mb_rainbow_prepare_public,
                                     .prepare_secret = mb_rainbow_prepare_secret};
}

/* `m` stays where it is: its parts refer to one another. */
static void make_model(model *m, const json_t *vector)
{
    const char *format = text(vector, "format");
    memset(m, 0, sizeof *m);
    m->set = (mb_rainbow_set){.field = field_named(text(vector, "field")),
                              .hash = hash_named(text(vector, "hash")),
                              .v1 = (uint16_t)number(vector, "v1"),
                              .o1 = (uint16_t)number(vector, "o1"),
                              .o2 = (uint16_t)number(vector, "o2")};
    assert_non_null(m->set.field);
    assert_non_null(m->set.hash);
    m->seeded_public = strcmp(format, "classic") != 0;
    m->seeded_secret = strcmp(format, "compressed") == 0;
    make_roles(m, vector);
    m->pk = malloc(m->parameters.public_key_bytes);
    m->sk = malloc(m->parameters.secret_key_bytes);
    assert_true(m->seeded_public || m->parameters.public_key_bytes == classic_public_bytes(&m->set));
    assert_true(m->seeded_secret || m->parameters.secret_key_bytes == stored_secret_bytes(&m->set));
}

static void free_model(model *m)
{
    free(m->pk);
    free(m->sk);
    free(m->prepared_pk);
    free(m->prepared_sk);
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static void assert_key(const json_t *vector, const char *name, const uint8_t *key, size_t bytes)
{
    char label[16];
    uint8_t digest[32], expected[32];
    mb_sha256 context;
    mb_sha256_init(&context);
    mb_sha256_update(&context, key, bytes);
    mb_sha256_finish(&context, digest);
    snprintf(label, sizeof label, "%s_sha256", name);
    read_hex(expected, text(vector, label), sizeof expected);
    assert_memory_equal(digest, expected, sizeof expected);
    if (text(vector, name) != NULL) {
        size_t expected_bytes;
        uint8_t *whole = bytes_of(text(vector, name), &expected_bytes);
        assert_int_equal(expected_bytes, bytes);
        assert_memory_equal(key, whole, bytes);
        free(whole);
    }
}

static int append(void *context, const uint8_t *piece, size_t bytes)
{
    uint8_t **at = context;
    memcpy(*at, piece, bytes);
    *at += bytes;
    return 0;
}

/* From the seed, or, for a made-up secret key, by derivation. */
static void check_keys(model *m, const json_t *vector, moonbow_mode mode)
{
    const moonbow_parameters *p = &m->parameters;
    const moonbow_scratch scratch = lend(moonbow_generate_scratch_bytes(&m->generator, mode), mode);
    const char *seed_hex = text(vector, "seed");
    if (seed_hex != NULL) {
        uint8_t seed[64];
        read_hex(seed, seed_hex, sizeof seed);
        assert_int_equal(moonbow_generate_from_seed(&m->generator, m->pk, p->public_key_bytes, m->sk, p->secret_key_bytes,
                                                    seed, p->generate_random_bytes, &scratch),
                         MOONBOW_OK);
    } else {
        size_t bytes;
        uint8_t *sk = bytes_of(text(vector, "sk"), &bytes);
        assert_int_equal(bytes, p->secret_key_bytes);
        memcpy(m->sk, sk, bytes);
        free(sk);
    }
    assert_key(vector, "sk", m->sk, p->secret_key_bytes);
    uint8_t *derived = malloc(p->public_key_bytes), *end = derived;
    const moonbow_sink sink = {append, &end};
    assert_int_equal(moonbow_derive_public_key(&m->generator, &sink, m->sk, p->secret_key_bytes,
                                               p->public_seed_bytes == 0 ? NULL : m->pk, p->public_seed_bytes, &scratch),
                     MOONBOW_OK);
    assert_ptr_equal(end, derived + p->public_key_bytes);
    assert_key(vector, "pk", derived, p->public_key_bytes);
    if (seed_hex != NULL) {
        assert_memory_equal(m->pk, derived, p->public_key_bytes);
    }
    memcpy(m->pk, derived, p->public_key_bytes);
    free(derived);
    assert_int_equal(moonbow_check_key_pair(&m->generator, m->pk, p->public_key_bytes, m->sk, p->secret_key_bytes,
                                            &scratch),
                     MOONBOW_OK);
    free(scratch.start);
}

static void prepare_keys(model *m, moonbow_mode mode)
{
    const moonbow_parameters *p = &m->parameters, *prepared = &m->prepared_parameters;
    const moonbow_scratch scratch = lend(moonbow_prepare_scratch_bytes(&m->preparer, mode), mode);
    if (m->seeded_public) {
        m->prepared_pk = malloc(prepared->public_key_bytes);
        assert_int_equal(moonbow_prepare_public_key(&m->preparer, m->prepared_pk, prepared->public_key_bytes, m->pk,
                                                    p->public_key_bytes, &scratch),
                         MOONBOW_OK);
    }
    if (m->seeded_secret) {
        m->prepared_sk = malloc(prepared->secret_key_bytes);
        assert_int_equal(moonbow_prepare_secret_key(&m->preparer, m->prepared_sk, prepared->secret_key_bytes, m->sk,
                                                    p->secret_key_bytes, &scratch),
                         MOONBOW_OK);
    }
    free(scratch.start);
}

/* ---- Signatures ------------------------------------------------------------------------------ */

/* `expected` is NULL where signing must fail; then the buffer must come back zeroed. */
static void check_signer(const moonbow_signer *signer, const uint8_t *sk, const uint8_t *message, size_t message_bytes,
                         const uint8_t *expected, moonbow_mode mode)
{
    const moonbow_parameters *p = moonbow_signer_parameters(signer);
    const moonbow_scratch scratch = lend(moonbow_sign_scratch_bytes(signer, mode), mode);
    uint8_t *signature = malloc(p->signature_bytes);
    memset(signature, 0x5a, p->signature_bytes);
    const int status = moonbow_sign(signer, signature, p->signature_bytes, message, message_bytes, sk,
                                    p->secret_key_bytes, NULL, &scratch);
    assert_int_equal(status, expected == NULL ? MOONBOW_NO_SIGNATURE : MOONBOW_OK);
    for (size_t i = 0; i < p->signature_bytes; i++) {
        assert_int_equal(signature[i], expected == NULL ? 0 : expected[i]);
    }
    free(signature);
    free(scratch.start);
}

static void check_verifier(const moonbow_verifier *verifier, const uint8_t *pk, const uint8_t *message,
                           size_t message_bytes, const uint8_t *signature, size_t signature_bytes, int accept,
                           moonbow_mode mode)
{
    const moonbow_parameters *p = moonbow_verifier_parameters(verifier);
    const moonbow_scratch scratch = lend(moonbow_verify_scratch_bytes(verifier, mode), mode);
    const int expected = accept                                   ? MOONBOW_OK
                         : signature_bytes == p->signature_bytes ? MOONBOW_BAD_SIGNATURE
                                                                 : MOONBOW_WRONG_LENGTH;
    assert_int_equal(moonbow_verify(verifier, signature, signature_bytes, message, message_bytes, pk,
                                    p->public_key_bytes, &scratch),
                     expected);
    free(scratch.start);
}

static void check_verifiers(const model *m, const uint8_t *message, size_t message_bytes, const uint8_t *signature,
                            size_t signature_bytes, int accept, moonbow_mode mode)
{
    check_verifier(&m->verifier, m->pk, message, message_bytes, signature, signature_bytes, accept, mode);
    if (m->prepared_pk != NULL) {
        check_verifier(&m->prepared_verifier, m->prepared_pk, message, message_bytes, signature, signature_bytes, accept,
                       mode);
    }
}

typedef struct counts {
    unsigned vectors, signatures, failures, accepted, refused, prepared, retries;
} counts;

static void check_signatures(const model *m, const json_t *vector, moonbow_mode mode, counts *seen)
{
    const json_t *entry;
    size_t index;
    json_array_foreach(json_object_get(vector, "sign"), index, entry)
    {
        size_t message_bytes, signature_bytes = 0;
        uint8_t *message = bytes_of(text(entry, "message"), &message_bytes);
        uint8_t *signature = text(entry, "signature") == NULL ? NULL : bytes_of(text(entry, "signature"), &signature_bytes);
        check_signer(&m->signer, m->sk, message, message_bytes, signature, mode);
        if (m->prepared_sk != NULL) {
            check_signer(&m->prepared_signer, m->prepared_sk, message, message_bytes, signature, mode);
        }
        if (signature != NULL) {
            assert_int_equal(signature_bytes, m->parameters.signature_bytes);
            check_verifiers(m, message, message_bytes, signature, signature_bytes, 1, mode);
        }
        seen->signatures += signature != NULL;
        seen->failures += signature == NULL;
        seen->retries += number(entry, "vinegar_draws") + number(entry, "salt_draws") > 2;
        free(message);
        free(signature);
    }
}

static void check_verdicts(const model *m, const json_t *vector, moonbow_mode mode, counts *seen)
{
    const json_t *entry;
    size_t index;
    json_array_foreach(json_object_get(vector, "verify"), index, entry)
    {
        const int accept = json_is_true(json_object_get(entry, "accept"));
        size_t message_bytes, signature_bytes;
        uint8_t *message = bytes_of(text(entry, "message"), &message_bytes);
        uint8_t *signature = bytes_of(text(entry, "signature"), &signature_bytes);
        check_verifiers(m, message, message_bytes, signature, signature_bytes, accept, mode);
        *(accept ? &seen->accepted : &seen->refused) += 1;
        free(message);
        free(signature);
    }
}

/* A failing check leaves the name of its vector here. */
static char last_name[80];

static int print_last_name(void **state)
{
    (void)state;
    print_message("last vector: %s\n", last_name);
    return 0;
}

static void check_vectors(moonbow_mode mode)
{
    json_error_t error;
    json_t *file = json_load_file(TEST_DATA "/model/vectors.json", 0, &error);
    const json_t *vector;
    size_t index;
    counts seen = {0};
    assert_non_null(file);
    json_array_foreach(json_object_get(file, "vectors"), index, vector)
    {
        model m;
        snprintf(last_name, sizeof last_name, "%s", text(vector, "name"));
        make_model(&m, vector);
        check_keys(&m, vector, mode);
        prepare_keys(&m, mode);
        check_signatures(&m, vector, mode, &seen);
        check_verdicts(&m, vector, mode, &seen);
        seen.vectors++;
        seen.prepared += m.prepared_pk != NULL;
        free_model(&m);
    }
    json_decref(file);
    /* The file holds what this test is for. */
    assert_true(seen.vectors >= 100 && seen.signatures >= 200 && seen.failures >= 10 && seen.prepared >= 60);
    assert_true(seen.accepted >= 100 && seen.refused >= 500 && seen.retries >= 30);
}

static void fast(void **state)
{
    (void)state;
    check_vectors(MOONBOW_FAST);
}

static void small(void **state)
{
    (void)state;
    check_vectors(MOONBOW_SMALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(fast, print_last_name),
                                       cmocka_unit_test_teardown(small, print_last_name)};
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
