/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Internal to container/: what the writers and readers of DER and PEM share. */
#ifndef MOONBOW_CONTAINER_DER_H
#define MOONBOW_CONTAINER_DER_H

#include "key.h"

#include <openssl/x509.h>

#define MB_CONTAINER_LABEL_ENCRYPTED "ENCRYPTED PRIVATE KEY"

/* "PRIVATE KEY" or "PUBLIC KEY". */
static inline const char *mb_container_label(moonbow_key_kind kind)
{
    return kind == MOONBOW_SECRET_KEY ? "PRIVATE KEY" : "PUBLIC KEY";
}

static inline const char *mb_container_kind_text(moonbow_key_kind kind)
{
    return kind == MOONBOW_SECRET_KEY ? "secret key" : kind == MOONBOW_PUBLIC_KEY ? "public key" : "key";
}

/* Moves what libcrypto wrote into memory of ours; SECRET if secret is 1. Frees `encoded`. */
int mb_container_take(moonbow_encoding *out, unsigned char *encoded, int encoded_bytes, int secret);

/* A secret key as libcrypto's structure, which wipes the key when it is freed; and back. */
int mb_container_info_of_key(PKCS8_PRIV_KEY_INFO **info, const moonbow_key *key);
int mb_container_key_of_info(moonbow_key **key, const PKCS8_PRIV_KEY_INFO *info, moonbow_detail *detail);

/* Reads an EncryptedPrivateKeyInfo that fills `der` exactly. passphrase may be NULL: ENCRYPTED. */
int mb_container_key_from_encrypted(moonbow_key **key, const uint8_t *der, size_t der_bytes,
                                    const moonbow_passphrase *passphrase, moonbow_detail *detail);

/* moonbow_key_from_pem for encrypted keys, too. */
int mb_container_key_from_pem(moonbow_key **key, const uint8_t *pem, size_t pem_bytes, moonbow_key_kind kind,
                              const moonbow_passphrase *passphrase, moonbow_detail *detail);

#endif
