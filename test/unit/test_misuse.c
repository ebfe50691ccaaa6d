/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The public functions of every registered algorithm when something is wrong: lengths, scratch memory, random sources, sinks,
 * the order of calls. Outputs must come back zeroed and scratch memory wiped. What must hold otherwise: test_properties.c. */
#include "subject.h"

#include "symmetric/sha256.h"

/* ---- Lengths --------------------------------------------------------------------------------- */

/* A painted block of exactly this length, so that a sanitizer sees a wrong length being trusted. */
static uint8_t *painted(size_t bytes)
{
    uint8_t *data = malloc(bytes == 0 ? 1 : bytes);
    assert_non_null(data);
    memset(data, PAINT, bytes);
    return data;
}

/* One below, one above, half and nothing. */
enum { WRONG_LEN = 4 };

static size_t wrong_length(size_t right, size_t index)
{
    const size_t lengths[WRONG_LEN] = {right - 1, right + 1, right / 2, 0};
    return lengths[index];
}

static int generate_lengths(const subject *s, size_t pk_bytes, size_t sk_bytes, size_t seed_bytes, moonbow_mode mode)
{
    const moonbow_generator *generator = s->algorithm->generator;
    const moonbow_scratch scratch = lend_painted(moonbow_generate_scratch_bytes(generator, mode), mode);
    uint8_t *pk = painted(pk_bytes), *sk = painted(sk_bytes), *seed = painted(seed_bytes);
    source from = source_start(NEVER);
    const moonbow_random random = {source_fill, &from};
    const int status =
        moonbow_generate_from_seed(generator, pk, pk_bytes, sk, sk_bytes, seed, seed_bytes, &scratch);
    assert_zero(pk, status == MOONBOW_OK ? 0 : pk_bytes);
    assert_zero(sk, status == MOONBOW_OK ? 0 : sk_bytes);
    if (seed_bytes == s->p->generate_random_bytes) { /* the other way to the same length check */
        memset(pk, PAINT, pk_bytes);
        memset(sk, PAINT, sk_bytes);
        assert_int_equal(moonbow_generate(generator, pk, pk_bytes, sk, sk_bytes, &random, &scratch), status);
        assert_zero(pk, status == MOONBOW_OK ? 0 : pk_bytes);
        assert_zero(sk, status == MOONBOW_OK ? 0 : sk_bytes);
    } else {
        assert_int_equal(moonbow_generate_from_seed_to_sinks(generator, NULL, NULL, seed, seed_bytes, &scratch), status);
    }
    free(pk);
    free(sk);
    free(seed);
    give_clean(&scratch);
    return status;
}

static void check_generate_lengths(const subject *s, moonbow_mode mode)
{
    const size_t pk = s->p->public_key_bytes, sk = s->p->secret_key_bytes, seed = s->p->generate_random_bytes;
    for (size_t i = 0; i < WRONG_LEN; i++) {
        assert_int_equal(generate_lengths(s, wrong_length(pk, i), sk, seed, mode), MOONBOW_WRONG_LENGTH);
        assert_int_equal(generate_lengths(s, pk, wrong_length(sk, i), seed, mode), MOONBOW_WRONG_LENGTH);
        assert_int_equal(generate_lengths(s, pk, sk, wrong_length(seed, i), mode), MOONBOW_WRONG_LENGTH);
    }
}

/* No seed is a seed of a wrong length, and not a wish for a random one. */
static void check_no_seed(const subject *s, moonbow_mode mode)
{
    const size_t pk_bytes = s->p->public_key_bytes, sk_bytes = s->p->secret_key_bytes;
    const moonbow_scratch scratch = lend_painted(moonbow_generate_scratch_bytes(s->algorithm->generator, mode), mode);
    uint8_t *pk = painted(pk_bytes), *sk = painted(sk_bytes);
    assert_int_equal(moonbow_generate_from_seed(s->algorithm->generator, pk, pk_bytes, sk, sk_bytes, NULL, 0, &scratch),
                     MOONBOW_WRONG_LENGTH);
    assert_zero(pk, pk_bytes);
    assert_zero(sk, sk_bytes);
    free(pk);
    free(sk);
    give_clean(&scratch);
}

static int derive_lengths(const subject *s, size_t sk_bytes, size_t seed_bytes, moonbow_mode mode)
{
    const moonbow_scratch scratch = lend_painted(moonbow_generate_scratch_bytes(s->algorithm->generator, mode), mode);
    uint8_t *sk = painted(sk_bytes), *seed = painted(seed_bytes);
    const int status = moonbow_derive_public_key(s->algorithm->generator, NULL, sk, sk_bytes, seed, seed_bytes, &scratch);
    free(sk);
    free(seed);
    give_clean(&scratch);
    return status;
}

static int pair_lengths(const subject *s, size_t pk_bytes, size_t sk_bytes, moonbow_mode mode)
{
    const moonbow_scratch scratch = lend_painted(moonbow_generate_scratch_bytes(s->algorithm->generator, mode), mode);
    uint8_t *pk = painted(pk_bytes), *sk = painted(sk_bytes);
    const int status = moonbow_check_key_pair(s->algorithm->generator, pk, pk_bytes, sk, sk_bytes, &scratch);
    free(pk);
    free(sk);
    give_clean(&scratch);
    return status;
}

