/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Batches of signatures under one key, for every registered algorithm: the verdicts of single verification, whatever the size of
 * the batch, the memory lent, and the pieces in which the key comes; and the order of calls. */
#include "subject.h"

#include "symmetric/sha256.h"

enum { BATCH_MOST = 70, WRONG_EVERY = 7 };

typedef struct batch {
    uint8_t messages[BATCH_MOST][MESSAGE_BYTES];
    uint8_t *signatures[BATCH_MOST];
    moonbow_batch_item items[BATCH_MOST];
    int expected[BATCH_MOST];
} batch;

/* Two signatures are made; their copies are changed here and there. */
static void make_batch(batch *b, const subject *s)
{
    uint8_t *good = malloc(s->p->signature_bytes), changed[MESSAGE_BYTES];
    memcpy(changed, s->message, sizeof changed);
    changed[0] ^= 1;
    assert_int_equal(sign_with(s->algorithm->signer, good, changed, sizeof changed, s->sk, MOONBOW_FAST), MOONBOW_OK);
    for (size_t i = 0; i < BATCH_MOST; i++) {
        const int second = xorshift_below(&randomness, 2) == 0;
        b->signatures[i] = malloc(s->p->signature_bytes);
        memcpy(b->signatures[i], second ? good : s->signature, s->p->signature_bytes);
        memcpy(b->messages[i], second ? changed : s->message, MESSAGE_BYTES);
        b->expected[i] = MOONBOW_OK;
        b->items[i] = (moonbow_batch_item){b->signatures[i], s->p->signature_bytes, b->messages[i], MESSAGE_BYTES, 1};
        if (xorshift_below(&randomness, WRONG_EVERY) == 0) {
            b->signatures[i][xorshift_below(&randomness, s->p->signature_bytes)] ^= 0x10;
            b->expected[i] = MOONBOW_BAD_SIGNATURE;
        } else if (xorshift_below(&randomness, WRONG_EVERY) == 0) {
            b->items[i].signature_bytes -= 1;
            b->expected[i] = MOONBOW_WRONG_LENGTH;
        } else if (xorshift_below(&randomness, WRONG_EVERY) == 0) {
            b->items[i].message_bytes -= 1;
            b->expected[i] = MOONBOW_BAD_SIGNATURE;
        }
    }
    free(good);
}

static void free_batch(batch *b)
{
    for (size_t i = 0; i < BATCH_MOST; i++) {
        free(b->signatures[i]);
    }
}

static void check_verdicts(const subject *s, batch *b, size_t count, size_t together)
{
    const moonbow_verifier *verifier = s->algorithm->verifier;
    const moonbow_scratch scratch =
        lend_painted(moonbow_verify_batch_scratch_bytes(verifier, together), MOONBOW_BATCH);
    int expected = MOONBOW_OK;
    for (size_t i = 0; i < count; i++) {
        b->items[i].status = 1;
        expected = b->expected[i] == MOONBOW_OK ? expected : MOONBOW_BAD_SIGNATURE;
    }
    assert_int_equal(moonbow_verify_batch(verifier, b->items, count, s->pk, s->p->public_key_bytes, &scratch), expected);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(b->items[i].status, b->expected[i]);
    }
    free(scratch.start);
}

static void check_sizes(const subject *s)
{
    static const size_t sizes[] = {0, 1, 2, 7, 8, 9, 33, BATCH_MOST};
    batch b;
    subject_name = s->p->name;
    make_batch(&b, s);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (!s->large || sizes[i] < 30) {
            check_verdicts(s, &b, sizes[i], sizes[i] == 0 ? 1 : sizes[i]);
        }
    }
    check_verdicts(s, &b, 11, 4);
    check_verdicts(s, &b, 3, 1);
    free_batch(&b);
}

static void verdicts(void **state)
{
    (void)state;
    for (const subject *s = subjects; s < subjects + subjects_len; s++) {
        check_sizes(s);
    }
    subject_name = "none";
}

