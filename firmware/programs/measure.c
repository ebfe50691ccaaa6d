/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The commands generate, sign, verify and trace: COMMAND ALGORITHM fast|small COUNT [FIRST] [internal|code|external]. Each runs the operation COUNT
 * times, on inputs numbered from FIRST, between marks; where the board counts cycles it says them. The last word is where the
 * key lies that the operation reads. Stack and memory are said at the end. */
#include "../boards/board.h"
#include "../mark.h"
#include "console.h"
#include "job.h"
#include "linear/contract.h"
#include "scheme/scheme.h"
#include "stack.h"

#include <string.h>

typedef struct request {
    const moonbow_algorithm *algorithm;
    moonbow_mode mode;
    uint32_t count, first;
    room_wish key_place;
    size_t stack;
} request;

static int read_request(request *r, const char *const *words, size_t count)
{
    if (count < 3) {
        console_text("error usage: ALGORITHM fast|small COUNT [FIRST] [internal|code|external]\n");
        return -1;
    }
    *r = (request){.algorithm = moonbow_algorithm_by_name(words[0]),
                   .mode = strcmp(words[1], "small") == 0 ? MOONBOW_SMALL : MOONBOW_FAST,
                   .count = console_parse(words[2]),
                   .first = count > 3 ? console_parse(words[3]) : 0};
    const char *place = count > 4 ? words[4] : "internal";
    r->key_place = strcmp(place, "code") == 0 ? ROOM_CODE : strcmp(place, "external") == 0 ? ROOM_EXTERNAL : ROOM_INTERNAL;
    if (r->algorithm == NULL) {
        console_text("error no such algorithm\n");
        return -1;
    }
    return 0;
}

/* One operation between marks, with the stack painted: the macro keeps painting and looking in the frame of one function. */
#define MEASURE(r, status, call)                     \
    do {                                             \
        stack_paint();                               \
        const uint32_t measure_start = board_cycles(); \
        MARK_BEGIN(0);                               \
        (status) = (call);                           \
        MARK_END(0);                                 \
        const uint32_t measure_end = board_cycles(); \
        const size_t measure_stack = stack_used();   \
        if (measure_end != measure_start) {          \
            console_pair("cycles", measure_end - measure_start); \
        }                                            \
        if (measure_stack > (r)->stack) {            \
            (r)->stack = measure_stack;              \
        }                                            \
    } while (0)

static void say_totals(const request *r)
{
    console_pair("done", r->count);
    console_pair("stack", (uint32_t)r->stack);
}

int command_generate(const char *const *words, size_t count)
{
    enum { SEED_MOST_BYTES = 64 };
    uint8_t seed[SEED_MOST_BYTES];
    request r;
    if (read_request(&r, words, count) != 0) {
        return -1;
    }
    const moonbow_parameters *p = r.algorithm->parameters;
    const moonbow_scratch scratch = job_scratch(moonbow_generate_scratch_bytes(r.algorithm->generator, r.mode), r.mode);
    uint8_t *secret_key = room_take("secret-key", p->secret_key_bytes, r.key_place);
    uint8_t *public_key = room_take("public-key", p->public_key_bytes, r.key_place);
    if (scratch.start == NULL || public_key == NULL || secret_key == NULL) {
        return -1;
    }
    for (uint32_t i = r.first; i < r.first + r.count; i++) {
        int status;
        job_seed(seed, p->generate_random_bytes, i);
        MEASURE(&r, status,
                moonbow_generate_from_seed(r.algorithm->generator, public_key, p->public_key_bytes, secret_key,
                                           p->secret_key_bytes, seed, p->generate_random_bytes, &scratch));
        if (status != MOONBOW_OK) {
            return job_failed("generate", status);
        }
    }
    say_totals(&r);
    return 0;
}

int command_sign(const char *const *words, size_t count)
{
    uint8_t message[JOB_MESSAGE_BYTES];
    request r;
    if (read_request(&r, words, count) != 0) {
        return -1;
    }
    const moonbow_parameters *p = r.algorithm->parameters;
    const moonbow_scratch scratch = job_scratch(moonbow_sign_scratch_bytes(r.algorithm->signer, r.mode), r.mode);
    uint8_t *signature = room_take("signature", p->signature_bytes, ROOM_INTERNAL);
    uint8_t *secret_key = room_take("secret-key", p->secret_key_bytes, r.key_place);
    if (scratch.start == NULL || signature == NULL || secret_key == NULL ||
        job_generate_once(r.algorithm, &(job_keys){NULL, secret_key}) != 0) {
        return -1;
    }
    const moonbow_random *random = job_random();
    for (uint32_t i = r.first; i < r.first + r.count; i++) {
        int status;
        job_fill(message, sizeof message, i);
        MEASURE(&r, status,
                moonbow_sign(r.algorithm->signer, signature, p->signature_bytes, message, sizeof message, secret_key,
                             p->secret_key_bytes, random, &scratch));
        if (status != MOONBOW_OK) {
            return job_failed("sign", status);
        }
    }
    say_totals(&r);
    return 0;
}

