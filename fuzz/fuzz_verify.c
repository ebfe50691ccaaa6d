/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * libFuzzer: streamed verification. The input chooses a subject (subject.c), mode, backends, changes to a good signature, key
 * and message, and the order and size of the pieces; the verdict must be the one of moonbow_verify in the other mode on another
 * backend. LLVMFuzzerTestOneInput, below, reads the input from its beginning: see there for the format. */
#include "require.h"
#include "subject.h"
#include "symmetric/sha256.h"

#include <string.h>

/* A key may come with this many bytes too many. */
enum { SPARE_BYTES = 200 };

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
    for (unsigned left = next_byte(in) & 7; left != 0; left--) {
        const size_t place = next_number(in) * 131 + next_byte(in);
        data[place % bytes] ^= (uint8_t)next_byte(in);
    }
}

/* Length of the next piece: a byte's worth, or more with the top bit. */
static size_t next_length(input *in)
{
    const size_t first = next_byte(in);
    return first < 128 ? first : (first - 127) * (next_byte(in) + 1u);
}

/* Memory of exactly this length, so that a byte read beyond it is found. */
static uint8_t *copy_of(const uint8_t *data, size_t bytes)
{
    uint8_t *copy = malloc(bytes == 0 ? 1 : bytes);
    require(copy != NULL, "no memory");
    memcpy(copy, data, bytes);
    return copy;
}

/* What is verified, as the input has changed it. */
typedef struct trial {
    const subject *of;
    uint8_t *signature, *key, *message;
    size_t signature_bytes, key_bytes, message_bytes;
} trial;

/* A verification in pieces, and its status as it must be: the first error stays. */
typedef struct streaming {
    const trial *of;
    moonbow_verification *verification;
    size_t message_done, key_done;
    int status, digested, pinned, pinned_another;
    uint8_t digest[MOONBOW_KEY_DIGEST_BYTES], pin[MOONBOW_KEY_DIGEST_BYTES];
} streaming;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Each piece is in memory of its own, which is gone after the call. */
static void send_message(streaming *s, size_t bytes)
{
    uint8_t *piece = copy_of(s->of->message + s->message_done, bytes);
    require(moonbow_verify_message(s->verification, piece, bytes) == s->status,
            "a status after a message's piece");
    s->message_done += bytes;
    free(piece);
}

static void send_key(streaming *s, size_t bytes)
{
    uint8_t *piece = copy_of(s->of->key + s->key_done, bytes);
    s->key_done += bytes;
    if (s->status == MOONBOW_OK && s->key_done > s->of->of->key_bytes) {
        s->status = MOONBOW_WRONG_LENGTH;
    }
    require(moonbow_verify_key(s->verification, piece, bytes) == s->status, "a status after a key's piece");
    free(piece);
}

static void key_digest(uint8_t digest[MOONBOW_KEY_DIGEST_BYTES], const trial *of)
{
    mb_sha256 context;
    mb_sha256_init(&context);
    mb_sha256_update(&context, of->key, of->key_bytes);
    mb_sha256_finish(&context, digest);
}

/* Asks for the key's digest, or pins the key to its digest or to another one: legal once, before the first key byte. */
static void send_digest(streaming *s, unsigned what)
{
    const int legal = s->status == MOONBOW_OK && s->key_done == 0 && !s->digested && !s->pinned;
    int status;
    if (s->status == MOONBOW_OK && !legal) {
        s->status = MOONBOW_WRONG_ORDER;
    }
    if (what == 255) {
        status = moonbow_verify_digest_key(s->verification, s->digest);
        s->digested |= legal;
    } else {
        if (legal) {
            key_digest(s->pin, s->of);
            s->pin[31] ^= what == 253;
        }
        status = moonbow_verify_pin_key(s->verification, s->pin);
        s->pinned |= legal;
        s->pinned_another |= legal && what == 253;
    }
    require(status == s->status, "a status after a digest");
}

/* How the pieces must end, given the verdict on the whole. */
static int expected_end(const streaming *s, int whole)
{
    return s->status != MOONBOW_OK         ? s->status
           : whole == MOONBOW_WRONG_LENGTH ? MOONBOW_WRONG_LENGTH
           : s->pinned_another             ? MOONBOW_WRONG_KEY
                                           : whole;
}

static void finish(streaming *s, int whole)
{
    send_message(s, s->of->message_bytes - s->message_done);
    send_key(s, s->of->key_bytes - s->key_done);
    const int end = moonbow_verify_finish(s->verification);
    require(end == expected_end(s, whole), "pieces change the verdict");
    if (s->digested && (end == MOONBOW_OK || end == MOONBOW_BAD_SIGNATURE)) {
        uint8_t expected[MOONBOW_KEY_DIGEST_BYTES];
        key_digest(expected, s->of);
        require(memcmp(expected, s->digest, sizeof expected) == 0, "a wrong digest");
    }
}

