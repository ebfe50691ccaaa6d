/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What EVP and the provider add to a call of the library. Usage: overhead [ALGORITHM...]. Nanoseconds, of batches that take turns
 * the one that a tenth are faster than: a verification by EVP (ours); the library's call beside the same EVP calls for an algorithm
 * that does nothing, from a provider in this file (both); each of the two alone; and Ed25519. The difference of the first two is what
 * the provider adds to what EVP costs any algorithm, Ed25519 too, whose arithmetic cannot be called without EVP. */
#include <container/key.h>
#include <container/memory.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern OSSL_provider_init_fn OSSL_provider_init;

enum { BATCHES = 301, CALLS = 16, MESSAGE_BYTES = 64, SIGNATURE_MOST_BYTES = 512 };

static const unsigned char message[MESSAGE_BYTES] = "Moonbow";

static void require(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "overhead: %s\n", what);
        exit(1);
    }
}

/* ---- The algorithm that does nothing -------------------------------------------------------------- */

static char nothing;

static void *nothing_new(void *provider)
{
    (void)provider;
    return &nothing;
}

static void *nothing_generation(void *provider, int selection, const OSSL_PARAM params[])
{
    (void)provider;
    (void)selection;
    (void)params;
    return &nothing;
}

static void *nothing_generate(void *generation, OSSL_CALLBACK *progress, void *argument)
{
    (void)generation;
    (void)progress;
    (void)argument;
    return &nothing;
}

static void nothing_free(void *key)
{
    (void)key;
}

static int nothing_has(const void *key, int selection)
{
    (void)key;
    (void)selection;
    return 1;
}

static int nothing_params(void *key, OSSL_PARAM params[])
{
    OSSL_PARAM *digest = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_MANDATORY_DIGEST);
    (void)key;
    return !digest || OSSL_PARAM_set_utf8_string(digest, "");
}

static const OSSL_PARAM *nothing_gettable(void *provider)
{
    static const OSSL_PARAM gettable[] = {OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_MANDATORY_DIGEST, NULL, 0),
                                          OSSL_PARAM_END};
    (void)provider;
    return gettable;
}

static void *nothing_context(void *provider, const char *properties)
{
    (void)properties;
    return nothing_new(provider);
}

static int nothing_init(void *context, const char *digest, void *key, const OSSL_PARAM params[])
{
    (void)context;
    (void)digest;
    (void)key;
    (void)params;
    return 1;
}

static int nothing_verify(void *context, const unsigned char *signature, size_t signature_bytes,
                          const unsigned char *text, size_t text_bytes)
{
    (void)context;
    (void)signature;
    (void)signature_bytes;
    (void)text;
    (void)text_bytes;
    return 1;
}

#define FUNCTION(id, function)                                                                               \
    {                                                                                                        \
        id, (void (*)(void))(function)                                                                       \
    }
static const OSSL_DISPATCH nothing_keys[] = {
    FUNCTION(OSSL_FUNC_KEYMGMT_NEW, nothing_new),
    FUNCTION(OSSL_FUNC_KEYMGMT_FREE, nothing_free),
    FUNCTION(OSSL_FUNC_KEYMGMT_HAS, nothing_has),
    FUNCTION(OSSL_FUNC_KEYMGMT_GEN_INIT, nothing_generation),
    FUNCTION(OSSL_FUNC_KEYMGMT_GEN, nothing_generate),
    FUNCTION(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, nothing_free),
    FUNCTION(OSSL_FUNC_KEYMGMT_GET_PARAMS, nothing_params),
    FUNCTION(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, nothing_gettable),
    {0, NULL},
};
static const OSSL_DISPATCH nothing_signature[] = {
    FUNCTION(OSSL_FUNC_SIGNATURE_NEWCTX, nothing_context),
    FUNCTION(OSSL_FUNC_SIGNATURE_FREECTX, nothing_free),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, nothing_init),
    FUNCTION(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY, nothing_verify),
    {0, NULL},
};

