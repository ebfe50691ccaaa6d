/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What must hold of every registered algorithm: signatures verify and nothing else does, pieces equal the whole, both modes
 * and prepared keys agree, derived keys are the keys. Misuse and failures: test_misuse.c. */
#include "subject.h"
#include "rainbow/parameters.h"
#include "scheme/scheme.h"
#include "symmetric/sha256.h"
#include "uov/parameters.h"

#include <pthread.h>

/* ---- The registry and texts ------------------------------------------------------------------ */

static void registry(void **state)
{
    size_t count = 0;
    (void)state;
    for (const moonbow_algorithm *a; (a = moonbow_algorithm_at(count)) != NULL; count++) {
        const moonbow_parameters *p = a->parameters;
        assert_ptr_equal(moonbow_algorithm_by_name(p->name), a);
        assert_true(p->title[0] != '\0' && p->caution[0] != '\0' && p->caution[strlen(p->caution) - 1] == '.');
        assert_ptr_equal(moonbow_verifier_parameters(a->verifier), p);
        assert_ptr_equal(moonbow_signer_parameters(a->signer), p);
        assert_ptr_equal(moonbow_generator_parameters(a->generator), p);
        assert_true(p->public_seed_bytes < p->public_key_bytes);
        /* Whatever has broken fields says so in words too. */
        assert_true((p->security == MOONBOW_BROKEN) == (strstr(p->caution, "broken") != NULL));
    }
    assert_true(count >= 12);
    assert_null(moonbow_algorithm_at(count + 1));
    assert_null(moonbow_algorithm_at(SIZE_MAX));
    assert_null(moonbow_algorithm_by_name(""));
    assert_null(moonbow_algorithm_by_name("rainbow-I"));
    assert_null(moonbow_algorithm_by_name("rainbow-I-classic "));
}

/* Every value of status.h has its own sentence. */
static void texts(void **state)
{
    (void)state;
    for (int status = MOONBOW_OK; status >= MOONBOW_WRONG_ORDER; status--) {
        const char *text = moonbow_status_text(status);
        assert_true(text[0] != '\0' && text[strlen(text) - 1] != '.');
        for (int other = MOONBOW_OK; other > status; other--) {
            assert_string_not_equal(text, moonbow_status_text(other));
        }
        assert_string_not_equal(text, moonbow_status_text(MOONBOW_WRONG_ORDER - 1));
    }
    assert_non_null(moonbow_status_text(1));
    assert_string_equal(moonbow_status_text(1), moonbow_status_text(-1000));
    assert_string_equal(moonbow_security_text(MOONBOW_BROKEN), "broken");
    assert_string_equal(moonbow_security_text(MOONBOW_LEGACY), "legacy");
    assert_string_equal(moonbow_security_text(MOONBOW_CANDIDATE), "candidate");
    assert_true(moonbow_version()[0] >= '0' && moonbow_version()[0] <= '9');
}

/* ---- Threads --------------------------------------------------------------------------------- */

enum { THREADS = 4, JOBS = 6 };

/* One key pair and some signatures of one algorithm, as a digest; no assertions here. */
typedef struct job {
    const moonbow_algorithm *algorithm;
    uint8_t digest[32];
    int status; /* the first that is not OK */
} job;

static void run_job(job *j)
{
    const moonbow_parameters *p = j->algorithm->parameters;
    const moonbow_mode mode = MOONBOW_FAST;
    const size_t bytes = larger(moonbow_generate_scratch_bytes(j->algorithm->generator, mode),
                                larger(moonbow_sign_scratch_bytes(j->algorithm->signer, mode),
                                       moonbow_verify_scratch_bytes(j->algorithm->verifier, mode)));
    const moonbow_scratch scratch = lend(bytes, mode);
    uint8_t *pk = malloc(p->public_key_bytes), *sk = malloc(p->secret_key_bytes), *signature = malloc(p->signature_bytes);
    source from = source_start(NEVER);
    const moonbow_random random = {source_fill, &from};
    mb_sha256 hash;
    mb_sha256_init(&hash);
    j->status = moonbow_generate(j->algorithm->generator, pk, p->public_key_bytes, sk, p->secret_key_bytes, &random,
                                 &scratch);
    mb_sha256_update(&hash, pk, p->public_key_bytes);
    mb_sha256_update(&hash, sk, p->secret_key_bytes);
    for (size_t length = 0; length < 3 && j->status == MOONBOW_OK; length++) {
        j->status = moonbow_sign(j->algorithm->signer, signature, p->signature_bytes, pk, length, sk,
                                 p->secret_key_bytes, &random, &scratch);
        mb_sha256_update(&hash, signature, p->signature_bytes);
        if (j->status == MOONBOW_OK) {
            j->status = moonbow_verify(j->algorithm->verifier, signature, p->signature_bytes, pk, length, pk,
                                       p->public_key_bytes, &scratch);
        }
    }
    mb_sha256_finish(&hash, j->digest);
    free(pk);
    free(sk);
    free(signature);
    free(scratch.start);
}

