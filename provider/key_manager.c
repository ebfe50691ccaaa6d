/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * KEYMGMT (provider-keymgmt(7)): makes, imports, exports, compares, checks and describes keys. */
#include "key.h"

#include <container/memory.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <string.h>

#define SEED "seed" /* generation from a SECRET seed: `-pkeyopt hexseed:…` */

/* ---- Life ----------------------------------------------------------------------------------- */

static void *new_key(void *provider, size_t slot)
{
    mb_offer *offer = mb_offer_of_slot(provider, slot);
    return offer ? mb_key_new(offer) : NULL;
}

static void free_key(void *key)
{
    mb_key_free(key);
}

/* A decoder hands over a key by a reference to its pointer, and sees by the pointer that it was taken. */
static void *load(const void *reference, size_t reference_bytes)
{
    mb_key *key = NULL;
    if (!reference || reference_bytes != sizeof key)
        return NULL;
    memcpy(&key, reference, sizeof key);
    memset((void *)(uintptr_t)reference, 0, sizeof key);
    return key;
}

/* NULL if there is nothing to copy, or no memory. */
static moonbow_key *copy_of(const moonbow_key *from)
{
    moonbow_key *copy = NULL;
    if (from && moonbow_key_new(&copy, from->algorithm, from->kind) == MOONBOW_OK)
        memcpy(copy->bytes, from->bytes, from->bytes_len + from->public_seed_bytes);
    return copy;
}

static void *duplicate(const void *from, int selection)
{
    mb_key *old = (mb_key *)(uintptr_t)from, *key = mb_key_new(old->offer);
    moonbow_key *public_key = NULL, *secret_key = NULL;
    const int wants_secret = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) && old->secret_key;
    /* Beside the secret key the public one is left to be derived, unless it is there. */
    const int has_public = atomic_load(&old->public_key) || (old->secret_key && !wants_secret);
    const int wants_public = (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) && has_public;
    if (!key)
        return NULL;
    if (wants_public)
        public_key = copy_of(mb_key_public(old));
    if (wants_secret)
        secret_key = copy_of(old->secret_key);
    mb_key_set(key, public_key, secret_key);
    if ((wants_public && !public_key) || (wants_secret && !secret_key)) {
        MB_FAIL(old->offer->provider, MB_REASON_NO_MEMORY, "%s", old->offer->p->name);
        mb_key_free(key);
        key = NULL;
    }
    return key;
}

/* ---- Generation ----------------------------------------------------------------------------- */

typedef struct generation {
    mb_offer *offer;
    uint8_t *seed; /* SECRET; NULL: a random one */
    size_t seed_bytes;
} generation;

static void forget_seed(generation *g)
{
    OPENSSL_secure_clear_free(g->seed, g->seed_bytes);
    g->seed = NULL;
    g->seed_bytes = 0;
}

static void generation_cleanup(void *context)
{
    generation *g = context;
    if (g)
        forget_seed(g);
    OPENSSL_free(g);
}

static int generation_set_params(void *context, const OSSL_PARAM params[])
{
    generation *g = context;
    const OSSL_PARAM *seed = params ? OSSL_PARAM_locate_const(params, SEED) : NULL;
    if (!seed)
        return 1;
    const size_t expected = g->offer->p->generate_random_bytes;
    if (seed->data_type != OSSL_PARAM_OCTET_STRING || seed->data_size != expected)
        return MB_FAIL(g->offer->provider, MB_REASON_WRONG_LENGTH,
                       "expected a seed of %zu bytes for %s (hexseed:…), found %zu", expected,
                       g->offer->p->name, seed->data_size);
    forget_seed(g);
    g->seed = OPENSSL_secure_malloc(expected);
    if (!g->seed)
        return MB_FAIL(g->offer->provider, MB_REASON_NO_MEMORY, "seed");
    memcpy(g->seed, seed->data, expected);
    g->seed_bytes = expected;
    return 1;
}

static const OSSL_PARAM *generation_settable_params(void *context, void *provider)
{
    static const OSSL_PARAM settable[] = {OSSL_PARAM_octet_string(SEED, NULL, 0), OSSL_PARAM_END};
    (void)context;
    (void)provider;
    return settable;
}

static void *generation_init(void *provider, size_t slot, int selection, const OSSL_PARAM params[])
{
    mb_offer *offer = mb_offer_of_slot(provider, slot);
    if (!offer)
        return NULL;
    if (!offer->is_on) {
        mb_fail_off(offer);
        return NULL;
    }
    if (!(selection & OSSL_KEYMGMT_SELECT_KEYPAIR)) {
        MB_FAIL(provider, MB_REASON_WRONG_PARAMETER, "%s has no parameters to generate", offer->p->name);
        return NULL;
    }
    generation *g = OPENSSL_zalloc(sizeof *g);
    if (!g) {
        MB_FAIL(provider, MB_REASON_NO_MEMORY, "key generation");
        return NULL;
    }
    g->offer = offer;
    if (!generation_set_params(g, params)) {
        generation_cleanup(g);
        g = NULL;
    }
    return g;
}

