/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * DECODER (provider-decoder(7)): SubjectPublicKeyInfo and PrivateKeyInfo in DER. OpenSSL's own decoders take PEM and encryption off
 * before. A decoder is asked about every key that OpenSSL meets: it reads the first bytes, and on only if the key is of its type. */
#include "key.h"

#include <container/memory.h>
#include <container/oid.h>
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <string.h>

/* Enough for the headers and the object identifier of ours. */
enum { HEAD_BYTES = 64 };

typedef struct context {
    mb_offer *offer;
    moonbow_key_kind kind;
} context;

/* ---- Is it ours? ---------------------------------------------------------------------------- */

/* Moves past the header of an element of this tag; its length, or -1. The element, but not its header, may end
 * behind `end`: ASN1_get_object calls that an error, but tells the length; of a header that is cut off it does not. */
static long open_element(const unsigned char **next, const unsigned char *end, int wanted)
{
    long length = -1;
    int tag = -1, class = 0;
    if (*next >= end)
        return -1;
    const int is_indefinite = ASN1_get_object(next, &length, &tag, &class, (long)(end - *next)) & 1;
    return is_indefinite || tag != wanted || class != V_ASN1_UNIVERSAL ? -1 : length;
}

/* The whole length of the key that begins with the bytes found, or 0 if it is none of the offer's. */
static size_t length_of_ours(const context *c, const unsigned char *head, size_t found)
{
    const unsigned char *next = head, *const end = head + found;
    const long length = open_element(&next, end, V_ASN1_SEQUENCE);
    const size_t whole = (size_t)(next - head) + (size_t)(length < 0 ? 0 : length);
    if (length < 0)
        return 0;
    if (c->kind == MOONBOW_SECRET_KEY) { /* version */
        if (open_element(&next, end, V_ASN1_INTEGER) != 1 || next == end)
            return 0;
        next++;
    }
    if (open_element(&next, end, V_ASN1_SEQUENCE) < 0)
        return 0;
    const unsigned char *algorithm_id = c->offer->algorithm_id, *expected = algorithm_id;
    const unsigned char *const expected_end = algorithm_id + c->offer->algorithm_id_bytes;
    if (open_element(&expected, expected_end, V_ASN1_SEQUENCE) < 0)
        return 0;
    const size_t oid_bytes = (size_t)(expected_end - expected);
    if ((size_t)(end - next) < oid_bytes || memcmp(next, expected, oid_bytes) != 0)
        return 0;
    return whole;
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* Reads until there is enough or no more. */
static size_t read_up_to(BIO *in, unsigned char *out, size_t wanted)
{
    size_t found = 0, got = 0;
    while (found < wanted && BIO_read_ex(in, out + found, wanted - found, &got) && got != 0)
        found += got;
    return found;
}

/* Reads one key whose head has been read; 0 with an error raised. */
static int read_key(moonbow_key **key, const context *c, BIO *in, const unsigned char *head,
                    size_t head_bytes, size_t whole)
{
    const mb_provider *provider = c->offer->provider;
    const char *name = c->offer->p->name;
    moonbow_detail detail = {""};
    if (whole > MOONBOW_KEY_FILE_BYTES_MAX)
        return MB_FAIL(provider, MB_REASON_BAD_KEY_ENCODING, "%s: a key of %zu bytes is none", name, whole);
    unsigned char *der = moonbow_memory_new_secret(whole);
    if (!der)
        return MB_FAIL(provider, MB_REASON_NO_MEMORY, "%s", name);
    if (head_bytes > whole)
        head_bytes = whole;
    memcpy(der, head, head_bytes);
    const size_t found = head_bytes + read_up_to(in, der + head_bytes, whole - head_bytes);
    const int status = moonbow_key_from_der(key, der, found, c->kind, &detail);
    moonbow_memory_free(der, whole);
    return status == MOONBOW_OK || MB_FAIL(provider, MB_REASON_BAD_KEY_ENCODING, "%s", detail.text);
}

/* ---- Handing over --------------------------------------------------------------------------- */

/* Calls back with a reference to the key; whoever takes it clears the pointer. */
static int hand_over(const context *c, moonbow_key *half, OSSL_CALLBACK *callback, void *argument)
{
    mb_key *key = mb_key_new(c->offer);
    int type = OSSL_OBJECT_PKEY;
    if (!key) {
        moonbow_key_free(half);
        return 0;
    }
    mb_key_set(key, c->kind == MOONBOW_PUBLIC_KEY ? half : NULL, c->kind == MOONBOW_SECRET_KEY ? half : NULL);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_int(OSSL_OBJECT_PARAM_TYPE, &type),
        OSSL_PARAM_construct_utf8_string(OSSL_OBJECT_PARAM_DATA_TYPE, (char *)(uintptr_t)c->offer->p->name,
                                         0),
        OSSL_PARAM_construct_octet_string(OSSL_OBJECT_PARAM_REFERENCE, &key, sizeof key),
        OSSL_PARAM_construct_end(),
    };
    const int is_taken = callback(params, argument);
    mb_key_free(key);
    return is_taken;
}