static void *run_jobs(void *jobs)
{
    for (size_t i = 0; i < JOBS; i++) {
        run_job((job *)jobs + i);
    }
    return NULL;
}

/* The first test of this program, so that whatever is set up at first use is set up by threads at once. */
static void threads(void **state)
{
    static job jobs[THREADS][JOBS];
    pthread_t running[THREADS];
    size_t count = 0;
    (void)state;
    while (moonbow_algorithm_at(count) != NULL) {
        count++;
    }
    for (size_t t = 0; t < THREADS; t++) {
        for (size_t i = 0; i < JOBS; i++) {
            jobs[t][i].algorithm = moonbow_algorithm_at((i * THREADS + t) % count);
        }
    }
    for (size_t t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_create(&running[t], NULL, run_jobs, jobs[t]), 0);
    }
    for (size_t t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_join(running[t], NULL), 0);
    }
    for (size_t t = 0; t < THREADS; t++) {
        for (size_t i = 0; i < JOBS; i++) {
            job alone = {.algorithm = jobs[t][i].algorithm};
            subject_name = alone.algorithm->parameters->name;
            run_job(&alone);
            assert_int_equal(jobs[t][i].status, MOONBOW_OK);
            assert_int_equal(alone.status, MOONBOW_OK);
            assert_memory_equal(alone.digest, jobs[t][i].digest, 32);
        }
    }
    subject_name = "none";
}

/* ---- Keys ------------------------------------------------------------------------------------ */

/* A key in the making. */
typedef struct collection {
    uint8_t *key;
    size_t bytes, room;
} collection;

static int collect(void *context, const uint8_t *piece, size_t bytes)
{
    collection *to = context;
    if (bytes > to->room - to->bytes) {
        return 1;
    }
    memcpy(to->key + to->bytes, piece, bytes);
    to->bytes += bytes;
    return 0;
}

