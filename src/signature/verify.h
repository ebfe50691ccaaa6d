/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A running verification: lies at the start of the scratch memory, the scheme's state behind it. */
#ifndef MB_SIGNATURE_VERIFY_H
#define MB_SIGNATURE_VERIFY_H

#include "platform/arena.h"
#include "scheme/scheme.h"
#include "symmetric/sha256.h"

/* What is done with the digest of the key; set by verify_digest.c, so that a program which does not ask
 * for it does not link SHA-256 for it. */
typedef struct mb_digest_steps {
    /* Bytes of the key: hashed and evaluated. */
    void (*key)(struct moonbow_verification *verification, const uint8_t *piece, size_t bytes);
    int (*finish)(struct moonbow_verification *verification);
} mb_digest_steps;

typedef struct mb_key_digest {
    mb_sha256 context;
    const mb_digest_steps *steps; /* NULL: none is computed */
    uint8_t *out;
    const uint8_t *expected;
} mb_key_digest;

typedef struct mb_batch {
    /* The key goes on for all. */
    void (*add_key)(struct moonbow_verification *leader, size_t bytes);
    /* The followers are free to finish; unless OK the status becomes theirs. */
    void (*release)(struct moonbow_verification *leader, int status);
    /* It goes before its time. */
    void (*leave)(struct moonbow_verification *follower);
} mb_batch;

struct moonbow_verification {
    const moonbow_verifier *verifier;
    size_t scratch_bytes;  /* in use: to be wiped */
    size_t key_bytes;      /* that have come */
    int status;            /* sticky */
    uint8_t has_signature; /* it has come */
    uint8_t mode;          /* a moonbow_mode */
    /* Of a batch: who gets the key for this one, who else gets it from this one; and what to do about it, which
     * verify_batch.c sets, so that a program without batches does not link it. */
    struct moonbow_verification *leader, *next;
    const struct mb_batch *batch;
    mb_key_digest digest;
    uint8_t copy[]; /* MB_KEY_COPY_BYTES for the digest of the key, but in small mode none */
};

enum { MB_KEY_COPY_BYTES = 256 };

/* Its place in the scratch memory; the scheme's state lies behind. */
static inline size_t mb_verification_bytes(moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    mb_arena_take(&arena, sizeof(moonbow_verification) + (mode == MOONBOW_SMALL ? 0 : MB_KEY_COPY_BYTES));
    return arena.used;
}

static inline void *mb_verification_state(const moonbow_verification *verification)
{
    return (uint8_t *)(uintptr_t)verification + mb_verification_bytes((moonbow_mode)verification->mode);
}

#endif
