/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Secret keys under a passphrase: EncryptedPrivateKeyInfo (RFC 5208 §6) with PBES2 (RFC 8018 §6.2), by
 * libcrypto's own functions. Why these parameters: docs/decisions/0013-key-files-under-a-passphrase.md. */
#include "encrypted.h"

#include "der.h"
#include "explain.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>

/* scrypt (RFC 7914): N·r·128 = 16 MiB, half of what libcrypto allows without being asked, so that every
 * program on libcrypto can read the file; p makes up in time for what N lacks in memory. */
enum { SCRYPT_N = 1 << 14, SCRYPT_R = 8, SCRYPT_P = 5, SALT_BYTES = 16 };

/* What is read: a file chosen by somebody else may cost some seconds, not hours, nor all memory. libcrypto
 * bounds scrypt's memory at 32 MiB. */
enum { SCRYPT_WORK_MAX = 1 << 24, PBKDF2_ITERATIONS_MAX = 10000000 };

/* ---- Writing -------------------------------------------------------------------------------- */

static X509_ALGOR *new_encryption(const moonbow_encryption *how)
{
    unsigned char salt[SALT_BYTES], iv[EVP_MAX_IV_LENGTH];
    const int iv_bytes = EVP_CIPHER_get_iv_length(how->cipher);
    if (RAND_bytes_ex(how->context, salt, sizeof salt, 0) != 1 || iv_bytes <= 0 ||
        RAND_bytes_ex(how->context, iv, (size_t)iv_bytes, 0) != 1)
        return NULL;
    return PKCS5_pbe2_set_scrypt(how->cipher, salt, sizeof salt, iv, SCRYPT_N, SCRYPT_R, SCRYPT_P);
}

static int encrypt_info(moonbow_encoding *der, PKCS8_PRIV_KEY_INFO *info,
                        const moonbow_passphrase *passphrase, const moonbow_encryption *how)
{
    X509_ALGOR *encryption = new_encryption(how);
    X509_SIG *encrypted = NULL;
    if (encryption) {
        encrypted = PKCS8_set0_pbe_ex((const char *)passphrase->bytes, (int)passphrase->bytes_len, info,
                                      encryption, how->context, NULL);
    }
    if (!encrypted) {
        X509_ALGOR_free(encryption);
        return MOONBOW_CONTAINER_LIBCRYPTO;
    }
    unsigned char *encoded = NULL;
    const int bytes = i2d_X509_SIG(encrypted, &encoded);
    X509_SIG_free(encrypted);
    return mb_container_take(der, encoded, bytes, 0);
}

int moonbow_key_to_encrypted_der_with(moonbow_encoding *der, const moonbow_key *key,
                                      const moonbow_passphrase *passphrase, const moonbow_encryption *how)
{
    der->bytes = NULL;
    der->bytes_len = 0;
    if (key->kind != MOONBOW_SECRET_KEY)
        return MOONBOW_CONTAINER_WRONG_KIND;
    if (passphrase->bytes_len == 0 || passphrase->bytes_len > MOONBOW_PASSPHRASE_BYTES_MAX)
        return MOONBOW_WRONG_LENGTH;
    if (EVP_CIPHER_get_mode(how->cipher) != EVP_CIPH_CBC_MODE)
        return MOONBOW_CONTAINER_UNKNOWN_ENCRYPTION;
    PKCS8_PRIV_KEY_INFO *info = NULL;
    ERR_set_mark();
    int status = mb_container_info_of_key(&info, key);
    if (status == MOONBOW_OK)
        status = encrypt_info(der, info, passphrase, how);
    PKCS8_PRIV_KEY_INFO_free(info);
    ERR_pop_to_mark();
    return status;
}

int moonbow_key_to_encrypted_der(moonbow_encoding *der, const moonbow_key *key,
                                 const moonbow_passphrase *passphrase)
{
    const moonbow_encryption how = {EVP_aes_256_cbc(), NULL};
    return moonbow_key_to_encrypted_der_with(der, key, passphrase, &how);
}

/* ---- Reading -------------------------------------------------------------------------------- */

static int unknown_encryption(const ASN1_OBJECT *what, moonbow_detail *detail)
{
    char name[80] = "?";
    OBJ_obj2txt(name, sizeof name, what, 0);
    return mb_container_explain(
        detail, MOONBOW_CONTAINER_UNKNOWN_ENCRYPTION,
        "expected an encryption by PBES2 with scrypt or PBKDF2 and AES in CBC mode, found %s", name);
}

static int too_much_work(moonbow_detail *detail)
{
    return mb_container_explain(
        detail, MOONBOW_CONTAINER_UNKNOWN_ENCRYPTION,
        "the key file asks for more work to derive a key from the passphrase than is done, or its "
        "parameters are damaged");
}

/* A positive number that fits, or 0. */
static uint64_t small_number(const ASN1_INTEGER *number)
{
    uint64_t value = 0;
    if (!number || !ASN1_INTEGER_get_uint64(&value, number) || value > UINT32_MAX)
        return 0;
    return value;
}