/* ---- Functions of OpenSSL ------------------------------------------------------------------- */

static void *new_context(void *provider, size_t slot, moonbow_key_kind kind)
{
    mb_offer *offer = mb_offer_of_slot(provider, slot);
    context *c = offer ? OPENSSL_zalloc(sizeof *c) : NULL;
    if (c)
        *c = (context){offer, kind};
    return c;
}

static void free_context(void *c)
{
    OPENSSL_free(c);
}

/* 1 for what is not ours, so that others are asked; 0 for what is ours and cannot be read. */
static int decode(void *memory, OSSL_CORE_BIO *core_in, int selection, OSSL_CALLBACK *callback,
                  void *argument, OSSL_PASSPHRASE_CALLBACK *ask, void *ask_argument)
{
    const context *c = memory;
    unsigned char head[HEAD_BYTES] = {0};
    moonbow_key *half = NULL;
    int is_to_go_on = 1;
    (void)selection;
    (void)ask;
    (void)ask_argument;
    BIO *in = BIO_new_from_core_bio(c->offer->provider->context, core_in);
    if (!in)
        return MB_FAIL(c->offer->provider, MB_REASON_NO_MEMORY, "input");
    const size_t found = read_up_to(in, head, sizeof head);
    ERR_set_mark();
    const size_t whole = length_of_ours(c, head, found);
    ERR_pop_to_mark();
    if (whole != 0)
        is_to_go_on = read_key(&half, c, in, head, found, whole) && hand_over(c, half, callback, argument);
    BIO_free(in);
    OPENSSL_cleanse(head, sizeof head);
    return is_to_go_on;
}

/* The key in the form of parameters, for a key type of another provider. */
static int export_object(void *memory, const void *reference, size_t reference_bytes, OSSL_CALLBACK *callback,
                         void *argument)
{
    const context *c = memory;
    mb_key *key = NULL;
    if (!reference || reference_bytes != sizeof key)
        return 0;
    memcpy(&key, reference, sizeof key);
    return mb_key_export(
        key, c->kind == MOONBOW_SECRET_KEY ? OSSL_KEYMGMT_SELECT_KEYPAIR : OSSL_KEYMGMT_SELECT_PUBLIC_KEY,
        callback, argument);
}

/* The highest part that a selection names decides. */
static int does_secret(void *provider, int selection)
{
    (void)provider;
    return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY);
}

static int does_public(void *provider, int selection)
{
    (void)provider;
    return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == OSSL_KEYMGMT_SELECT_PUBLIC_KEY;
}

/* ---- Tables --------------------------------------------------------------------------------- */

#define DECODER(n, kind, KIND)                                                                               \
    static void *new_##kind##_##n(void *provider)                                                            \
    {                                                                                                        \
        return new_context(provider, n, KIND);                                                               \
    }                                                                                                        \
    static const OSSL_DISPATCH kind##_##n[] = {                                                              \
        MB_FUNCTION(OSSL_FUNC_DECODER_NEWCTX, new_##kind##_##n),                                             \
        MB_FUNCTION(OSSL_FUNC_DECODER_FREECTX, free_context),                                                \
        MB_FUNCTION(OSSL_FUNC_DECODER_DOES_SELECTION, does_##kind),                                          \
        MB_FUNCTION(OSSL_FUNC_DECODER_DECODE, decode),                                                       \
        MB_FUNCTION(OSSL_FUNC_DECODER_EXPORT_OBJECT, export_object),                                         \
        {0, NULL},                                                                                           \
    };
#define DECODERS_OF_SLOT(n) DECODER(n, secret, MOONBOW_SECRET_KEY) DECODER(n, public, MOONBOW_PUBLIC_KEY)
MB_EACH_SLOT(DECODERS_OF_SLOT)

#define SECRET_OF_SLOT(n) secret_##n,
#define PUBLIC_OF_SLOT(n) public_##n,
const OSSL_DISPATCH *const mb_secret_decoder_of_slot[MB_SLOTS] = {MB_EACH_SLOT(SECRET_OF_SLOT)};
const OSSL_DISPATCH *const mb_public_decoder_of_slot[MB_SLOTS] = {MB_EACH_SLOT(PUBLIC_OF_SLOT)};