static void check_derive_lengths(const subject *s, moonbow_mode mode)
{
    const size_t pk = s->p->public_key_bytes, sk = s->p->secret_key_bytes, seed = s->p->public_seed_bytes;
    for (size_t i = 0; i < WRONG_LEN; i++) {
        assert_int_equal(derive_lengths(s, wrong_length(sk, i), seed, mode), MOONBOW_WRONG_LENGTH);
        assert_int_equal(derive_lengths(s, sk, seed == 0 ? i + 1 : wrong_length(seed, i), mode), MOONBOW_WRONG_LENGTH);
        assert_int_equal(pair_lengths(s, wrong_length(pk, i), sk, mode), MOONBOW_WRONG_LENGTH);
        assert_int_equal(pair_lengths(s, pk, wrong_length(sk, i), mode), MOONBOW_WRONG_LENGTH);
    }
}

/* Plain and checked signing; `pk_bytes` concerns the latter. */
static int sign_lengths(const subject *s, size_t signature_bytes, size_t sk_bytes, size_t pk_bytes, moonbow_mode mode)
{
    const moonbow_algorithm *a = s->algorithm;
    const size_t bytes = larger(moonbow_sign_scratch_bytes(a->signer, mode), moonbow_verify_scratch_bytes(a->verifier, mode));
    const moonbow_scratch scratch = lend_painted(bytes, mode);
    uint8_t *signature = painted(signature_bytes), *sk = painted(sk_bytes), *pk = painted(pk_bytes);
    memcpy(sk, s->sk, sk_bytes < s->p->secret_key_bytes ? sk_bytes : s->p->secret_key_bytes);
    const int checked = moonbow_sign_checked(a->signer, a->verifier, signature, signature_bytes, s->message,
                                             MESSAGE_BYTES, sk, sk_bytes, pk, pk_bytes, NULL, &scratch);
    assert_zero(signature, checked == MOONBOW_OK ? 0 : signature_bytes);
    if (pk_bytes == s->p->public_key_bytes) {
        memset(signature, PAINT, signature_bytes);
        assert_int_equal(moonbow_sign(a->signer, signature, signature_bytes, s->message, MESSAGE_BYTES, sk, sk_bytes,
                                      NULL, &scratch),
                         checked);
        assert_zero(signature, signature_bytes);
    }
    free(signature);
    free(sk);
    free(pk);
    assert_true(all_equal(scratch.start, moonbow_sign_scratch_bytes(a->signer, mode), 0)); /* it had begun */
    free(scratch.start);
    return checked;
}

static void check_sign_lengths(const subject *s, moonbow_mode mode)
{
    const size_t signature = s->p->signature_bytes, sk = s->p->secret_key_bytes, pk = s->p->public_key_bytes;
    for (size_t i = 0; i < WRONG_LEN; i++) {
        assert_int_equal(sign_lengths(s, wrong_length(signature, i), sk, pk, mode), MOONBOW_WRONG_LENGTH);
        assert_int_equal(sign_lengths(s, signature, wrong_length(sk, i), pk, mode), MOONBOW_WRONG_LENGTH);
        assert_int_equal(sign_lengths(s, signature, sk, wrong_length(pk, i), mode), MOONBOW_WRONG_LENGTH);
    }
}

static int verify_lengths(const subject *s, size_t signature_bytes, size_t pk_bytes, moonbow_mode mode)
{
    const moonbow_scratch scratch = lend_painted(moonbow_verify_scratch_bytes(s->algorithm->verifier, mode), mode);
    uint8_t *signature = painted(signature_bytes), *pk = painted(pk_bytes);
    memcpy(signature, s->signature, signature_bytes < s->p->signature_bytes ? signature_bytes : s->p->signature_bytes);
    memcpy(pk, s->pk, pk_bytes < s->p->public_key_bytes ? pk_bytes : s->p->public_key_bytes);
    const int status = moonbow_verify(s->algorithm->verifier, signature, signature_bytes, s->message, MESSAGE_BYTES, pk,
                                      pk_bytes, &scratch);
    free(signature);
    free(pk);
    give_clean(&scratch);
    return status;
}

static void check_verify_lengths(const subject *s, moonbow_mode mode)
{
    const size_t signature = s->p->signature_bytes, pk = s->p->public_key_bytes;
    assert_int_equal(verify_lengths(s, signature, pk, mode), MOONBOW_OK);
    for (size_t i = 0; i < WRONG_LEN; i++) {
        assert_int_equal(verify_lengths(s, wrong_length(signature, i), pk, mode), MOONBOW_WRONG_LENGTH);
        assert_int_equal(verify_lengths(s, signature, wrong_length(pk, i), mode), MOONBOW_WRONG_LENGTH);
    }
}

typedef int prepare_function(const moonbow_preparer *preparer, uint8_t *prepared, size_t prepared_bytes,
                             const uint8_t *key, size_t key_bytes, const moonbow_scratch *scratch);