/* A seed, a source that gives that seed, and sinks all make the same keys, in both modes. */
static void check_generation(const subject *s, moonbow_mode mode)
{
    const moonbow_generator *generator = s->algorithm->generator;
    const size_t pk_bytes = s->p->public_key_bytes, sk_bytes = s->p->secret_key_bytes;
    const moonbow_scratch scratch = lend_painted(moonbow_generate_scratch_bytes(generator, mode), mode);
    uint8_t *pk = malloc(pk_bytes), *sk = malloc(sk_bytes), seed[SEED_MOST_BYTES];
    source from = source_start(NEVER), again = source_start(NEVER);
    const moonbow_random random = {source_fill, &from}, random_again = {source_fill, &again};
    collection public_part = {malloc(pk_bytes), 0, pk_bytes}, secret_part = {malloc(sk_bytes), 0, sk_bytes};
    const moonbow_sink public_sink = {collect, &public_part}, secret_sink = {collect, &secret_part};

    make_pair(s, pk, sk, s->seed, mode);
    assert_memory_equal(pk, s->pk, pk_bytes);
    assert_memory_equal(sk, s->sk, sk_bytes);
    if (s->large && mode == MOONBOW_SMALL) {
        free(pk);
        free(sk);
        free(public_part.key);
        free(secret_part.key);
        free(scratch.start);
        return;
    }
    assert_int_equal(moonbow_generate(generator, pk, pk_bytes, sk, sk_bytes, &random, &scratch), MOONBOW_OK);
    assert_zero(scratch.start, scratch.bytes);
    assert_int_equal(from.bytes, s->p->generate_random_bytes);
    for (size_t i = 0, draws = from.draws; i < draws; i++) { /* the same draws by hand */
        mb_drbg_draw(&again.drbg, seed + i * from.bytes / draws, from.bytes / draws);
    }
    assert_int_equal(moonbow_generate_from_seed_to_sinks(generator, &public_sink, &secret_sink, seed,
                                                         s->p->generate_random_bytes, &scratch),
                     MOONBOW_OK);
    assert_zero(scratch.start, scratch.bytes);
    assert_int_equal(public_part.bytes, pk_bytes);
    assert_int_equal(secret_part.bytes, sk_bytes);
    assert_memory_equal(public_part.key, pk, pk_bytes);
    assert_memory_equal(secret_part.key, sk, sk_bytes);
    assert_memory_not_equal(pk, s->pk, pk_bytes);

    again = source_start(NEVER);
    public_part.bytes = secret_part.bytes = 0; /* each alone: a NULL sink drops the other */
    assert_int_equal(moonbow_generate_to_sinks(generator, &public_sink, NULL, &random_again, &scratch), MOONBOW_OK);
    again = source_start(NEVER);
    assert_int_equal(moonbow_generate_to_sinks(generator, NULL, &secret_sink, &random_again, &scratch), MOONBOW_OK);
    assert_int_equal(public_part.bytes, pk_bytes);
    assert_int_equal(secret_part.bytes, sk_bytes);
    assert_memory_equal(public_part.key, pk, pk_bytes);
    assert_memory_equal(secret_part.key, sk, sk_bytes);
    free(public_part.key);
    free(secret_part.key);
    free(pk);
    free(sk);
    give_wiped(&scratch);
}

static void generation(void **state)
{
    (void)state;
    for_each_subject(check_generation);
}

/* NULL is the system's source: never the same twice. */
static void check_system_randomness(const subject *s, moonbow_mode mode)
{
    const moonbow_generator *generator = s->algorithm->generator;
    const size_t pk_bytes = s->p->public_key_bytes, sk_bytes = s->p->secret_key_bytes;
    if (s->large) {
        return;
    }
    uint8_t *pk = malloc(pk_bytes), *sk = malloc(sk_bytes), *other = malloc(sk_bytes);
    const moonbow_scratch scratch = lend_painted(moonbow_generate_scratch_bytes(generator, mode), mode);
    assert_int_equal(moonbow_generate(generator, pk, pk_bytes, other, sk_bytes, NULL, &scratch), MOONBOW_OK);
    assert_int_equal(moonbow_generate(generator, pk, pk_bytes, sk, sk_bytes, NULL, &scratch), MOONBOW_OK);
    assert_memory_not_equal(sk, other, sk_bytes);
    assert_int_equal(moonbow_check_key_pair(generator, pk, pk_bytes, sk, sk_bytes, &scratch), MOONBOW_OK);
    assert_int_equal(moonbow_check_key_pair(generator, pk, pk_bytes, other, sk_bytes, &scratch), MOONBOW_WRONG_KEY);
    give_wiped(&scratch);
    free(pk);
    free(sk);
    free(other);
}

static void system_randomness(void **state)
{
    (void)state;
    for_each_subject(check_system_randomness);
}

static int check_pair(const subject *s, const uint8_t *pk, const uint8_t *sk, moonbow_mode mode)
{
    const moonbow_scratch scratch = lend_painted(moonbow_generate_scratch_bytes(s->algorithm->generator, mode), mode);
    const int status = moonbow_check_key_pair(s->algorithm->generator, pk, s->p->public_key_bytes, sk,
                                              s->p->secret_key_bytes, &scratch);
    give_wiped(&scratch);
    return status;
}