int command_verify(const char *const *words, size_t count)
{
    uint8_t message[JOB_MESSAGE_BYTES];
    request r;
    if (read_request(&r, words, count) != 0) {
        return -1;
    }
    const moonbow_parameters *p = r.algorithm->parameters;
    const moonbow_scratch scratch = job_scratch(moonbow_verify_scratch_bytes(r.algorithm->verifier, r.mode), r.mode);
    uint8_t *signature = room_take("signature", p->signature_bytes, ROOM_INTERNAL);
    uint8_t *public_key = room_take("public-key", p->public_key_bytes, r.key_place);
    uint8_t *secret_key = room_take("setup", p->secret_key_bytes, ROOM_EXTERNAL);
    const size_t sign_bytes = moonbow_sign_scratch_bytes(r.algorithm->signer, MOONBOW_FAST);
    const moonbow_scratch sign_scratch = {room_take("setup", sign_bytes, ROOM_EXTERNAL), sign_bytes, MOONBOW_FAST};
    if (scratch.start == NULL || signature == NULL || public_key == NULL || secret_key == NULL || sign_scratch.start == NULL ||
        job_generate_once(r.algorithm, &(job_keys){public_key, secret_key}) != 0) {
        return -1;
    }
    const moonbow_random *random = job_random();
    for (uint32_t i = r.first; i < r.first + r.count; i++) {
        int status;
        job_fill(message, sizeof message, i);
        status = moonbow_sign(r.algorithm->signer, signature, p->signature_bytes, message, sizeof message, secret_key,
                              p->secret_key_bytes, random, &sign_scratch);
        if (status != MOONBOW_OK) {
            return job_failed("sign", status);
        }
        MEASURE(&r, status,
                moonbow_verify(r.algorithm->verifier, signature, p->signature_bytes, message, sizeof message, public_key,
                               p->public_key_bytes, &scratch));
        if (status != MOONBOW_OK) {
            return job_failed("verify", status);
        }
    }
    say_totals(&r);
    return 0;
}

/* Signs one message under COUNT key pairs, whose secret seeds alone differ, with the same randomness each time: whatever differs between the
 * traces depends on secrets. */
int command_trace(const char *const *words, size_t count)
{
    uint8_t message[JOB_MESSAGE_BYTES];
    request r;
    if (read_request(&r, words, count) != 0) {
        return -1;
    }
    const moonbow_parameters *p = r.algorithm->parameters;
    const moonbow_scratch scratch = job_scratch(moonbow_sign_scratch_bytes(r.algorithm->signer, r.mode), r.mode);
    uint8_t *signature = room_take("signature", p->signature_bytes, ROOM_INTERNAL);
    uint8_t *secret_key = room_take("secret-key", p->secret_key_bytes, r.key_place);
    const size_t setup_bytes = moonbow_generate_scratch_bytes(r.algorithm->generator, MOONBOW_FAST);
    const moonbow_scratch setup = {room_take("setup", setup_bytes, ROOM_EXTERNAL), setup_bytes, MOONBOW_FAST};
    if (scratch.start == NULL || signature == NULL || secret_key == NULL || setup.start == NULL) {
        return -1;
    }
    job_fill(message, sizeof message, 0);
    for (uint32_t i = r.first; i < r.first + r.count; i++) {
        int status = job_generate(r.algorithm, &(job_keys){NULL, secret_key}, i, &setup);
        if (status != 0) {
            return status;
        }
        MEASURE(&r, status,
                moonbow_sign(r.algorithm->signer, signature, p->signature_bytes, message, sizeof message, secret_key,
                             p->secret_key_bytes, job_random(), &scratch));
        if (status != MOONBOW_OK) {
            return job_failed("sign", status);
        }
    }
    say_totals(&r);
    return 0;
}

/* Where the algorithm's solver is entered: each attempt at a signature calls it. For the host's `trace`. */
int command_solver(const char *const *words, size_t count)
{
    request r;
    if (read_request(&r, words, count) != 0) {
        return -1;
    }
    console_pair("factor", (uint32_t)(uintptr_t)r.algorithm->signer->solver(r.mode == MOONBOW_SMALL)->factor & ~1U);
    return 0;
}
