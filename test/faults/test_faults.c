/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * One fault in each signing: a call that is left out, or a bit of the scratch memory that flips, between two calls or at any
 * moment. Each runs in a process of its own. From checked signing no wrong signature may leave, and from no signing one whose
 * vinegars missed a step. Random sources that fail, answer with a constant or repeat. */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "linear/contract.h"
#include "quadratic/evaluate.h"
#include "rainbow/expand.h"
#include "symmetric/drbg.h"
#include "symmetric/sha256.h"
#include "uov/expand.h"
#include "xorshift.h"

#include <moonbow/signature.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- The fault --------------------------------------------------------------------------------- */

typedef enum kind { NO_FAULT, LEFT_OUT, FLIPPED, DISTURBED } kind;

/* DISTURBED: a bit flips at a moment of the clock, wherever the program is. */
static const char *const kind_names[] = {"no fault", "call left out", "bit flipped between calls",
                                         "bit flipped at any moment"};

static struct {
    kind kind;
    size_t at, calls; /* the call that is hit, counted from 0; calls so far */
    uint8_t *memory;  /* where a bit flips */
    size_t bytes, bit;
    const char *before; /* the call before this one */
} fault;

enum { VINEGARS_MOST_BYTES = 96, ATTEMPTS_LEN = 8 };

/* What one signing left, in memory that both processes see. */
typedef struct outcome {
    int finished, status, disturbed;
    size_t calls;
    int64_t nanoseconds;
    char hit[40]; /* the function that was left out */
    uint8_t signature[512], vinegars[VINEGARS_MOST_BYTES];
} outcome;

static outcome *shared;

static void flip(int signal_number)
{
    (void)signal_number;
    fault.memory[fault.bit / 8] ^= (uint8_t)(1u << fault.bit % 8);
    shared->disturbed = 1;
}

/* 1 if this call is to be left out. */
static int strikes(const char *function)
{
    fault.before = function;
    if (fault.kind == NO_FAULT || fault.calls++ != fault.at) {
        return 0;
    }
    strncpy(shared->hit, function, sizeof shared->hit - 1);
    if (fault.kind == FLIPPED) {
        flip(0);
        return 0;
    }
    return 1;
}

