/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Loading and unloading: what OpenSSL's core gives, what openssl.cnf says, which algorithms are offered under which names. */
#include "provider.h"
#include "key.h"

#include <container/oid.h>
#include <openssl/core_names.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <string.h>

#define ENABLE_BROKEN "enable-broken" /* in the provider's section of openssl.cnf */

static int random_fill(void *context, uint8_t *out, size_t bytes)
{
    const mb_provider *provider = context;
    return RAND_priv_bytes_ex(provider->context, out, bytes, 0) == 1 ? 0 : -1;
}

/* ---- What the core gives -------------------------------------------------------------------- */

typedef struct core_functions {
    OSSL_FUNC_core_get_params_fn *get_params;
    OSSL_FUNC_core_obj_create_fn *obj_create;
    OSSL_FUNC_core_obj_add_sigid_fn *obj_add_sigid;
} core_functions;

static void take_core_functions(core_functions *core, mb_provider *provider, const OSSL_DISPATCH *in)
{
    for (; in->function_id != 0; in++) {
        switch (in->function_id) {
        case OSSL_FUNC_CORE_GET_PARAMS:
            core->get_params = OSSL_FUNC_core_get_params(in);
            break;
        case OSSL_FUNC_CORE_OBJ_CREATE:
            core->obj_create = OSSL_FUNC_core_obj_create(in);
            break;
        case OSSL_FUNC_CORE_OBJ_ADD_SIGID:
            core->obj_add_sigid = OSSL_FUNC_core_obj_add_sigid(in);
            break;
        case OSSL_FUNC_CORE_NEW_ERROR:
            provider->new_error = OSSL_FUNC_core_new_error(in);
            break;
        case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
            provider->set_error_debug = OSSL_FUNC_core_set_error_debug(in);
            break;
        case OSSL_FUNC_CORE_VSET_ERROR:
            provider->vset_error = OSSL_FUNC_core_vset_error(in);
            break;
        default:
            break;
        }
    }
}

static int is_one_of(const char *word, const char *const words[])
{
    for (; *words; words++) {
        if (OPENSSL_strcasecmp(word, *words) == 0)
            return 1;
    }
    return 0;
}

/* A word that is neither leaves them off, and is told where one is refused: OpenSSL says nothing of a provider that does not load. */
static void read_configuration(mb_provider *provider, const core_functions *core)
{
    static const char *const yes[] = {"yes", "true", "on", "1", NULL}, *const no[] = {"no", "false", "off",
                                                                                      "0", NULL};
    char *word = NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_utf8_ptr(ENABLE_BROKEN, &word, 0), OSSL_PARAM_END};
    if (!core->get_params(provider->handle, params) || !word)
        return;
    provider->enable_broken = is_one_of(word, yes);
    if (!provider->enable_broken && !is_one_of(word, no))
        provider->misspelt = OPENSSL_strdup(word);
}

/* ---- What is offered ------------------------------------------------------------------------ */

/* Bits of security against what is known, for OpenSSL's security levels: the level that a candidate is meant for; what the best
 * attack leaves of Rainbow III and V (their cautions say so); none of Rainbow I. */
static int security_bits(const moonbow_parameters *p)
{
    static const struct {
        const char *prefix;
        int bits;
    } rows[] = {{"uov-III", 192}, {"uov-I", 128}, {"uov-V", 256}, {"rainbow-III", 157}, {"rainbow-V", 206}};
    for (size_t i = 0; p->security != MOONBOW_BROKEN && i < sizeof rows / sizeof *rows; i++) {
        if (strncmp(p->name, rows[i].prefix, strlen(rows[i].prefix)) == 0)
            return rows[i].bits;
    }
    return 0;
}

/* AlgorithmIdentifier of keys and signatures alike: the object identifier, no parameters. */
static int encode_algorithm_id(mb_offer *offer)
{
    X509_ALGOR *algorithm = X509_ALGOR_new();
    ASN1_OBJECT *oid = OBJ_txt2obj(offer->oid, 1);
    int bytes = 0;
    if (algorithm && oid && X509_ALGOR_set0(algorithm, oid, V_ASN1_UNDEF, NULL)) {
        unsigned char *end = offer->algorithm_id;
        oid = NULL; /* belongs to the other now */
        bytes = i2d_X509_ALGOR(algorithm, NULL);
        if (bytes > 0 && (size_t)bytes <= sizeof offer->algorithm_id)
            bytes = i2d_X509_ALGOR(algorithm, &end);
        else
            bytes = 0;
    }
    ASN1_OBJECT_free(oid);
    X509_ALGOR_free(algorithm);
    offer->algorithm_id_bytes = bytes > 0 ? (size_t)bytes : 0;
    return bytes > 0;
}

