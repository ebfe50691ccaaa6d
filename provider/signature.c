/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SIGNATURE (provider-signature(7)): of a message in one piece or in many. Every signature is verified before it is released; of a
 * message in pieces too, as a verification runs beside the signing and hashes the same pieces. Nothing of a message is kept. */
#include "key.h"

#include <container/container.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <string.h>

typedef enum context_role { NO_ROLE, SIGNER, VERIFIER } context_role;

typedef struct context {
    mb_provider *provider;
    mb_key *key; /* shared */
    context_role role;
    /* While a message comes in pieces; a signer has both. */
    mb_signing signing;
    mb_verifying verifying;
    moonbow_signing *running_signing;
    moonbow_verification *running_verification;
    void *signing_scratch, *verifying_scratch;
    /* The signature that a message in pieces is to be verified with, where OpenSSL gives it first. */
    uint8_t *expected;
    size_t expected_bytes;
} context;

/* ---- A message in pieces -------------------------------------------------------------------- */

/* Ends what is running, gives back its memory. Of what has ended by itself the pointer is NULL. */
static void stream_end(context *c)
{
    if (c->running_signing)
        moonbow_sign_abort(c->running_signing);
    if (c->running_verification)
        moonbow_verify_abort(c->running_verification);
    c->running_signing = NULL;
    c->running_verification = NULL;
    if (c->key) {
        mb_pool_give(&c->key->offer->signing, c->signing_scratch);
        mb_pool_give(&c->key->offer->verifying, c->verifying_scratch);
    }
    c->signing_scratch = c->verifying_scratch = NULL;
}

static int is_streaming(const context *c)
{
    return c->running_verification != NULL;
}

/* Forms of the key and memory for the role. */
static int stream_prepare(context *c, moonbow_scratch *signing, moonbow_scratch *verifying)
{
    if (c->role == NO_ROLE || !c->key)
        return MB_FAIL(c->provider, MB_REASON_ORDER, "not initialised for signing or verifying");
    if (!mb_key_verifying(&c->verifying, c->key) ||
        (c->role == SIGNER && !mb_key_signing(&c->signing, c->key)))
        return 0;
    mb_offer *offer = c->key->offer;
    *verifying = mb_pool_take(&offer->verifying);
    c->verifying_scratch = verifying->start;
    if (c->role == SIGNER) {
        *signing = mb_pool_take(&offer->signing);
        c->signing_scratch = signing->start;
    }
    if (!c->verifying_scratch || (c->role == SIGNER && !c->signing_scratch))
        return MB_FAIL(c->provider, MB_REASON_NO_MEMORY, "%s", offer->p->name);
    return 1;
}

static int stream_begin(context *c)
{
    moonbow_scratch signing, verifying;
    const moonbow_parameters *p = c->key->offer->p;
    if (!p->streams_message)
        return MB_FAIL(c->provider, MB_REASON_ONE_SHOT_ONLY, "%s reads its message more than once", p->name);
    if (!stream_prepare(c, &signing, &verifying)) {
        stream_end(c);
        return 0;
    }
    int status = moonbow_verify_begin_late(&c->running_verification, c->verifying.verifier, &verifying);
    if (status == MOONBOW_OK && c->role == SIGNER)
        status = moonbow_sign_begin(&c->running_signing, c->signing.signer, &signing);
    if (status != MOONBOW_OK)
        stream_end(c);
    return status == MOONBOW_OK ? 1 : MB_FAIL_STATUS(c->provider, p->name, status);
}

static int stream_update(context *c, const unsigned char *piece, size_t bytes)
{
    if (!is_streaming(c) && !stream_begin(c))
        return 0;
    if (c->running_signing)
        moonbow_sign_message(c->running_signing, piece, bytes);
    moonbow_verify_message(c->running_verification, piece, bytes); /* its status comes out of finish */
    return 1;
}

/* Verifies the signature of what has come, and ends the stream. */
static int stream_verify(context *c, const uint8_t *signature, size_t signature_bytes)
{
    moonbow_verification *verification = c->running_verification;
    moonbow_verify_signature(verification, signature, signature_bytes);
    moonbow_verify_key(verification, c->verifying.key, c->verifying.key_bytes);
    const int status = moonbow_verify_finish(verification);
    c->running_verification = NULL;
    stream_end(c);
    return status;
}

