/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Internal to container/der.c: the ASN.1 template of SubjectPublicKeyInfo (RFC 5280 §4.1). */
#ifndef MOONBOW_CONTAINER_SUBJECT_KEY_H
#define MOONBOW_CONTAINER_SUBJECT_KEY_H

#include <openssl/asn1t.h>
#include <openssl/x509.h>

/* SubjectPublicKeyInfo as a plain structure. X509_PUBKEY is the same, but decoding that one asks
 * every loaded provider to decode the key, and a provider that is built on this file would be asked too. */
typedef struct subject_key {
    X509_ALGOR *algorithm;
    ASN1_BIT_STRING *key;
} subject_key;

/* clang-format off */
ASN1_SEQUENCE(subject_key) = {
    ASN1_SIMPLE(subject_key, algorithm, X509_ALGOR),
    ASN1_SIMPLE(subject_key, key, ASN1_BIT_STRING),
} static_ASN1_SEQUENCE_END(subject_key)
/* clang-format on */

#endif