static void check_pairs(const subject *s, moonbow_mode mode)
{
    const size_t pk_bytes = s->p->public_key_bytes;
    const moonbow_scratch scratch = lend_painted(moonbow_generate_scratch_bytes(s->algorithm->generator, mode), mode);
    collection derived = {malloc(pk_bytes), 0, pk_bytes};
    const moonbow_sink sink = {collect, &derived};
    assert_int_equal(moonbow_derive_public_key(s->algorithm->generator, &sink, s->sk, s->p->secret_key_bytes,
                                               s->p->public_seed_bytes == 0 ? NULL : s->pk, s->p->public_seed_bytes,
                                               &scratch),
                     MOONBOW_OK);
    assert_int_equal(derived.bytes, pk_bytes);
    assert_memory_equal(derived.key, s->pk, pk_bytes);
    free(derived.key);
    give_wiped(&scratch);
    assert_int_equal(check_pair(s, s->pk, s->sk, mode), MOONBOW_OK);
    if (s->large && mode == MOONBOW_SMALL) {
        return;
    }
    assert_int_equal(check_pair(s, s->other_pk, s->other_sk, mode), MOONBOW_OK);
    assert_int_equal(check_pair(s, s->other_pk, s->sk, mode), MOONBOW_WRONG_KEY);
    assert_int_equal(check_pair(s, s->pk, s->other_sk, mode), MOONBOW_WRONG_KEY);
}

static void key_pairs(void **state)
{
    (void)state;
    for_each_subject(check_pairs);
}

/* A single wrong bit anywhere in the public key, its seed included, makes the pair a wrong one. */
static void check_damaged_pair(const subject *s, moonbow_mode mode)
{
    const size_t bytes = s->p->public_key_bytes;
    const size_t places[] = {0, 15, 31, bytes - 1, 32, bytes / 2}; /* of large keys the first and the last */
    uint8_t *pk = malloc(bytes);
    memcpy(pk, s->pk, bytes);
    for (size_t i = 0; i < sizeof places / sizeof *places && (mode == MOONBOW_FAST || !s->large); i += s->large ? 3 : 1) {
        const uint8_t bit = (uint8_t)(1u << xorshift_below(&randomness, 8));
        pk[places[i]] ^= bit;
        assert_int_equal(check_pair(s, pk, s->sk, mode), MOONBOW_WRONG_KEY);
        pk[places[i]] ^= bit;
    }
    free(pk);
}

static void damaged_key_pairs(void **state)
{
    (void)state;
    for_each_subject(check_damaged_pair);
}

/* ---- Signatures ------------------------------------------------------------------------------ */

/* Around the block lengths of all hash functions, and up to 1 MiB. */
static void check_messages(const subject *s, moonbow_mode mode)
{
    static const size_t lengths[] = {0, 1, 136, 1u << 20, 2, 3, 7, 8, 31, 32, 33, 55, 56, 63, 64, 65, 71, 72, 111, 112,
                                     119, 120, 127, 128, 129, 135, 137, 143, 144, 168, 271, 272, 273, 4095, 65537};
    const size_t len = s->large || mode == MOONBOW_SMALL ? 4 : sizeof lengths / sizeof *lengths;
    uint8_t *signature = malloc(s->p->signature_bytes);
    for (size_t i = 0; i < len; i++) {
        const size_t bytes = lengths[i];
        uint8_t *message = malloc(bytes + 1);
        xorshift_fill(&randomness, message, bytes + 1);
        assert_int_equal(sign_with(s->algorithm->signer, signature, message, bytes, s->sk, mode), MOONBOW_OK);
        assert_int_equal(verify_with(s->algorithm->verifier, signature, message, bytes, s->pk, mode), MOONBOW_OK);
        assert_int_equal(verify_with(s->algorithm->verifier, signature, message, bytes + 1, s->pk, mode),
                         MOONBOW_BAD_SIGNATURE);
        if (bytes != 0) {
            assert_int_equal(verify_with(s->algorithm->verifier, signature, message, bytes - 1, s->pk, mode),
                             MOONBOW_BAD_SIGNATURE);
        }
        free(message);
    }
    assert_int_equal(verify_with(s->algorithm->verifier, s->signature, s->message, MESSAGE_BYTES, s->other_pk, mode),
                     MOONBOW_BAD_SIGNATURE);
    assert_int_equal(sign_with(s->algorithm->signer, signature, s->message, MESSAGE_BYTES, s->sk, mode), MOONBOW_OK);
    assert_memory_equal(signature, s->signature, s->p->signature_bytes); /* whatever the mode */
    free(signature);
}

static void messages(void **state)
{
    (void)state;
    for_each_subject(check_messages);
}

/* The next piece of data, up to `most` bytes, as a heap block of its own that is gone afterwards: whoever
 * reads a byte later or twice meets freed memory. */
