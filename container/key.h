/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Keys in memory and in files: PKCS#8 PrivateKeyInfo (also encrypted) and SubjectPublicKeyInfo, in DER and PEM.
 * The format is described in docs/guide/key-files.md. */
#ifndef MOONBOW_CONTAINER_KEY_H
#define MOONBOW_CONTAINER_KEY_H

#include "container.h"

#include <moonbow/signature.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Keys in memory ------------------------------------------------------------------------- */

typedef enum moonbow_key_kind {
    MOONBOW_PUBLIC_KEY,
    MOONBOW_SECRET_KEY,
    MOONBOW_ANY_KEY /* only as what a reader accepts */
} moonbow_key_kind;

/* A raw key and what it is. `bytes` of a secret key is SECRET. public_seed follows the secret key in
 * the same memory, where the algorithm asks for one (parameters->public_seed_bytes), so that the
 * public key can be recomputed; else public_seed_bytes is 0. */
typedef struct moonbow_key {
    const moonbow_algorithm *algorithm;
    moonbow_key_kind kind;
    uint8_t *bytes;
    size_t bytes_len;
    uint8_t *public_seed;
    size_t public_seed_bytes;
} moonbow_key;

/* A key of the right size, all zero, to be filled in. Errors: NO_MEMORY. */
int moonbow_key_new(moonbow_key **key, const moonbow_algorithm *algorithm, moonbow_key_kind kind);

/* Wipes and frees; NULL is allowed. */
void moonbow_key_free(moonbow_key *key);

/* A new key pair. seed: NULL, 0 for fresh randomness from `random` (NULL: the system's), else the
 * SECRET seed of generate_random_bytes bytes. On error both keys are NULL.
 * Errors: those of moonbow_generate, NO_MEMORY. */
int moonbow_key_generate(moonbow_key **public_key, moonbow_key **secret_key,
                         const moonbow_algorithm *algorithm, const moonbow_random *random,
                         const uint8_t *seed, size_t seed_bytes, moonbow_mode mode);

/* The public key of a secret key. Errors: those of moonbow_derive_public_key, NO_MEMORY. */
int moonbow_key_derive_public(moonbow_key **public_key, const moonbow_key *secret_key, moonbow_mode mode);

/* ---- Fingerprints --------------------------------------------------------------------------- */

/* SHA-256 of the raw public key: the digest that moonbow_verify_digest_key computes. */
int moonbow_key_digest(uint8_t digest[MOONBOW_KEY_DIGEST_BYTES], const moonbow_key *public_key);

/* "SHA256:" and the first 16 hexadecimal digits of a digest: 64 bits, to tell keys apart at a glance.
 * Compare whole digests where someone may search for a key with a given fingerprint. */
#define MOONBOW_FINGERPRINT_BYTES 24
void moonbow_fingerprint_text(char text[MOONBOW_FINGERPRINT_BYTES],
                              const uint8_t digest[MOONBOW_KEY_DIGEST_BYTES]);

/* ---- Writing -------------------------------------------------------------------------------- */

/* What a writer made, or the contents of a file; SECRET if the key is. Give it back with
 * moonbow_encoding_free. */
typedef struct moonbow_encoding {
    uint8_t *bytes;
    size_t bytes_len;
} moonbow_encoding;
void moonbow_encoding_free(moonbow_encoding *encoding);

/* A SECRET passphrase: any bytes, mostly text in UTF-8. */
typedef struct moonbow_passphrase {
    const uint8_t *bytes;
    size_t bytes_len;
} moonbow_passphrase;
#define MOONBOW_PASSPHRASE_BYTES_MAX ((size_t)1024)

/* PrivateKeyInfo or SubjectPublicKeyInfo. Errors: UNKNOWN_OID (the algorithm has none), NO_MEMORY,
 * LIBCRYPTO. */
int moonbow_key_to_der(moonbow_encoding *der, const moonbow_key *key);
/* The same in a "PRIVATE KEY" or "PUBLIC KEY" PEM block. */
int moonbow_key_to_pem(moonbow_encoding *pem, const moonbow_key *key);

/* A secret key as EncryptedPrivateKeyInfo: PBES2 with scrypt and AES-256 (docs/guide/key-files.md).
 * Takes a good part of a second and 16 MiB. Errors: as above, WRONG_KIND (a public key), WRONG_LENGTH
 * (an empty passphrase or one that is too long). */
int moonbow_key_to_encrypted_der(moonbow_encoding *der, const moonbow_key *key,
                                 const moonbow_passphrase *passphrase);
/* The same in an "ENCRYPTED PRIVATE KEY" PEM block. */
int moonbow_key_to_encrypted_pem(moonbow_encoding *pem, const moonbow_key *key,
                                 const moonbow_passphrase *passphrase);

/* ---- Reading -------------------------------------------------------------------------------- */

/* The largest key file that is read. Today's largest key takes 4.4 MB as PEM. */
#define MOONBOW_KEY_FILE_BYTES_MAX ((size_t)8 << 20)

/* The contents of a file of at most MOONBOW_KEY_FILE_BYTES_MAX bytes, or the rest of what a descriptor
 * gives, in memory for secrets. Errors: UNREADABLE, TOO_LARGE, NO_MEMORY. */
int moonbow_contents_of_file(moonbow_encoding *contents, const char *path, moonbow_detail *detail);
int moonbow_contents_of_descriptor(moonbow_encoding *contents, int descriptor, moonbow_detail *detail);

/* What the contents of a file look like: a PEM block begins somewhere; one DER element of a key's outline
 * fills it; or neither. */
typedef enum moonbow_key_form { MOONBOW_KEY_PEM, MOONBOW_KEY_DER, MOONBOW_KEY_NEITHER } moonbow_key_form;
moonbow_key_form moonbow_key_form_of(const uint8_t *bytes, size_t bytes_len);

/* Reads a key in PEM or DER, encrypted or not. passphrase may be NULL: then an encrypted key is an
 * error, ENCRYPTED, with which a caller learns that it has to ask.
 * Errors: those of the two functions below, and WRONG_PASSPHRASE, UNKNOWN_ENCRYPTION. */
int moonbow_key_from_bytes(moonbow_key **key, const uint8_t *bytes, size_t bytes_len, moonbow_key_kind kind,
                           const moonbow_passphrase *passphrase, moonbow_detail *detail);

/* Reads one unencrypted key that fills `der` exactly. kind says which structure it is (not ANY).
 * Errors: DAMAGED, TRAILING, UNKNOWN_OID, PARAMETERS, WRONG_LENGTH, NO_MEMORY, LIBCRYPTO. */
int moonbow_key_from_der(moonbow_key **key, const uint8_t *der, size_t der_bytes, moonbow_key_kind kind,
                         moonbow_detail *detail);

/* Reads the one PEM block of a text, unencrypted; explanatory text may stand before it, blanks after it.
 * Errors: also EMPTY, NOT_PEM, OTHER_LABEL, WRONG_KIND, ENCRYPTED. */
int moonbow_key_from_pem(moonbow_key **key, const uint8_t *pem, size_t pem_bytes, moonbow_key_kind kind,
                         moonbow_detail *detail);

#ifdef __cplusplus
}
#endif
#endif