static int stream_sign(context *c, uint8_t *signature, size_t signature_bytes)
{
    int status = moonbow_sign_finish(c->running_signing, signature, signature_bytes, c->signing.key,
                                     c->signing.key_bytes, &c->provider->random);
    c->running_signing = NULL;
    if (status == MOONBOW_OK) {
        status = stream_verify(c, signature, signature_bytes);
        status = status == MOONBOW_BAD_SIGNATURE ? MOONBOW_FAULT : status;
    }
    stream_end(c);
    if (status != MOONBOW_OK)
        memset(signature, 0, signature_bytes);
    return status;
}

/* 1, or 0 with an error raised. */
static int signed_or_not(const context *c, int status)
{
    const char *name = c->key->offer->p->name;
    if (status == MOONBOW_FAULT)
        return MB_FAIL(c->provider, MB_REASON_FAULT, "%s: %s", name, moonbow_status_text(status));
    return status == MOONBOW_OK || MB_FAIL_STATUS(c->provider, name, status);
}

/* ---- A message in one piece ----------------------------------------------------------------- */

static int sign_at_once(context *c, uint8_t *signature, size_t signature_bytes, const uint8_t *message,
                        size_t message_bytes)
{
    mb_pool *pool = &c->key->offer->signing;
    mb_signing signing;
    mb_verifying verifying;
    if (!mb_key_signing(&signing, c->key) || !mb_key_verifying(&verifying, c->key))
        return 0;
    const moonbow_scratch scratch = mb_pool_take(pool);
    if (!scratch.start)
        return MB_FAIL(c->provider, MB_REASON_NO_MEMORY, "%s", c->key->offer->p->name);
    const int status = moonbow_sign_checked(
        signing.signer, verifying.verifier, signature, signature_bytes, message, message_bytes, signing.key,
        signing.key_bytes, verifying.key, verifying.key_bytes, &c->provider->random, &scratch);
    mb_pool_give(pool, scratch.start);
    return signed_or_not(c, status);
}

/* 1, or 0: a signature that does not verify raises no error. */
static int verdict(const context *c, int status)
{
    if (status == MOONBOW_OK || status == MOONBOW_BAD_SIGNATURE)
        return status == MOONBOW_OK;
    return MB_FAIL_STATUS(c->provider, c->key->offer->p->name, status);
}

static int verify_at_once(context *c, const uint8_t *signature, size_t signature_bytes,
                          const uint8_t *message, size_t message_bytes)
{
    mb_pool *pool = &c->key->offer->verifying;
    mb_verifying verifying;
    if (!mb_key_verifying(&verifying, c->key))
        return 0;
    const moonbow_scratch scratch = mb_pool_take(pool);
    if (!scratch.start)
        return MB_FAIL(c->provider, MB_REASON_NO_MEMORY, "%s", c->key->offer->p->name);
    const int status = moonbow_verify(verifying.verifier, signature, signature_bytes, message, message_bytes,
                                      verifying.key, verifying.key_bytes, &scratch);
    mb_pool_give(pool, scratch.start);
    return verdict(c, status);
}

/* ---- Contexts ------------------------------------------------------------------------------- */

static void *new_context(void *provider, const char *properties)
{
    context *c = OPENSSL_zalloc(sizeof *c);
    (void)properties; /* nothing is fetched */
    if (c)
        c->provider = provider;
    return c;
}

static void free_context(void *memory)
{
    context *c = memory;
    if (!c)
        return;
    stream_end(c);
    mb_key_free(c->key);
    OPENSSL_free(c->expected);
    OPENSSL_free(c);
}

/* The copy goes on from the same place in the message. OpenSSL finishes a copy of what it was given pieces for. */
static int fork_stream(context *copy, const context *c)
{
    moonbow_scratch signing, verifying;
    if (!stream_prepare(copy, &signing, &verifying))
        return 0;
    copy->verifying = c->verifying; /* the key's quicker form may be new, and the verifier must be the same */
    copy->signing = c->signing;
    int status = moonbow_verify_fork(&copy->running_verification, c->running_verification, &verifying);
    if (status == MOONBOW_OK && c->running_signing)
        status = moonbow_sign_fork(&copy->running_signing, c->running_signing, &signing);
    return status == MOONBOW_OK ? 1 : MB_FAIL_STATUS(c->provider, copy->key->offer->p->name, status);
}

