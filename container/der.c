/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Keys in DER: PKCS#8 PrivateKeyInfo (RFC 5208) and SubjectPublicKeyInfo (RFC 5280 §4.1).
 * libcrypto's ASN.1 templates do the coding; no object is registered with libcrypto. */
#include "der.h"

#include "explain.h"
#include "memory.h"
#include "oid.h"
#include "subject_key.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/x509.h>
#include <string.h>

/* ---- Writing -------------------------------------------------------------------------------- */

int mb_container_take(moonbow_encoding *out, unsigned char *encoded, int encoded_bytes, int secret)
{
    if (encoded_bytes <= 0)
        return MOONBOW_CONTAINER_LIBCRYPTO;
    const size_t bytes = (size_t)encoded_bytes;
    out->bytes = secret ? moonbow_memory_new_secret(bytes) : moonbow_memory_new(bytes);
    if (out->bytes) {
        out->bytes_len = bytes;
        memcpy(out->bytes, encoded, bytes);
    }
    OPENSSL_clear_free(encoded, bytes);
    return out->bytes ? MOONBOW_OK : MOONBOW_CONTAINER_NO_MEMORY;
}

static ASN1_OBJECT *oid_of(const moonbow_key *key)
{
    const char *dotted = moonbow_oid_of_algorithm(key->algorithm->parameters->name);
    return dotted ? OBJ_txt2obj(dotted, 1) : NULL;
}

static int public_to_der(moonbow_encoding *der, const moonbow_key *key)
{
    subject_key *info = (subject_key *)ASN1_item_new(ASN1_ITEM_rptr(subject_key));
    ASN1_OBJECT *oid = oid_of(key);
    int status = MOONBOW_CONTAINER_LIBCRYPTO;
    if (info && oid && ASN1_BIT_STRING_set(info->key, key->bytes, (int)key->bytes_len) &&
        X509_ALGOR_set0(info->algorithm, oid, V_ASN1_UNDEF, NULL)) {
        oid = NULL;                                    /* belongs to info now */
        info->key->flags = ASN1_STRING_FLAG_BITS_LEFT; /* no unused bits, whatever the last byte is */
        unsigned char *encoded = NULL;
        const int bytes = ASN1_item_i2d((ASN1_VALUE *)info, &encoded, ASN1_ITEM_rptr(subject_key));
        status = mb_container_take(der, encoded, bytes, 0);
    }
    ASN1_OBJECT_free(oid);
    ASN1_item_free((ASN1_VALUE *)info, ASN1_ITEM_rptr(subject_key));
    return status;
}

int mb_container_info_of_key(PKCS8_PRIV_KEY_INFO **info, const moonbow_key *key)
{
    const size_t bytes = key->bytes_len + key->public_seed_bytes; /* sk, then pk_seed, in one place */
    unsigned char *copy = OPENSSL_malloc(bytes);
    ASN1_OBJECT *oid = oid_of(key);
    *info = PKCS8_PRIV_KEY_INFO_new();
    if (copy)
        memcpy(copy, key->bytes, bytes);
    if (copy && *info && oid && PKCS8_pkey_set0(*info, oid, 0, V_ASN1_UNDEF, NULL, copy, (int)bytes)) {
        return MOONBOW_OK; /* copy and oid belong to info now */
    }
    ASN1_OBJECT_free(oid);
    PKCS8_PRIV_KEY_INFO_free(*info);
    OPENSSL_clear_free(copy, bytes);
    *info = NULL;
    return MOONBOW_CONTAINER_LIBCRYPTO;
}

static int secret_to_der(moonbow_encoding *der, const moonbow_key *key)
{
    PKCS8_PRIV_KEY_INFO *info = NULL;
    int status = mb_container_info_of_key(&info, key);
    if (status == MOONBOW_OK) {
        unsigned char *encoded = NULL;
        const int bytes = i2d_PKCS8_PRIV_KEY_INFO(info, &encoded);
        status = mb_container_take(der, encoded, bytes, 1);
    }
    PKCS8_PRIV_KEY_INFO_free(info);
    return status;
}

