/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Encrypting secret keys with a cipher and in a library context of the caller's: for programs on libcrypto, such as the provider. */
#ifndef MOONBOW_CONTAINER_ENCRYPTED_H
#define MOONBOW_CONTAINER_ENCRYPTED_H

#include "key.h"

#include <openssl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct moonbow_encryption {
    const EVP_CIPHER *cipher;
    OSSL_LIB_CTX *context; /* NULL: the default one */
} moonbow_encryption;

/* moonbow_key_to_encrypted_der with another cipher, which must be one in CBC mode that PBES2 names. What moonbow_key_from_bytes
 * reads is AES alone. Errors: the same, and UNKNOWN_ENCRYPTION. */
int moonbow_key_to_encrypted_der_with(moonbow_encoding *der, const moonbow_key *key,
                                      const moonbow_passphrase *passphrase, const moonbow_encryption *how);

#ifdef __cplusplus
}
#endif
#endif