static void *duplicate_context(void *from)
{
    const context *c = from;
    context *copy = new_context(c->provider, NULL);
    int is_done = copy != NULL;
    if (!copy)
        return NULL;
    copy->role = c->role;
    copy->key = c->key ? mb_key_share(c->key) : NULL;
    if (c->expected) {
        copy->expected = OPENSSL_memdup(c->expected, c->expected_bytes);
        copy->expected_bytes = c->expected_bytes;
        is_done = copy->expected != NULL;
    }
    if (is_done && is_streaming(c))
        is_done = fork_stream(copy, c);
    if (!is_done) {
        free_context(copy);
        copy = NULL;
    }
    return copy;
}

static int set_params(void *memory, const OSSL_PARAM params[]);

/* A new operation under a new key, or, without one, under the same. */
static int init(context *c, void *key, context_role role, const OSSL_PARAM params[])
{
    stream_end(c);
    OPENSSL_free(c->expected);
    c->expected = NULL;
    if (key) {
        mb_key_free(c->key);
        c->key = mb_key_share(key);
    }
    c->role = role;
    if (!c->key)
        return MB_FAIL(c->provider, MB_REASON_NO_PUBLIC_KEY, "no key");
    if (!c->key->offer->is_on)
        return mb_fail_off(c->key->offer);
    if (role == SIGNER && !c->key->secret_key)
        return MB_FAIL(c->provider, MB_REASON_NO_SECRET_KEY, "this %s key is a public key: it cannot sign",
                       c->key->offer->p->name);
    return set_params(c, params);
}

static int require_role(const context *c, context_role role)
{
    return c->role == role || MB_FAIL(c->provider, MB_REASON_ORDER, "not initialised for %s",
                                      role == SIGNER ? "signing" : "verifying");
}

/* A message in one piece does not follow pieces of another. */
static int require_no_stream(const context *c)
{
    return !is_streaming(c) ||
           MB_FAIL(c->provider, MB_REASON_ORDER, "pieces of a message have come: expected its end");
}

/* Without a buffer the caller asks for the length alone: 2. */
static int check_buffer(const context *c, const unsigned char *signature, size_t *signature_bytes,
                        size_t room)
{
    const moonbow_parameters *p = c->key->offer->p;
    *signature_bytes = p->signature_bytes;
    if (!signature)
        return 2;
    return room >= p->signature_bytes || MB_FAIL(c->provider, MB_REASON_BUFFER_TOO_SMALL,
                                                 "a signature of %s has %zu bytes, and there is room for %zu",
                                                 p->name, p->signature_bytes, room);
}

static int check_length(const context *c, size_t signature_bytes)
{
    const moonbow_parameters *p = c->key->offer->p;
    return signature_bytes == p->signature_bytes ||
           MB_FAIL(c->provider, MB_REASON_WRONG_LENGTH, "expected a signature of %s of %zu bytes, found %zu",
                   p->name, p->signature_bytes, signature_bytes);
}

/* ---- Functions of OpenSSL: messages in one piece -------------------------------------------- */

static int sign_init(void *c, void *key, const OSSL_PARAM params[])
{
    return init(c, key, SIGNER, params);
}

static int verify_init(void *c, void *key, const OSSL_PARAM params[])
{
    return init(c, key, VERIFIER, params);
}

static int sign(void *memory, unsigned char *signature, size_t *signature_bytes, size_t room,
                const unsigned char *message, size_t message_bytes)
{
    context *c = memory;
    if (!require_role(c, SIGNER) || !require_no_stream(c))
        return 0;
    const int is_ready = check_buffer(c, signature, signature_bytes, room);
    return is_ready != 1 ? is_ready == 2
                         : sign_at_once(c, signature, *signature_bytes, message, message_bytes);
}

static int verify(void *memory, const unsigned char *signature, size_t signature_bytes,
                  const unsigned char *message, size_t message_bytes)
{
    context *c = memory;
    return require_role(c, VERIFIER) && require_no_stream(c) && check_length(c, signature_bytes) &&
           verify_at_once(c, signature, signature_bytes, message, message_bytes);
}

/* ---- Messages in pieces --------------------------------------------------------------------- */

static int check_no_digest(const context *c, const char *digest)
{
    if (!digest || !*digest || OPENSSL_strcasecmp(digest, "UNDEF") == 0)
        return 1;
    return MB_FAIL(c->provider, MB_REASON_NO_DIGEST,
                   "these schemes hash the message themselves: expected no digest, found %s", digest);
}

static int digest_sign_init(void *c, const char *digest, void *key, const OSSL_PARAM params[])
{
    return check_no_digest(c, digest) && sign_init(c, key, params);
}