static int make_offer(mb_offer *offer, mb_provider *provider, const moonbow_algorithm *algorithm)
{
    const moonbow_parameters *p = algorithm->parameters;
    offer->provider = provider;
    offer->algorithm = algorithm;
    offer->p = p;
    offer->is_on = p->security == MOONBOW_CANDIDATE || provider->enable_broken;
    offer->security_bits = security_bits(p);
    offer->oid = moonbow_oid_of_algorithm(p->name);
    mb_pool_init(&offer->signing, mb_key_signing_scratch_bytes(algorithm), 1);
    mb_pool_init(&offer->verifying, mb_key_verifying_scratch_bytes(algorithm), 0);
    if (!offer->oid || !encode_algorithm_id(offer))
        return MB_FAIL(provider, MB_REASON_LIBCRYPTO, "no object identifier for %s", p->name);
    (void)snprintf(offer->names, sizeof offer->names, "%s:%s", p->name, offer->oid);
    (void)snprintf(offer->description, sizeof offer->description, "%s, %s%s", p->title,
                   moonbow_security_text(p->security), offer->is_on ? "" : ", off");
    return 1;
}

static int make_offers(mb_provider *provider)
{
    const moonbow_algorithm *algorithm;
    for (size_t i = 0; (algorithm = moonbow_algorithm_at(i)) != NULL; i++) {
        if (i == MB_SLOTS)
            return MB_FAIL(provider, MB_REASON_CONFIGURATION, "more than %d algorithms", (int)MB_SLOTS);
        provider->offers_len = i + 1;
        if (!make_offer(&provider->offers[i], provider, algorithm))
            return 0;
    }
    return 1;
}

/* Names for the object identifiers, and that a signature's is its key's: certificates are verified by it. */
static int register_identifiers(mb_provider *provider, const core_functions *core)
{
    for (size_t i = 0; i < provider->offers_len; i++) {
        const char *name = provider->offers[i].p->name, *oid = provider->offers[i].oid;
        if (!core->obj_create(provider->handle, oid, name, name) ||
            !core->obj_add_sigid(provider->handle, name, "", name))
            return MB_FAIL(provider, MB_REASON_LIBCRYPTO, "cannot register the object identifier %s of %s",
                           oid, name);
    }
    return 1;
}

/* ---- Tables --------------------------------------------------------------------------------- */

#define PROPERTIES "provider=moonbow"

static void add(OSSL_ALGORITHM **end, const mb_offer *offer, const char *properties,
                const OSSL_DISPATCH *functions)
{
    *(*end)++ = (OSSL_ALGORITHM){offer->names, properties, functions, offer->description};
}

/* An algorithm that is off is there, to say why it is off: its keys can be read and shown. */
static int make_tables(mb_provider *provider)
{
    size_t encoders_len = 0;
    while (mb_encoders[encoders_len].functions)
        encoders_len++;
    const size_t len = provider->offers_len;
    OSSL_ALGORITHM *keys = provider->key_managers = OPENSSL_zalloc((len + 1) * sizeof *keys);
    OSSL_ALGORITHM *signatures = provider->signatures = OPENSSL_zalloc((len + 1) * sizeof *keys);
    OSSL_ALGORITHM *encoders = provider->encoders = OPENSSL_zalloc((len * encoders_len + 1) * sizeof *keys);
    OSSL_ALGORITHM *decoders = provider->decoders = OPENSSL_zalloc((2 * len + 1) * sizeof *keys);
    if (!keys || !signatures || !encoders || !decoders)
        return MB_FAIL(provider, MB_REASON_NO_MEMORY, "tables");
    for (size_t i = 0; i < len; i++) {
        const mb_offer *offer = &provider->offers[i];
        add(&keys, offer, PROPERTIES, mb_key_manager_of_slot[i]);
        add(&decoders, offer, PROPERTIES ",input=der,structure=PrivateKeyInfo", mb_secret_decoder_of_slot[i]);
        add(&decoders, offer, PROPERTIES ",input=der,structure=SubjectPublicKeyInfo",
            mb_public_decoder_of_slot[i]);
        add(&signatures, offer, PROPERTIES, mb_signature_functions);
        for (size_t e = 0; e < encoders_len; e++)
            add(&encoders, offer, mb_encoders[e].properties, mb_encoders[e].functions);
    }
    return 1;
}