static const OSSL_ALGORITHM *nothing_query(void *provider, int operation, int *no_cache)
{
    static const OSSL_ALGORITHM keys[] = {{"nothing", "provider=nothing", nothing_keys, NULL},
                                          {NULL, NULL, NULL, NULL}};
    static const OSSL_ALGORITHM signatures[] = {{"nothing", "provider=nothing", nothing_signature, NULL},
                                                {NULL, NULL, NULL, NULL}};
    (void)provider;
    *no_cache = 0;
    return operation == OSSL_OP_KEYMGMT ? keys : operation == OSSL_OP_SIGNATURE ? signatures : NULL;
}

static int nothing_provider(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                            const OSSL_DISPATCH **out, void **context)
{
    static const OSSL_DISPATCH functions[] = {FUNCTION(OSSL_FUNC_PROVIDER_QUERY_OPERATION, nothing_query),
                                              {0, NULL}};
    (void)handle;
    (void)in;
    *out = functions;
    *context = &nothing;
    return 1;
}

/* ---- Contestants ---------------------------------------------------------------------------------- */

typedef struct evp_subject {
    EVP_PKEY *key;
    unsigned char signature[SIGNATURE_MOST_BYTES];
    size_t signature_bytes;
} evp_subject;

typedef struct plain_subject {
    const moonbow_verifier *verifier;
    const uint8_t *key;
    size_t key_bytes;
    moonbow_scratch scratch;
    const evp_subject *signed_by, *beside;
} plain_subject;

static void verify_by_evp(const void *subject)
{
    const evp_subject *s = subject;
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    require(EVP_DigestVerifyInit_ex(c, NULL, NULL, NULL, NULL, s->key, NULL) == 1 &&
                EVP_DigestVerify(c, s->signature, s->signature_bytes, message, sizeof message) == 1,
            "a signature does not verify by EVP");
    EVP_MD_CTX_free(c);
}

static void verify_plainly(const void *subject)
{
    const plain_subject *s = subject;
    require(moonbow_verify(s->verifier, s->signed_by->signature, s->signed_by->signature_bytes, message,
                           sizeof message, s->key, s->key_bytes, &s->scratch) == MOONBOW_OK,
            "a signature does not verify");
}

static void make_evp(evp_subject *s, const char *name)
{
    EVP_PKEY_CTX *generation = EVP_PKEY_CTX_new_from_name(NULL, name, NULL);
    s->key = NULL;
    require(generation && EVP_PKEY_keygen_init(generation) == 1 &&
                EVP_PKEY_generate(generation, &s->key) == 1,
            "cannot make a key");
    EVP_PKEY_CTX_free(generation);
    if (strcmp(name, "nothing") != 0) {
        EVP_MD_CTX *c = EVP_MD_CTX_new();
        s->signature_bytes = sizeof s->signature;
        require(EVP_DigestSignInit_ex(c, NULL, NULL, NULL, NULL, s->key, NULL) == 1 &&
                    EVP_DigestSign(c, s->signature, &s->signature_bytes, message, sizeof message) == 1,
                "cannot sign");
        EVP_MD_CTX_free(c);
    }
    for (int i = 0; i < 4; i++) { /* until the key has its quicker form */
        verify_by_evp(s);
    }
}

/* The same key in the form that the provider uses after some uses. */
static void make_plain(plain_subject *s, const char *name, const evp_subject *signed_by)
{
    const moonbow_algorithm *algorithm = moonbow_algorithm_by_name(name);
    const moonbow_preparer *preparer = algorithm->preparer;
    const moonbow_verifier *prepared = preparer ? moonbow_prepared_verifier(preparer) : NULL;
    size_t key_bytes = algorithm->parameters->public_key_bytes;
    uint8_t *key = moonbow_memory_new(key_bytes);
    require(EVP_PKEY_get_octet_string_param(signed_by->key, "pub", key, key_bytes, &key_bytes) == 1,
            "no public key");
    *s = (plain_subject){algorithm->verifier, key, key_bytes, {NULL, 0, MOONBOW_FAST}, signed_by, NULL};
    if (prepared) {
        const size_t bytes = moonbow_verifier_parameters(prepared)->public_key_bytes;
        const size_t scratch_bytes = moonbow_prepare_scratch_bytes(preparer, MOONBOW_FAST);
        const moonbow_scratch scratch = {moonbow_memory_new(scratch_bytes), scratch_bytes, MOONBOW_FAST};
        uint8_t *longer = moonbow_memory_new(bytes);
        require(moonbow_prepare_public_key(preparer, longer, bytes, key, key_bytes, &scratch) == MOONBOW_OK,
                "cannot prepare");
        moonbow_memory_free(scratch.start, scratch.bytes);
        moonbow_memory_free(key, key_bytes);
        *s = (plain_subject){prepared, longer, bytes, {NULL, 0, MOONBOW_FAST}, signed_by, NULL};
    }
    s->scratch.bytes = moonbow_verify_scratch_bytes(s->verifier, MOONBOW_FAST);
    s->scratch.start = moonbow_memory_new(s->scratch.bytes);
}