/* The linker sends calls of `name` here. */
#define FAULTY(name, parameters, arguments)                                                                  \
    void __real_##name parameters;                                                                           \
    void __wrap_##name parameters;                                                                           \
    void __wrap_##name parameters                                                                            \
    {                                                                                                        \
        if (!strikes(#name)) {                                                                               \
            __real_##name arguments;                                                                         \
        }                                                                                                    \
    }                                                                                                        \
    struct name##_needs_a_semicolon

FAULTY(mb_drbg_init, (mb_drbg * drbg, const uint8_t seed[48]), (drbg, seed));
FAULTY(mb_drbg_draw, (mb_drbg * drbg, uint8_t *out, size_t bytes), (drbg, out, bytes));
FAULTY(mb_shake256_absorb, (mb_shake256 * shake, const void *data, size_t bytes), (shake, data, bytes));
FAULTY(mb_shake256_finish_absorb, (mb_shake256 * shake), (shake));
FAULTY(mb_shake256_squeeze, (mb_shake256 * shake, uint8_t *out, size_t bytes), (shake, out, bytes));
FAULTY(mb_sha256_init, (mb_sha256 * sha), (sha));
FAULTY(mb_sha256_update, (mb_sha256 * sha, const void *data, size_t bytes), (sha, data, bytes));
FAULTY(mb_sha256_finish, (mb_sha256 * sha, uint8_t digest[MB_SHA256_DIGEST_BYTES]), (sha, digest));
FAULTY(mb_ctr_read, (mb_ctr * ctr, uint8_t *out, size_t bytes), (ctr, out, bytes));
/* The packed vinegars of each attempt, `elements` of them, as they come from the generator and go into mb_field_unpack. */
static struct {
    size_t elements, attempts;
    uint8_t packed[ATTEMPTS_LEN][VINEGARS_MOST_BYTES];
} vinegars;

static void see_vinegars(const mb_field *field, const uint8_t *packed, size_t count)
{
    const int drawn =
        strcmp(fault.before, "mb_drbg_draw") == 0 || strcmp(fault.before, "mb_shake256_squeeze") == 0;
    if (drawn && count == vinegars.elements) {
        memcpy(vinegars.packed[vinegars.attempts++ % ATTEMPTS_LEN], packed, mb_field_bytes(field, count));
        memcpy(shared->vinegars, packed, mb_field_bytes(field, count));
    }
}

void __real_mb_field_unpack(const mb_field *field, uint8_t *elements, const uint8_t *packed, size_t count);
void __wrap_mb_field_unpack(const mb_field *field, uint8_t *elements, const uint8_t *packed, size_t count);
void __wrap_mb_field_unpack(const mb_field *field, uint8_t *elements, const uint8_t *packed, size_t count)
{
    see_vinegars(field, packed, count);
    if (!strikes("mb_field_unpack")) {
        __real_mb_field_unpack(field, elements, packed, count);
    }
}

FAULTY(mb_field_pack, (const mb_field *field, uint8_t *packed, const uint8_t *elements, size_t count),
       (field, packed, elements, count));
FAULTY(mb_workspace_matrix_vector,
       (const mb_workspace *work, uint8_t *out, size_t bytes, const uint8_t *columns, const uint8_t *x,
        size_t count),
       (work, out, bytes, columns, x, count));
FAULTY(mb_workspace_matrix_packed,
       (const mb_workspace *work, uint8_t *out, size_t bytes, const uint8_t *columns, const uint8_t *packed,
        size_t count),
       (work, out, bytes, columns, packed, count));
FAULTY(mb_workspace_matrix_matrix,
       (const mb_workspace *work, uint8_t *out, size_t bytes, size_t columns, const uint8_t *vectors,
        size_t count, const uint8_t *t),
       (work, out, bytes, columns, vectors, count, t));
FAULTY(mb_workspace_add_scaled,
       (const mb_workspace *work, uint8_t *out, size_t bytes, const uint8_t *vector, uint8_t scalar),
       (work, out, bytes, vector, scalar));
FAULTY(mb_evaluate_triangles,
       (const mb_workspace *work, const mb_triangle *triangles, size_t triangles_len, const uint8_t *x,
        size_t n),
       (work, triangles, triangles_len, x, n));
FAULTY(mb_evaluate_polar,
       (const mb_workspace *work, uint8_t *constant, uint8_t *polar, size_t bytes, const mb_row_stream *rows,
        const uint8_t *x, size_t n),
       (work, constant, polar, bytes, rows, x, n));
FAULTY(mb_evaluate_rectangle,
       (const mb_workspace *work, uint8_t *left, uint8_t *right, size_t bytes, const mb_row_stream *stream,
        const uint8_t *x, size_t rows, const uint8_t *y, size_t columns),
       (work, left, right, bytes, stream, x, rows, y, columns));
FAULTY(mb_rainbow_target,
       (const mb_rainbow_set *set, uint8_t *target, const uint8_t *digest,
        const uint8_t salt[MB_RAINBOW_SALT_BYTES], void *context),
       (set, target, digest, salt, context));
FAULTY(mb_rainbow_prng,
       (const mb_rainbow_set *set, mb_drbg *drbg, const uint8_t *seed, size_t seed_bytes, void *context),
       (set, drbg, seed, seed_bytes, context));
FAULTY(mb_uov_target,
       (const mb_uov_set *set, uint8_t *target, const mb_shake256 *message,
        const uint8_t salt[MB_UOV_SALT_BYTES]),
       (set, target, message, salt));
FAULTY(mb_uov_expand_secret,
       (uint8_t public_seed[MB_UOV_PUBLIC_SEED_BYTES], mb_shake256 *stream,
        const uint8_t secret_seed[MB_UOV_SECRET_SEED_BYTES]),
       (public_seed, stream, secret_seed));
FAULTY(mb_uov_expand_public, (mb_ctr * stream, const uint8_t public_seed[MB_UOV_PUBLIC_SEED_BYTES]),
       (stream, public_seed));
FAULTY(mb_workspace_take_point, (mb_workspace * work, mb_arena *arena, size_t n), (work, arena, n));

/* The solver is a table: its functions strike too. A factoring that is left out says "regular". */
mb_solver_choice __real_mb_linear_solver_16, __real_mb_linear_solver_256, __wrap_mb_linear_solver_16, __wrap_mb_linear_solver_256;

static const mb_solver *real_solver(const mb_field *field)
{
    return (field->bits == 4 ? __real_mb_linear_solver_16 : __real_mb_linear_solver_256)(0);
}

static size_t factors_bytes(const mb_field *field, size_t n)
{
    return real_solver(field)->factors_bytes(field, n);
}

/* So many attempts are said to be singular. */
static size_t forced_attempts;

static int factor(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    if (forced_attempts != 0) {
        forced_attempts--;
        return -1;
    }
    return strikes("factor") ? 0 : real_solver(field)->factor(field, matrix, factors, n);
}

static void solve(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors,
                  size_t n)
{
    if (!strikes("solve")) {
        real_solver(field)->solve(field, x, right, matrix, factors, n);
    }
}

static const mb_solver faulty_solver = {"faulty", factors_bytes, factor, solve};

const mb_solver *__wrap_mb_linear_solver_16(int small)
{
    (void)small; /* all runs here are fast */
    return &faulty_solver;
}

const mb_solver *__wrap_mb_linear_solver_256(int small)
{
    (void)small;
    return &faulty_solver;
}

/* A verification that is left out says "good". */
int __real_moonbow_verify(const moonbow_verifier *verifier, const uint8_t *signature, size_t signature_bytes,
                          const uint8_t *message, size_t message_bytes, const uint8_t *public_key,
                          size_t public_key_bytes, const moonbow_scratch *scratch);
int __wrap_moonbow_verify(const moonbow_verifier *verifier, const uint8_t *signature, size_t signature_bytes,
                          const uint8_t *message, size_t message_bytes, const uint8_t *public_key,
                          size_t public_key_bytes, const moonbow_scratch *scratch);

int __wrap_moonbow_verify(const moonbow_verifier *verifier, const uint8_t *signature, size_t signature_bytes,
                          const uint8_t *message, size_t message_bytes, const uint8_t *public_key,
                          size_t public_key_bytes, const moonbow_scratch *scratch)
{
    return strikes("moonbow_verify")
               ? MOONBOW_OK
               : __real_moonbow_verify(verifier, signature, signature_bytes, message, message_bytes,
                                       public_key, public_key_bytes, scratch);
}

/* ---- One signing -------------------------------------------------------------------------------- */

typedef struct subject {
    const moonbow_algorithm *algorithm;
    const moonbow_parameters *p;
    uint8_t *pk, *sk;
    moonbow_scratch scratch;
    int checked;
    size_t vinegars_len; /* elements */
} subject;

static const uint8_t message[] = "A rainbow by moonlight.";
static xorshift randomness;

static void require(int holds, const char *name, const char *what)
{
    if (!holds) {
        printf("%s: %s\n", name, what);
        exit(1);
    }
}

/* A random source: how it answers. A repeating one gives in each signature what it gave in the one before, or, within a key
 * pair, in each draw what it gave in the draw before. */
typedef enum source { SOUND, REPEATING, FAILING, CONSTANT } source;

static int fill(void *context, uint8_t *out, size_t bytes)
{
    static uint8_t next;
    const source *from = context;
    for (size_t i = 0; i < bytes; i++) {
        const size_t value = *from == REPEATING ? 29 * i + 1 : next++;
        out[i] = *from == CONSTANT ? 0x55 : (uint8_t)value;
    }
    return *from == FAILING;
}

static int sign(const subject *s, uint8_t *signature, const uint8_t *text, size_t bytes, source from)
{
    const moonbow_random random = {fill, &from};
    memset(signature, 0xa5, s->p->signature_bytes);
    if (!s->checked) {
        return moonbow_sign(s->algorithm->signer, signature, s->p->signature_bytes, text, bytes, s->sk,
                            s->p->secret_key_bytes, &random, &s->scratch);
    }
    return moonbow_sign_checked(s->algorithm->signer, s->algorithm->verifier, signature,
                                s->p->signature_bytes, text, bytes, s->sk, s->p->secret_key_bytes, s->pk,
                                s->p->public_key_bytes, &random, &s->scratch);
}

static int64_t nanoseconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)(now.tv_sec - start->tv_sec) * 1000000000 + (now.tv_nsec - start->tv_nsec);
}