static void stream(input *in, const trial *of, const moonbow_scratch *scratch, int whole)
{
    streaming s = {.of = of};
    const size_t unit = 1 + of->of->key_bytes / 8192;
    const int begun =
        moonbow_verify_begin(&s.verification, of->of->verifier, of->signature, of->signature_bytes, scratch);
    require(begun == MOONBOW_OK || (begun == whole && s.verification == NULL), "a beginning of its own kind");
    if (begun != MOONBOW_OK) {
        return;
    }
    while (in->bytes != 0) {
        const unsigned what = next_byte(in);
        const size_t length = next_length(in);
        if (what >= 253) {
            send_digest(&s, what);
        } else if (what % 2 == 0) {
            send_message(&s, least(length, of->message_bytes - s.message_done));
        } else {
            send_key(&s, least(length * unit, of->key_bytes - s.key_done));
        }
    }
    finish(&s, whole);
}

static int verify(const trial *t, const moonbow_scratch *scratch)
{
    return moonbow_verify(t->of->verifier, t->signature, t->signature_bytes, t->message, t->message_bytes,
                          t->key, t->key_bytes, scratch);
}

/* What is known of the verdict without verifying. */
static void check(const trial *t, int whole, int good)
{
    const int lengths_fit = t->key_bytes == t->of->key_bytes && t->signature_bytes == t->of->signature_bytes;
    require(!(good && lengths_fit) || whole == MOONBOW_OK, "a good signature is refused");
    require(lengths_fit == (whole != MOONBOW_WRONG_LENGTH), "lengths and status contradict each other");
    require(whole == MOONBOW_OK || whole == MOONBOW_BAD_SIGNATURE || whole == MOONBOW_WRONG_LENGTH,
            "an unexpected status");
}

/* Copies of the good ones, with spare bytes behind the key. */
static trial begin(const subject *of)
{
    trial t = {of,
               copy_of(of->signature, of->signature_bytes),
               calloc(1, of->key_bytes + SPARE_BYTES),
               copy_of(good_message, MESSAGE_BYTES),
               of->signature_bytes,
               of->key_bytes,
               MESSAGE_BYTES};
    require(t.key != NULL, "no memory");
    memcpy(t.key, of->key, of->key_bytes);
    return t;
}

/* Exactly as long as they are now, so that a byte read beyond them is found. */
static void cut(trial *t)
{
    uint8_t *whole[] = {t->signature, t->key, t->message};
    t->signature = copy_of(t->signature, t->signature_bytes);
    t->key = copy_of(t->key, t->key_bytes);
    t->message = copy_of(t->message, t->message_bytes);
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        free(whole[i]);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    make_subjects();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    input in = {data, bytes};
    const unsigned head = next_byte(&in), which = next_byte(&in), backends = next_byte(&in);
    const subject *of =
        which < 240 ? &small_subjects[which % SMALL_LEN] : &shipped_subjects[which % SHIPPED_LEN];
    const backend streamed = (backend)(backends % 4), other = (backend)((backends / 4 + 1) % 4);
    const unsigned mode = head & 1;
    trial t = begin(of);
    if (head & 2) {
        change(&in, t.signature, t.signature_bytes);
    }
    if (head & 4) {
        change(&in, t.key, t.key_bytes);
    }
    if (head & 8) {
        change(&in, t.message, t.message_bytes);
    }
    const int good = memcmp(t.signature, of->signature, t.signature_bytes) == 0 &&
                     memcmp(t.message, good_message, MESSAGE_BYTES) == 0 &&
                     memcmp(t.key, of->key, t.key_bytes) == 0;
    t.message_bytes -= head & 16 ? next_number(&in) % t.message_bytes : 0;
    t.key_bytes = head & 32 ? next_number(&in) * 131 % (t.key_bytes + SPARE_BYTES + 1) : t.key_bytes;
    t.signature_bytes -= head & 64 ? 1 + next_number(&in) % t.signature_bytes : 0;
    cut(&t);
    choose_backend(other);
    const int whole = verify(&t, &of->scratch[other][!mode]);
    check(&t, whole, good && t.message_bytes == MESSAGE_BYTES);
    choose_backend(streamed);
    stream(&in, &t, &of->scratch[streamed][mode], whole);
    free(t.signature);
    free(t.key);
    free(t.message);
    return 0;
}
