/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Key generation for all schemes: seeds, sinks and buffers, lengths, wiping. What a scheme does is in scheme/scheme.h. */
#include "platform/wipe.h"
#include "scheme/draws.h"
#include "scheme/random.h"
#include "scheme/scheme.h"
#include "scheme/sink.h"
#include "signature/scratch.h"

#include <string.h>

/* No scheme's seed of a key pair is longer. */
enum { SEED_BYTES = 64 };

const moonbow_parameters *moonbow_generator_parameters(const moonbow_generator *generator)
{
    return generator->parameters;
}

size_t moonbow_generate_scratch_bytes(const moonbow_generator *generator, moonbow_mode mode)
{
    return generator->scratch_bytes(generator, mode);
}

/* OK if the scratch memory fits the generator. */
static int check(const moonbow_generator *generator, const moonbow_scratch *scratch)
{
    return mb_scratch_check(
        scratch, scratch == NULL ? 0 : moonbow_generate_scratch_bytes(generator, scratch->mode));
}

static void wipe_scratch(const moonbow_generator *generator, const moonbow_scratch *scratch)
{
    mb_scratch_wipe(scratch, moonbow_generate_scratch_bytes(generator, scratch->mode));
}

int moonbow_generate_from_seed_to_sinks(const moonbow_generator *generator,
                                        const moonbow_sink *public_key, const moonbow_sink *secret_key,
                                        const uint8_t *seed, size_t seed_bytes,
                                        const moonbow_scratch *scratch)
{
    int status = check(generator, scratch);
    if (status != MOONBOW_OK) {
        return status;
    }
    if (seed_bytes != generator->parameters->generate_random_bytes) {
        return MOONBOW_WRONG_LENGTH;
    }
    status = generator->generate(generator, public_key, secret_key, seed, scratch);
    wipe_scratch(generator, scratch);
    return status;
}

int moonbow_generate_to_sinks(const moonbow_generator *generator, const moonbow_sink *public_key,
                              const moonbow_sink *secret_key, const moonbow_random *random,
                              const moonbow_scratch *scratch)
{
    const size_t seed_bytes = generator->parameters->generate_random_bytes;
    uint8_t seed[SEED_BYTES], last[MB_DRAW_CHECKED_LEN] = {0};
    int status = MOONBOW_OK;
    for (size_t i = 0; i < seed_bytes && status == MOONBOW_OK; i += generator->draw_bytes) {
        /* A source that answers with a constant, or twice the same (a public seed that is the secret one), has failed. */
        if (mb_random_fill(random, seed + i, generator->draw_bytes) != 0 ||
            mb_draw_check(last, seed + i, generator->draw_bytes) != MOONBOW_OK) {
            status = MOONBOW_NO_RANDOM;
        }
    }
    if (status == MOONBOW_OK) {
        status = moonbow_generate_from_seed_to_sinks(generator, public_key, secret_key, seed,
                                                     seed_bytes, scratch);
    }
    mb_wipe(seed, sizeof seed);
    mb_wipe(last, sizeof last);
    return status;
}

/* Two buffers as sinks; a scheme never writes more than the keys' lengths. */
typedef struct buffers {
    uint8_t *to_public, *to_secret;
    moonbow_sink public_sink, secret_sink;
} buffers;

static void open_buffers(buffers *out, uint8_t *public_key, uint8_t *secret_key)
{
    out->to_public = public_key;
    out->to_secret = secret_key;
    out->public_sink = (moonbow_sink){mb_sink_append, &out->to_public};
    out->secret_sink = (moonbow_sink){mb_sink_append, &out->to_secret};
}

static int lengths_fit(const moonbow_generator *generator, size_t public_key_bytes, size_t secret_key_bytes)
{
    return public_key_bytes == generator->parameters->public_key_bytes &&
           secret_key_bytes == generator->parameters->secret_key_bytes;
}

/* Zeroes both keys unless the status is OK, and returns it. */
static int close_buffers(int status, uint8_t *public_key, size_t public_key_bytes, uint8_t *secret_key,
                         size_t secret_key_bytes)
{
    if (status != MOONBOW_OK) {
        memset(public_key, 0, public_key_bytes);
        mb_wipe(secret_key, secret_key_bytes);
    }
    return status;
}

int moonbow_generate(const moonbow_generator *generator, uint8_t *public_key, size_t public_key_bytes,
                     uint8_t *secret_key, size_t secret_key_bytes, const moonbow_random *random,
                     const moonbow_scratch *scratch)
{
    int status = MOONBOW_WRONG_LENGTH;
    if (lengths_fit(generator, public_key_bytes, secret_key_bytes)) {
        buffers out;
        open_buffers(&out, public_key, secret_key);
        status = moonbow_generate_to_sinks(generator, &out.public_sink, &out.secret_sink, random, scratch);
    }
    return close_buffers(status, public_key, public_key_bytes, secret_key, secret_key_bytes);
}

int moonbow_generate_from_seed(const moonbow_generator *generator, uint8_t *public_key,
                               size_t public_key_bytes, uint8_t *secret_key, size_t secret_key_bytes,
                               const uint8_t *seed, size_t seed_bytes, const moonbow_scratch *scratch)
{
    int status = MOONBOW_WRONG_LENGTH;
    if (lengths_fit(generator, public_key_bytes, secret_key_bytes)) {
        buffers out;
        open_buffers(&out, public_key, secret_key);
        status = moonbow_generate_from_seed_to_sinks(generator, &out.public_sink, &out.secret_sink, seed, seed_bytes,
                                                     scratch);
    }
    return close_buffers(status, public_key, public_key_bytes, secret_key, secret_key_bytes);
}

int moonbow_derive_public_key(const moonbow_generator *generator, const moonbow_sink *public_key,
                              const uint8_t *secret_key, size_t secret_key_bytes,
                              const uint8_t *public_seed, size_t public_seed_bytes,
                              const moonbow_scratch *scratch)
{
    int status = check(generator, scratch);
    if (status != MOONBOW_OK) {
        return status;
    }
    if (secret_key_bytes != generator->parameters->secret_key_bytes ||
        public_seed_bytes != generator->parameters->public_seed_bytes) {
        return MOONBOW_WRONG_LENGTH;
    }
    status = generator->derive(generator, public_key, secret_key, public_seed, scratch);
    wipe_scratch(generator, scratch);
    return status;
}

/* A sink that compares; refuses at the first difference. */
static int compare(void *context, const uint8_t *piece, size_t bytes)
{
    const uint8_t **expected = context;
    const int different = memcmp(*expected, piece, bytes) != 0;
    *expected += bytes;
    return different;
}

int moonbow_check_key_pair(const moonbow_generator *generator, const uint8_t *public_key,
                           size_t public_key_bytes, const uint8_t *secret_key,
                           size_t secret_key_bytes, const moonbow_scratch *scratch)
{
    const moonbow_sink sink = {compare, &public_key};
    /* Before the sink moves it: the public seed leads the public key. */
    const uint8_t *public_seed = public_key;
    int status = MOONBOW_WRONG_LENGTH;
    if (public_key_bytes == generator->parameters->public_key_bytes) {
        status = moonbow_derive_public_key(generator, &sink, secret_key, secret_key_bytes, public_seed,
                                           generator->parameters->public_seed_bytes, scratch);
    }
    return status == MOONBOW_SINK_FAILED ? MOONBOW_WRONG_KEY : status;
}