/* Nothing of it is done, and every item says why. */
static void refusals(void **state)
{
    (void)state;
    for (const subject *s = subjects; s < subjects + subjects_len; s++) {
        const moonbow_verifier *verifier = s->algorithm->verifier;
        const size_t bytes = moonbow_verify_batch_scratch_bytes(verifier, 1);
        moonbow_batch_item item[2] = {{s->signature, s->p->signature_bytes, s->message, MESSAGE_BYTES, 1},
                                      {s->signature, s->p->signature_bytes, s->message, MESSAGE_BYTES, 1}};
        moonbow_scratch scratch = lend_painted(bytes, MOONBOW_BATCH);
        subject_name = s->p->name;
        assert_int_equal(moonbow_verify_batch(verifier, item, 2, s->pk, s->p->public_key_bytes - 1, &scratch),
                         MOONBOW_WRONG_LENGTH);
        assert_int_equal(item[1].status, MOONBOW_WRONG_LENGTH);
        scratch.bytes -= MOONBOW_SCRATCH_ALIGNMENT;
        assert_int_equal(moonbow_verify_batch(verifier, item, 2, s->pk, s->p->public_key_bytes, &scratch),
                         MOONBOW_BAD_SCRATCH);
        assert_int_equal(item[0].status, MOONBOW_BAD_SCRATCH);
        scratch.bytes = bytes;
        scratch.mode = MOONBOW_FAST;
        assert_int_equal(moonbow_verify_batch(verifier, item, 2, s->pk, s->p->public_key_bytes, &scratch),
                         MOONBOW_BAD_SCRATCH);
        assert_int_equal(moonbow_verify_batch(verifier, item, 2, s->pk, s->p->public_key_bytes, NULL),
                         MOONBOW_BAD_SCRATCH);
        assert_true(all_equal(scratch.start, bytes, PAINT));
        free(scratch.start);
    }
    subject_name = "none";
}

/* ---- In pieces ------------------------------------------------------------------------------------ */

enum { JOINED = 3 };

typedef struct joined {
    moonbow_verification *of[JOINED]; /* the first leads */
    moonbow_scratch scratch[JOINED];
} joined;

static joined join(const subject *s)
{
    joined j;
    for (size_t i = 0; i < JOINED; i++) {
        j.scratch[i] =
            lend_painted(moonbow_verify_scratch_bytes(s->algorithm->verifier, MOONBOW_BATCH), MOONBOW_BATCH);
        assert_int_equal(moonbow_verify_begin(&j.of[i], s->algorithm->verifier, s->signature, s->p->signature_bytes,
                                              &j.scratch[i]),
                         MOONBOW_OK);
        if (i != 0) {
            assert_int_equal(moonbow_verify_join(j.of[0], j.of[i]), MOONBOW_OK);
        }
        moonbow_verify_message(j.of[i], s->message, i == 1 ? MESSAGE_BYTES - 1 : MESSAGE_BYTES);
    }
    return j;
}

static void give_key(const subject *s, const joined *j)
{
    for (size_t at = 0, bytes; at < s->p->public_key_bytes; at += bytes) {
        const size_t left = s->p->public_key_bytes - at, most = left < 5000 ? left : 5000;
        bytes = 1 + xorshift_below(&randomness, most);
        assert_int_equal(moonbow_verify_key(j->of[0], s->pk + at, bytes), MOONBOW_OK);
    }
}

static void give_back(const joined *j)
{
    for (size_t i = 0; i < JOINED; i++) {
        give_wiped(&j->scratch[i]);
    }
}

static void pieces(void **state)
{
    static const int expected[JOINED] = {MOONBOW_OK, MOONBOW_BAD_SIGNATURE, MOONBOW_OK};
    (void)state;
    for (const subject *s = subjects; s < subjects + subjects_len; s++) {
        const joined j = join(s);
        subject_name = s->p->name;
        give_key(s, &j);
        for (size_t i = 0; i < JOINED; i++) {
            assert_int_equal(moonbow_verify_finish(j.of[i]), expected[i]);
        }
        give_back(&j);
    }
    subject_name = "none";
}

