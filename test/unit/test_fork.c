/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Signatures that come behind their message, and operations that are forked within it, for every registered algorithm. */
#include "subject.h"

enum { HEAD_BYTES = 7, MODES_LEN = 2 };

static moonbow_verification *begin_late(const subject *s, const moonbow_scratch *scratch)
{
    moonbow_verification *verification;
    memset(scratch->start, PAINT, scratch->bytes);
    assert_int_equal(moonbow_verify_begin_late(&verification, s->algorithm->verifier, scratch), MOONBOW_OK);
    return verification;
}

/* Signature and key go to a verification that has its message. */
static void finish_late(moonbow_verification *v, const subject *s, const uint8_t *signature,
                        const moonbow_scratch *scratch, int expected)
{
    assert_int_equal(moonbow_verify_signature(v, signature, s->p->signature_bytes), MOONBOW_OK);
    assert_int_equal(moonbow_verify_key(v, s->pk, s->p->public_key_bytes), MOONBOW_OK);
    assert_int_equal(moonbow_verify_finish(v), expected);
    assert_zero(scratch->start, scratch->bytes);
}

static void check_late(const subject *s, moonbow_mode mode)
{
    const moonbow_scratch scratch =
        lend_painted(moonbow_verify_scratch_bytes(s->algorithm->verifier, mode), mode);
    uint8_t *changed = malloc(s->p->signature_bytes);
    memcpy(changed, s->signature, s->p->signature_bytes);
    changed[s->p->signature_bytes - 1] ^= 1; /* in the salt: the target is made after it has come */

    moonbow_verification *v = begin_late(s, &scratch);
    assert_int_equal(moonbow_verify_message(v, s->message, MESSAGE_BYTES), MOONBOW_OK);
    finish_late(v, s, s->signature, &scratch, MOONBOW_OK);

    v = begin_late(s, &scratch);
    assert_int_equal(moonbow_verify_message(v, s->message, MESSAGE_BYTES), MOONBOW_OK);
    finish_late(v, s, changed, &scratch, MOONBOW_BAD_SIGNATURE);

    v = begin_late(s, &scratch); /* in the middle, the rest behind the key */
    assert_int_equal(moonbow_verify_message(v, s->message, HEAD_BYTES), MOONBOW_OK);
    assert_int_equal(moonbow_verify_signature(v, s->signature, s->p->signature_bytes), MOONBOW_OK);
    assert_int_equal(moonbow_verify_key(v, s->pk, s->p->public_key_bytes), MOONBOW_OK);
    assert_int_equal(moonbow_verify_message(v, s->message + HEAD_BYTES, MESSAGE_BYTES - HEAD_BYTES),
                     MOONBOW_OK);
    assert_int_equal(moonbow_verify_finish(v), MOONBOW_OK);
    free(changed);
    free(scratch.start);
}

static void late_signatures(void **state)
{
    (void)state;
    for_each_subject(check_late);
}

static void finish_with(moonbow_verification *v, const moonbow_scratch *scratch, int expected)
{
    assert_int_equal(moonbow_verify_finish(v), expected);
    assert_zero(scratch->start, scratch->bytes);
}

