/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Keys: shared, with their public key and their quicker forms made once. */
#include "key.h"

#include <container/memory.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

mb_key *mb_key_new(mb_offer *offer)
{
    mb_key *key = OPENSSL_zalloc(sizeof *key);
    CRYPTO_RWLOCK *lock = CRYPTO_THREAD_lock_new();
    if (!key || !lock) {
        OPENSSL_free(key);
        CRYPTO_THREAD_lock_free(lock);
        MB_FAIL(offer->provider, MB_REASON_NO_MEMORY, "%s", offer->p->name);
        return NULL;
    }
    key->offer = offer;
    key->lock = lock;
    atomic_init(&key->references, 1);
    return key;
}

mb_key *mb_key_share(mb_key *key)
{
    atomic_fetch_add_explicit(&key->references, 1, memory_order_relaxed);
    return key;
}

static size_t prepared_public_bytes(const moonbow_preparer *preparer)
{
    return moonbow_verifier_parameters(moonbow_prepared_verifier(preparer))->public_key_bytes;
}

static size_t prepared_secret_bytes(const moonbow_preparer *preparer)
{
    return moonbow_signer_parameters(moonbow_prepared_signer(preparer))->secret_key_bytes;
}

void mb_key_free(mb_key *key)
{
    if (!key || atomic_fetch_sub_explicit(&key->references, 1, memory_order_acq_rel) != 1)
        return;
    const moonbow_preparer *preparer = key->offer->algorithm->preparer;
    if (atomic_load(&key->verifying.key))
        moonbow_memory_free(atomic_load(&key->verifying.key), prepared_public_bytes(preparer));
    if (atomic_load(&key->signing.key))
        moonbow_memory_free(atomic_load(&key->signing.key), prepared_secret_bytes(preparer));
    moonbow_key_free(atomic_load(&key->public_key));
    moonbow_key_free(key->secret_key);
    CRYPTO_THREAD_lock_free(key->lock);
    OPENSSL_free(key);
}

void mb_key_set(mb_key *key, moonbow_key *public_key, moonbow_key *secret_key)
{
    atomic_store(&key->public_key, public_key);
    key->secret_key = secret_key;
}

/* ---- The public key ------------------------------------------------------------------------- */

static void derive(mb_key *key)
{
    moonbow_key *public_key = NULL;
    const mb_provider *provider = key->offer->provider;
    const int status = moonbow_key_derive_public(&public_key, key->secret_key, MOONBOW_FAST);
    if (status == MOONBOW_WRONG_KEY) {
        MB_FAIL(provider, MB_REASON_DAMAGED_SECRET_KEY,
                "%s: the parts of the private key contradict one another: it was damaged",
                key->offer->p->name);
    } else if (status != MOONBOW_OK) {
        MB_FAIL_STATUS(provider, key->offer->p->name, status);
    }
    atomic_store_explicit(&key->public_key, public_key, memory_order_release);
}

const moonbow_key *mb_key_public(mb_key *key)
{
    const moonbow_key *public_key = atomic_load_explicit(&key->public_key, memory_order_acquire);
    if (public_key)
        return public_key;
    if (!key->secret_key) {
        MB_FAIL(key->offer->provider, MB_REASON_NO_PUBLIC_KEY, "this %s key has no parts",
                key->offer->p->name);
        return NULL;
    }
    if (!CRYPTO_THREAD_write_lock(key->lock)) {
        MB_FAIL(key->offer->provider, MB_REASON_LIBCRYPTO, "no lock");
        return NULL;
    }
    if (!atomic_load(&key->public_key)) /* another thread may have been here */
        derive(key);
    CRYPTO_THREAD_unlock(key->lock);
    return atomic_load(&key->public_key);
}

/* ---- Forms of a key ------------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t mb_key_verifying_scratch_bytes(const moonbow_algorithm *algorithm)
{
    const moonbow_verifier *prepared =
        algorithm->preparer ? moonbow_prepared_verifier(algorithm->preparer) : NULL;
    const size_t bytes = moonbow_verify_scratch_bytes(algorithm->verifier, MOONBOW_FAST);
    return prepared ? larger(bytes, moonbow_verify_scratch_bytes(prepared, MOONBOW_FAST)) : bytes;
}

size_t mb_key_signing_scratch_bytes(const moonbow_algorithm *algorithm)
{
    const moonbow_signer *prepared =
        algorithm->preparer ? moonbow_prepared_signer(algorithm->preparer) : NULL;
    size_t bytes = larger(moonbow_sign_scratch_bytes(algorithm->signer, MOONBOW_FAST),
                          mb_key_verifying_scratch_bytes(algorithm));
    if (prepared)
        bytes = larger(bytes, moonbow_sign_scratch_bytes(prepared, MOONBOW_FAST));
    return bytes;
}

/* 1 for one caller, when the key is used the third time: that one prepares it, the others go on with the short form. */
static int is_time_to_prepare(mb_prepared *prepared)
{
    if (atomic_load_explicit(&prepared->uses, memory_order_relaxed) >= MB_USES_BEFORE_PREPARING)
        return 0;
    return atomic_fetch_add(&prepared->uses, 1) + 1 == MB_USES_BEFORE_PREPARING;
}

