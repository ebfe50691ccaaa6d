/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For tests of the public functions: every registered algorithm with two key pairs and a signature, scratch memory of exactly
 * the size asked for, and random sources that can be counted and made to fail. */
#ifndef TEST_SUBJECT_H
#define TEST_SUBJECT_H

#include "nist.h"
#include "xorshift.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { SUBJECTS_MOST = 100, MESSAGE_BYTES = 20, SEED_MOST_BYTES = 64 };

static xorshift randomness;

/* ---- Random sources -------------------------------------------------------------------------- */

/* NIST's generator, which fails at draw `fail_at` (counted from 0). */
typedef struct source {
    mb_drbg drbg;
    size_t draws, bytes, fail_at;
} source;

static inline int source_fill(void *context, uint8_t *out, size_t bytes)
{
    source *s = context;
    if (s->draws++ == s->fail_at) {
        return 7;
    }
    s->bytes += bytes;
    mb_drbg_draw(&s->drbg, out, bytes);
    return 0;
}

/* Always the same bytes. */
static inline source source_start(size_t fail_at)
{
    source s = {.fail_at = fail_at};
    s.drbg = nist_outer();
    return s;
}

static const size_t NEVER = SIZE_MAX;

/* ---- Scratch memory -------------------------------------------------------------------------- */

enum { PAINT = 0x5a };

/* A heap block of exactly `bytes` painted bytes, so that a sanitizer sees what lies beyond. */
static inline moonbow_scratch lend_painted(size_t bytes, moonbow_mode mode)
{
    const moonbow_scratch scratch = lend(bytes, mode);
    assert_non_null(scratch.start);
    memset(scratch.start, PAINT, bytes);
    return scratch;
}

static inline int all_equal(const uint8_t *data, size_t bytes, uint8_t value)
{
    unsigned difference = 0;
    for (size_t i = 0; i < bytes; i++) {
        difference |= data[i] ^ value;
    }
    return difference == 0;
}

static inline void assert_zero(const uint8_t *data, size_t bytes)
{
    assert_true(all_equal(data, bytes, 0));
}

/* After the end of an operation nothing is left in its memory. */
static inline void give_wiped(const moonbow_scratch *scratch)
{
    assert_zero(scratch->start, scratch->bytes);
    free(scratch->start);
}

/* After one that may have ended before it began: wiped or never touched. */
static inline void give_clean(const moonbow_scratch *scratch)
{
    assert_true(all_equal(scratch->start, scratch->bytes, 0) || all_equal(scratch->start, scratch->bytes, PAINT));
    free(scratch->start);
}

static inline size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* ---- Subjects -------------------------------------------------------------------------------- */

typedef struct subject {
    const moonbow_algorithm *algorithm;
    const moonbow_parameters *p;
    int large; /* looked at in samples */
    uint8_t seed[SEED_MOST_BYTES];
    uint8_t *pk, *sk, *other_pk, *other_sk;
    uint8_t *signature; /* of `message`, randomness from source_start */
    uint8_t message[MESSAGE_BYTES];
} subject;

static subject subjects[SUBJECTS_MOST];
static size_t subjects_len;
static const char *subject_name = "none"; /* for the report of a failure */

static inline void make_pair(const subject *s, uint8_t *pk, uint8_t *sk, const uint8_t *seed, moonbow_mode mode)
{
    const moonbow_generator *generator = s->algorithm->generator;
    const moonbow_scratch scratch = lend_painted(moonbow_generate_scratch_bytes(generator, mode), mode);
    assert_int_equal(moonbow_generate_from_seed(generator, pk, s->p->public_key_bytes, sk, s->p->secret_key_bytes, seed,
                                                s->p->generate_random_bytes, &scratch),
                     MOONBOW_OK);
    give_wiped(&scratch);
}

