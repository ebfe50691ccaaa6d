/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A key as OpenSSL holds it: shared by threads, and unchanged once it has its parts. What can be computed from them is
 * computed when it is first needed: the public key of a secret one, and the quicker form of a key in frequent use. */
#ifndef MOONBOW_PROVIDER_KEY_H
#define MOONBOW_PROVIDER_KEY_H

#include "provider.h"

#include <container/key.h>
#include <stdatomic.h>

/* A key's quicker form: absent, in the making, or there. */
typedef struct mb_prepared {
    atomic_uint uses;
    _Atomic(uint8_t *) key; /* NULL until it is whole */
} mb_prepared;

typedef struct mb_key {
    mb_offer *offer;
    atomic_uint references;
    CRYPTO_RWLOCK *lock; /* held while the public key is derived */
    _Atomic(moonbow_key *) public_key;
    moonbow_key *secret_key; /* NULL if there is none */
    mb_prepared signing, verifying;
} mb_key;

/* The use of a key from which on a seeded one is rewritten. */
enum { MB_USES_BEFORE_PREPARING = 3 };

/* A key without parts; NULL, with an error raised, if there is no memory. */
mb_key *mb_key_new(mb_offer *offer);
mb_key *mb_key_share(mb_key *key);
/* NULL is allowed. */
void mb_key_free(mb_key *key);

/* Gives the parts to a key without parts, which then owns them; either may be NULL. */
void mb_key_set(mb_key *key, moonbow_key *public_key, moonbow_key *secret_key);

/* The public key, derived if need be; NULL with an error raised. */
const moonbow_key *mb_key_public(mb_key *key);

/* How to verify, or sign, with a key: counts as a use of it. */
typedef struct mb_verifying {
    const moonbow_verifier *verifier;
    const uint8_t *key;
    size_t key_bytes;
} mb_verifying;
typedef struct mb_signing {
    const moonbow_signer *signer;
    const uint8_t *key; /* SECRET */
    size_t key_bytes;
} mb_signing;
/* 1, or 0 with an error raised. */
int mb_key_verifying(mb_verifying *verifying, mb_key *key);
int mb_key_signing(mb_signing *signing, mb_key *key);

/* Scratch memory that serves any form of any key of an algorithm. */
size_t mb_key_signing_scratch_bytes(const moonbow_algorithm *algorithm); /* also for verifying */
size_t mb_key_verifying_scratch_bytes(const moonbow_algorithm *algorithm);

/* Calls back with the parts that `selection` asks for as OpenSSL's parameters; 0 if one is missing. */
int mb_key_export(mb_key *key, int selection, OSSL_CALLBACK *callback, void *argument);

#endif
