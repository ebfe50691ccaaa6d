/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A hash function as a value, for schemes whose parameter sets differ in it. Each value has a file of
 * its own (hash_sha256.c, ...), so that a program links only those it names. */
#ifndef MB_SYMMETRIC_HASH_H
#define MB_SYMMETRIC_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct mb_hash {
    const char *name;     /* "SHA-256", as FIPS 180-4 writes it */
    size_t digest_bytes;  /* what finish writes */
    size_t context_bytes; /* what the caller lends as context, aligned for uint64_t */
    void (*init)(void *context);
    void (*update)(void *context, const void *data, size_t bytes); /* as mb_sha256_update */
    void (*finish)(void *context, uint8_t *digest);                /* also wipes the context */
} mb_hash;

extern const mb_hash mb_hash_sha256;
extern const mb_hash mb_hash_sha384;
extern const mb_hash mb_hash_sha512;

#endif