/* One-shot signing; the status. */
static inline int sign_with(const moonbow_signer *signer, uint8_t *signature, const uint8_t *message, size_t bytes,
                            const uint8_t *sk, moonbow_mode mode)
{
    const moonbow_parameters *p = moonbow_signer_parameters(signer);
    const moonbow_scratch scratch = lend_painted(moonbow_sign_scratch_bytes(signer, mode), mode);
    source from = source_start(NEVER);
    const moonbow_random random = {source_fill, &from};
    const int status = moonbow_sign(signer, signature, p->signature_bytes, message, bytes, sk, p->secret_key_bytes,
                                    &random, &scratch);
    assert_int_equal(from.bytes, p->sign_random_bytes);
    give_wiped(&scratch);
    return status;
}

static inline int verify_with(const moonbow_verifier *verifier, const uint8_t *signature, const uint8_t *message,
                              size_t bytes, const uint8_t *pk, moonbow_mode mode)
{
    const moonbow_parameters *p = moonbow_verifier_parameters(verifier);
    const moonbow_scratch scratch = lend_painted(moonbow_verify_scratch_bytes(verifier, mode), mode);
    const int status =
        moonbow_verify(verifier, signature, p->signature_bytes, message, bytes, pk, p->public_key_bytes, &scratch);
    give_wiped(&scratch);
    return status;
}

static inline void make_subject(subject *s, const moonbow_algorithm *algorithm)
{
    uint8_t other_seed[SEED_MOST_BYTES];
    s->algorithm = algorithm;
    s->p = algorithm->parameters;
    s->large = s->p->public_key_bytes > 170000 || s->p->secret_key_bytes > 290000 || s->p->signature_bytes > 140;
    subject_name = s->p->name;
    assert_true(s->p->generate_random_bytes <= SEED_MOST_BYTES);
    s->pk = malloc(s->p->public_key_bytes);
    s->sk = malloc(s->p->secret_key_bytes);
    s->other_pk = malloc(s->p->public_key_bytes);
    s->other_sk = malloc(s->p->secret_key_bytes);
    s->signature = malloc(s->p->signature_bytes);
    xorshift_fill(&randomness, s->seed, sizeof s->seed);
    xorshift_fill(&randomness, other_seed, sizeof other_seed);
    xorshift_fill(&randomness, s->message, sizeof s->message);
    make_pair(s, s->pk, s->sk, s->seed, MOONBOW_FAST);
    make_pair(s, s->other_pk, s->other_sk, other_seed, MOONBOW_FAST);
    assert_int_equal(sign_with(algorithm->signer, s->signature, s->message, MESSAGE_BYTES, s->sk, MOONBOW_FAST),
                     MOONBOW_OK);
}

/* All registered algorithms. */
static inline int make_subjects(void **state)
{
    (void)state;
    for (size_t i = 0; moonbow_algorithm_at(i) != NULL; i++) {
        assert_true(i < SUBJECTS_MOST);
        make_subject(&subjects[i], moonbow_algorithm_at(i));
        subjects_len = i + 1;
    }
    assert_true(subjects_len >= 12);
    return 0;
}

static inline int free_subjects(void **state)
{
    (void)state;
    for (subject *s = subjects; s < subjects + subjects_len; s++) {
        free(s->pk);
        free(s->sk);
        free(s->other_pk);
        free(s->other_sk);
        free(s->signature);
    }
    return 0;
}

/* Runs a check on each of them, in each mode; after a failure, `tell_subject` names the last one. */
static inline void for_each_subject(void (*check)(const subject *s, moonbow_mode mode))
{
    for (const subject *s = subjects; s < subjects + subjects_len; s++) {
        subject_name = s->p->name;
        check(s, MOONBOW_FAST);
        check(s, MOONBOW_SMALL);
    }
    subject_name = "none";
}

static inline int tell_subject(void **state)
{
    (void)state;
    if (strcmp(subject_name, "none") != 0) {
        print_message("failed with %s\n", subject_name);
    }
    return 0;
}

#define SUBJECT_TEST(function) cmocka_unit_test_teardown(function, tell_subject)

#endif