static void check_prepare_length(const moonbow_preparer *preparer, prepare_function *function, size_t prepared_bytes,
                                 size_t key_bytes, moonbow_mode mode)
{
    const moonbow_scratch scratch = lend_painted(moonbow_prepare_scratch_bytes(preparer, mode), mode);
    uint8_t *prepared = painted(prepared_bytes), *key = painted(key_bytes);
    assert_int_equal(function(preparer, prepared, prepared_bytes, key, key_bytes, &scratch), MOONBOW_WRONG_LENGTH);
    assert_zero(prepared, prepared_bytes);
    free(prepared);
    free(key);
    give_clean(&scratch);
}

/* Where there is no prepared form, no length is right. */
static void check_prepare_lengths(const subject *s, moonbow_mode mode)
{
    const moonbow_preparer *preparer = s->algorithm->preparer;
    if (preparer == NULL) {
        return;
    }
    const moonbow_verifier *verifier = moonbow_prepared_verifier(preparer);
    const moonbow_signer *signer = moonbow_prepared_signer(preparer);
    const size_t pk = s->p->public_key_bytes, sk = s->p->secret_key_bytes;
    const size_t to_pk = verifier == NULL ? pk : moonbow_verifier_parameters(verifier)->public_key_bytes;
    const size_t to_sk = signer == NULL ? sk : moonbow_signer_parameters(signer)->secret_key_bytes;
    for (size_t i = 0; i < WRONG_LEN; i++) {
        check_prepare_length(preparer, moonbow_prepare_public_key, wrong_length(to_pk, i), pk, mode);
        check_prepare_length(preparer, moonbow_prepare_public_key, to_pk, wrong_length(pk, i), mode);
        check_prepare_length(preparer, moonbow_prepare_secret_key, wrong_length(to_sk, i), sk, mode);
        check_prepare_length(preparer, moonbow_prepare_secret_key, to_sk, wrong_length(sk, i), mode);
    }
    if (verifier == NULL) {
        check_prepare_length(preparer, moonbow_prepare_public_key, to_pk, pk, mode);
    }
    if (signer == NULL) {
        check_prepare_length(preparer, moonbow_prepare_secret_key, to_sk, sk, mode);
    }
}

static void wrong_lengths(void **state)
{
    (void)state;
    for_each_subject(check_generate_lengths);
    for_each_subject(check_derive_lengths);
    for_each_subject(check_sign_lengths);
    for_each_subject(check_verify_lengths);
    for_each_subject(check_prepare_lengths);
}

static void no_seed(void **state)
{
    (void)state;
    for_each_subject(check_no_seed);
}

/* ---- Scratch memory -------------------------------------------------------------------------- */

/* The operations, each with the scratch memory that it is given. Outputs are zeroed on error. */
typedef int operation(const subject *s, const moonbow_scratch *scratch);

static int op_generate(const subject *s, const moonbow_scratch *scratch)
{
    uint8_t *pk = painted(s->p->public_key_bytes), *sk = painted(s->p->secret_key_bytes);
    const int status = moonbow_generate_from_seed(s->algorithm->generator, pk, s->p->public_key_bytes, sk,
                                                  s->p->secret_key_bytes, s->seed, s->p->generate_random_bytes, scratch);
    assert_zero(pk, status == MOONBOW_OK ? 0 : s->p->public_key_bytes);
    assert_zero(sk, status == MOONBOW_OK ? 0 : s->p->secret_key_bytes);
    free(pk);
    free(sk);
    return status;
}

static int op_derive(const subject *s, const moonbow_scratch *scratch)
{
    return moonbow_derive_public_key(s->algorithm->generator, NULL, s->sk, s->p->secret_key_bytes,
                                     s->p->public_seed_bytes == 0 ? NULL : s->pk, s->p->public_seed_bytes, scratch);
}

static int op_check_pair(const subject *s, const moonbow_scratch *scratch)
{
    return moonbow_check_key_pair(s->algorithm->generator, s->pk, s->p->public_key_bytes, s->sk, s->p->secret_key_bytes,
                                  scratch);
}

static int op_sign(const subject *s, const moonbow_scratch *scratch)
{
    uint8_t *signature = painted(s->p->signature_bytes);
    const int status = moonbow_sign(s->algorithm->signer, signature, s->p->signature_bytes, s->message, MESSAGE_BYTES,
                                    s->sk, s->p->secret_key_bytes, NULL, scratch);
    assert_zero(signature, status == MOONBOW_OK ? 0 : s->p->signature_bytes);
    free(signature);
    return status;
}

static int op_sign_checked(const subject *s, const moonbow_scratch *scratch)
{
    uint8_t *signature = painted(s->p->signature_bytes);
    const int status = moonbow_sign_checked(s->algorithm->signer, s->algorithm->verifier, signature,
                                            s->p->signature_bytes, s->message, MESSAGE_BYTES, s->sk,
                                            s->p->secret_key_bytes, s->pk, s->p->public_key_bytes, NULL, scratch);
    assert_zero(signature, status == MOONBOW_OK ? 0 : s->p->signature_bytes);
    free(signature);
    return status;
}