static const OSSL_ALGORITHM *query_operation(void *context, int operation, int *no_cache)
{
    const mb_provider *provider = context;
    *no_cache = 0;
    switch (operation) {
    case OSSL_OP_KEYMGMT:
        return provider->key_managers;
    case OSSL_OP_SIGNATURE:
        return provider->signatures;
    case OSSL_OP_ENCODER:
        return provider->encoders;
    case OSSL_OP_DECODER:
        return provider->decoders;
    default:
        return NULL;
    }
}

/* ---- The provider itself -------------------------------------------------------------------- */

static const OSSL_PARAM *gettable_params(void *context)
{
    static const OSSL_PARAM gettable[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
                                          OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
                                          OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
                                          OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL), OSSL_PARAM_END};
    (void)context;
    return gettable;
}

static int set_text(OSSL_PARAM params[], const char *name, const char *text)
{
    OSSL_PARAM *param = OSSL_PARAM_locate(params, name);
    return !param || OSSL_PARAM_set_utf8_ptr(param, text);
}

static int get_params(void *context, OSSL_PARAM params[])
{
    OSSL_PARAM *status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);
    (void)context;
    return set_text(params, OSSL_PROV_PARAM_NAME, "Moonbow: multivariate signatures") &&
           set_text(params, OSSL_PROV_PARAM_VERSION, moonbow_version()) &&
           set_text(params, OSSL_PROV_PARAM_BUILDINFO, moonbow_version()) &&
           (!status || OSSL_PARAM_set_int(status, 1));
}

static const OSSL_ITEM *get_reason_strings(void *context)
{
    (void)context;
    return mb_reason_strings;
}

static void teardown(void *context)
{
    mb_provider *provider = context;
    for (size_t i = 0; i < provider->offers_len; i++) {
        mb_pool_free(&provider->offers[i].signing);
        mb_pool_free(&provider->offers[i].verifying);
    }
    OPENSSL_free(provider->misspelt);
    OPENSSL_free(provider->key_managers);
    OPENSSL_free(provider->signatures);
    OPENSSL_free(provider->encoders);
    OPENSSL_free(provider->decoders);
    OSSL_LIB_CTX_free(provider->context);
    OPENSSL_free(provider);
}

static const OSSL_DISPATCH provider_functions[] = {
    MB_FUNCTION(OSSL_FUNC_PROVIDER_TEARDOWN, teardown),
    MB_FUNCTION(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable_params),
    MB_FUNCTION(OSSL_FUNC_PROVIDER_GET_PARAMS, get_params),
    MB_FUNCTION(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query_operation),
    MB_FUNCTION(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, get_reason_strings),
    MB_FUNCTION(OSSL_FUNC_PROVIDER_GET_CAPABILITIES, mb_provider_get_capabilities),
    {0, NULL},
};

/* All that is used of the core: OpenSSL 3.0 has it. */
static int is_complete(const core_functions *core, const mb_provider *provider)
{
    return core->get_params && core->obj_create && core->obj_add_sigid && provider->new_error &&
           provider->set_error_debug && provider->vset_error;
}

__attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE *handle,
                                                              const OSSL_DISPATCH *in,
                                                              const OSSL_DISPATCH **out, void **context)
{
    core_functions core = {NULL, NULL, NULL};
    mb_provider *provider = OPENSSL_zalloc(sizeof *provider);
    if (!provider)
        return 0;
    provider->handle = handle;
    provider->random = (moonbow_random){random_fill, provider};
    take_core_functions(&core, provider, in);
    if (!is_complete(&core, provider)) {
        OPENSSL_free(provider);
        return 0;
    }
    read_configuration(provider, &core);
    provider->context = OSSL_LIB_CTX_new_child(handle, in);
    if (!provider->context || !make_offers(provider) || !register_identifiers(provider, &core) ||
        !make_tables(provider)) {
        teardown(provider);
        return 0;
    }
    *out = provider_functions;
    *context = provider;
    return 1;
}
