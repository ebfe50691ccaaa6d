/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * PKCS8_decrypt (the linker sends calls here) of keys whose derivation costs little; see cheap_decrypt.h. */
#include "cheap_decrypt.h"

#include <openssl/asn1t.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>

enum { SCRYPT_MOST = 4096, PBKDF2_MOST = 4096 };

PKCS8_PRIV_KEY_INFO *__real_PKCS8_decrypt(const X509_SIG *encrypted, const char *passphrase,
                                          int passphrase_bytes);
PKCS8_PRIV_KEY_INFO *__wrap_PKCS8_decrypt(const X509_SIG *encrypted, const char *passphrase,
                                          int passphrase_bytes);

/* The number, or a large one. */
static uint64_t number(const ASN1_INTEGER *from)
{
    uint64_t value = UINT32_MAX;
    return from != NULL && ASN1_INTEGER_get_uint64(&value, from) && value < UINT32_MAX ? value : UINT32_MAX;
}

static int scrypt_is_cheap(const X509_ALGOR *derivation)
{
    SCRYPT_PARAMS *params =
        (SCRYPT_PARAMS *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(SCRYPT_PARAMS), derivation->parameter);
    const int cheap = params != NULL && number(params->costParameter) <= SCRYPT_MOST &&
                      number(params->blockSize) <= SCRYPT_MOST &&
                      number(params->parallelizationParameter) <= SCRYPT_MOST &&
                      number(params->costParameter) * number(params->blockSize) *
                              number(params->parallelizationParameter) <=
                          SCRYPT_MOST;
    ASN1_item_free((ASN1_VALUE *)params, ASN1_ITEM_rptr(SCRYPT_PARAMS));
    return cheap;
}

static int pbkdf2_is_cheap(const X509_ALGOR *derivation)
{
    PBKDF2PARAM *params =
        (PBKDF2PARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBKDF2PARAM), derivation->parameter);
    const int cheap = params != NULL && number(params->iter) <= PBKDF2_MOST;
    PBKDF2PARAM_free(params);
    return cheap;
}

PKCS8_PRIV_KEY_INFO *__wrap_PKCS8_decrypt(const X509_SIG *encrypted, const char *passphrase,
                                          int passphrase_bytes)
{
    const X509_ALGOR *encryption = NULL;
    X509_SIG_get0(encrypted, &encryption, NULL);
    PBE2PARAM *params =
        (PBE2PARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBE2PARAM), encryption->parameter);
    const int scrypt = params != NULL && OBJ_obj2nid(params->keyfunc->algorithm) == NID_id_scrypt;
    const int cheap =
        params != NULL && (scrypt ? scrypt_is_cheap(params->keyfunc) : pbkdf2_is_cheap(params->keyfunc));
    PBE2PARAM_free(params);
    return cheap ? __real_PKCS8_decrypt(encrypted, passphrase, passphrase_bytes) : NULL;
}