static int op_verify(const subject *s, const moonbow_scratch *scratch)
{
    return moonbow_verify(s->algorithm->verifier, s->signature, s->p->signature_bytes, s->message, MESSAGE_BYTES, s->pk,
                          s->p->public_key_bytes, scratch);
}

static int op_prepare_public(const subject *s, const moonbow_scratch *scratch)
{
    const size_t bytes = moonbow_verifier_parameters(moonbow_prepared_verifier(s->algorithm->preparer))->public_key_bytes;
    uint8_t *prepared = painted(bytes);
    const int status = moonbow_prepare_public_key(s->algorithm->preparer, prepared, bytes, s->pk,
                                                  s->p->public_key_bytes, scratch);
    assert_zero(prepared, status == MOONBOW_OK ? 0 : bytes);
    free(prepared);
    return status;
}

static int op_prepare_secret(const subject *s, const moonbow_scratch *scratch)
{
    const size_t bytes = moonbow_signer_parameters(moonbow_prepared_signer(s->algorithm->preparer))->secret_key_bytes;
    uint8_t *prepared = painted(bytes);
    const int status = moonbow_prepare_secret_key(s->algorithm->preparer, prepared, bytes, s->sk,
                                                  s->p->secret_key_bytes, scratch);
    assert_zero(prepared, status == MOONBOW_OK ? 0 : bytes);
    free(prepared);
    return status;
}

/* The exact size is enough, leaves the bytes behind it alone, and is wiped; anything less is refused. */
static void check_scratch(const subject *s, operation *run, size_t bytes, moonbow_mode mode)
{
    enum { BEHIND = 256 };
    const moonbow_scratch room = lend_painted(bytes + BEHIND, mode);
    uint8_t *start = room.start;
    const moonbow_scratch exact = {start, bytes, mode}, less = {start, bytes - 1, mode}, nothing = {start, 0, mode};
    const moonbow_scratch odd = {start + 1, bytes + BEHIND - 1, mode}, half = {start + 32, bytes + BEHIND - 32, mode};
    const moonbow_scratch null = {NULL, bytes, mode};
    assert_int_equal(run(s, &less), MOONBOW_BAD_SCRATCH);
    assert_int_equal(run(s, &nothing), MOONBOW_BAD_SCRATCH);
    assert_int_equal(run(s, &odd), MOONBOW_BAD_SCRATCH);
    assert_int_equal(run(s, &half), MOONBOW_BAD_SCRATCH);
    assert_int_equal(run(s, &null), MOONBOW_BAD_SCRATCH);
    assert_int_equal(run(s, NULL), MOONBOW_BAD_SCRATCH);
    assert_true(all_equal(start, room.bytes, PAINT)); /* not even looked at */
    memset(start, PAINT, room.bytes);
    assert_int_equal(run(s, &exact), MOONBOW_OK);
    assert_zero(start, bytes);
    assert_true(all_equal(start + bytes, BEHIND, PAINT));
    if (s->large) {
        free(start);
        return;
    }
    /* The place itself does not matter. */
    const moonbow_scratch moved = {start + MOONBOW_SCRATCH_ALIGNMENT, bytes, mode};
    memset(start, PAINT, room.bytes);
    assert_int_equal(run(s, &moved), MOONBOW_OK);
    assert_true(all_equal(start, MOONBOW_SCRATCH_ALIGNMENT, PAINT));
    assert_zero(start + MOONBOW_SCRATCH_ALIGNMENT, bytes);
    free(start);
}

static void check_scratches(const subject *s, moonbow_mode mode)
{
    const moonbow_algorithm *a = s->algorithm;
    const size_t generate = moonbow_generate_scratch_bytes(a->generator, mode);
    const size_t sign = moonbow_sign_scratch_bytes(a->signer, mode);
    const size_t verify = moonbow_verify_scratch_bytes(a->verifier, mode);
    check_scratch(s, op_sign, sign, mode);
    check_scratch(s, op_verify, verify, mode);
    if (s->large && mode == MOONBOW_SMALL) {
        return;
    }
    check_scratch(s, op_generate, generate, mode);
    if (!s->large) {
        check_scratch(s, op_derive, generate, mode);
        check_scratch(s, op_check_pair, generate, mode);
    }
    if (a->preparer != NULL && moonbow_prepared_verifier(a->preparer) != NULL) {
        check_scratch(s, op_prepare_public, moonbow_prepare_scratch_bytes(a->preparer, mode), mode);
    }
    if (a->preparer != NULL && moonbow_prepared_signer(a->preparer) != NULL) {
        check_scratch(s, op_prepare_secret, moonbow_prepare_scratch_bytes(a->preparer, mode), mode);
    }
}

static void scratch_memory(void **state)
{
    (void)state;
    for_each_subject(check_scratches);
}

/* Enough for one of the two halves of a checked signature is not enough. */
static void check_checked_scratch(const subject *s, moonbow_mode mode)
{
    const size_t sign = moonbow_sign_scratch_bytes(s->algorithm->signer, mode);
    const size_t verify = moonbow_verify_scratch_bytes(s->algorithm->verifier, mode), bytes = larger(sign, verify);
    moonbow_scratch scratch = lend_painted(bytes, mode);
    assert_int_equal(op_sign_checked(s, &scratch), MOONBOW_OK);
    assert_zero(scratch.start, bytes);
    scratch.bytes = bytes - 1;
    assert_int_equal(op_sign_checked(s, &scratch), MOONBOW_BAD_SCRATCH);
    assert_zero(scratch.start, bytes);
    free(scratch.start);
}

