/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * ENCODER (provider-encoder(7)): SubjectPublicKeyInfo, PrivateKeyInfo and EncryptedPrivateKeyInfo in DER and PEM, and text. The
 * structures are container/'s. */
#include "key.h"

#include <container/encrypted.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>

typedef enum key_structure { PUBLIC_INFO, PRIVATE_INFO, ENCRYPTED_INFO, TEXT } key_structure;
typedef enum key_form { DER, PEM } key_form;

typedef struct context {
    mb_provider *provider;
    key_structure structure;
    key_form form;
    EVP_CIPHER *cipher; /* NULL: not encrypted */
} context;

/* ---- Contexts ------------------------------------------------------------------------------- */

static void *new_context(void *provider, key_structure structure, key_form form)
{
    context *c = OPENSSL_zalloc(sizeof *c);
    if (c)
        *c = (context){provider, structure, form, NULL};
    return c;
}

static void free_context(void *memory)
{
    context *c = memory;
    if (c)
        EVP_CIPHER_free(c->cipher);
    OPENSSL_free(c);
}

static const OSSL_PARAM *settable_params(void *provider)
{
    static const OSSL_PARAM settable[] = {OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_CIPHER, NULL, 0),
                                          OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_PROPERTIES, NULL, 0),
                                          OSSL_PARAM_END};
    (void)provider;
    return settable;
}

/* An empty cipher name means no encryption. */
static int set_params(void *memory, const OSSL_PARAM params[])
{
    context *c = memory;
    const OSSL_PARAM *cipher = OSSL_PARAM_locate_const(params, OSSL_ENCODER_PARAM_CIPHER);
    const OSSL_PARAM *properties = OSSL_PARAM_locate_const(params, OSSL_ENCODER_PARAM_PROPERTIES);
    const char *name = NULL, *wanted = NULL;
    if (!cipher)
        return 1;
    if (!OSSL_PARAM_get_utf8_string_ptr(cipher, &name) ||
        (properties && !OSSL_PARAM_get_utf8_string_ptr(properties, &wanted)))
        return MB_FAIL(c->provider, MB_REASON_WRONG_PARAMETER,
                       "expected the names of a cipher and its properties");
    EVP_CIPHER_free(c->cipher);
    c->cipher = NULL;
    if (!name || !*name)
        return 1;
    c->cipher = EVP_CIPHER_fetch(c->provider->context, name, wanted);
    return c->cipher != NULL || MB_FAIL(c->provider, MB_REASON_CIPHER, "%s", name);
}

static int is_encrypted(const context *c)
{
    return c->structure == ENCRYPTED_INFO || (c->structure == PRIVATE_INFO && c->cipher);
}

/* ---- Structures ----------------------------------------------------------------------------- */

static int encrypt(moonbow_encoding *der, const context *c, const moonbow_key *key,
                   OSSL_PASSPHRASE_CALLBACK *ask, void *argument)
{
    char text[MOONBOW_PASSPHRASE_BYTES_MAX];
    moonbow_passphrase passphrase = {(const uint8_t *)text, 0};
    const moonbow_encryption how = {c->cipher, c->provider->context};
    int is_done = 0;
    if (!ask || !ask(text, sizeof text, &passphrase.bytes_len, NULL, argument) || passphrase.bytes_len == 0) {
        MB_FAIL(c->provider, MB_REASON_PASSPHRASE,
                "expected a passphrase of 1 to %zu bytes to encrypt the private key", sizeof text);
    } else {
        const int status = moonbow_key_to_encrypted_der_with(der, key, &passphrase, &how);
        is_done = status == MOONBOW_OK || MB_FAIL_STATUS(c->provider, "encrypting the private key", status);
    }
    OPENSSL_cleanse(text, sizeof text);
    return is_done;
}

static int make_der(moonbow_encoding *der, const context *c, mb_key *key, OSSL_PASSPHRASE_CALLBACK *ask,
                    void *argument)
{
    const moonbow_key *half = c->structure == PUBLIC_INFO ? mb_key_public(key) : key->secret_key;
    if (!half)
        return c->structure == PUBLIC_INFO ? 0
                                           : MB_FAIL(c->provider, MB_REASON_NO_SECRET_KEY,
                                                     "this %s key is a public key", key->offer->p->name);
    if (c->structure == ENCRYPTED_INFO && !c->cipher)
        return MB_FAIL(c->provider, MB_REASON_CIPHER, "EncryptedPrivateKeyInfo wants the name of a cipher");
    if (is_encrypted(c))
        return encrypt(der, c, half, ask, argument);
    const int status = moonbow_key_to_der(der, half);
    return status == MOONBOW_OK || MB_FAIL_STATUS(c->provider, key->offer->p->name, status);
}

static int write_der(BIO *out, const context *c, const moonbow_encoding *der)
{
    const char *label = is_encrypted(c)                ? PEM_STRING_PKCS8
                        : c->structure == PRIVATE_INFO ? PEM_STRING_PKCS8INF
                                                       : PEM_STRING_PUBLIC;
    size_t written = 0;
    if (c->form == PEM)
        return PEM_write_bio(out, label, "", der->bytes, (long)der->bytes_len) > 0;
    return BIO_write_ex(out, der->bytes, der->bytes_len, &written) && written == der->bytes_len;
}

/* ---- Text ----------------------------------------------------------------------------------- */