int moonbow_key_to_der(moonbow_encoding *der, const moonbow_key *key)
{
    der->bytes = NULL;
    der->bytes_len = 0;
    if (!moonbow_oid_of_algorithm(key->algorithm->parameters->name) || key->kind == MOONBOW_ANY_KEY)
        return MOONBOW_CONTAINER_UNKNOWN_OID;
    ERR_set_mark();
    const int status = key->kind == MOONBOW_SECRET_KEY ? secret_to_der(der, key) : public_to_der(der, key);
    ERR_pop_to_mark();
    return status;
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* The pieces of either structure; pointers into it. */
typedef struct key_fields {
    const ASN1_OBJECT *oid;
    int parameters_type; /* V_ASN1_UNDEF if absent, as it should be */
    const unsigned char *content;
    size_t content_bytes;
} key_fields;

/* Finds the algorithm of an identifier. */
static int find_algorithm(const moonbow_algorithm **algorithm, moonbow_oid_owner *owner,
                          const ASN1_OBJECT *oid, moonbow_detail *detail)
{
    char dotted[128];
    if (OBJ_obj2txt(dotted, sizeof dotted, oid, 1) <= 0)
        return MOONBOW_CONTAINER_LIBCRYPTO;
    const char *name = moonbow_oid_algorithm_name(dotted, owner);
    *algorithm = name ? moonbow_algorithm_by_name(name) : NULL;
    if (*algorithm)
        return MOONBOW_OK;
    return mb_container_explain(
        detail, MOONBOW_CONTAINER_UNKNOWN_OID,
        "expected a key of one of the algorithms of `moonbow list`, found object identifier %s", dotted);
}

/* Open Quantum Safe wraps the secret key in an OCTET STRING of its own. */
static void unwrap_octet_string(key_fields *fields)
{
    const unsigned char *inner = fields->content;
    long inner_bytes = 0;
    int tag = 0, class = 0;
    if (fields->content_bytes > LONG_MAX)
        return;
    const int result = ASN1_get_object(&inner, &inner_bytes, &tag, &class, (long)fields->content_bytes);
    const size_t used = (size_t)(inner - fields->content);
    if (result == 0 && tag == V_ASN1_OCTET_STRING && class == V_ASN1_UNIVERSAL &&
        (size_t)inner_bytes == fields->content_bytes - used) {
        fields->content = inner;
        fields->content_bytes = (size_t)inner_bytes;
    }
}

static int wrong_length(const moonbow_key *key, size_t found, moonbow_detail *detail)
{
    const size_t seed_bytes = key->public_seed_bytes;
    if (seed_bytes == 0) {
        return mb_container_explain(detail, MOONBOW_WRONG_LENGTH, "expected a %s %s of %zu bytes, found %zu",
                                    key->algorithm->parameters->name, mb_container_kind_text(key->kind),
                                    key->bytes_len, found);
    }
    return mb_container_explain(detail, MOONBOW_WRONG_LENGTH,
                                "expected a %s %s of %zu bytes and %zu of its public key, found %zu",
                                key->algorithm->parameters->name, mb_container_kind_text(key->kind),
                                key->bytes_len, seed_bytes, found);
}

/* Copies the raw key. Ours: the key, and the public seed behind a secret one. Open Quantum Safe's: the
 * secret key and the whole public key, of which the seed is the beginning. */
static int copy_content(moonbow_key *key, const key_fields *fields, moonbow_oid_owner owner,
                        moonbow_detail *detail)
{
    const size_t ours = key->bytes_len + key->public_seed_bytes;
    const size_t theirs = key->bytes_len + key->algorithm->parameters->public_key_bytes;
    const int both_keys = owner == MOONBOW_OID_OPEN_QUANTUM_SAFE && key->kind == MOONBOW_SECRET_KEY;
    if (fields->content_bytes != ours && !(both_keys && fields->content_bytes == theirs)) {
        return wrong_length(key, fields->content_bytes, detail);
    }
    memcpy(key->bytes, fields->content, ours);
    return MOONBOW_OK;
}

static int key_from_fields(moonbow_key **key, key_fields *fields, moonbow_key_kind kind,
                           moonbow_detail *detail)
{
    const moonbow_algorithm *algorithm = NULL;
    moonbow_oid_owner owner = MOONBOW_OID_OURS;
    int status = find_algorithm(&algorithm, &owner, fields->oid, detail);
    if (status != MOONBOW_OK)
        return status;
    if (fields->parameters_type != V_ASN1_UNDEF) {
        return mb_container_fail(detail, MOONBOW_CONTAINER_PARAMETERS);
    }
    if (owner == MOONBOW_OID_OPEN_QUANTUM_SAFE && kind == MOONBOW_SECRET_KEY)
        unwrap_octet_string(fields);
    status = moonbow_key_new(key, algorithm, kind);
    if (status != MOONBOW_OK)
        return mb_container_fail(detail, status);
    status = copy_content(*key, fields, owner, detail);
    if (status != MOONBOW_OK) {
        moonbow_key_free(*key);
        *key = NULL;
    }
    return status;
}

/* A structure that did not decode, or decoded and left bytes over. */
static int bad_structure(moonbow_key_kind kind, int decoded, long left, moonbow_detail *detail)
{
    if (!decoded) {
        return mb_container_explain(detail, MOONBOW_CONTAINER_DAMAGED,
                                    "expected the DER structure of a %s (%s), found something that does not "
                                    "decode: it is cut off or damaged",
                                    mb_container_kind_text(kind),
                                    kind == MOONBOW_SECRET_KEY ? "PKCS#8 PrivateKeyInfo"
                                                               : "SubjectPublicKeyInfo");
    }
    return mb_container_explain(detail, MOONBOW_CONTAINER_TRAILING,
                                "expected the end of the %s, found %ld more bytes",
                                mb_container_kind_text(kind), left);
}

int mb_container_key_of_info(moonbow_key **key, const PKCS8_PRIV_KEY_INFO *info, moonbow_detail *detail)
{
    const X509_ALGOR *algorithm = NULL;
    key_fields fields = {0};
    int content_bytes = 0;
    if (!PKCS8_pkey_get0(NULL, &fields.content, &content_bytes, &algorithm, info))
        return mb_container_fail(detail, MOONBOW_CONTAINER_LIBCRYPTO);
    X509_ALGOR_get0(&fields.oid, &fields.parameters_type, NULL, algorithm);
    fields.content_bytes = (size_t)content_bytes;
    return key_from_fields(key, &fields, MOONBOW_SECRET_KEY, detail);
}

static int secret_from_der(moonbow_key **key, const uint8_t *der, long der_bytes, moonbow_detail *detail)
{
    const unsigned char *end = der;
    PKCS8_PRIV_KEY_INFO *info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &end, der_bytes);
    const long left = der_bytes - (long)(end - der);
    const int status = info && left == 0 ? mb_container_key_of_info(key, info, detail)
                                         : bad_structure(MOONBOW_SECRET_KEY, info != NULL, left, detail);
    PKCS8_PRIV_KEY_INFO_free(info); /* wipes the key */
    return status;
}

