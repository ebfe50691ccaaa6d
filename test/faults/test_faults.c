/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * One fault in each signing: a call that is left out, or a bit of the scratch memory that flips between two calls. Each runs in a
 * process of its own. From checked signing no wrong signature may leave; vinegars that were not drawn are found in any case. */
#define _DEFAULT_SOURCE
#include "linear/contract.h"
#include "quadratic/evaluate.h"
#include "rainbow/expand.h"
#include "symmetric/drbg.h"
#include "uov/expand.h"
#include "xorshift.h"

#include <moonbow/signature.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The fault --------------------------------------------------------------------------------- */

typedef enum kind { NO_FAULT, LEFT_OUT, FLIPPED } kind;

static struct {
    kind kind;
    size_t at, calls; /* the call that is hit, counted from 0; calls so far */
    uint8_t *memory;  /* where a bit flips */
    size_t bytes, bit;
    const char *before; /* the call before this one */
} fault;

/* What one signing left, in memory that both processes see. */
typedef struct outcome {
    int finished, status;
    size_t calls, hit_bytes;
    char hit[40], before[40]; /* the function that was left out, and the one called before it */
    uint8_t signature[512];
} outcome;

static outcome *shared;

/* 1 if this call is to be left out. */
static int strikes(const char *function, size_t bytes)
{
    const char *before = fault.before;
    fault.before = function;
    if (fault.kind == NO_FAULT || fault.calls++ != fault.at) {
        return 0;
    }
    strncpy(shared->before, before, sizeof shared->before - 1);
    strncpy(shared->hit, function, sizeof shared->hit - 1);
    shared->hit_bytes = bytes;
    if (fault.kind == FLIPPED) {
        fault.memory[fault.bit / 8] ^= (uint8_t)(1u << fault.bit % 8);
        return 0;
    }
    return 1;
}