static void check_order(const subject *s, moonbow_mode mode)
{
    const moonbow_scratch scratch =
        lend_painted(moonbow_verify_scratch_bytes(s->algorithm->verifier, mode), mode);
    const moonbow_scratch other = lend_painted(scratch.bytes, mode);
    const moonbow_scratch small = {other.start, other.bytes - 1, mode};
    uint8_t digest[MOONBOW_KEY_DIGEST_BYTES];
    moonbow_verification *w = (moonbow_verification *)&other;

    moonbow_verification *v = begin_late(s, &scratch); /* a key before the signature */
    assert_int_equal(moonbow_verify_key(v, s->pk, 1), MOONBOW_WRONG_ORDER);
    assert_int_equal(moonbow_verify_signature(v, s->signature, s->p->signature_bytes), MOONBOW_WRONG_ORDER);
    finish_with(v, &scratch, MOONBOW_WRONG_ORDER);

    finish_with(begin_late(s, &scratch), &scratch, MOONBOW_WRONG_ORDER); /* no signature */

    v = begin_late(s, &scratch); /* two signatures */
    assert_int_equal(moonbow_verify_signature(v, s->signature, s->p->signature_bytes), MOONBOW_OK);
    assert_int_equal(moonbow_verify_signature(v, s->signature, s->p->signature_bytes), MOONBOW_WRONG_ORDER);
    finish_with(v, &scratch, MOONBOW_WRONG_ORDER);

    v = begin_late(s, &scratch); /* one of another length */
    assert_int_equal(moonbow_verify_signature(v, s->signature, s->p->signature_bytes - 1),
                     MOONBOW_WRONG_LENGTH);
    assert_int_equal(moonbow_verify_fork(&w, v, &other), MOONBOW_WRONG_LENGTH);
    assert_null(w);
    finish_with(v, &scratch, MOONBOW_WRONG_LENGTH);

    v = begin_late(s,
                   &scratch); /* a fork that comes too late, or has no memory, leaves the first as it was */
    assert_int_equal(moonbow_verify_message(v, s->message, MESSAGE_BYTES), MOONBOW_OK);
    assert_int_equal(moonbow_verify_fork(&w, v, &small), MOONBOW_BAD_SCRATCH);
    assert_null(w);
    assert_int_equal(moonbow_verify_digest_key(v, digest), MOONBOW_OK);
    assert_int_equal(moonbow_verify_fork(&w, v, &other), MOONBOW_WRONG_ORDER);
    assert_int_equal(moonbow_verify_signature(v, s->signature, s->p->signature_bytes), MOONBOW_OK);
    assert_int_equal(moonbow_verify_fork(&w, v, &other), MOONBOW_WRONG_ORDER);
    assert_null(w);
    assert_int_equal(moonbow_verify_key(v, s->pk, s->p->public_key_bytes), MOONBOW_OK);
    finish_with(v, &scratch, MOONBOW_OK);
    free(scratch.start);
    free(other.start);
}

static void order_of_calls(void **state)
{
    (void)state;
    for_each_subject(check_order);
}

/* In a batch only those that have their signatures. */
static void check_join(const subject *s, moonbow_mode mode)
{
    const size_t bytes = moonbow_verify_scratch_bytes(s->algorithm->verifier, MOONBOW_BATCH);
    const moonbow_scratch scratch[2] = {lend_painted(bytes, MOONBOW_BATCH),
                                        lend_painted(bytes, MOONBOW_BATCH)};
    moonbow_verification *v[2];
    (void)mode;
    for (size_t i = 0; i < 2; i++) {
        v[i] = begin_late(s, &scratch[i]);
        assert_int_equal(moonbow_verify_message(v[i], s->message, MESSAGE_BYTES), MOONBOW_OK);
    }
    assert_int_equal(moonbow_verify_signature(v[0], s->signature, s->p->signature_bytes), MOONBOW_OK);
    assert_int_equal(moonbow_verify_join(v[0], v[1]), MOONBOW_WRONG_ORDER);
    assert_int_equal(moonbow_verify_join(v[1], v[0]), MOONBOW_WRONG_ORDER);
    assert_int_equal(moonbow_verify_signature(v[1], s->signature, s->p->signature_bytes), MOONBOW_OK);
    assert_int_equal(moonbow_verify_join(v[0], v[1]), MOONBOW_OK);
    assert_int_equal(moonbow_verify_key(v[0], s->pk, s->p->public_key_bytes), MOONBOW_OK);
    for (size_t i = 0; i < 2; i++) {
        finish_with(v[i], &scratch[i], MOONBOW_OK);
        free(scratch[i].start);
    }
}

static void joining(void **state)
{
    (void)state;
    for_each_subject(check_join);
}