static void checked_scratch(void **state)
{
    (void)state;
    for_each_subject(check_checked_scratch);
}

/* ---- Keys without a signature ----------------------------------------------------------------- */

/* A stored key of zeros makes every system singular: each attempt is made, and the buffer comes back zeroed. */
static void check_no_signature(const subject *s, moonbow_mode mode)
{
    const size_t sk_bytes = s->p->secret_key_bytes;
    const moonbow_scratch scratch = lend_painted(moonbow_sign_scratch_bytes(s->algorithm->signer, mode), mode);
    uint8_t *signature = painted(s->p->signature_bytes), *sk = calloc(1, sk_bytes);
    source from = source_start(NEVER);
    const moonbow_random random = {source_fill, &from};
    assert_non_null(sk);
    assert_int_equal(moonbow_sign(s->algorithm->signer, signature, s->p->signature_bytes, s->message, MESSAGE_BYTES, sk,
                                  sk_bytes, &random, &scratch),
                     MOONBOW_NO_SIGNATURE);
    assert_zero(signature, s->p->signature_bytes);
    free(signature);
    free(sk);
    give_wiped(&scratch);
}

static void check_stored_key(const subject *s, moonbow_mode mode)
{
    if (s->p->secret_key_bytes > SEED_MOST_BYTES && !s->large) {
        check_no_signature(s, mode);
    }
}

static void no_signature(void **state)
{
    (void)state;
    for_each_subject(check_stored_key);
}

/* ---- Random sources -------------------------------------------------------------------------- */

static void check_failing_generation(const subject *s, moonbow_mode mode)
{
    const size_t pk_bytes = s->p->public_key_bytes, sk_bytes = s->p->secret_key_bytes;
    for (size_t fail_at = 0; fail_at < 100; fail_at++) {
        const moonbow_scratch scratch = lend_painted(moonbow_generate_scratch_bytes(s->algorithm->generator, mode), mode);
        uint8_t *pk = painted(pk_bytes), *sk = painted(sk_bytes);
        source from = source_start(fail_at);
        const moonbow_random random = {source_fill, &from};
        const int status =
            moonbow_generate(s->algorithm->generator, pk, pk_bytes, sk, sk_bytes, &random, &scratch);
        const int failed = from.draws > fail_at;
        assert_int_equal(status, failed ? MOONBOW_NO_RANDOM : MOONBOW_OK);
        assert_int_equal(from.draws, failed ? fail_at + 1 : fail_at); /* not asked again */
        assert_zero(pk, failed ? pk_bytes : 0);
        assert_zero(sk, failed ? sk_bytes : 0);
        free(pk);
        free(sk);
        give_clean(&scratch);
        if (!failed) {
            assert_true(fail_at >= 1);
            return;
        }
    }
    fail_msg("no end of draws");
}

static void check_failing_signing(const subject *s, moonbow_mode mode)
{
    for (size_t fail_at = 0; fail_at < 100; fail_at++) {
        const moonbow_scratch scratch = lend_painted(moonbow_sign_scratch_bytes(s->algorithm->signer, mode), mode);
        uint8_t *signature = painted(s->p->signature_bytes);
        source from = source_start(fail_at);
        const moonbow_random random = {source_fill, &from};
        const int status = moonbow_sign(s->algorithm->signer, signature, s->p->signature_bytes, s->message,
                                        MESSAGE_BYTES, s->sk, s->p->secret_key_bytes, &random, &scratch);
        const int failed = from.draws > fail_at;
        assert_int_equal(status, failed ? MOONBOW_NO_RANDOM : MOONBOW_OK);
        assert_int_equal(from.draws, failed ? fail_at + 1 : fail_at);
        assert_zero(signature, failed ? s->p->signature_bytes : 0);
        free(signature);
        give_wiped(&scratch);
        if (!failed) {
            assert_true((fail_at == 0) == (s->p->sign_random_bytes == 0));
            return;
        }
    }
    fail_msg("no end of draws");
}

static void failing_randomness(void **state)
{
    (void)state;
    for_each_subject(check_failing_generation);
    for_each_subject(check_failing_signing);
}

/* ---- Sinks ----------------------------------------------------------------------------------- */

/* Refuses piece `refuse_at`. */
typedef struct refusing {
    size_t pieces, refuse_at;
} refusing;

static int refuse(void *context, const uint8_t *piece, size_t bytes)
{
    refusing *sink = context;
    (void)piece;
    (void)bytes;
    return sink->pieces++ == sink->refuse_at ? -3 : 0;
}

static int generate_into(const subject *s, refusing *public_part, refusing *secret_part, moonbow_mode mode)
{
    const moonbow_scratch scratch = lend_painted(moonbow_generate_scratch_bytes(s->algorithm->generator, mode), mode);
    const moonbow_sink public_sink = {refuse, public_part}, secret_sink = {refuse, secret_part};
    const int status = moonbow_generate_from_seed_to_sinks(s->algorithm->generator, &public_sink, &secret_sink, s->seed,
                                                           s->p->generate_random_bytes, &scratch);
    give_wiped(&scratch);
    return status;
}