/* ---- Measuring ------------------------------------------------------------------------------------ */

typedef struct contestant {
    void (*run)(const void *subject);
    const void *subject;
    double batches[BATCHES];
} contestant;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(contestant *contestants, size_t len)
{
    for (size_t batch = 0; batch < BATCHES; batch++) {
        for (size_t i = 0; i < len; i++) {
            const double start = now();
            for (int call = 0; call < CALLS; call++) {
                contestants[i].run(contestants[i].subject);
            }
            contestants[i].batches[batch] = (now() - start) / CALLS;
        }
    }
    for (size_t i = 0; i < len; i++) {
        qsort(contestants[i].batches, BATCHES, sizeof(double), compare);
    }
}

static double fast(const contestant *c)
{
    return c->batches[BATCHES / 10];
}

/* The library's work and the calls of EVP side by side, so that both find the caches as they would in one another's company. */
static void verify_beside_evp(const void *subject)
{
    const plain_subject *s = subject;
    verify_by_evp(s->beside);
    verify_plainly(s);
}

static void compete(const char *name)
{
    static contestant contestants[5];
    static evp_subject ours, ed25519, none;
    plain_subject plain;
    make_evp(&ours, name);
    make_evp(&ed25519, "ED25519");
    make_evp(&none, "nothing");
    make_plain(&plain, name, &ours);
    plain.beside = &none;
    contestants[0] = (contestant){verify_by_evp, &ours, {0}};
    contestants[1] = (contestant){verify_beside_evp, &plain, {0}};
    contestants[2] = (contestant){verify_plainly, &plain, {0}};
    contestants[3] = (contestant){verify_by_evp, &none, {0}};
    contestants[4] = (contestant){verify_by_evp, &ed25519, {0}};
    measure(contestants, 5);
    printf("%-16s", name);
    printf(" %9.0f", fast(&contestants[0]) - fast(&contestants[1]));
    for (size_t i = 0; i < 5; i++) {
        printf(" %9.0f", fast(&contestants[i]));
    }
    printf("\n");
    EVP_PKEY_free(ours.key);
    EVP_PKEY_free(ed25519.key);
    EVP_PKEY_free(none.key);
    moonbow_memory_free((void *)(uintptr_t)plain.key, plain.key_bytes);
    moonbow_memory_free(plain.scratch.start, plain.scratch.bytes);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"uov-Is", "uov-Is-pkc", "uov-Ip-pkc", "uov-III-pkc", NULL};
    const char *const *names = argc > 1 ? (const char *const *)argv + 1 : usual;
    require(OSSL_PROVIDER_add_builtin(NULL, "moonbow", OSSL_provider_init) &&
                OSSL_PROVIDER_add_builtin(NULL, "nothing", nothing_provider) &&
                OSSL_PROVIDER_load(NULL, "default") && OSSL_PROVIDER_load(NULL, "moonbow") &&
                OSSL_PROVIDER_load(NULL, "nothing"),
            "cannot load the providers");
    printf("%-16s %9s %9s %9s %9s %9s %9s\n", "verify, ns", "added", "ours", "both", "library", "nothing",
           "Ed25519");
    for (; *names; names++) {
        compete(*names);
    }
    return 0;
}
