/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * libFuzzer: the provider's decoders as OpenSSL drives them. The first byte says which structure is expected, in which form, and
 * which half; the rest is the key. What is read must have the length of its algorithm, and be the same after it is written. */
#include "require.h"

#include <moonbow/signature.h>
#include <openssl/decoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <string.h>

extern OSSL_provider_init_fn OSSL_provider_init;

/* A context with our provider, and OpenSSL's decoders of PEM without those of other keys. */
static OSSL_LIB_CTX *make_context(void)
{
    OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();
    require(context != NULL && OSSL_PROVIDER_add_builtin(context, "moonbow", OSSL_provider_init) == 1 &&
                OSSL_PROVIDER_load(context, "moonbow") != NULL && OSSL_PROVIDER_load(context, "base") != NULL,
            "no provider");
    return context;
}

static int no_passphrase(char *passphrase, size_t room, size_t *bytes, const OSSL_PARAM params[],
                         void *argument)
{
    (void)passphrase;
    (void)room;
    (void)bytes;
    (void)params;
    (void)argument;
    return 0;
}

enum {
    STRUCTURES_LEN = 3,
    FORMS_LEN = 3,
    HALVES_LEN = 3,
    CHOICES_LEN = STRUCTURES_LEN * FORMS_LEN * HALVES_LEN
};

/* Decodes as one of the choices says. Making a decoder takes OpenSSL longer than using it: each is kept. */
static EVP_PKEY *decode(unsigned choice, const uint8_t *data, size_t bytes)
{
    static const char *const structures[STRUCTURES_LEN] = {"PrivateKeyInfo", "SubjectPublicKeyInfo", NULL};
    static const char *const forms[FORMS_LEN] = {"DER", "PEM", NULL};
    static const int selections[HALVES_LEN] = {EVP_PKEY_KEYPAIR, EVP_PKEY_PUBLIC_KEY, 0};
    static OSSL_LIB_CTX *context;
    static OSSL_DECODER_CTX *decoders[CHOICES_LEN];
    static EVP_PKEY *key;
    OSSL_DECODER_CTX **c = &decoders[choice];
    if (!context)
        context = make_context();
    if (!*c) {
        *c = OSSL_DECODER_CTX_new_for_pkey(&key, forms[choice / 3 % 3], structures[choice % 3], NULL,
                                           selections[choice / 9 % 3], context, NULL);
        require(*c != NULL, "no decoder");
        OSSL_DECODER_CTX_set_passphrase_cb(*c, no_passphrase, NULL);
    }
    key = NULL;
    const int status = OSSL_DECODER_from_data(*c, &data, &bytes);
    require((status == 1) == (key != NULL), "a key in spite of an error, or none without one");
    return key;
}

enum { SECRET_DER = 0, PUBLIC_DER = 10 };

static void check_secret(EVP_PKEY *key, size_t bytes, const moonbow_parameters *p)
{
    unsigned char *der = NULL;
    PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
    require(bytes == p->secret_key_bytes + p->public_seed_bytes, "a secret key of the wrong length");
    const int der_bytes = info ? i2d_PKCS8_PRIV_KEY_INFO(info, &der) : -1;
    require(der_bytes > 0, "cannot be written");
    EVP_PKEY *again = decode(SECRET_DER, der, (size_t)der_bytes);
    PKCS8_PRIV_KEY_INFO *info_again = again ? EVP_PKEY2PKCS8(again) : NULL;
    unsigned char *der_again = NULL;
    require(info_again && i2d_PKCS8_PRIV_KEY_INFO(info_again, &der_again) == der_bytes &&
                memcmp(der, der_again, (size_t)der_bytes) == 0,
            "another key");
    OPENSSL_free(der);
    OPENSSL_free(der_again);
    PKCS8_PRIV_KEY_INFO_free(info);
    PKCS8_PRIV_KEY_INFO_free(info_again);
    EVP_PKEY_free(again);
}

static void check_public(EVP_PKEY *key, const moonbow_parameters *p)
{
    unsigned char *der = NULL;
    const int der_bytes = i2d_PUBKEY(key, &der);
    require(der_bytes > 0 && (size_t)der_bytes > p->public_key_bytes, "cannot be written");
    EVP_PKEY *again = decode(PUBLIC_DER, der, (size_t)der_bytes);
    require(again && EVP_PKEY_eq(key, again) == 1, "another key");
    OPENSSL_free(der);
    EVP_PKEY_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    size_t secret_bytes = 0;
    if (bytes == 0)
        return 0;
    EVP_PKEY *key = decode(data[0] % CHOICES_LEN, data + 1, bytes - 1);
    if (key) {
        const moonbow_algorithm *algorithm = moonbow_algorithm_by_name(EVP_PKEY_get0_type_name(key));
        require(algorithm != NULL, "an unknown algorithm");
        if (EVP_PKEY_get_octet_string_param(key, "priv", NULL, 0, &secret_bytes) == 1)
            check_secret(key, secret_bytes, algorithm->parameters);
        else
            check_public(key, algorithm->parameters);
    }
    EVP_PKEY_free(key);
    ERR_clear_error();
    return 0;
}