/* Writes the longer form. Without memory for it the short one does as well. */
static void prepare(mb_prepared *prepared, const moonbow_preparer *preparer, const moonbow_key *key)
{
    const int is_secret = key->kind == MOONBOW_SECRET_KEY;
    const size_t bytes = is_secret ? prepared_secret_bytes(preparer) : prepared_public_bytes(preparer);
    moonbow_scratch scratch = {NULL, moonbow_prepare_scratch_bytes(preparer, MOONBOW_FAST), MOONBOW_FAST};
    uint8_t *out = is_secret ? moonbow_memory_new_secret(bytes) : moonbow_memory_new(bytes);
    int status = MOONBOW_CONTAINER_NO_MEMORY;
    scratch.start = moonbow_memory_new_secret(scratch.bytes);
    if (out && scratch.start) {
        status = is_secret
                     ? moonbow_prepare_secret_key(preparer, out, bytes, key->bytes, key->bytes_len, &scratch)
                     : moonbow_prepare_public_key(preparer, out, bytes, key->bytes, key->bytes_len, &scratch);
    }
    moonbow_memory_free(scratch.start, scratch.bytes);
    if (status == MOONBOW_OK)
        atomic_store_explicit(&prepared->key, out, memory_order_release);
    else
        moonbow_memory_free(out, bytes);
}

int mb_key_verifying(mb_verifying *verifying, mb_key *key)
{
    const moonbow_algorithm *algorithm = key->offer->algorithm;
    const moonbow_key *public_key = mb_key_public(key);
    if (!public_key)
        return 0;
    *verifying = (mb_verifying){algorithm->verifier, public_key->bytes, public_key->bytes_len};
    if (!algorithm->preparer || !moonbow_prepared_verifier(algorithm->preparer))
        return 1;
    if (is_time_to_prepare(&key->verifying))
        prepare(&key->verifying, algorithm->preparer, public_key);
    const uint8_t *prepared = atomic_load_explicit(&key->verifying.key, memory_order_acquire);
    if (prepared) {
        *verifying = (mb_verifying){moonbow_prepared_verifier(algorithm->preparer), prepared,
                                    prepared_public_bytes(algorithm->preparer)};
    }
    return 1;
}

int mb_key_signing(mb_signing *signing, mb_key *key)
{
    const moonbow_algorithm *algorithm = key->offer->algorithm;
    const moonbow_key *secret_key = key->secret_key;
    if (!secret_key)
        return MB_FAIL(key->offer->provider, MB_REASON_NO_SECRET_KEY, "this %s key is a public key",
                       key->offer->p->name);
    *signing = (mb_signing){algorithm->signer, secret_key->bytes, secret_key->bytes_len};
    if (!algorithm->preparer || !moonbow_prepared_signer(algorithm->preparer))
        return 1;
    if (is_time_to_prepare(&key->signing))
        prepare(&key->signing, algorithm->preparer, secret_key);
    const uint8_t *prepared = atomic_load_explicit(&key->signing.key, memory_order_acquire);
    if (prepared) {
        *signing = (mb_signing){moonbow_prepared_signer(algorithm->preparer), prepared,
                                prepared_secret_bytes(algorithm->preparer)};
    }
    return 1;
}

/* ---- Export --------------------------------------------------------------------------------- */

int mb_key_export(mb_key *key, int selection, OSSL_CALLBACK *callback, void *argument)
{
    OSSL_PARAM params[3];
    size_t len = 0;
    if (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) {
        const moonbow_key *public_key = mb_key_public(key);
        if (!public_key)
            return 0;
        params[len++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, public_key->bytes,
                                                          public_key->bytes_len);
    }
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) && key->secret_key) {
        moonbow_key *secret_key = key->secret_key; /* the public seed lies behind it */
        params[len++] =
            OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, secret_key->bytes,
                                              secret_key->bytes_len + secret_key->public_seed_bytes);
    }
    params[len] = OSSL_PARAM_construct_end();
    return callback(params, argument);
}