static int derive_into(const subject *s, refusing *public_part, moonbow_mode mode)
{
    const moonbow_scratch scratch = lend_painted(moonbow_generate_scratch_bytes(s->algorithm->generator, mode), mode);
    const moonbow_sink sink = {refuse, public_part};
    const int status = moonbow_derive_public_key(s->algorithm->generator, &sink, s->sk, s->p->secret_key_bytes,
                                                 s->p->public_seed_bytes == 0 ? NULL : s->pk, s->p->public_seed_bytes,
                                                 &scratch);
    give_wiped(&scratch);
    return status;
}

/* The k-th of the pieces that are tried: all where there are few, else the first, the last and some. */
static size_t tried_piece(size_t k, size_t tries, size_t pieces)
{
    return k == tries - 1 ? pieces - 1 : k < 1 || pieces <= tries ? k : xorshift_below(&randomness, pieces);
}

static void check_refusals(const subject *s, moonbow_mode mode)
{
    const size_t most = s->large ? 2 : 12;
    refusing pk = {0, NEVER}, sk = {0, NEVER};
    if (s->large && mode == MOONBOW_SMALL) {
        return;
    }
    assert_int_equal(generate_into(s, &pk, &sk, mode), MOONBOW_OK);
    const size_t pk_pieces = pk.pieces, sk_pieces = sk.pieces;
    assert_true(pk_pieces >= 1 && sk_pieces >= 1);
    const size_t pk_tries = pk_pieces < most ? pk_pieces : most, sk_tries = sk_pieces < most ? sk_pieces : most;
    for (size_t k = 0; k < pk_tries; k++) {
        pk = (refusing){0, tried_piece(k, pk_tries, pk_pieces)};
        sk = (refusing){0, NEVER};
        assert_int_equal(generate_into(s, &pk, &sk, mode), MOONBOW_SINK_FAILED);
        assert_int_equal(pk.pieces, pk.refuse_at + 1); /* not called again */
        pk.pieces = 0;
        assert_int_equal(derive_into(s, &pk, mode), MOONBOW_SINK_FAILED);
        assert_int_equal(pk.pieces, pk.refuse_at + 1);
    }
    for (size_t k = 0; k < sk_tries; k++) {
        pk = (refusing){0, NEVER};
        sk = (refusing){0, tried_piece(k, sk_tries, sk_pieces)};
        assert_int_equal(generate_into(s, &pk, &sk, mode), MOONBOW_SINK_FAILED);
        assert_int_equal(sk.pieces, sk.refuse_at + 1);
    }
}

static void refusing_sinks(void **state)
{
    (void)state;
    for_each_subject(check_refusals);
}

/* ---- Streamed operations --------------------------------------------------------------------- */

static moonbow_verification *begin(const subject *s, const uint8_t *signature, const moonbow_scratch *scratch)
{
    moonbow_verification *verification;
    memset(scratch->start, PAINT, scratch->bytes);
    assert_int_equal(moonbow_verify_begin(&verification, s->algorithm->verifier, signature, s->p->signature_bytes, scratch),
                     MOONBOW_OK);
    assert_int_equal(moonbow_verify_message(verification, s->message, MESSAGE_BYTES), MOONBOW_OK);
    return verification;
}

static void finish(moonbow_verification *verification, const moonbow_scratch *scratch, int expected)
{
    assert_int_equal(moonbow_verify_finish(verification), expected);
    assert_zero(scratch->start, scratch->bytes);
}

static void check_stream_lengths(const subject *s, moonbow_mode mode)
{
    const size_t bytes = s->p->public_key_bytes;
    const moonbow_scratch scratch = lend_painted(moonbow_verify_scratch_bytes(s->algorithm->verifier, mode), mode);
    moonbow_verification *v = begin(s, s->signature, &scratch);
    finish(v, &scratch, MOONBOW_WRONG_LENGTH); /* no key at all */

    v = begin(s, s->signature, &scratch);
    assert_int_equal(moonbow_verify_key(v, s->pk, bytes - 1), MOONBOW_OK);
    finish(v, &scratch, MOONBOW_WRONG_LENGTH);

    v = begin(s, s->signature, &scratch);
    assert_int_equal(moonbow_verify_key(v, s->pk, bytes), MOONBOW_OK);
    assert_int_equal(moonbow_verify_key(v, s->pk, 0), MOONBOW_OK);
    assert_int_equal(moonbow_verify_key(v, s->pk, 1), MOONBOW_WRONG_LENGTH);
    assert_int_equal(moonbow_verify_message(v, s->message, 1), MOONBOW_WRONG_LENGTH); /* sticky */
    assert_int_equal(moonbow_verify_key(v, s->pk, 0), MOONBOW_WRONG_LENGTH);
    finish(v, &scratch, MOONBOW_WRONG_LENGTH);

    v = begin(s, s->signature, &scratch); /* too long by one piece, whose bytes are not read */
    assert_int_equal(moonbow_verify_key(v, s->pk, bytes - 1), MOONBOW_OK);
    assert_int_equal(moonbow_verify_key(v, s->pk + bytes - 1, SIZE_MAX), MOONBOW_WRONG_LENGTH);
    assert_int_equal(moonbow_verify_key(v, s->pk + bytes - 1, 1), MOONBOW_WRONG_LENGTH);
    finish(v, &scratch, MOONBOW_WRONG_LENGTH);

    v = begin(s, s->signature, &scratch);
    assert_int_equal(moonbow_verify_key(v, s->pk, bytes / 2), MOONBOW_OK);
    moonbow_verify_abort(v);
    assert_zero(scratch.start, scratch.bytes);

    v = begin(s, s->signature, &scratch); /* the message may come last, and its length counts */
    assert_int_equal(moonbow_verify_key(v, s->pk, bytes), MOONBOW_OK);
    assert_int_equal(moonbow_verify_message(v, s->message, 0), MOONBOW_OK);
    finish(v, &scratch, MOONBOW_OK);
    v = begin(s, s->signature, &scratch);
    assert_int_equal(moonbow_verify_key(v, s->pk, bytes), MOONBOW_OK);
    assert_int_equal(moonbow_verify_message(v, s->message, 1), MOONBOW_OK);
    finish(v, &scratch, MOONBOW_BAD_SIGNATURE);
    free(scratch.start);
}