static int public_from_der(moonbow_key **key, const uint8_t *der, long der_bytes, moonbow_detail *detail)
{
    const unsigned char *end = der;
    subject_key *info = (subject_key *)ASN1_item_d2i(NULL, &end, der_bytes, ASN1_ITEM_rptr(subject_key));
    const long left = der_bytes - (long)(end - der);
    key_fields fields = {0};
    int status;
    if (!info || left != 0) {
        status = bad_structure(MOONBOW_PUBLIC_KEY, info != NULL, left, detail);
    } else {
        X509_ALGOR_get0(&fields.oid, &fields.parameters_type, NULL, info->algorithm);
        fields.content = ASN1_STRING_get0_data(info->key);
        fields.content_bytes = (size_t)ASN1_STRING_length(info->key);
        status = key_from_fields(key, &fields, MOONBOW_PUBLIC_KEY, detail);
        if (status == MOONBOW_OK && (info->key->flags & 7) != 0) {
            moonbow_key_free(*key);
            *key = NULL;
            status = mb_container_explain(detail, MOONBOW_CONTAINER_DAMAGED,
                                          "expected a public key of whole bytes, found %ld unused bits",
                                          info->key->flags & 7);
        }
    }
    ASN1_item_free((ASN1_VALUE *)info, ASN1_ITEM_rptr(subject_key));
    return status;
}

int moonbow_key_from_der(moonbow_key **key, const uint8_t *der, size_t der_bytes, moonbow_key_kind kind,
                         moonbow_detail *detail)
{
    *key = NULL;
    if (der_bytes > MOONBOW_KEY_FILE_BYTES_MAX)
        return mb_container_fail(detail, MOONBOW_CONTAINER_TOO_LARGE);
    if (kind == MOONBOW_ANY_KEY)
        return mb_container_fail(detail, MOONBOW_CONTAINER_WRONG_KIND);
    ERR_set_mark();
    const int status = kind == MOONBOW_SECRET_KEY ? secret_from_der(key, der, (long)der_bytes, detail)
                                                  : public_from_der(key, der, (long)der_bytes, detail);
    ERR_pop_to_mark();
    return status;
}

void moonbow_encoding_free(moonbow_encoding *encoding)
{
    moonbow_memory_free(encoding->bytes, encoding->bytes_len);
    encoding->bytes = NULL;
    encoding->bytes_len = 0;
}