/* What is wrong with the leader's key is wrong for all. */
static void key_of_the_leader(void **state)
{
    const subject *s = &subjects[0];
    uint8_t digest[32] = {0};
    (void)state;
    const joined pinned = join(s);
    assert_int_equal(moonbow_verify_pin_key(pinned.of[0], digest), MOONBOW_OK);
    give_key(s, &pinned);
    for (size_t i = 0; i < JOINED; i++) {
        assert_int_equal(moonbow_verify_finish(pinned.of[i]), MOONBOW_WRONG_KEY);
    }
    give_back(&pinned);

    const joined incomplete = join(s);
    assert_int_equal(moonbow_verify_key(incomplete.of[0], s->pk, s->p->public_key_bytes - 1), MOONBOW_OK);
    for (size_t i = 0; i < JOINED; i++) {
        assert_int_equal(moonbow_verify_finish(incomplete.of[i]), MOONBOW_WRONG_LENGTH);
    }
    give_back(&incomplete);
}

/* Followers take no key and do not finish first; who leaves early disturbs nobody. */
static void order_of_calls(void **state)
{
    const subject *s = &subjects[0];
    (void)state;
    joined j = join(s);
    assert_int_equal(moonbow_verify_key(j.of[2], s->pk, 1), MOONBOW_WRONG_ORDER);
    assert_int_equal(moonbow_verify_join(j.of[0], j.of[1]), MOONBOW_WRONG_ORDER);
    assert_int_equal(moonbow_verify_join(j.of[0], j.of[0]), MOONBOW_WRONG_ORDER);
    assert_int_equal(moonbow_verify_join(j.of[1], j.of[0]), MOONBOW_WRONG_ORDER);
    assert_int_equal(moonbow_verify_finish(j.of[1]), MOONBOW_WRONG_ORDER);
    moonbow_verify_abort(j.of[2]);
    give_key(s, &j);
    assert_int_equal(moonbow_verify_finish(j.of[0]), MOONBOW_OK);
    give_back(&j);

    j = join(s); /* a leader that goes away */
    moonbow_verify_abort(j.of[0]);
    assert_int_equal(moonbow_verify_finish(j.of[1]), MOONBOW_WRONG_ORDER);
    assert_int_equal(moonbow_verify_finish(j.of[2]), MOONBOW_WRONG_ORDER);
    give_back(&j);
}

/* Joining asks for one verifier, the mode, and that nothing of the key has come. */
static void joining(void **state)
{
    const moonbow_verifier *verifier = subjects[0].algorithm->verifier;
    const subject *s = &subjects[0];
    (void)state;
    for (unsigned wrong = 0; wrong < 4; wrong++) {
        const subject *other = wrong == 0 ? &subjects[1] : s;
        const moonbow_mode mode = wrong == 1 ? MOONBOW_FAST : MOONBOW_BATCH;
        const moonbow_scratch mine = lend_painted(moonbow_verify_scratch_bytes(verifier, MOONBOW_BATCH), MOONBOW_BATCH),
                              yours = lend_painted(moonbow_verify_scratch_bytes(other->algorithm->verifier, mode), mode);
        uint8_t digest[32] = {0};
        moonbow_verification *v, *w;
        assert_int_equal(moonbow_verify_begin(&v, verifier, s->signature, s->p->signature_bytes, &mine), MOONBOW_OK);
        assert_int_equal(moonbow_verify_begin(&w, other->algorithm->verifier, other->signature,
                                              other->p->signature_bytes, &yours),
                         MOONBOW_OK);
        if (wrong == 2) {
            moonbow_verify_key(w, other->pk, 1);
        } else if (wrong == 3) {
            moonbow_verify_digest_key(w, digest);
        }
        assert_int_equal(moonbow_verify_join(v, w), MOONBOW_WRONG_ORDER);
        moonbow_verify_abort(w);
        moonbow_verify_message(v, s->message, MESSAGE_BYTES);
        moonbow_verify_key(v, s->pk, s->p->public_key_bytes);
        assert_int_equal(moonbow_verify_finish(v), MOONBOW_OK);
        give_wiped(&mine);
        give_wiped(&yours);
    }
}

int main(int argc, char **argv)
{
    randomness = xorshift_start(argc, argv);
    const struct CMUnitTest tests[] = {
        SUBJECT_TEST(verdicts),          SUBJECT_TEST(refusals),       SUBJECT_TEST(pieces),
        SUBJECT_TEST(key_of_the_leader), SUBJECT_TEST(order_of_calls), SUBJECT_TEST(joining),
    };
    return cmocka_run_group_tests_name("batch", tests, make_subjects, free_subjects);
}