/* The linker sends calls of `name` here; `bytes` is what the report says beside it. */
#define FAULTY(name, bytes, parameters, arguments)                                                           \
    void __real_##name parameters;                                                                           \
    void __wrap_##name parameters;                                                                           \
    void __wrap_##name parameters                                                                            \
    {                                                                                                        \
        if (!strikes(#name, bytes)) {                                                                        \
            __real_##name arguments;                                                                         \
        }                                                                                                    \
    }                                                                                                        \
    struct name##_needs_a_semicolon

FAULTY(mb_drbg_init, 48, (mb_drbg * drbg, const uint8_t seed[48]), (drbg, seed));
FAULTY(mb_drbg_draw, bytes, (mb_drbg * drbg, uint8_t *out, size_t bytes), (drbg, out, bytes));
FAULTY(mb_shake256_absorb, bytes, (mb_shake256 * shake, const void *data, size_t bytes),
       (shake, data, bytes));
FAULTY(mb_shake256_finish_absorb, 0, (mb_shake256 * shake), (shake));
FAULTY(mb_shake256_squeeze, bytes, (mb_shake256 * shake, uint8_t *out, size_t bytes), (shake, out, bytes));
FAULTY(mb_ctr_read, bytes, (mb_ctr * ctr, uint8_t *out, size_t bytes), (ctr, out, bytes));
FAULTY(mb_field_unpack, count,
       (const mb_field *field, uint8_t *elements, const uint8_t *packed, size_t count),
       (field, elements, packed, count));
FAULTY(mb_field_pack, count, (const mb_field *field, uint8_t *packed, const uint8_t *elements, size_t count),
       (field, packed, elements, count));
FAULTY(mb_workspace_matrix_vector, bytes,
       (const mb_workspace *work, uint8_t *out, size_t bytes, const uint8_t *columns, const uint8_t *x,
        size_t count),
       (work, out, bytes, columns, x, count));
FAULTY(mb_workspace_matrix_packed, bytes,
       (const mb_workspace *work, uint8_t *out, size_t bytes, const uint8_t *columns, const uint8_t *packed,
        size_t count),
       (work, out, bytes, columns, packed, count));
FAULTY(mb_workspace_matrix_matrix, bytes,
       (const mb_workspace *work, uint8_t *out, size_t bytes, size_t columns, const uint8_t *vectors,
        size_t count, const uint8_t *t),
       (work, out, bytes, columns, vectors, count, t));
FAULTY(mb_workspace_add_scaled, bytes,
       (const mb_workspace *work, uint8_t *out, size_t bytes, const uint8_t *vector, uint8_t scalar),
       (work, out, bytes, vector, scalar));
FAULTY(mb_evaluate_triangles, n,
       (const mb_workspace *work, const mb_triangle *triangles, size_t triangles_len, const uint8_t *x,
        size_t n),
       (work, triangles, triangles_len, x, n));
FAULTY(mb_evaluate_polar, n,
       (const mb_workspace *work, uint8_t *constant, uint8_t *polar, size_t bytes, const mb_row_stream *rows,
        const uint8_t *x, size_t n),
       (work, constant, polar, bytes, rows, x, n));
FAULTY(mb_evaluate_rectangle, rows,
       (const mb_workspace *work, uint8_t *left, uint8_t *right, size_t bytes, const mb_row_stream *stream,
        const uint8_t *x, size_t rows, const uint8_t *y, size_t columns),
       (work, left, right, bytes, stream, x, rows, y, columns));
FAULTY(mb_rainbow_target, 0,
       (const mb_rainbow_set *set, uint8_t *target, const uint8_t *digest,
        const uint8_t salt[MB_RAINBOW_SALT_BYTES], void *context),
       (set, target, digest, salt, context));
FAULTY(mb_rainbow_prng, seed_bytes,
       (const mb_rainbow_set *set, mb_drbg *drbg, const uint8_t *seed, size_t seed_bytes, void *context),
       (set, drbg, seed, seed_bytes, context));
FAULTY(mb_uov_target, 0,
       (const mb_uov_set *set, uint8_t *target, const mb_shake256 *message,
        const uint8_t salt[MB_UOV_SALT_BYTES]),
       (set, target, message, salt));

/* The solver is a table: its functions strike too. A factoring that is left out says "regular". */
const mb_solver *__real_mb_linear_solver(int small);
const mb_solver *__wrap_mb_linear_solver(int small);

static size_t factors_bytes(const mb_field *field, size_t n)
{
    return __real_mb_linear_solver(0)->factors_bytes(field, n);
}

static int factor(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    return strikes("factor", n) ? 0 : __real_mb_linear_solver(0)->factor(field, matrix, factors, n);
}

static void solve(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors,
                  size_t n)
{
    if (!strikes("solve", n)) {
        __real_mb_linear_solver(0)->solve(field, x, right, matrix, factors, n);
    }
}

const mb_solver *__wrap_mb_linear_solver(int small)
{
    (void)small; /* all runs here are fast */
    static const mb_solver faulty = {"faulty", factors_bytes, factor, solve};
    return &faulty;
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
    return strikes("moonbow_verify", 0)
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
    size_t vinegar_bytes; /* as they are drawn */
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

/* A random source: how it answers, and how often it was asked. */
typedef struct source {
    enum { SOUND, FAILING, CONSTANT } answer;
} source;

static int fill(void *context, uint8_t *out, size_t bytes)
{
    const source *from = context;
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(from->answer == CONSTANT ? 0x55 : 29 * i + 1);
    }
    return from->answer == FAILING;
}

static int sign(const subject *s, uint8_t *signature, source from)
{
    const moonbow_random random = {fill, &from};
    memset(signature, 0xa5, s->p->signature_bytes);
    if (!s->checked) {
        return moonbow_sign(s->algorithm->signer, signature, s->p->signature_bytes, message, sizeof message,
                            s->sk, s->p->secret_key_bytes, &random, &s->scratch);
    }
    return moonbow_sign_checked(s->algorithm->signer, s->algorithm->verifier, signature,
                                s->p->signature_bytes, message, sizeof message, s->sk, s->p->secret_key_bytes,
                                s->pk, s->p->public_key_bytes, &random, &s->scratch);
}

/* Signs with a fault in a process of its own: it may crash, or not end. */
static void run(const subject *s, kind what, size_t at)
{
    memset(shared, 0, sizeof *shared);
    fault.kind = what;
    fault.at = at;
    fault.calls = 0;
    fault.before = "";
    fault.memory = s->scratch.start;
    fault.bytes = s->scratch.bytes;
    fault.bit = xorshift_below(&randomness, 8 * s->scratch.bytes);
    fflush(stdout);
    const pid_t child = fork();
    require(child >= 0, s->p->name, "no process");
    if (child == 0) {
        alarm(5);
        shared->status = sign(s, shared->signature, (source){SOUND});
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
    size_t same, other, wrong, refused, crashed;
} tally;

/* The draw of the vinegars was left out. (Columns of O are as long, but not the first that a hash gives.) */
static int hit_vinegars(const subject *s)
{
    const int hashed = strcmp(shared->hit, "mb_shake256_squeeze") == 0 &&
                       strcmp(shared->before, "mb_shake256_finish_absorb") == 0;
    return (hashed || strcmp(shared->hit, "mb_drbg_draw") == 0) && shared->hit_bytes == s->vinegar_bytes;
}

static void count(const subject *s, kind what, const uint8_t *good, tally *of)
{
    const uint8_t *signature = shared->signature;
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
    require(what != LEFT_OUT || !hit_vinegars(s), s->p->name,
            "a good signature from vinegars that were not drawn");
    of->other++;
}

/* A fault of the kind at each call, or at `most` random ones. Wrong signatures: none with the check, some without. */
static void inject(subject *s, kind what, int checked, size_t most)
{
    uint8_t good[512];
    tally of = {0};
    s->checked = checked;
    run(s, FLIPPED, SIZE_MAX); /* never comes: counts the calls */
    require(shared->finished && shared->status == MOONBOW_OK && verifies(s, shared->signature), s->p->name,
            "no signature");
    memcpy(good, shared->signature, sizeof good);
    const size_t calls = shared->calls, trials = what == LEFT_OUT && calls < most ? calls : most;
    for (size_t i = 0; i < trials; i++) {
        run(s, what, trials == calls ? i : xorshift_below(&randomness, calls));
        count(s, what, good, &of);
    }
    printf("%s, %s, %s: %zu faults over %zu calls: %zu right, %zu right but another, %zu refused, %zu "
           "crashed, %zu wrong\n",
           s->p->name, what == LEFT_OUT ? "call left out" : "bit flipped", checked ? "checked" : "unchecked",
           trials, calls, of.same, of.other, of.refused, of.crashed, of.wrong);
    require(!checked || of.wrong == 0, s->p->name, "a wrong signature left");
    require(checked || of.wrong > 0, s->p->name, "no fault made a wrong signature: the test is blind");
}

/* A source that fails, or that answers with a constant. Rainbow asks for nothing. */
static void test_sources(const subject *s)
{
    uint8_t signature[512];
    if (s->p->sign_random_bytes == 0) {
        return;
    }
    require(sign(s, signature, (source){FAILING}) == MOONBOW_NO_RANDOM, s->p->name,
            "a failing source is not seen");
    require(is_zero(signature, s->p->signature_bytes), s->p->name, "an output that is not wiped");
    require(sign(s, signature, (source){CONSTANT}) == MOONBOW_NO_RANDOM, s->p->name,
            "a constant source is not seen");
    require(is_zero(signature, s->p->signature_bytes), s->p->name, "an output that is not wiped");
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
        size_t vinegar_bytes;
    } cases[] = {{&moonbow_rainbow_I_classic, 18},
                 {&moonbow_rainbow_I_compressed, 18},
                 {&moonbow_uov_Is, 48},
                 {&moonbow_uov_Is_pkc_skc, 48},
                 {&moonbow_uov_Ip, 74}};
    randomness = xorshift_start(argc, argv);
    const size_t most = argc > 2 ? strtoull(argv[2], NULL, 0) : 300;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require(shared != MAP_FAILED, "test_faults", "no memory");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        subject s = make(cases[i].algorithm);
        s.vinegar_bytes = cases[i].vinegar_bytes;
        test_sources(&s);
        inject(&s, LEFT_OUT, 1, most);
        inject(&s, FLIPPED, 1, most);
        inject(&s, LEFT_OUT, 0, most);
        free(s.pk);
        free(s.sk);
        free(s.scratch.start);
    }
    return 0;
}
