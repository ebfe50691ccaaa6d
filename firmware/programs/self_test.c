/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The command test: ALGORITHM. A key pair, signatures and verifications in both modes, refusals, and the key in pieces against a pinned digest.
 * Says "random yes|no": whether the board has randomness of its own. */
#include "console.h"
#include "job.h"

#include <string.h>

typedef struct subject {
    const moonbow_algorithm *algorithm;
    uint8_t *public_key, *secret_key, *signature;
    uint8_t message[JOB_MESSAGE_BYTES];
} subject;

static int expect(const char *what, int expected, int status)
{
    return status == expected ? 0 : job_failed(what, status);
}

static int verify(const subject *s, const moonbow_scratch *scratch)
{
    const moonbow_parameters *p = s->algorithm->parameters;
    return moonbow_verify(s->algorithm->verifier, s->signature, p->signature_bytes, s->message, sizeof s->message, s->public_key,
                          p->public_key_bytes, scratch);
}

/* Message and key in uneven pieces; the digest is computed, or compared with a pinned one. */
static int verify_in_pieces(const subject *s, const moonbow_scratch *scratch, uint8_t digest[32], int pin)
{
    enum { PIECE_BYTES = 1000 };
    const moonbow_parameters *p = s->algorithm->parameters;
    moonbow_verification *v;
    int status = moonbow_verify_begin(&v, s->algorithm->verifier, s->signature, p->signature_bytes, scratch);
    if (status != MOONBOW_OK) {
        return status;
    }
    if (pin) {
        moonbow_verify_pin_key(v, digest);
    } else {
        moonbow_verify_digest_key(v, digest);
    }
    moonbow_verify_message(v, s->message, 1);
    for (size_t done = 0; done < p->public_key_bytes; done += PIECE_BYTES) {
        const size_t left = p->public_key_bytes - done;
        moonbow_verify_key(v, s->public_key + done, left < PIECE_BYTES ? left : PIECE_BYTES);
    }
    moonbow_verify_message(v, s->message + 1, sizeof s->message - 1);
    return moonbow_verify_finish(v);
}

static int check_verification(subject *s, const moonbow_scratch *scratch)
{
    uint8_t digest[32];
    int wrong = expect("verify", MOONBOW_OK, verify(s, scratch));
    s->signature[1] ^= 0x10;
    wrong |= expect("verify a changed signature", MOONBOW_BAD_SIGNATURE, verify(s, scratch));
    s->signature[1] ^= 0x10;
    s->message[58] ^= 1;
    wrong |= expect("verify a changed message", MOONBOW_BAD_SIGNATURE, verify(s, scratch));
    s->message[58] ^= 1;
    wrong |= expect("digest of the key", MOONBOW_OK, verify_in_pieces(s, scratch, digest, 0));
    wrong |= expect("pinned key", MOONBOW_OK, verify_in_pieces(s, scratch, digest, 1));
    digest[31] ^= 1;
    wrong |= expect("another key pinned", MOONBOW_WRONG_KEY, verify_in_pieces(s, scratch, digest, 1));
    return wrong;
}

static int check_mode(subject *s, moonbow_mode mode)
{
    const moonbow_parameters *p = s->algorithm->parameters;
    const size_t for_signing = moonbow_sign_scratch_bytes(s->algorithm->signer, mode);
    const size_t for_verifying = moonbow_verify_scratch_bytes(s->algorithm->verifier, mode);
    const moonbow_scratch scratch = job_scratch(for_signing > for_verifying ? for_signing : for_verifying, mode);
    if (scratch.start == NULL) {
        return -1;
    }
    memset(s->signature, 0, p->signature_bytes);
    const int status = moonbow_sign(s->algorithm->signer, s->signature, p->signature_bytes, s->message, sizeof s->message,
                                    s->secret_key, p->secret_key_bytes, job_random(), &scratch);
    return expect("sign", MOONBOW_OK, status) | check_verification(s, &scratch);
}

/* Signing may need no randomness, so key generation is asked for it. */
static int board_has_randomness(const subject *s)
{
    const size_t bytes = moonbow_generate_scratch_bytes(s->algorithm->generator, MOONBOW_FAST);
    const moonbow_scratch scratch = {room_take("setup", bytes, ROOM_EXTERNAL), bytes, MOONBOW_FAST};
    if (scratch.start == NULL) {
        return -1;
    }
    const int status = moonbow_generate_to_sinks(s->algorithm->generator, NULL, NULL, NULL, &scratch);
    console_pair_text("random", status == MOONBOW_OK ? "yes" : "no");
    return status == MOONBOW_OK || status == MOONBOW_NO_RANDOM ? 0 : job_failed("generate", status);
}

int command_test(const char *const *words, size_t count)
{
    subject s = {.algorithm = count == 0 ? NULL : moonbow_algorithm_by_name(words[0])};
    if (s.algorithm == NULL) {
        console_text("error no such algorithm\n");
        return -1;
    }
    const moonbow_parameters *p = s.algorithm->parameters;
    s.signature = room_take("signature", p->signature_bytes, ROOM_INTERNAL);
    s.secret_key = room_take("secret-key", p->secret_key_bytes, ROOM_INTERNAL);
    s.public_key = room_take("public-key", p->public_key_bytes, ROOM_INTERNAL);
    if (s.signature == NULL || s.secret_key == NULL || s.public_key == NULL) {
        return -1;
    }
    job_fill(s.message, sizeof s.message, 0);
    if (job_generate_once(s.algorithm, &(job_keys){s.public_key, s.secret_key}) != 0 || check_mode(&s, MOONBOW_FAST) != 0 ||
        check_mode(&s, MOONBOW_SMALL) != 0) {
        return -1;
    }
    return board_has_randomness(&s);
}