/* Sends SIGUSR1 to this process after so many nanoseconds. */
static void disturb_after(int64_t nanoseconds)
{
    timer_t timer;
    struct sigevent event;
    const struct itimerspec when = {{0, 0},
                                    {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)}};
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    require(signal(SIGUSR1, flip) != SIG_ERR && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 &&
                timer_settime(timer, 0, &when, NULL) == 0,
            "test_faults", "no timer");
}

/* Signs with a fault in a process of its own: it may crash, or not end. `at` is a call, or nanoseconds for DISTURBED. */
static void run(const subject *s, kind what, size_t at)
{
    memset(shared, 0, sizeof *shared);
    fault.kind = what;
    fault.at = what == DISTURBED ? SIZE_MAX : at;
    fault.calls = 0;
    fault.before = "";
    fault.memory = s->scratch.start;
    fault.bytes = s->scratch.bytes;
    fault.bit = xorshift_below(&randomness, 8 * s->scratch.bytes);
    fflush(stdout);
    const pid_t child = fork();
    require(child >= 0, s->p->name, "no process");
    if (child == 0) {
        struct timespec start;
        alarm(10);
        if (what == DISTURBED) {
            disturb_after((int64_t)at + 1);
        }
        clock_gettime(CLOCK_MONOTONIC, &start);
        shared->status = sign(s, shared->signature, message, sizeof message, REPEATING);
        shared->nanoseconds = nanoseconds_since(&start);
        shared->calls = fault.calls;
        shared->finished = 1;
        _exit(0);
    }
    waitpid(child, NULL, 0);
    fault.kind = NO_FAULT;
}