static size_t piece_of(const uint8_t *data, size_t left, size_t most, uint8_t **piece)
{
    const size_t bytes = xorshift_below(&randomness, (left < most ? left : most) + 1);
    *piece = malloc(bytes == 0 ? 1 : bytes);
    memcpy(*piece, data, bytes);
    return bytes;
}

static void sign_in_pieces(const subject *s, uint8_t *signature, const uint8_t *message, size_t bytes, size_t most,
                           moonbow_mode mode)
{
    const moonbow_scratch scratch = lend_painted(moonbow_sign_scratch_bytes(s->algorithm->signer, mode), mode);
    source from = source_start(NEVER);
    const moonbow_random random = {source_fill, &from};
    moonbow_signing *signing;
    assert_int_equal(moonbow_sign_begin(&signing, s->algorithm->signer, &scratch), MOONBOW_OK);
    for (size_t done = 0; done < bytes;) {
        uint8_t *piece;
        const size_t taken = piece_of(message + done, bytes - done, most, &piece);
        assert_int_equal(moonbow_sign_message(signing, piece, taken), MOONBOW_OK);
        free(piece);
        done += taken;
    }
    assert_int_equal(moonbow_sign_finish(signing, signature, s->p->signature_bytes, s->sk, s->p->secret_key_bytes,
                                         &random),
                     MOONBOW_OK);
    give_wiped(&scratch);
}

/* Message and key take turns. */
static int verify_in_pieces(const subject *s, const uint8_t *signature, const uint8_t *message, size_t bytes,
                            size_t most_message, size_t most_key, moonbow_mode mode)
{
    const moonbow_scratch scratch = lend_painted(moonbow_verify_scratch_bytes(s->algorithm->verifier, mode), mode);
    uint8_t *copy = malloc(s->p->signature_bytes), *piece;
    size_t done = 0, key_done = 0;
    moonbow_verification *verification;
    memcpy(copy, signature, s->p->signature_bytes);
    assert_int_equal(moonbow_verify_begin(&verification, s->algorithm->verifier, copy, s->p->signature_bytes, &scratch),
                     MOONBOW_OK);
    free(copy);
    while (done < bytes || key_done < s->p->public_key_bytes) {
        size_t taken = piece_of(message + done, bytes - done, most_message, &piece);
        assert_int_equal(moonbow_verify_message(verification, piece, taken), MOONBOW_OK);
        free(piece);
        done += taken;
        taken = piece_of(s->pk + key_done, s->p->public_key_bytes - key_done, most_key, &piece);
        assert_int_equal(moonbow_verify_key(verification, piece, taken), MOONBOW_OK);
        free(piece);
        key_done += taken;
    }
    const int status = moonbow_verify_finish(verification);
    give_wiped(&scratch);
    return status;
}

static void check_pieces(const subject *s, moonbow_mode mode)
{
    static const size_t most_key[] = {100000, 5000, 97};
    uint8_t message[700], *signature = malloc(s->p->signature_bytes), *whole = malloc(s->p->signature_bytes);
    xorshift_fill(&randomness, message, sizeof message);
    assert_int_equal(sign_with(s->algorithm->signer, whole, message, sizeof message, s->sk, mode), MOONBOW_OK);
    for (size_t i = 0; i < (s->large ? 2 : 3); i++) {
        const size_t most = i == 0 ? 1 : i == 1 ? 50 : sizeof message;
        sign_in_pieces(s, signature, message, sizeof message, most, mode);
        assert_memory_equal(signature, whole, s->p->signature_bytes);
        assert_int_equal(verify_in_pieces(s, signature, message, sizeof message, most, most_key[i], mode), MOONBOW_OK);
        signature[xorshift_below(&randomness, s->p->signature_bytes)] ^= 1;
        assert_int_equal(verify_in_pieces(s, signature, message, sizeof message, most, most_key[i], mode),
                         MOONBOW_BAD_SIGNATURE);
    }
    free(signature);
    free(whole);
}

static void pieces(void **state)
{
    (void)state;
    for_each_subject(check_pieces);
}

/* Every algorithm with keys that are not large has its key go in byte by byte. */
static void check_bytes(const subject *s, moonbow_mode mode)
{
    if (s->p->public_key_bytes < 170000) {
        assert_int_equal(verify_in_pieces(s, s->signature, s->message, MESSAGE_BYTES, 1, 1, mode), MOONBOW_OK);
    }
}

