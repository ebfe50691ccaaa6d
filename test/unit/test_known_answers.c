/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The known answers of test/kat: keys by hash, signatures whole, in both modes; and the published hashes of first vectors.
 * Usage: test_known_answers [COUNTS [TEST]]: only the first COUNTS of each algorithm, only one test, where time is short. */
#include "nist.h"
#include "symmetric/sha256.h"
#include "symmetric/sha3_256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static unsigned counts = 100; /* how many of each algorithm fast mode looks at */

typedef struct pair {
    const moonbow_algorithm *algorithm;
    uint8_t *pk, *sk, *signature;
    moonbow_scratch scratch; /* enough for every operation */
} pair;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static pair lend_pair(const moonbow_algorithm *algorithm, moonbow_mode mode)
{
    const moonbow_parameters *p = algorithm->parameters;
    size_t bytes = moonbow_generate_scratch_bytes(algorithm->generator, mode);
    bytes = larger(bytes, moonbow_sign_scratch_bytes(algorithm->signer, mode));
    bytes = larger(bytes, moonbow_verify_scratch_bytes(algorithm->verifier, mode));
    return (pair){algorithm, malloc(p->public_key_bytes), malloc(p->secret_key_bytes),
                  malloc(p->signature_bytes), lend(bytes, mode)};
}

static void give_back(pair *keys)
{
    free(keys->pk);
    free(keys->sk);
    free(keys->signature);
    free(keys->scratch.start);
}

/* One count of the NIST sequence: generates and signs as NIST's program does, verifies. */
static void run_count(pair *keys, const uint8_t seed[48], const uint8_t *message, size_t message_bytes)
{
    const moonbow_parameters *p = keys->algorithm->parameters;
    mb_drbg inner;
    const moonbow_random random = {nist_fill, &inner};
    mb_drbg_init(&inner, seed);
    assert_int_equal(moonbow_generate(keys->algorithm->generator, keys->pk, p->public_key_bytes,
                                      keys->sk, p->secret_key_bytes, &random, &keys->scratch),
                     MOONBOW_OK);
    assert_int_equal(moonbow_sign(keys->algorithm->signer, keys->signature, p->signature_bytes, message,
                                  message_bytes, keys->sk, p->secret_key_bytes, &random, &keys->scratch),
                     MOONBOW_OK);
    assert_int_equal(moonbow_verify(keys->algorithm->verifier, keys->signature, p->signature_bytes,
                                    message, message_bytes, keys->pk, p->public_key_bytes,
                                    &keys->scratch),
                     MOONBOW_OK);
}

static void assert_digest(const uint8_t *data, size_t bytes, const char *expected_hex)
{
    mb_sha256 context;
    uint8_t digest[32], expected[32];
    mb_sha256_init(&context);
    mb_sha256_update(&context, data, bytes);
    mb_sha256_finish(&context, digest);
    read_hex(expected, expected_hex, 32);
    assert_memory_equal(digest, expected, 32);
}

/* A line of a .kat file: name count seed pk_sha256 sk_sha256 signature. */
static void check_line(const char *line, moonbow_mode mode, unsigned limit)
{
    char name[64], seed_hex[97], pk_hex[65], sk_hex[65], signature_hex[1024];
    unsigned count;
    uint8_t seed[48], signature[512], message[33 * 100];
    mb_drbg outer = nist_outer();
    const moonbow_algorithm *algorithm;
    assert_int_equal(sscanf(line, "%63s %u %96s %64s %64s %1023s", name, &count, seed_hex, pk_hex,
                            sk_hex, signature_hex),
                     6);
    algorithm = moonbow_algorithm_by_name(name);
    if (count >= limit) {
        return;
    }
    assert_non_null(algorithm);
    pair keys = lend_pair(algorithm, mode);
    for (unsigned i = 0; i <= count; i++) {
        mb_drbg_draw(&outer, seed, sizeof seed);
        mb_drbg_draw(&outer, message, 33 * (i + 1));
    }
    read_hex(signature, seed_hex, sizeof seed);
    assert_memory_equal(seed, signature, sizeof seed);
    run_count(&keys, seed, message, 33 * (count + 1));
    assert_digest(keys.pk, algorithm->parameters->public_key_bytes, pk_hex);
    assert_digest(keys.sk, algorithm->parameters->secret_key_bytes, sk_hex);
    read_hex(signature, signature_hex, algorithm->parameters->signature_bytes);
    assert_memory_equal(keys.signature, signature, algorithm->parameters->signature_bytes);
    give_back(&keys);
}