static int verifies(const subject *s, const uint8_t *signature)
{
    return moonbow_verify(s->algorithm->verifier, signature, s->p->signature_bytes, message, sizeof message,
                          s->pk, s->p->public_key_bytes, &s->scratch) == MOONBOW_OK;
}

static int is_zero(const uint8_t *data, size_t bytes)
{
    unsigned bits = 0;
    for (size_t i = 0; i < bytes; i++) {
        bits |= data[i];
    }
    return bits == 0;
}

/* ---- The tests ------------------------------------------------------------------------------------ */

typedef struct tally {
    size_t same, other, wrong, refused, crashed, missed;
} tally;

/* Vinegars that the specification draws for this message and salt, in some attempt? */
static int are_drawn(const uint8_t drawn[VINEGARS_MOST_BYTES])
{
    for (size_t i = 0; i < ATTEMPTS_LEN; i++) {
        if (memcmp(drawn, vinegars.packed[i], VINEGARS_MOST_BYTES) == 0) {
            return 1;
        }
    }
    return 0;
}

static void count(const subject *s, kind what, const uint8_t *good, tally *of)
{
    const uint8_t *signature = shared->signature;
    of->missed += what == DISTURBED && shared->finished && !shared->disturbed;
    if (!shared->finished) {
        of->crashed++;
        return;
    }
    if (shared->status != MOONBOW_OK) {
        require(is_zero(signature, s->p->signature_bytes), s->p->name, "an output that is not wiped");
        of->refused++;
        return;
    }
    if (!verifies(s, signature)) {
        of->wrong++;
        return;
    }
    if (memcmp(signature, good, s->p->signature_bytes) == 0) {
        of->same++;
        return;
    }
    if (what == LEFT_OUT && !are_drawn(shared->vinegars)) {
        printf("%s: without a call of %s a good signature from other vinegars\n", s->p->name, shared->hit);
        exit(1);
    }
    of->other++;
}

/* The good signature; how many calls it takes, and how long. */
static void run_well(const subject *s, uint8_t good[512], size_t *calls, int64_t *nanoseconds)
{
    *nanoseconds = 0;
    for (int i = 0; i < 5; i++) {
        run(s, FLIPPED, SIZE_MAX); /* never comes */
        require(shared->finished && shared->status == MOONBOW_OK && verifies(s, shared->signature),
                s->p->name, "no signature");
        *nanoseconds = i == 0 || shared->nanoseconds < *nanoseconds ? shared->nanoseconds : *nanoseconds;
    }
    *calls = shared->calls;
    memcpy(good, shared->signature, sizeof shared->signature);
}