static void single_bytes(void **state)
{
    (void)state;
    for_each_subject(check_bytes);
}

/* ---- Changed bits ---------------------------------------------------------------------------- */

/* Every bit of the signature and of the message, or some of them. */
static void check_changed_bits(const subject *s, moonbow_mode mode)
{
    const size_t bits = 8 * s->p->signature_bytes, message_bits = 8 * MESSAGE_BYTES;
    const size_t step = s->large ? bits / (mode == MOONBOW_FAST ? 60 : 10) : mode == MOONBOW_SMALL ? 13 : 1;
    const size_t message_step = s->large ? message_bits / 8 : mode == MOONBOW_SMALL ? 13 : 1;
    uint8_t *signature = malloc(s->p->signature_bytes), message[MESSAGE_BYTES];
    memcpy(signature, s->signature, s->p->signature_bytes);
    memcpy(message, s->message, MESSAGE_BYTES);
    assert_int_equal(verify_with(s->algorithm->verifier, signature, message, MESSAGE_BYTES, s->pk, mode), MOONBOW_OK);
    for (size_t i = 0; i < bits; i += step == 1 ? 1 : 1 + xorshift_below(&randomness, 2 * step)) {
        signature[i / 8] ^= (uint8_t)(1u << i % 8);
        assert_int_equal(verify_with(s->algorithm->verifier, signature, message, MESSAGE_BYTES, s->pk, mode),
                         MOONBOW_BAD_SIGNATURE);
        signature[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    for (size_t i = 0; i < message_bits; i += message_step == 1 ? 1 : 1 + xorshift_below(&randomness, 2 * message_step)) {
        message[i / 8] ^= (uint8_t)(1u << i % 8);
        assert_int_equal(verify_with(s->algorithm->verifier, signature, message, MESSAGE_BYTES, s->pk, mode),
                         MOONBOW_BAD_SIGNATURE);
        message[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    free(signature);
}

static void changed_bits(void **state)
{
    (void)state;
    for_each_subject(check_changed_bits);
}

/* The place of a key's blocks, written down from [RB3 §5] and [UOV3 §6] once more. */
typedef struct stretch {
    size_t rows_from, rows, columns_from, columns, vector_bytes; /* the same range twice: a triangle */
} stretch;

typedef struct key_plan {
    const mb_field *field;
    size_t n, seed_bytes, len;
    stretch stretches[5];
} key_plan;

static void add_stretch(key_plan *plan, size_t rows_from, size_t rows, size_t columns_from, size_t columns,
                        size_t polynomials)
{
    plan->stretches[plan->len++] =
        (stretch){rows_from, rows, columns_from, columns, mb_field_bytes(plan->field, polynomials)};
}

static key_plan plan_rainbow(const subject *s, const mb_rainbow_set *set)
{
    const size_t v1 = set->v1, o1 = set->o1, o2 = set->o2, n = v1 + o1 + o2;
    key_plan plan = {.field = set->field, .n = n};
    if (strstr(s->p->name, "classic") != NULL) {
        add_stretch(&plan, 0, n, 0, n, o1 + o2);
        return plan;
    }
    plan.seed_bytes = 32;
    add_stretch(&plan, 0, v1, v1 + o1, o2, o1);
    add_stretch(&plan, v1, o1, v1, o1, o1);
    add_stretch(&plan, v1, o1, v1 + o1, o2, o1);
    add_stretch(&plan, v1 + o1, o2, v1 + o1, o2, o1);
    add_stretch(&plan, v1 + o1, o2, v1 + o1, o2, o2);
    return plan;
}

static key_plan plan_uov(const subject *s, const mb_uov_set *set)
{
    const size_t m = set->m, v = set->n - m;
    key_plan plan = {.field = set->field, .n = set->n};
    if (strstr(s->p->name, "pkc") == NULL) {
        add_stretch(&plan, 0, v, 0, v, m);
        add_stretch(&plan, 0, v, v, m, m);
    } else {
        plan.seed_bytes = 16;
    }
    add_stretch(&plan, v, m, v, m, m);
    return plan;
}

/* Whether the monomial that byte `place` of the key belongs to vanishes at x; the plan must fit the key. */
static int vanishes(const key_plan *plan, const uint8_t *x, size_t place)
{
    size_t at = plan->seed_bytes;
    for (const stretch *t = plan->stretches; t < plan->stretches + plan->len; t++) {
        for (size_t i = t->rows_from; i < t->rows_from + t->rows; i++) {
            const size_t from = t->rows_from == t->columns_from ? i : t->columns_from;
            const size_t end = at + (t->columns_from + t->columns - from) * t->vector_bytes;
            if (place < end && place >= at) {
                return x[i] == 0 || x[from + (place - at) / t->vector_bytes] == 0;
            }
            at = end;
        }
    }
    return -1;
}

/* A changed coefficient of a monomial that is not 0 at the signature changes the value; another one does
 * not. A changed seed changes everything. */
static void check_changed_key(const subject *s, moonbow_mode mode)
{
    const int rainbow = strncmp(s->p->name, "rainbow", 7) == 0, uov = strncmp(s->p->name, "uov", 3) == 0;
    const size_t rounds = s->large ? 12 : mode == MOONBOW_FAST ? 200 : 30;
    uint8_t *pk = malloc(s->p->public_key_bytes), x[512];
    if (!rainbow && !uov) {
        fail_msg("say where the blocks of %s lie", s->p->name);
    }
    const key_plan plan = rainbow ? plan_rainbow(s, s->algorithm->verifier->set) : plan_uov(s, s->algorithm->verifier->set);
    assert_int_equal(vanishes(&plan, x, s->p->public_key_bytes), -1);
    assert_true(vanishes(&plan, (const uint8_t[512]){0}, s->p->public_key_bytes - 1) == 1);
    mb_field_unpack(plan.field, x, s->signature, plan.n);
    memcpy(pk, s->pk, s->p->public_key_bytes);
    for (size_t round = 0; round < rounds; round++) {
        const size_t place = round == 0 ? 0
                             : round == 1 ? s->p->public_key_bytes - 1
                             : round == 2 ? plan.seed_bytes
                                          : xorshift_below(&randomness, s->p->public_key_bytes);
        const uint8_t bit = (uint8_t)(1u << xorshift_below(&randomness, 8));
        const int accept = place >= plan.seed_bytes && vanishes(&plan, x, place) == 1;
        pk[place] ^= bit;
        assert_int_equal(verify_with(s->algorithm->verifier, s->signature, s->message, MESSAGE_BYTES, pk, mode),
                         accept ? MOONBOW_OK : MOONBOW_BAD_SIGNATURE);
        pk[place] ^= bit;
    }
    free(pk);
}

static void changed_key_bits(void **state)
{
    (void)state;
    for_each_subject(check_changed_key);
}

/* ---- Checked signing and prepared keys ------------------------------------------------------- */

static void check_checked(const subject *s, moonbow_mode mode)
{
    const moonbow_algorithm *a = s->algorithm;
    const size_t bytes = larger(moonbow_sign_scratch_bytes(a->signer, mode), moonbow_verify_scratch_bytes(a->verifier, mode));
    const moonbow_scratch scratch = lend_painted(bytes, mode);
    uint8_t *signature = malloc(s->p->signature_bytes);
    source from = source_start(NEVER);
    const moonbow_random random = {source_fill, &from};
    assert_int_equal(moonbow_sign_checked(a->signer, a->verifier, signature, s->p->signature_bytes, s->message,
                                          MESSAGE_BYTES, s->sk, s->p->secret_key_bytes, s->pk, s->p->public_key_bytes,
                                          &random, &scratch),
                     MOONBOW_OK);
    assert_memory_equal(signature, s->signature, s->p->signature_bytes);
    assert_zero(scratch.start, bytes);
    assert_int_equal(moonbow_sign_checked(a->signer, a->verifier, signature, s->p->signature_bytes, s->message,
                                          MESSAGE_BYTES, s->sk, s->p->secret_key_bytes, s->other_pk,
                                          s->p->public_key_bytes, &random, &scratch),
                     MOONBOW_FAULT);
    assert_zero(signature, s->p->signature_bytes);
    free(signature);
    give_wiped(&scratch);
}

static void checked_signing(void **state)
{
    (void)state;
    for_each_subject(check_checked);
}

static void check_prepared_public(const subject *s, moonbow_mode mode)
{
    const moonbow_preparer *preparer = s->algorithm->preparer;
    const moonbow_verifier *verifier = moonbow_prepared_verifier(preparer);
    const size_t bytes = moonbow_verifier_parameters(verifier)->public_key_bytes;
    const moonbow_scratch scratch = lend_painted(moonbow_prepare_scratch_bytes(preparer, mode), mode);
    uint8_t *pk = malloc(bytes), *signature = malloc(s->p->signature_bytes);
    memcpy(signature, s->signature, s->p->signature_bytes);
    assert_int_equal(moonbow_verifier_parameters(verifier)->signature_bytes, s->p->signature_bytes);
    assert_int_equal(moonbow_prepare_public_key(preparer, pk, bytes, s->pk, s->p->public_key_bytes, &scratch), MOONBOW_OK);
    give_wiped(&scratch);
    assert_int_equal(verify_with(verifier, signature, s->message, MESSAGE_BYTES, pk, mode), MOONBOW_OK);
    for (size_t i = 0; i < (s->large ? 4 : 60); i++) {
        const size_t bit = xorshift_below(&randomness, 8 * s->p->signature_bytes);
        signature[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(verify_with(verifier, signature, s->message, MESSAGE_BYTES, pk, mode), MOONBOW_BAD_SIGNATURE);
        signature[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    free(pk);
    free(signature);
}

static void check_prepared_secret(const subject *s, moonbow_mode mode)
{
    const moonbow_preparer *preparer = s->algorithm->preparer;
    const moonbow_signer *signer = moonbow_prepared_signer(preparer);
    const size_t bytes = moonbow_signer_parameters(signer)->secret_key_bytes;
    const moonbow_scratch scratch = lend_painted(moonbow_prepare_scratch_bytes(preparer, mode), mode);
    uint8_t *sk = malloc(bytes), *signature = malloc(s->p->signature_bytes), *expected = malloc(s->p->signature_bytes);
    assert_int_equal(moonbow_signer_parameters(signer)->signature_bytes, s->p->signature_bytes);
    assert_int_equal(moonbow_prepare_secret_key(preparer, sk, bytes, s->sk, s->p->secret_key_bytes, &scratch), MOONBOW_OK);
    give_wiped(&scratch);
    for (size_t length = 0; length <= (s->large ? 2 : 12); length++) {
        assert_int_equal(sign_with(s->algorithm->signer, expected, s->message, length, s->sk, mode), MOONBOW_OK);
        assert_int_equal(sign_with(signer, signature, s->message, length, sk, mode), MOONBOW_OK);
        assert_memory_equal(signature, expected, s->p->signature_bytes);
    }
    free(sk);
    free(signature);
    free(expected);
}

static void check_prepared(const subject *s, moonbow_mode mode)
{
    if (s->algorithm->preparer != NULL && moonbow_prepared_verifier(s->algorithm->preparer) != NULL) {
        check_prepared_public(s, mode);
    }
    if (s->algorithm->preparer != NULL && moonbow_prepared_signer(s->algorithm->preparer) != NULL) {
        check_prepared_secret(s, mode);
    }
}

static void prepared_keys(void **state)
{
    (void)state;
    for_each_subject(check_prepared);
}

int main(int argc, char **argv)
{
    randomness = xorshift_start(argc, argv);
    const struct CMUnitTest first[] = {SUBJECT_TEST(threads), cmocka_unit_test(registry), cmocka_unit_test(texts)};
    const struct CMUnitTest tests[] = {
        SUBJECT_TEST(generation),       SUBJECT_TEST(system_randomness), SUBJECT_TEST(key_pairs),
        SUBJECT_TEST(damaged_key_pairs), SUBJECT_TEST(messages),         SUBJECT_TEST(pieces),
        SUBJECT_TEST(single_bytes),     SUBJECT_TEST(changed_bits),      SUBJECT_TEST(changed_key_bits),
        SUBJECT_TEST(checked_signing),  SUBJECT_TEST(prepared_keys),
    };
    const int failed = cmocka_run_group_tests_name("threads and texts", first, NULL, NULL);
    return failed + cmocka_run_group_tests_name("properties", tests, make_subjects, free_subjects);
}