static void check_file(const char *path, moonbow_mode mode, unsigned limit)
{
    char line[4096];
    unsigned lines = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] != '#' && line[0] != '\n') {
            check_line(line, mode, limit);
            lines++;
        }
    }
    fclose(file);
    assert_true(lines >= 90);
}

static void rainbow_fast(void **state)
{
    (void)state;
    check_file(TEST_DATA "/kat/rainbow.kat", MOONBOW_FAST, counts);
}

static void rainbow_small(void **state)
{
    (void)state;
    check_file(TEST_DATA "/kat/rainbow.kat", MOONBOW_SMALL, 1);
}

static void uov_fast(void **state)
{
    (void)state;
    check_file(TEST_DATA "/kat/uov.kat", MOONBOW_FAST, counts);
}

static void uov_small(void **state)
{
    (void)state;
    check_file(TEST_DATA "/kat/uov.kat", MOONBOW_SMALL, 1);
}

/* Absorbs formatted text or hexadecimal into both hashes of a vector. */
typedef struct text_hash {
    mb_sha256 sha256;
    mb_sha3_256 sha3;
} text_hash;

static void add_text(text_hash *hash, const char *text)
{
    mb_sha256_update(&hash->sha256, text, strlen(text));
    mb_sha3_256_update(&hash->sha3, text, strlen(text));
}

static void add_hex(text_hash *hash, const char *label, const uint8_t *data, size_t bytes)
{
    char byte[3];
    add_text(hash, label);
    for (size_t i = 0; i < bytes; i++) {
        snprintf(byte, sizeof byte, "%02X", data[i]);
        add_text(hash, byte);
    }
}

/* The published hashes are of the first vector's text without header and empty line [RB3 §8]. */
static void first_vector(const moonbow_algorithm *algorithm, uint8_t sha256[32], uint8_t sha3[32])
{
    const moonbow_parameters *p = algorithm->parameters;
    pair keys = lend_pair(algorithm, MOONBOW_FAST);
    mb_drbg outer = nist_outer();
    uint8_t seed[48], message[33];
    char number[40];
    text_hash hash;
    mb_drbg_draw(&outer, seed, sizeof seed);
    mb_drbg_draw(&outer, message, sizeof message);
    run_count(&keys, seed, message, sizeof message);
    mb_sha256_init(&hash.sha256);
    mb_sha3_256_init(&hash.sha3);
    add_text(&hash, "count = 0\n");
    add_hex(&hash, "seed = ", seed, sizeof seed);
    add_hex(&hash, "\nmlen = 33\nmsg = ", message, sizeof message);
    add_hex(&hash, "\npk = ", keys.pk, p->public_key_bytes);
    add_hex(&hash, "\nsk = ", keys.sk, p->secret_key_bytes);
    snprintf(number, sizeof number, "\nsmlen = %zu\nsm = ", 33 + p->signature_bytes);
    add_hex(&hash, number, message, sizeof message);
    add_hex(&hash, "", keys.signature, p->signature_bytes);
    add_text(&hash, "\n");
    mb_sha256_finish(&hash.sha256, sha256);
    mb_sha3_256_finish(&hash.sha3, sha3);
    give_back(&keys);
}

static void published_hashes(void **state)
{
    char line[256], name[64], kind[16], hex[65];
    unsigned lines = 0;
    FILE *file = fopen(TEST_DATA "/kat/first-vector-hashes.txt", "r");
    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        uint8_t sha256[32], sha3[32], expected[32];
        if (line[0] == '#' || line[0] == '\n') {
            continue;
        }
        assert_int_equal(sscanf(line, "%63s %15s %64s", name, kind, hex), 3);
        assert_non_null(moonbow_algorithm_by_name(name));
        first_vector(moonbow_algorithm_by_name(name), sha256, sha3);
        read_hex(expected, hex, 32);
        assert_memory_equal(strcmp(kind, "sha256") == 0 ? sha256 : sha3, expected, 32);
        lines++;
    }
    fclose(file);
    assert_int_equal(lines, 15);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        counts = (unsigned)strtoul(argv[1], NULL, 10);
    }
    if (counts == 0) {
        fprintf(stderr, "test_known_answers: no counts to look at\n");
        return 2;
    }
    if (argc > 2) {
        cmocka_set_test_filter(argv[2]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_hashes),
        cmocka_unit_test(rainbow_fast),
        cmocka_unit_test(rainbow_small),
        cmocka_unit_test(uov_fast),
        cmocka_unit_test(uov_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