/* The vinegars of the first attempts, all but the last of them said to be singular. */
static void draw_vinegars(const subject *s)
{
    uint8_t signature[512];
    memset(&vinegars, 0, sizeof vinegars);
    vinegars.elements = s->vinegars_len;
    forced_attempts = ATTEMPTS_LEN - 1;
    require(sign(s, signature, message, sizeof message, REPEATING) == MOONBOW_OK && verifies(s, signature) &&
                vinegars.attempts >= ATTEMPTS_LEN,
            s->p->name, "no signature after some attempts");
}

/* A fault of the kind at each call, or at `most` random ones or moments. Wrong signatures: none with the check, some without.
 * A good one may be another where an attempt was disturbed so that it failed: then its vinegars must be those of a later attempt.
 * (After a flipped bit not even that, for the bit may be the generator's, or the salt's before it is hashed: those vinegars
 * are as secret as the right ones.) */
static void inject(subject *s, kind what, int checked, size_t most)
{
    uint8_t good[512];
    tally of = {0};
    size_t calls;
    int64_t nanoseconds;
    s->checked = checked;
    draw_vinegars(s);
    run_well(s, good, &calls, &nanoseconds);
    require(are_drawn(shared->vinegars), s->p->name, "the vinegars are not found: the test is blind");
    const size_t trials = what == LEFT_OUT && calls < most ? calls : most;
    for (size_t i = 0; i < trials; i++) {
        const size_t range = what == DISTURBED ? (size_t)nanoseconds : calls;
        run(s, what, trials == calls && what == LEFT_OUT ? i : xorshift_below(&randomness, range));
        count(s, what, good, &of);
    }
    printf("%s, %s, %s: %zu faults over %zu calls: %zu right, %zu right but another, %zu refused, %zu "
           "crashed, %zu wrong",
           s->p->name, kind_names[what], checked ? "checked" : "unchecked", trials, calls, of.same, of.other,
           of.refused, of.crashed, of.wrong);
    if (what == DISTURBED) {
        printf("; %zu came too late", of.missed);
    }
    printf("\n");
    require(!checked || of.wrong == 0, s->p->name, "a wrong signature left");
    require(checked || of.wrong > 0, s->p->name, "no fault made a wrong signature: the test is blind");
    require(what != DISTURBED || of.missed < trials / 2, s->p->name,
            "most faults came too late: the test is blind");
}

/* A source that fails, or that answers with a constant. Rainbow's signing asks for nothing. */
static void test_sources(const subject *s)
{
    static const source bad[] = {FAILING, CONSTANT};
    uint8_t signature[512];
    for (size_t i = 0; s->p->sign_random_bytes != 0 && i < sizeof bad / sizeof *bad; i++) {
        require(sign(s, signature, message, sizeof message, bad[i]) == MOONBOW_NO_RANDOM, s->p->name,
                "a bad source is not seen");
        require(is_zero(signature, s->p->signature_bytes), s->p->name, "an output that is not wiped");
    }
}

/* A source that gives the same salt to each signature: the vinegars of two messages differ all the same, those of one message
 * are the same, so that nothing is learnt from two equations with the same vinegars. */
static void test_repeated_salt(const subject *s)
{
    static const uint8_t other_message[] = "A rainbow by daylight.";
    const size_t bytes = s->p->signature_bytes, salt = bytes - 16;
    uint8_t signature[512], again[512], other[512], first_vinegars[VINEGARS_MOST_BYTES];
    memset(&vinegars, 0, sizeof vinegars);
    vinegars.elements = s->vinegars_len;
    require(sign(s, signature, message, sizeof message, REPEATING) == MOONBOW_OK, s->p->name, "no signature");
    memcpy(first_vinegars, shared->vinegars, sizeof first_vinegars);
    require(sign(s, again, message, sizeof message, REPEATING) == MOONBOW_OK, s->p->name, "no signature");
    require(memcmp(signature, again, bytes) == 0, s->p->name, "signing is not determined by its inputs");
    require(sign(s, other, other_message, sizeof other_message, REPEATING) == MOONBOW_OK, s->p->name,
            "no signature");
    require(s->p->sign_random_bytes == 0 || memcmp(signature + salt, other + salt, 16) == 0, s->p->name,
            "the salt does not repeat: the test is blind");
    require(vinegars.attempts >= 3 && memcmp(first_vinegars, shared->vinegars, 8) != 0, s->p->name,
            "two messages with the same vinegars");
}

