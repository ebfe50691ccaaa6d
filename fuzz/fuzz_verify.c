/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * libFuzzer: streamed verification. The input chooses algorithm, mode, changes to a good signature, key and message, and the
 * order and size of the pieces; the verdict must be the one of moonbow_verify in the other mode. LLVMFuzzerTestOneInput, below,
 * reads the input from its beginning: see there for the format. */
#include <moonbow/signature.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const moonbow_algorithm *const algorithms[] = {
    &moonbow_rainbow_I_classic,
    &moonbow_rainbow_I_compressed,
    &moonbow_rainbow_I_circumzenithal_tweaked,
    &moonbow_uov_Ip_pkc,
    &moonbow_uov_Is,
    &moonbow_uov_Is_pkc,
};
enum { ALGORITHMS_LEN = sizeof algorithms / sizeof *algorithms, MESSAGE_BYTES = 600 };

/* A key pair's public half and a signature, with a copy of each to work on. */
typedef struct subject {
    uint8_t *key, *good_key, signature[256], good_signature[256];
    moonbow_scratch scratch[2];
} subject;

static subject subjects[ALGORITHMS_LEN];
static uint8_t message[MESSAGE_BYTES], good_message[MESSAGE_BYTES];

static void *take(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static int fill(void *context, uint8_t *out, size_t bytes)
{
    uint8_t *next = context;
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (*next)++;
    }
    return 0;
}

static void require(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "fuzz_verify: %s\n", what);
        abort();
    }
}

static void make(subject *s, const moonbow_algorithm *algorithm)
{
    const moonbow_parameters *p = algorithm->parameters;
    uint8_t next = 1, *secret = take(p->secret_key_bytes);
    const moonbow_random random = {fill, &next};
    const size_t generate = moonbow_generate_scratch_bytes(algorithm->generator, MOONBOW_FAST);
    const size_t sign = moonbow_sign_scratch_bytes(algorithm->signer, MOONBOW_FAST);
    const moonbow_scratch scratch = {take(generate + sign), generate + sign, MOONBOW_FAST};
    s->key = take(p->public_key_bytes);
    s->good_key = take(p->public_key_bytes);
    require(p->signature_bytes <= sizeof s->signature, "a longer signature than expected");
    require(moonbow_generate(algorithm->generator, s->good_key, p->public_key_bytes, secret,
                             p->secret_key_bytes, &random, &scratch) == MOONBOW_OK,
            "no key");
    require(moonbow_sign(algorithm->signer, s->good_signature, p->signature_bytes, good_message,
                         MESSAGE_BYTES, secret, p->secret_key_bytes, &random, &scratch) == MOONBOW_OK,
            "no signature");
    memcpy(s->key, s->good_key, p->public_key_bytes);
    free(secret);
    free(scratch.start);
    for (int mode = 0; mode <= 1; mode++) {
        const size_t bytes = moonbow_verify_scratch_bytes(algorithm->verifier, (moonbow_mode)mode);
        s->scratch[mode] = (moonbow_scratch){take(bytes), bytes, (moonbow_mode)mode};
    }
}

/* The input, read from its beginning; zeros follow its end. */
typedef struct input {
    const uint8_t *data;
    size_t bytes;
} input;

static unsigned next_byte(input *in)
{
    if (in->bytes == 0) {
        return 0;
    }
    in->bytes--;
    return *in->data++;
}

static size_t next_number(input *in)
{
    const size_t high = next_byte(in);
    return high << 8 | next_byte(in);
}

/* Up to seven bytes of `data` change. */
static void change(input *in, uint8_t *data, size_t bytes)
{
    for (unsigned count = next_byte(in) & 7; count != 0; count--) {
        const size_t place = next_number(in) * 131 + next_byte(in);
        data[place % bytes] ^= (uint8_t)next_byte(in);
    }
}

typedef struct lengths {
    size_t message, key, signature;
} lengths;

/* Length of the next piece: a byte's worth, or more with the top bit. */
static size_t next_length(input *in)
{
    const size_t first = next_byte(in);
    return first < 128 ? first : (first - 127) * (next_byte(in) + 1u);
}

