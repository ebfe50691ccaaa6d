/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * One operation of one algorithm with every secret byte marked undefined: under valgrind a branch or an address that depends on
 * one is an error. Usage: constant_time ALGORITHM generate|derive|sign|prepare fast|small portable|avx2. See docs/soundness.md. */
#define _POSIX_C_SOURCE 200112L
#include "linear/contract.h"
#include "platform/cpu.h"
#include "platform/declassify.h"

#include <moonbow/signature.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MOONBOW_CONSTANT_TIME_TEST
#error "build with the CMake option MOONBOW_CONSTANT_TIME_TEST"
#endif

static void require(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "constant_time: %s\n", what);
        exit(1);
    }
}

/* The pieces of memory of one run. */
typedef struct subject {
    const moonbow_algorithm *algorithm;
    const moonbow_parameters *p;
    moonbow_mode mode;
    uint8_t seed[64], *pk, *sk;
    size_t seed_bytes;
} subject;

static uint8_t *take(size_t bytes)
{
    uint8_t *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    require(memory != NULL, "no memory");
    return memory;
}

static moonbow_scratch lend(size_t bytes, moonbow_mode mode)
{
    return (moonbow_scratch){take(bytes), bytes, mode};
}

/* 1 if valgrind knows nothing undefined in it; also 1 where valgrind does not run. */
static int is_public(const uint8_t *memory, size_t bytes)
{
    return VALGRIND_CHECK_MEM_IS_DEFINED(memory, bytes) == 0;
}

/* 1 if no byte of it lost its mark; also 1 where valgrind does not run. */
static int is_secret(const uint8_t *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        uint8_t marks = 0xff;
        (void)VALGRIND_GET_VBITS(memory + i, &marks, 1);
        if (marks == 0) {
            return 0;
        }
    }
    return 1;
}

/* Of a compressed Rainbow key the public seed leads; of the seed of a Rainbow key pair it ends. All else is secret. */
static size_t leading_public_bytes(const subject *s)
{
    return s->p->secret_key_bytes == 64 ? 32 : 0;
}

static void classify_seed(const subject *s)
{
    mb_classify(s->seed, 32);
}

static void classify_key(const subject *s)
{
    const size_t first = leading_public_bytes(s);
    mb_classify(s->sk + first, s->p->secret_key_bytes - first);
}

/* A random source that gives the seed, with its marks. */
static int give_seed(void *context, uint8_t *out, size_t bytes)
{
    const uint8_t **next = context;
    memcpy(out, *next, bytes);
    *next += bytes;
    return 0;
}

static void generate(const subject *s)
{
    const moonbow_generator *generator = s->algorithm->generator;
    const moonbow_scratch scratch = lend(moonbow_generate_scratch_bytes(generator, s->mode), s->mode);
    const uint8_t *next = s->seed;
    const moonbow_random random = {give_seed, &next};
    const int status = moonbow_generate(generator, s->pk, s->p->public_key_bytes, s->sk, s->p->secret_key_bytes,
                                        &random, &scratch);
    require(status == MOONBOW_OK && next == s->seed + s->seed_bytes, "no key pair");
    free(scratch.start);
}

static void test_generate(const subject *s)
{
    const size_t first = leading_public_bytes(s);
    classify_seed(s);
    generate(s);
    require(is_public(s->pk, s->p->public_key_bytes), "a public key that is not declassified");
    require(is_secret(s->sk + first, 32), "a secret key that lost its marks");
    mb_declassify(s->seed, sizeof s->seed);
}

/* The whole of a key into memory. */
static int append(void *context, const uint8_t *piece, size_t bytes)
{
    uint8_t **at = context;
    require(is_public(piece, bytes), "a piece of a public key that is not declassified");
    memcpy(*at, piece, bytes);
    *at += bytes;
    return 0;
}

static void test_derive(const subject *s)
{
    const moonbow_generator *generator = s->algorithm->generator;
    const moonbow_scratch scratch = lend(moonbow_generate_scratch_bytes(generator, s->mode), s->mode);
    uint8_t *derived = take(s->p->public_key_bytes), *at = derived;
    const moonbow_sink sink = {append, &at};
    generate(s);
    classify_key(s);
    const int status = moonbow_derive_public_key(generator, &sink, s->sk, s->p->secret_key_bytes,
                                                 s->p->public_seed_bytes != 0 ? s->pk : NULL,
                                                 s->p->public_seed_bytes, &scratch);
    require(status == MOONBOW_OK && at == derived + s->p->public_key_bytes, "no public key");
    require(memcmp(derived, s->pk, s->p->public_key_bytes) == 0, "another public key");
    require(moonbow_check_key_pair(generator, s->pk, s->p->public_key_bytes, s->sk, s->p->secret_key_bytes,
                                   &scratch) == MOONBOW_OK,
            "the keys do not belong together");
    free(derived);
    free(scratch.start);
}

/* Secret, as a random source's bytes are. */
static int fill(void *context, uint8_t *out, size_t bytes)
{
    uint8_t *next = context;
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(*next += 13);
    }
    mb_classify(out, bytes);
    return 0;
}