static int check_scrypt(const X509_ALGOR *derivation, moonbow_detail *detail)
{
    SCRYPT_PARAMS *params =
        (SCRYPT_PARAMS *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(SCRYPT_PARAMS), derivation->parameter);
    uint64_t n = 0, r = 0, p = 0;
    if (params) {
        n = small_number(params->costParameter);
        r = small_number(params->blockSize);
        p = small_number(params->parallelizationParameter);
    }
    ASN1_item_free((ASN1_VALUE *)params, ASN1_ITEM_rptr(SCRYPT_PARAMS));
    /* Each is below 2^32, so no product of two overflows, and none of three once the first is bounded. */
    const int bounded = n && r && p && n * r <= SCRYPT_WORK_MAX && n * r * p <= SCRYPT_WORK_MAX;
    /* Without a key to write, libcrypto only says whether it would compute one in its bounds of memory. */
    if (!bounded || EVP_PBE_scrypt(NULL, 0, NULL, 0, n, r, p, 0, NULL, 0) != 1)
        return too_much_work(detail);
    return MOONBOW_OK;
}

static int check_pbkdf2(const X509_ALGOR *derivation, moonbow_detail *detail)
{
    PBKDF2PARAM *params =
        (PBKDF2PARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBKDF2PARAM), derivation->parameter);
    const uint64_t iterations = params ? small_number(params->iter) : 0;
    PBKDF2PARAM_free(params);
    return iterations && iterations <= PBKDF2_ITERATIONS_MAX ? MOONBOW_OK : too_much_work(detail);
}

static int check_derivation_and_cipher(const PBE2PARAM *params, moonbow_detail *detail)
{
    const ASN1_OBJECT *derivation = params->keyfunc->algorithm, *cipher = params->encryption->algorithm;
    const int cipher_number = OBJ_obj2nid(cipher);
    if (cipher_number != NID_aes_128_cbc && cipher_number != NID_aes_192_cbc &&
        cipher_number != NID_aes_256_cbc)
        return unknown_encryption(cipher, detail);
    switch (OBJ_obj2nid(derivation)) {
    case NID_id_scrypt:
        return check_scrypt(params->keyfunc, detail);
    case NID_id_pbkdf2:
        return check_pbkdf2(params->keyfunc, detail);
    default:
        return unknown_encryption(derivation, detail);
    }
}

/* Is this an encryption that is read, at a price that is paid? */
static int check_encryption(const X509_ALGOR *encryption, moonbow_detail *detail)
{
    if (OBJ_obj2nid(encryption->algorithm) != NID_pbes2)
        return unknown_encryption(encryption->algorithm, detail);
    PBE2PARAM *params =
        (PBE2PARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBE2PARAM), encryption->parameter);
    const int status = params ? check_derivation_and_cipher(params, detail) : too_much_work(detail);
    PBE2PARAM_free(params);
    return status;
}

/* What comes out under a wrong passphrase is not padded (libcrypto sees it) or, in one of some hundred
 * cases, padded by chance and no structure: the same error. */
static int decrypt(moonbow_key **key, const X509_SIG *encrypted, const moonbow_passphrase *passphrase,
                   moonbow_detail *detail)
{
    const X509_ALGOR *encryption = NULL;
    X509_SIG_get0(encrypted, &encryption, NULL);
    int status = check_encryption(encryption, detail);
    if (status != MOONBOW_OK)
        return status;
    if (!passphrase)
        return mb_container_fail(detail, MOONBOW_CONTAINER_ENCRYPTED);
    if (passphrase->bytes_len > MOONBOW_PASSPHRASE_BYTES_MAX)
        return mb_container_fail(detail, MOONBOW_CONTAINER_WRONG_PASSPHRASE);
    PKCS8_PRIV_KEY_INFO *info =
        PKCS8_decrypt(encrypted, (const char *)passphrase->bytes, (int)passphrase->bytes_len);
    status = info ? mb_container_key_of_info(key, info, detail)
                  : mb_container_fail(detail, MOONBOW_CONTAINER_WRONG_PASSPHRASE);
    PKCS8_PRIV_KEY_INFO_free(info);
    return status;
}

int mb_container_key_from_encrypted(moonbow_key **key, const uint8_t *der, size_t der_bytes,
                                    const moonbow_passphrase *passphrase, moonbow_detail *detail)
{
    *key = NULL;
    if (der_bytes > MOONBOW_KEY_FILE_BYTES_MAX)
        return mb_container_fail(detail, MOONBOW_CONTAINER_TOO_LARGE);
    const unsigned char *end = der;
    ERR_set_mark();
    X509_SIG *encrypted = d2i_X509_SIG(NULL, &end, (long)der_bytes);
    const size_t left = der_bytes - (size_t)(end - der);
    int status;
    if (!encrypted) {
        status = mb_container_explain(detail, MOONBOW_CONTAINER_DAMAGED,
                                      "expected the DER structure of an encrypted secret key (PKCS#8 "
                                      "EncryptedPrivateKeyInfo), found something that does not decode: it is "
                                      "cut off or damaged");
    } else if (left != 0) {
        status =
            mb_container_explain(detail, MOONBOW_CONTAINER_TRAILING,
                                 "expected the end of the encrypted secret key, found %zu more bytes", left);
    } else {
        status = decrypt(key, encrypted, passphrase, detail);
    }
    X509_SIG_free(encrypted);
    ERR_pop_to_mark();
    return status;
}