static int stream(input *in, const moonbow_algorithm *algorithm, const subject *s, lengths are,
                  const moonbow_scratch *scratch)
{
    moonbow_verification *v;
    uint8_t digest[MOONBOW_KEY_DIGEST_BYTES];
    size_t message_done = 0, key_done = 0;
    const int status = moonbow_verify_begin(&v, algorithm->verifier, s->signature, are.signature, scratch);
    if (status != MOONBOW_OK) {
        return status;
    }
    while (in->bytes != 0) {
        const unsigned what = next_byte(in);
        size_t length = next_length(in);
        if (what == 255) {
            moonbow_verify_digest_key(
                v, digest); /* legal before the first key byte alone: else sticky WRONG_ORDER */
        } else if (what % 2 == 0) {
            length = length < are.message - message_done ? length : are.message - message_done;
            moonbow_verify_message(v, message + message_done, length);
            message_done += length;
        } else {
            length = length * 16 < are.key - key_done ? length * 16 : are.key - key_done;
            moonbow_verify_key(v, s->key + key_done, length);
            key_done += length;
        }
    }
    moonbow_verify_message(v, message + message_done, are.message - message_done);
    moonbow_verify_key(v, s->key + key_done, are.key - key_done);
    return moonbow_verify_finish(v);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (size_t i = 0; i < MESSAGE_BYTES; i++) {
        good_message[i] = (uint8_t)(i * 7);
    }
    memcpy(message, good_message, MESSAGE_BYTES);
    for (size_t i = 0; i < ALGORITHMS_LEN; i++) {
        make(&subjects[i], algorithms[i]);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    input in = {data, bytes};
    const unsigned head = next_byte(&in), which = next_byte(&in) % ALGORITHMS_LEN;
    const moonbow_algorithm *algorithm = algorithms[which];
    const moonbow_parameters *p = algorithm->parameters;
    subject *s = &subjects[which];
    lengths are = {MESSAGE_BYTES, p->public_key_bytes, p->signature_bytes};
    const moonbow_mode mode = head & 1 ? MOONBOW_SMALL : MOONBOW_FAST;
    memcpy(s->signature, s->good_signature, sizeof s->signature);
    memcpy(message, good_message, MESSAGE_BYTES);
    memcpy(s->key, s->good_key, p->public_key_bytes);
    if (head & 2) {
        change(&in, s->signature, are.signature);
    }
    if (head & 4) {
        change(&in, s->key, are.key);
    }
    if (head & 8) {
        change(&in, message, are.message);
    }
    are.message -= head & 16 ? next_number(&in) % are.message : 0;
    are.key -= head & 32 ? 1 + next_number(&in) % are.key : 0;
    are.signature -= head & 64 ? 1 + next_number(&in) % are.signature : 0;
    const int whole = moonbow_verify(algorithm->verifier, s->signature, are.signature, message, are.message,
                                     s->key, are.key, &s->scratch[!mode]);
    const int streamed = stream(&in, algorithm, s, are, &s->scratch[mode]);
    require(streamed == whole || streamed == MOONBOW_WRONG_ORDER, "pieces change the verdict");
    const int good = memcmp(s->signature, s->good_signature, p->signature_bytes) == 0 &&
                     memcmp(message, good_message, MESSAGE_BYTES) == 0 &&
                     memcmp(s->key, s->good_key, p->public_key_bytes) == 0 && are.message == MESSAGE_BYTES;
    const int lengths_fit = are.key == p->public_key_bytes && are.signature == p->signature_bytes;
    require(!(good && lengths_fit) || whole == MOONBOW_OK, "a good signature is refused");
    require(lengths_fit || whole == MOONBOW_WRONG_LENGTH, "a wrong length is accepted");
    require(whole == MOONBOW_OK || whole == MOONBOW_BAD_SIGNATURE || whole == MOONBOW_WRONG_LENGTH,
            "an unexpected status");
    return 0;
}