static void verify(const subject *s, const uint8_t *signature, const uint8_t *message, size_t bytes)
{
    const moonbow_verifier *verifier = s->algorithm->verifier;
    const moonbow_scratch scratch = lend(moonbow_verify_scratch_bytes(verifier, s->mode), s->mode);
    require(moonbow_verify(verifier, signature, s->p->signature_bytes, message, bytes, s->pk,
                           s->p->public_key_bytes, &scratch) == MOONBOW_OK,
            "the signature does not verify");
    free(scratch.start);
}

/* Some messages, so that attempts fail too. */
static void test_sign(const subject *s)
{
    const moonbow_signer *signer = s->algorithm->signer;
    const moonbow_scratch scratch = lend(moonbow_sign_scratch_bytes(signer, s->mode), s->mode);
    uint8_t signature[512], next = 1;
    const moonbow_random random = {fill, &next};
    const unsigned messages = s->p->secret_key_bytes > 400000 || s->p->public_key_bytes > 200000 ? 1 : 2;
    generate(s);
    require(s->p->signature_bytes <= sizeof signature, "a longer signature than expected");
    classify_key(s);
    for (unsigned i = 0; i < messages; i++) {
        const uint8_t message[3] = {(uint8_t)i, 2, 3};
        require(moonbow_sign(signer, signature, s->p->signature_bytes, message, sizeof message, s->sk,
                             s->p->secret_key_bytes, &random, &scratch) == MOONBOW_OK,
                "no signature");
        require(is_public(signature, s->p->signature_bytes), "a signature that is not declassified");
        verify(s, signature, message, sizeof message);
    }
    require(is_secret(s->sk + leading_public_bytes(s), s->p->secret_key_bytes - leading_public_bytes(s)),
            "a secret key that lost its marks");
    free(scratch.start);
}

/* Prepares the secret key and signs with the prepared one, which is secret as a whole. */
static void test_prepare(const subject *s)
{
    const moonbow_preparer *preparer = s->algorithm->preparer;
    const moonbow_signer *signer = moonbow_prepared_signer(preparer);
    require(signer != NULL, "an algorithm without prepared secret keys");
    const size_t bytes = moonbow_signer_parameters(signer)->secret_key_bytes;
    const moonbow_scratch scratch = lend(moonbow_prepare_scratch_bytes(preparer, s->mode), s->mode);
    const moonbow_scratch sign_scratch = lend(moonbow_sign_scratch_bytes(signer, s->mode), s->mode);
    uint8_t *prepared = take(bytes), signature[512], next = 1;
    const moonbow_random random = {fill, &next};
    generate(s);
    classify_key(s);
    require(moonbow_prepare_secret_key(preparer, prepared, bytes, s->sk, s->p->secret_key_bytes, &scratch) ==
                MOONBOW_OK,
            "no prepared key");
    mb_classify(prepared, bytes);
    require(moonbow_sign(signer, signature, s->p->signature_bytes, prepared, 0, prepared, bytes, &random,
                         &sign_scratch) == MOONBOW_OK,
            "no signature");
    verify(s, signature, NULL, 0);
    free(prepared);
    free(scratch.start);
    free(sign_scratch.start);
}

/* The backend asked for runs, and nothing that valgrind does not know. */
static void require_backend(const char *backend)
{
    const unsigned unknown = MB_CPU_GFNI | MB_CPU_AVX512 | MB_CPU_VAES | MB_CPU_SHANI;
    require(setenv("MOONBOW_BACKEND", backend, 1) == 0, "no environment");
    require(strcmp(mb_linear_multiplier()->name, backend) == 0 &&
                strcmp(mb_linear_solver_16(0)->name, backend) == 0,
            "this machine does not have the backend");
    require(!RUNNING_ON_VALGRIND || (mb_cpu_features() & unknown) == 0,
            "valgrind shows instructions that it did not know");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(const subject *s);
    } operations[] = {
        {"generate", test_generate}, {"derive", test_derive}, {"sign", test_sign}, {"prepare", test_prepare}};
    subject s = {0};
    require(argc == 5, "usage: constant_time ALGORITHM generate|derive|sign|prepare fast|small BACKEND");
    s.algorithm = moonbow_algorithm_by_name(argv[1]);
    require(s.algorithm != NULL, "no such algorithm");
    require_backend(argv[4]);
    s.p = s.algorithm->parameters;
    s.mode = strcmp(argv[3], "small") == 0 ? MOONBOW_SMALL : MOONBOW_FAST;
    s.seed_bytes = s.p->generate_random_bytes;
    require(s.seed_bytes <= sizeof s.seed, "a longer seed than expected");
    for (size_t i = 0; i < sizeof s.seed; i++) {
        s.seed[i] = (uint8_t)(i * 11 + 1);
    }
    s.pk = take(s.p->public_key_bytes);
    s.sk = take(s.p->secret_key_bytes);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (strcmp(operations[i].name, argv[2]) == 0) {
            operations[i].run(&s);
            free(s.pk);
            free(s.sk);
            return 0;
        }
    }
    require(0, "no such operation");
}