static int digest_verify_init(void *c, const char *digest, void *key, const OSSL_PARAM params[])
{
    return check_no_digest(c, digest) && verify_init(c, key, params);
}

static int sign_update(void *memory, const unsigned char *piece, size_t bytes)
{
    context *c = memory;
    return require_role(c, SIGNER) && stream_update(c, piece, bytes);
}

static int verify_update(void *memory, const unsigned char *piece, size_t bytes)
{
    context *c = memory;
    return require_role(c, VERIFIER) && stream_update(c, piece, bytes);
}

static int sign_final(void *memory, unsigned char *signature, size_t *signature_bytes, size_t room)
{
    context *c = memory;
    if (!require_role(c, SIGNER))
        return 0;
    const int is_ready = check_buffer(c, signature, signature_bytes, room);
    if (is_ready != 1)
        return is_ready == 2;
    if (!is_streaming(c)) /* an empty message */
        return sign_at_once(c, signature, *signature_bytes, NULL, 0);
    return signed_or_not(c, stream_sign(c, signature, *signature_bytes));
}

static int verify_final(void *memory, const unsigned char *signature, size_t signature_bytes)
{
    context *c = memory;
    if (!require_role(c, VERIFIER) || !check_length(c, signature_bytes))
        return 0;
    if (!is_streaming(c))
        return verify_at_once(c, signature, signature_bytes, NULL, 0);
    return verdict(c, stream_verify(c, signature, signature_bytes));
}

#if OPENSSL_VERSION_NUMBER >= 0x30400000L
/* OpenSSL 3.4 gives the signature as a parameter before the message. */
static int verify_message_final(void *memory)
{
    context *c = memory;
    if (!c->expected)
        return MB_FAIL(c->provider, MB_REASON_ORDER, "no signature was given to verify");
    return verify_final(c, c->expected, c->expected_bytes);
}
#endif

/* ---- Parameters ----------------------------------------------------------------------------- */

static const OSSL_PARAM *gettable_params(void *memory, void *provider)
{
    static const OSSL_PARAM gettable[] = {OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0),
                                          OSSL_PARAM_END};
    (void)memory;
    (void)provider;
    return gettable;
}

static int get_params(void *memory, OSSL_PARAM params[])
{
    const context *c = memory;
    OSSL_PARAM *id = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_ALGORITHM_ID);
    if (!id)
        return 1;
    return c->key &&
           OSSL_PARAM_set_octet_string(id, c->key->offer->algorithm_id, c->key->offer->algorithm_id_bytes);
}

static const OSSL_PARAM *settable_params(void *memory, void *provider)
{
    static const OSSL_PARAM settable[] = {
#if OPENSSL_VERSION_NUMBER >= 0x30400000L
        OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_SIGNATURE, NULL, 0),
#endif
        OSSL_PARAM_END
    };
    (void)memory;
    (void)provider;
    return settable;
}

static int set_params(void *memory, const OSSL_PARAM params[])
{
#if OPENSSL_VERSION_NUMBER >= 0x30400000L
    context *c = memory;
    const OSSL_PARAM *signature =
        params ? OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_SIGNATURE) : NULL;
    if (signature) {
        void *copy = NULL;
        if (!OSSL_PARAM_get_octet_string(signature, &copy, 0, &c->expected_bytes))
            return MB_FAIL(c->provider, MB_REASON_WRONG_PARAMETER, "expected a signature as bytes");
        OPENSSL_free(c->expected);
        c->expected = copy;
    }
#else
    (void)memory;
    (void)params;
#endif
    return 1;
}

const OSSL_DISPATCH mb_signature_functions[] = {
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_NEWCTX, new_context),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_FREECTX, free_context),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_DUPCTX, duplicate_context),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_SIGN_INIT, sign_init),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_SIGN, sign),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY_INIT, verify_init),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY, verify),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, digest_sign_init),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, sign_update),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, sign_final),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_SIGN, sign),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, digest_verify_init),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, verify_update),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, verify_final),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY, verify),
#if OPENSSL_VERSION_NUMBER >= 0x30400000L
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT, sign_init),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_UPDATE, sign_update),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_FINAL, sign_final),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_INIT, verify_init),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_UPDATE, verify_update),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_FINAL, verify_message_final),
#endif
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, get_params),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, gettable_params),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, set_params),
    MB_FUNCTION(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, settable_params),
    {0, NULL},
};
