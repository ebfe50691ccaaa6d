/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the commands of the station share; see job.h. */
#include "job.h"
#include "console.h"

#include <string.h>

/* xorshift32 */
static uint32_t next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

void job_fill(uint8_t *out, size_t bytes, uint32_t number)
{
    uint32_t state = number * 2654435761U + 0x6d6f6f6eU;
    state = state == 0 ? 1 : state;
    for (unsigned i = 0; i < 8; i++) {
        next(&state);
    }
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(next(&state) >> 24);
    }
}

static int fill_random(void *context, uint8_t *out, size_t bytes)
{
    uint32_t *number = context;
    job_fill(out, bytes, (*number)++);
    return 0;
}

const moonbow_random *job_random(void)
{
    static uint32_t number;
    static const moonbow_random random = {fill_random, &number};
    number = 1U << 31;
    return &random;
}

void job_seed(uint8_t *seed, size_t bytes, uint32_t k)
{
    enum { SECRET_BYTES = 32 };
    job_fill(seed, bytes, 1U << 30);
    job_fill(seed, bytes < SECRET_BYTES ? bytes : SECRET_BYTES, (1U << 30) + 1 + k);
}

moonbow_scratch job_scratch(size_t bytes, moonbow_mode mode)
{
    return (moonbow_scratch){room_take("scratch", bytes, ROOM_INTERNAL), bytes, mode};
}

/* A sink into memory, or into nothing. */
static int keep(void *context, const uint8_t *piece, size_t bytes)
{
    uint8_t **next_byte = context;
    if (*next_byte != NULL) {
        memcpy(*next_byte, piece, bytes);
        *next_byte += bytes;
    }
    return 0;
}

int job_generate(const moonbow_algorithm *algorithm, const job_keys *keys, uint32_t k, const moonbow_scratch *scratch)
{
    enum { SEED_MOST_BYTES = 64 };
    uint8_t seed[SEED_MOST_BYTES], *public_next = keys->public_key, *secret_next = keys->secret_key;
    const size_t seed_bytes = algorithm->parameters->generate_random_bytes;
    const moonbow_sink public_key = {keep, &public_next}, secret_key = {keep, &secret_next};
    job_seed(seed, seed_bytes, k);
    const int status =
        moonbow_generate_from_seed_to_sinks(algorithm->generator, &public_key, &secret_key, seed, seed_bytes, scratch);
    return status == MOONBOW_OK ? 0 : job_failed("generate", status);
}

int job_generate_once(const moonbow_algorithm *algorithm, const job_keys *keys)
{
    const size_t bytes = moonbow_generate_scratch_bytes(algorithm->generator, MOONBOW_FAST);
    const moonbow_scratch scratch = {room_take("setup", bytes, ROOM_EXTERNAL), bytes, MOONBOW_FAST};
    return scratch.start == NULL ? -1 : job_generate(algorithm, keys, 0, &scratch);
}

int job_failed(const char *what, int status)
{
    console_text("error ");
    console_text(what);
    console_text(": ");
    console_text(moonbow_status_text(status));
    console_text("\n");
    return -1;
}