/* Key generation draws once or, for two seeds, twice: a public seed that equals the secret one gives the key away. */
static void test_key_sources(const moonbow_algorithm *algorithm)
{
    static const source bad[] = {FAILING, CONSTANT, REPEATING};
    const moonbow_parameters *p = algorithm->parameters;
    const size_t bytes = moonbow_generate_scratch_bytes(algorithm->generator, MOONBOW_FAST);
    const moonbow_scratch scratch = {aligned_alloc(64, (bytes + 63) / 64 * 64), bytes, MOONBOW_FAST};
    uint8_t *pk = malloc(p->public_key_bytes), *sk = malloc(p->secret_key_bytes);
    require(scratch.start != NULL && pk != NULL && sk != NULL, p->name, "no memory");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        source from = bad[i];
        const moonbow_random random = {fill, &from};
        const int one_draw_is_fine = from == REPEATING && p->generate_random_bytes == 32;
        memset(pk, 0xa5, p->public_key_bytes);
        memset(sk, 0xa5, p->secret_key_bytes);
        require(moonbow_generate(algorithm->generator, pk, p->public_key_bytes, sk, p->secret_key_bytes,
                                 &random, &scratch) == (one_draw_is_fine ? MOONBOW_OK : MOONBOW_NO_RANDOM),
                p->name, "a bad source is not seen");
        require(one_draw_is_fine || (is_zero(pk, p->public_key_bytes) && is_zero(sk, p->secret_key_bytes)),
                p->name, "an output that is not wiped");
    }
    free(pk);
    free(sk);
    free(scratch.start);
}

static subject make(const moonbow_algorithm *algorithm)
{
    const moonbow_parameters *p = algorithm->parameters;
    const size_t generate = moonbow_generate_scratch_bytes(algorithm->generator, MOONBOW_FAST);
    const size_t signing = moonbow_sign_scratch_bytes(algorithm->signer, MOONBOW_FAST);
    const size_t verifying = moonbow_verify_scratch_bytes(algorithm->verifier, MOONBOW_FAST);
    const size_t bytes = signing > verifying ? signing : verifying;
    const moonbow_scratch scratch = {aligned_alloc(64, (generate + 63) / 64 * 64), generate, MOONBOW_FAST};
    subject s = {
        algorithm, p, malloc(p->public_key_bytes), malloc(p->secret_key_bytes), {NULL, bytes, MOONBOW_FAST},
        1,         0};
    uint8_t seed[64];
    xorshift_fill(&randomness, seed, sizeof seed);
    s.scratch.start = aligned_alloc(64, (bytes + 63) / 64 * 64);
    require(scratch.start != NULL && s.scratch.start != NULL && s.pk != NULL && s.sk != NULL, p->name,
            "no memory");
    require(moonbow_generate_from_seed(algorithm->generator, s.pk, p->public_key_bytes, s.sk,
                                       p->secret_key_bytes, seed, p->generate_random_bytes,
                                       &scratch) == MOONBOW_OK,
            p->name, "no key pair");
    free(scratch.start);
    return s;
}

int main(int argc, char **argv)
{
    static const struct {
        const moonbow_algorithm *algorithm;
        size_t vinegars_len;
    } cases[] = {{&moonbow_rainbow_I_classic, 36},
                 {&moonbow_rainbow_I_compressed, 36},
                 {&moonbow_uov_Is, 96},
                 {&moonbow_uov_Is_pkc_skc, 96},
                 {&moonbow_uov_Ip, 74}};
    fault.before = "";
    randomness = xorshift_start(argc, argv);
    const size_t most = argc > 2 ? (size_t)strtoul(argv[2], NULL, 0) : 300;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require(shared != MAP_FAILED, "test_faults", "no memory");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        subject s = make(cases[i].algorithm);
        s.vinegars_len = cases[i].vinegars_len;
        test_sources(&s);
        test_key_sources(s.algorithm);
        test_repeated_salt(&s);
        inject(&s, LEFT_OUT, 1, most);
        inject(&s, FLIPPED, 1, most);
        inject(&s, DISTURBED, 1, most);
        inject(&s, LEFT_OUT, 0, most);
        free(s.pk);
        free(s.sk);
        free(s.scratch.start);
    }
    return 0;
}