static void check_begin(const subject *s, moonbow_mode mode)
{
    const size_t bytes = moonbow_verify_scratch_bytes(s->algorithm->verifier, mode);
    const size_t sign_bytes = moonbow_sign_scratch_bytes(s->algorithm->signer, mode);
    moonbow_scratch scratch = lend_painted(larger(bytes, sign_bytes), mode);
    moonbow_verification *v = (moonbow_verification *)&scratch;
    moonbow_signing *signing = (moonbow_signing *)&scratch;
    for (size_t i = 0; i < WRONG_LEN; i++) {
        assert_int_equal(moonbow_verify_begin(&v, s->algorithm->verifier, s->signature,
                                              wrong_length(s->p->signature_bytes, i), &scratch),
                         MOONBOW_WRONG_LENGTH);
        assert_null(v);
    }
    scratch.bytes = bytes - 1;
    assert_int_equal(moonbow_verify_begin(&v, s->algorithm->verifier, s->signature, s->p->signature_bytes, &scratch),
                     MOONBOW_BAD_SCRATCH);
    assert_null(v);
    scratch.bytes = sign_bytes - 1;
    assert_int_equal(moonbow_sign_begin(&signing, s->algorithm->signer, &scratch), MOONBOW_BAD_SCRATCH);
    assert_null(signing);
    scratch.bytes = sign_bytes;
    assert_int_equal(moonbow_sign_begin(&signing, s->algorithm->signer, &scratch), MOONBOW_OK);
    assert_int_equal(moonbow_sign_message(signing, s->message, MESSAGE_BYTES), MOONBOW_OK);
    moonbow_sign_abort(signing);
    assert_zero(scratch.start, sign_bytes);
    free(scratch.start);
}

static void streams(void **state)
{
    (void)state;
    for_each_subject(check_stream_lengths);
    for_each_subject(check_begin);
}

/* ---- Digests of keys ------------------------------------------------------------------------- */

static void digest_of(uint8_t digest[32], const uint8_t *data, size_t bytes)
{
    mb_sha256 context;
    mb_sha256_init(&context);
    mb_sha256_update(&context, data, bytes);
    mb_sha256_finish(&context, digest);
}

/* The whole key in three pieces. */
static void absorb_key(const subject *s, moonbow_verification *v)
{
    const size_t bytes = s->p->public_key_bytes;
    assert_int_equal(moonbow_verify_key(v, s->pk, 1), MOONBOW_OK);
    assert_int_equal(moonbow_verify_key(v, s->pk + 1, bytes / 2), MOONBOW_OK);
    assert_int_equal(moonbow_verify_key(v, s->pk + 1 + bytes / 2, bytes - 1 - bytes / 2), MOONBOW_OK);
}

static void check_pin(const subject *s, const moonbow_scratch *scratch, const uint8_t *signature, int verdict)
{
    uint8_t digest[32], found[33];
    digest_of(digest, s->pk, s->p->public_key_bytes);
    moonbow_verification *v = begin(s, signature, scratch);
    assert_int_equal(moonbow_verify_pin_key(v, digest), MOONBOW_OK);
    absorb_key(s, v);
    finish(v, scratch, verdict);

    v = begin(s, signature, scratch); /* read when finish runs */
    assert_int_equal(moonbow_verify_pin_key(v, found), MOONBOW_OK);
    absorb_key(s, v);
    memcpy(found, digest, 32);
    finish(v, scratch, verdict);

    memset(found, PAINT, sizeof found);
    v = begin(s, signature, scratch);
    assert_int_equal(moonbow_verify_digest_key(v, found), MOONBOW_OK);
    absorb_key(s, v);
    assert_true(all_equal(found, 32, PAINT));
    finish(v, scratch, verdict);
    assert_memory_equal(found, digest, 32); /* whatever the verdict */
    assert_int_equal(found[32], PAINT);
}

