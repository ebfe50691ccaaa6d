/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A running verification: lies at the start of the scratch memory, the scheme's state behind it. */
#ifndef MB_SIGNATURE_VERIFY_H
#define MB_SIGNATURE_VERIFY_H

#include "scheme/scheme.h"
#include "symmetric/sha256.h"

/* What is done with the digest of the key; set by verify_digest.c, so that a program which does not ask
 * for it does not link SHA-256 for it. */
typedef struct mb_key_digest {
    void (*update)(mb_sha256 *context, const void *data, size_t bytes);
    int (*finish)(struct moonbow_verification *verification);
    uint8_t *out;
    const uint8_t *expected;
    mb_sha256 context;
    /* What is hashed is what is evaluated, even if the caller's memory changes in between. */
    uint8_t copy[256];
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
    void *state;
    size_t scratch_bytes; /* in use: to be wiped */
    size_t key_bytes;     /* that have come */
    int has_signature;    /* it has come */
    int status;           /* sticky */
    mb_key_digest digest;
    moonbow_mode mode;
    /* Of a batch: who gets the key for this one, who else gets it from this one; and what to do about it, which
     * verify_batch.c sets, so that a program without batches does not link it. */
    struct moonbow_verification *leader, *next;
    const struct mb_batch *batch;
};

#endif