static void *generate(void *context, OSSL_CALLBACK *progress, void *argument)
{
    generation *g = context;
    moonbow_key *public_key = NULL, *secret_key = NULL;
    mb_key *key = mb_key_new(g->offer);
    (void)progress; /* it takes milliseconds */
    (void)argument;
    if (!key)
        return NULL;
    const int status =
        moonbow_key_generate(&public_key, &secret_key, g->offer->algorithm, &g->offer->provider->random,
                             g->seed, g->seed_bytes, MOONBOW_FAST);
    if (status != MOONBOW_OK) {
        MB_FAIL_STATUS(g->offer->provider, g->offer->p->name, status);
        mb_key_free(key);
        return NULL;
    }
    mb_key_set(key, public_key, secret_key);
    return key;
}

/* ---- Import and export ---------------------------------------------------------------------- */

/* Takes one half from a parameter; *half stays NULL if the parameter is not there. */
static int import_half(moonbow_key **half, const mb_offer *offer, moonbow_key_kind kind,
                       const OSSL_PARAM *param)
{
    const char *what = kind == MOONBOW_SECRET_KEY ? "private" : "public";
    moonbow_key *key = NULL;
    *half = NULL;
    if (!param)
        return 1;
    if (moonbow_key_new(&key, offer->algorithm, kind) != MOONBOW_OK)
        return MB_FAIL(offer->provider, MB_REASON_NO_MEMORY, "%s", offer->p->name);
    const size_t expected = key->bytes_len + key->public_seed_bytes;
    if (param->data_type != OSSL_PARAM_OCTET_STRING || param->data_size != expected) {
        moonbow_key_free(key);
        return MB_FAIL(offer->provider, MB_REASON_WRONG_LENGTH,
                       "expected a %s %s key of %zu bytes, found %zu", offer->p->name, what, expected,
                       param->data_size);
    }
    memcpy(key->bytes, param->data, expected);
    *half = key;
    return 1;
}

static int import(void *context, int selection, const OSSL_PARAM params[])
{
    mb_key *key = context;
    const mb_offer *offer = key->offer;
    moonbow_key *public_key = NULL, *secret_key = NULL;
    const OSSL_PARAM *public_param = selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY
                                         ? OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PUB_KEY)
                                         : NULL;
    const OSSL_PARAM *secret_param = selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY
                                         ? OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PRIV_KEY)
                                         : NULL;
    if (atomic_load(&key->public_key) || key->secret_key)
        return MB_FAIL(offer->provider, MB_REASON_ORDER, "this %s key has its parts already", offer->p->name);
    if (!public_param && !secret_param)
        return MB_FAIL(offer->provider, MB_REASON_WRONG_PARAMETER, "expected \"pub\" or \"priv\" of a %s key",
                       offer->p->name);
    if (!import_half(&public_key, offer, MOONBOW_PUBLIC_KEY, public_param) ||
        !import_half(&secret_key, offer, MOONBOW_SECRET_KEY, secret_param)) {
        moonbow_key_free(public_key);
        return 0;
    }
    mb_key_set(key, public_key, secret_key);
    return 1;
}

static int export(void *key, int selection, OSSL_CALLBACK *callback, void *argument)
{
    return mb_key_export(key, selection, callback, argument);
}

static const OSSL_PARAM *parts(int selection)
{
    static const OSSL_PARAM both[] = {OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
                                      OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
                                      OSSL_PARAM_END};
    static const OSSL_PARAM public_part[] = {OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
                                             OSSL_PARAM_END};
    if (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY)
        return both;
    return selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY ? public_part : NULL;
}

/* ---- Questions ------------------------------------------------------------------------------ */

static int has(const void *context, int selection)
{
    const mb_key *key = context;
    const int has_public = key && (key->secret_key || atomic_load(&((mb_key *)(uintptr_t)key)->public_key));
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) && !has_public)
        return 0;
    return key && (!(selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) || key->secret_key);
}

/* Equal secret halves have equal public ones, and the reverse but for damage: the public ones are compared where that is asked. */
static int match(const void *first, const void *second, int selection)
{
    mb_key *a = (mb_key *)(uintptr_t)first, *b = (mb_key *)(uintptr_t)second;
    if (a->offer != b->offer)
        return 0;
    if (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) {
        const moonbow_key *p = mb_key_public(a), *q = mb_key_public(b);
        return p && q && memcmp(p->bytes, q->bytes, p->bytes_len) == 0;
    }
    if (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) {
        const moonbow_key *p = a->secret_key, *q = b->secret_key;
        return p && q && CRYPTO_memcmp(p->bytes, q->bytes, p->bytes_len + p->public_seed_bytes) == 0;
    }
    return 1;
}

