/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Keys in memory and in files: PKCS#8 PrivateKeyInfo and SubjectPublicKeyInfo, in DER and PEM.
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

/* ---- DER and PEM ---------------------------------------------------------------------------- */

/* What a writer made; SECRET if the key was. Give it back with moonbow_encoding_free. */
typedef struct moonbow_encoding {
    uint8_t *bytes;
    size_t bytes_len;
} moonbow_encoding;
void moonbow_encoding_free(moonbow_encoding *encoding);

/* PrivateKeyInfo or SubjectPublicKeyInfo. Errors: UNKNOWN_OID (the algorithm has none), NO_MEMORY,
 * LIBCRYPTO. */
int moonbow_key_to_der(moonbow_encoding *der, const moonbow_key *key);
/* The same in a "PRIVATE KEY" or "PUBLIC KEY" PEM block. */
int moonbow_key_to_pem(moonbow_encoding *pem, const moonbow_key *key);

/* Reads one key that fills `der` exactly. kind says which structure it is (not ANY).
 * Errors: DAMAGED, TRAILING, UNKNOWN_OID, PARAMETERS, WRONG_LENGTH, NO_MEMORY, LIBCRYPTO. */
int moonbow_key_from_der(moonbow_key **key, const uint8_t *der, size_t der_bytes, moonbow_key_kind kind,
                         moonbow_detail *detail);

/* Reads the one PEM block of a text; explanatory text may stand before it, blanks after it.
 * Errors: also EMPTY, NOT_PEM, OTHER_LABEL, WRONG_KIND. */
int moonbow_key_from_pem(moonbow_key **key, const uint8_t *pem, size_t pem_bytes, moonbow_key_kind kind,
                         moonbow_detail *detail);

/* The largest key file that is read. Today's largest key takes 2.6 MB as PEM. */
#define MOONBOW_KEY_FILE_BYTES_MAX ((size_t)8 << 20)

/* Reads a PEM key file of at most MOONBOW_KEY_FILE_BYTES_MAX bytes.
 * Errors: also UNREADABLE, TOO_LARGE. */
int moonbow_key_from_file(moonbow_key **key, const char *path, moonbow_key_kind kind, moonbow_detail *detail);

#ifdef __cplusplus
}
#endif
#endif