static void check_digests(const subject *s, moonbow_mode mode)
{
    const moonbow_scratch scratch = lend_painted(moonbow_verify_scratch_bytes(s->algorithm->verifier, mode), mode);
    uint8_t *forged = painted(s->p->signature_bytes), digest[32], other[32];
    memcpy(forged, s->signature, s->p->signature_bytes);
    forged[s->p->signature_bytes / 3] ^= 4;
    check_pin(s, &scratch, s->signature, MOONBOW_OK);
    check_pin(s, &scratch, forged, MOONBOW_BAD_SIGNATURE);
    digest_of(digest, s->pk, s->p->public_key_bytes);
    for (size_t bit = 0; bit < 256; bit += s->large ? 51 : 17) {
        moonbow_verification *v = begin(s, s->signature, &scratch);
        digest[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(moonbow_verify_pin_key(v, digest), MOONBOW_OK);
        absorb_key(s, v);
        finish(v, &scratch, MOONBOW_WRONG_KEY);
        digest[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    digest_of(other, s->other_pk, s->p->public_key_bytes); /* the case the pin is for */
    moonbow_verification *v = begin(s, s->signature, &scratch);
    assert_int_equal(moonbow_verify_pin_key(v, other), MOONBOW_OK);
    absorb_key(s, v);
    finish(v, &scratch, MOONBOW_WRONG_KEY);

    v = begin(s, s->signature, &scratch); /* not the whole key: no digest of it */
    memset(other, PAINT, sizeof other);
    assert_int_equal(moonbow_verify_digest_key(v, other), MOONBOW_OK);
    assert_int_equal(moonbow_verify_key(v, s->pk, s->p->public_key_bytes - 1), MOONBOW_OK);
    finish(v, &scratch, MOONBOW_WRONG_LENGTH);
    assert_true(all_equal(other, sizeof other, PAINT));
    free(forged);
    free(scratch.start);
}

static void key_digests(void **state)
{
    (void)state;
    for_each_subject(check_digests);
}

typedef int digest_function(moonbow_verification *verification, uint8_t digest[32]);

static int pin(moonbow_verification *verification, uint8_t digest[32])
{
    return moonbow_verify_pin_key(verification, digest);
}

/* After the first key byte, or a second time: refused, and the verification is lost. */
static void check_order(const subject *s, moonbow_mode mode)
{
    digest_function *const functions[] = {pin, moonbow_verify_digest_key};
    const moonbow_scratch scratch = lend_painted(moonbow_verify_scratch_bytes(s->algorithm->verifier, mode), mode);
    uint8_t digest[32];
    digest_of(digest, s->pk, s->p->public_key_bytes);
    for (size_t i = 0; i < 4; i++) {
        moonbow_verification *v = begin(s, s->signature, &scratch);
        assert_int_equal(functions[i / 2](v, digest), MOONBOW_OK);
        assert_int_equal(functions[i % 2](v, digest), MOONBOW_WRONG_ORDER);
        assert_int_equal(moonbow_verify_key(v, s->pk, 1), MOONBOW_WRONG_ORDER);
        finish(v, &scratch, MOONBOW_WRONG_ORDER);

        v = begin(s, s->signature, &scratch);
        assert_int_equal(moonbow_verify_key(v, s->pk, 1), MOONBOW_OK);
        assert_int_equal(functions[i % 2](v, digest), MOONBOW_WRONG_ORDER);
        assert_int_equal(moonbow_verify_key(v, s->pk + 1, s->p->public_key_bytes - 1), MOONBOW_WRONG_ORDER);
        assert_int_equal(moonbow_verify_message(v, s->message, 1), MOONBOW_WRONG_ORDER);
        finish(v, &scratch, MOONBOW_WRONG_ORDER);

        v = begin(s, s->signature, &scratch); /* an error stays the one that it was */
        assert_int_equal(moonbow_verify_key(v, s->pk, 1), MOONBOW_OK);
        assert_int_equal(moonbow_verify_key(v, s->pk, s->p->public_key_bytes), MOONBOW_WRONG_LENGTH);
        assert_int_equal(functions[i % 2](v, digest), MOONBOW_WRONG_LENGTH);
        finish(v, &scratch, MOONBOW_WRONG_LENGTH);
    }
    free(scratch.start);
}

static void order_of_calls(void **state)
{
    (void)state;
    for_each_subject(check_order);
}

int main(int argc, char **argv)
{
    randomness = xorshift_start(argc, argv);
    const struct CMUnitTest tests[] = {
        SUBJECT_TEST(wrong_lengths),      SUBJECT_TEST(no_seed),        SUBJECT_TEST(scratch_memory),
        SUBJECT_TEST(checked_scratch),    SUBJECT_TEST(no_signature),   SUBJECT_TEST(failing_randomness), SUBJECT_TEST(refusing_sinks),
        SUBJECT_TEST(streams),            SUBJECT_TEST(key_digests),    SUBJECT_TEST(order_of_calls),
    };
    return cmocka_run_group_tests_name("misuse", tests, make_subjects, free_subjects);
}