static int check_pair(mb_key *key)
{
    const mb_offer *offer = key->offer;
    const moonbow_generator *generator = offer->algorithm->generator;
    const moonbow_key *public_key = mb_key_public(key), *secret_key = key->secret_key;
    moonbow_scratch scratch = {NULL, moonbow_generate_scratch_bytes(generator, MOONBOW_FAST), MOONBOW_FAST};
    int status = MOONBOW_CONTAINER_NO_MEMORY;
    if (!public_key)
        return 0;
    scratch.start = moonbow_memory_new_secret(scratch.bytes);
    if (scratch.start)
        status = moonbow_check_key_pair(generator, public_key->bytes, public_key->bytes_len,
                                        secret_key->bytes, secret_key->bytes_len, &scratch);
    moonbow_memory_free(scratch.start, scratch.bytes);
    if (status == MOONBOW_WRONG_KEY)
        return MB_FAIL(offer->provider, MB_REASON_NOT_A_PAIR,
                       "%s: the private key does not belong to the public key, or was damaged",
                       offer->p->name);
    return status == MOONBOW_OK ? 1 : MB_FAIL_STATUS(offer->provider, offer->p->name, status);
}

/* Any bytes of the right length are a public key. A secret key is right if it gives the public key. */
static int validate(const void *context, int selection, int type)
{
    mb_key *key = (mb_key *)(uintptr_t)context;
    (void)type;
    if (!has(key, selection))
        return 0;
    return selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY ? check_pair(key) : 1;
}

static const OSSL_PARAM *gettable_params(void *provider)
{
    static const OSSL_PARAM gettable[] = {
        OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
#if OPENSSL_VERSION_NUMBER >= 0x30600000L
        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_CATEGORY, NULL),
#endif
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_MANDATORY_DIGEST, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)provider;
    return gettable;
}

static int set_half(OSSL_PARAM *param, const moonbow_key *half)
{
    return !param || (half && OSSL_PARAM_set_octet_string(param, half->bytes,
                                                          half->bytes_len + half->public_seed_bytes));
}

static int set_number(OSSL_PARAM params[], const char *name, int value)
{
    OSSL_PARAM *param = OSSL_PARAM_locate(params, name);
    return !param || OSSL_PARAM_set_int(param, value);
}

#if OPENSSL_VERSION_NUMBER >= 0x30600000L
/* NIST's category that a candidate is meant for; 0 for what is broken or weakened. */
static int set_category(OSSL_PARAM params[], const mb_offer *offer)
{
    const int bits = offer->p->security == MOONBOW_CANDIDATE ? offer->security_bits : 0;
    return set_number(params, OSSL_PKEY_PARAM_SECURITY_CATEGORY,
                      bits >= 256   ? 5
                      : bits >= 192 ? 3
                      : bits >= 128 ? 1
                                    : 0);
}
#else
static int set_category(OSSL_PARAM params[], const mb_offer *offer)
{
    (void)params;
    (void)offer;
    return 1;
}
#endif

static int get_params(void *context, OSSL_PARAM params[])
{
    mb_key *key = context;
    const moonbow_parameters *p = key->offer->p;
    OSSL_PARAM *digest = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_MANDATORY_DIGEST);
    OSSL_PARAM *public_param = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_PUB_KEY);
    return set_number(params, OSSL_PKEY_PARAM_BITS, (int)(8 * p->public_key_bytes)) &&
           set_number(params, OSSL_PKEY_PARAM_SECURITY_BITS, key->offer->security_bits) &&
           set_category(params, key->offer) &&
           set_number(params, OSSL_PKEY_PARAM_MAX_SIZE, (int)p->signature_bytes) &&
           (!digest || OSSL_PARAM_set_utf8_string(digest, "")) && /* the scheme hashes the message itself */
           set_half(public_param, public_param ? mb_key_public(key) : NULL) &&
           set_half(OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_PRIV_KEY), key->secret_key);
}

/* ---- Tables --------------------------------------------------------------------------------- */

#define FUNCTIONS_OF_SLOT(n)                                                                                 \
    static void *new_key_##n(void *provider)                                                                 \
    {                                                                                                        \
        return new_key(provider, n);                                                                         \
    }                                                                                                        \
    static void *generation_init_##n(void *provider, int selection, const OSSL_PARAM params[])               \
    {                                                                                                        \
        return generation_init(provider, n, selection, params);                                              \
    }                                                                                                        \
    static const OSSL_DISPATCH functions_##n[] = {                                                           \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_NEW, new_key_##n),                                                     \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_FREE, free_key),                                                       \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_LOAD, load),                                                           \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_DUP, duplicate),                                                       \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_INIT, generation_init_##n),                                        \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, generation_set_params),                                \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, generation_settable_params),                      \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_GEN, generate),                                                        \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, generation_cleanup),                                      \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_IMPORT, import),                                                       \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, parts),                                                  \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_EXPORT, export),                                                       \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, parts),                                                  \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_HAS, has),                                                             \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_MATCH, match),                                                         \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_VALIDATE, validate),                                                   \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_params),                                               \
        MB_FUNCTION(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, gettable_params),                                     \
        {0, NULL},                                                                                           \
    };
MB_EACH_SLOT(FUNCTIONS_OF_SLOT)

#define TABLE_OF_SLOT(n) functions_##n,
const OSSL_DISPATCH *const mb_key_manager_of_slot[MB_SLOTS] = {MB_EACH_SLOT(TABLE_OF_SLOT)};