/* Keys are long: a private one is not shown at all, of a public one its digest and its beginning. */
static int write_text(BIO *out, mb_key *key, int selection)
{
    const moonbow_parameters *p = key->offer->p;
    const int is_secret = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) && key->secret_key;
    const moonbow_key *public_key = mb_key_public(key);
    uint8_t digest[MOONBOW_KEY_DIGEST_BYTES];
    enum { SHOWN_BYTES = 30, LINE_BYTES = 15 };
    if (!public_key || moonbow_key_digest(digest, public_key) != MOONBOW_OK)
        return 0;
    BIO_printf(out, "%s %s-Key: (%zu bit)\n", p->name, is_secret ? "Private" : "Public",
               8 * p->public_key_bytes);
    BIO_printf(out, "status: %s. %s\n", moonbow_security_text(p->security), p->caution);
    if (is_secret)
        BIO_printf(out, "priv: %zu bytes, not shown\n", key->secret_key->bytes_len);
    BIO_printf(out, "pub: %zu bytes, which begin\n", public_key->bytes_len);
    for (size_t i = 0; i < SHOWN_BYTES; i++)
        BIO_printf(out, "%s%02x%s", i % LINE_BYTES == 0 ? "    " : "", public_key->bytes[i],
                   i % LINE_BYTES == LINE_BYTES - 1 ? "\n" : ":");
    BIO_printf(out, "fingerprint: SHA256:");
    for (size_t i = 0; i < sizeof digest; i++)
        BIO_printf(out, "%02x", digest[i]);
    return BIO_printf(out, "\n") == 1;
}

/* ---- Functions of OpenSSL ------------------------------------------------------------------- */

static int encode(void *memory, OSSL_CORE_BIO *core_out, const void *raw, const OSSL_PARAM abstract[],
                  int selection, OSSL_PASSPHRASE_CALLBACK *ask, void *argument)
{
    const context *c = memory;
    mb_key *key = (mb_key *)(uintptr_t)raw;
    moonbow_encoding der = {NULL, 0};
    int is_done = 0;
    if (!key || abstract)
        return MB_FAIL(c->provider, MB_REASON_WRONG_PARAMETER, "expected a key of this provider");
    BIO *out = BIO_new_from_core_bio(c->provider->context, core_out);
    if (!out)
        return MB_FAIL(c->provider, MB_REASON_NO_MEMORY, "output");
    if (c->structure == TEXT)
        is_done = write_text(out, key, selection);
    else
        is_done = make_der(&der, c, key, ask, argument) && write_der(out, c, &der);
    moonbow_encoding_free(&der);
    BIO_free(out);
    return is_done;
}

/* A selection names the private key for a pair; 0 is a question about everything. */
static int does_private(void *provider, int selection)
{
    (void)provider;
    return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY);
}

static int does_public(void *provider, int selection)
{
    (void)provider;
    return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == OSSL_KEYMGMT_SELECT_PUBLIC_KEY;
}

static int does_any(void *provider, int selection)
{
    (void)provider;
    return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_KEYPAIR);
}

#define ENCODER(name, structure, form, does_selection)                                                       \
    static void *new_##name(void *provider)                                                                  \
    {                                                                                                        \
        return new_context(provider, structure, form);                                                       \
    }                                                                                                        \
    static const OSSL_DISPATCH name[] = {                                                                    \
        MB_FUNCTION(OSSL_FUNC_ENCODER_NEWCTX, new_##name),                                                   \
        MB_FUNCTION(OSSL_FUNC_ENCODER_FREECTX, free_context),                                                \
        MB_FUNCTION(OSSL_FUNC_ENCODER_SET_CTX_PARAMS, set_params),                                           \
        MB_FUNCTION(OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, settable_params),                                 \
        MB_FUNCTION(OSSL_FUNC_ENCODER_DOES_SELECTION, does_selection),                                       \
        MB_FUNCTION(OSSL_FUNC_ENCODER_ENCODE, encode),                                                       \
        {0, NULL},                                                                                           \
    }

ENCODER(public_der, PUBLIC_INFO, DER, does_public);
ENCODER(public_pem, PUBLIC_INFO, PEM, does_public);
ENCODER(private_der, PRIVATE_INFO, DER, does_private);
ENCODER(private_pem, PRIVATE_INFO, PEM, does_private);
ENCODER(encrypted_der, ENCRYPTED_INFO, DER, does_private);
ENCODER(encrypted_pem, ENCRYPTED_INFO, PEM, does_private);
ENCODER(text, TEXT, PEM, does_any);

/* Where a program names no structure OpenSSL takes the last that fits: the plain ones follow the encrypted ones. */
const mb_encoder mb_encoders[] = {
    {"provider=moonbow,output=der,structure=EncryptedPrivateKeyInfo", encrypted_der},
    {"provider=moonbow,output=pem,structure=EncryptedPrivateKeyInfo", encrypted_pem},
    {"provider=moonbow,output=der,structure=PrivateKeyInfo", private_der},
    {"provider=moonbow,output=pem,structure=PrivateKeyInfo", private_pem},
    {"provider=moonbow,output=der,structure=SubjectPublicKeyInfo", public_der},
    {"provider=moonbow,output=pem,structure=SubjectPublicKeyInfo", public_pem},
    {"provider=moonbow,output=text", text},
    {NULL, NULL},
};