/* Two messages with one beginning; the copy is in the other mode. */
static void check_verify_fork(const subject *s, moonbow_mode mode)
{
    static const moonbow_mode other_of[MODES_LEN] = {MOONBOW_SMALL, MOONBOW_FAST};
    const moonbow_mode other_mode = other_of[mode];
    const moonbow_verifier *verifier = s->algorithm->verifier;
    const moonbow_scratch scratch = lend_painted(moonbow_verify_scratch_bytes(verifier, mode), mode);
    const moonbow_scratch other =
        lend_painted(moonbow_verify_scratch_bytes(verifier, other_mode), other_mode);
    for (int copy_first = 0; copy_first < 2; copy_first++) {
        moonbow_verification *v = begin_late(s, &scratch), *w;
        assert_int_equal(moonbow_verify_message(v, s->message, HEAD_BYTES), MOONBOW_OK);
        assert_int_equal(moonbow_verify_fork(&w, v, &other), MOONBOW_OK);
        assert_int_equal(moonbow_verify_message(v, s->message, 1), MOONBOW_OK); /* another message */
        if (!copy_first) {
            finish_late(v, s, s->signature, &scratch, MOONBOW_BAD_SIGNATURE);
        }
        assert_int_equal(moonbow_verify_message(w, s->message + HEAD_BYTES, MESSAGE_BYTES - HEAD_BYTES),
                         MOONBOW_OK);
        finish_late(w, s, s->signature, &other, MOONBOW_OK);
        if (copy_first) {
            finish_late(v, s, s->signature, &scratch, MOONBOW_BAD_SIGNATURE);
        }
    }
    free(scratch.start);
    free(other.start);
}

static void forked_verifications(void **state)
{
    (void)state;
    for_each_subject(check_verify_fork);
}

static void finish_signing(moonbow_signing *signing, const subject *s, const uint8_t *expected)
{
    uint8_t *signature = malloc(s->p->signature_bytes);
    source from = source_start(NEVER);
    const moonbow_random random = {source_fill, &from};
    assert_int_equal(moonbow_sign_finish(signing, signature, s->p->signature_bytes, s->sk,
                                         s->p->secret_key_bytes, &random),
                     MOONBOW_OK);
    assert_memory_equal(signature, expected, s->p->signature_bytes);
    free(signature);
}

static void check_sign_fork(const subject *s, moonbow_mode mode)
{
    const moonbow_signer *signer = s->algorithm->signer;
    const moonbow_scratch scratch = lend_painted(moonbow_sign_scratch_bytes(signer, mode), mode);
    const moonbow_scratch other = lend_painted(scratch.bytes, mode),
                          small = {other.start, other.bytes - 1, mode};
    uint8_t *head_signature = malloc(s->p->signature_bytes);
    moonbow_signing *signing, *copy = (moonbow_signing *)&other;
    assert_int_equal(sign_with(signer, head_signature, s->message, HEAD_BYTES, s->sk, mode), MOONBOW_OK);
    for (int copy_first = 0; copy_first < 2; copy_first++) {
        memset(other.start, PAINT, other.bytes);
        assert_int_equal(moonbow_sign_begin(&signing, signer, &scratch), MOONBOW_OK);
        assert_int_equal(moonbow_sign_message(signing, s->message, HEAD_BYTES), MOONBOW_OK);
        assert_int_equal(moonbow_sign_fork(&copy, signing, &small), MOONBOW_BAD_SCRATCH);
        assert_null(copy);
        assert_int_equal(moonbow_sign_fork(&copy, signing, &other), MOONBOW_OK);
        if (copy_first) {
            finish_signing(copy, s, head_signature);
        }
        assert_int_equal(moonbow_sign_message(signing, s->message + HEAD_BYTES, MESSAGE_BYTES - HEAD_BYTES),
                         MOONBOW_OK);
        finish_signing(signing, s, s->signature);
        if (!copy_first) {
            finish_signing(copy, s, head_signature);
        }
        assert_zero(scratch.start, scratch.bytes);
        assert_zero(other.start, other.bytes);
    }
    free(head_signature);
    free(scratch.start);
    free(other.start);
}

static void forked_signings(void **state)
{
    (void)state;
    for_each_subject(check_sign_fork);
}

int main(int argc, char **argv)
{
    randomness = xorshift_start(argc, argv);
    const struct CMUnitTest tests[] = {
        SUBJECT_TEST(late_signatures),      SUBJECT_TEST(order_of_calls),  SUBJECT_TEST(joining),
        SUBJECT_TEST(forked_verifications), SUBJECT_TEST(forked_signings),
    };
    return cmocka_run_group_tests_name("fork", tests, make_subjects, free_subjects);
}
