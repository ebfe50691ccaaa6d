/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA-512 and SHA-384 [FIPS 180-4 §6.4, §6.5]: one compression function, two starting values and
 * digest lengths. Incremental; constant time for a message of a given length. See also hash.h. */
#ifndef MB_SYMMETRIC_SHA512_H
#define MB_SYMMETRIC_SHA512_H

#include <stddef.h>
#include <stdint.h>

enum { MB_SHA384_DIGEST_BYTES = 48, MB_SHA512_DIGEST_BYTES = 64 };

/* A hash under way. May be copied to fork a common prefix. SECRET if the message is. */
typedef struct mb_sha512 {
    uint64_t state[8];
    uint8_t block[128];     /* the block being filled */
    uint64_t message_bytes; /* taken so far; the fill of block is its remainder by 128 */
} mb_sha512;

/* The same contents; a hash begun as one must not be finished as the other. */
typedef mb_sha512 mb_sha384;

void mb_sha512_init(mb_sha512 *sha);
void mb_sha384_init(mb_sha384 *sha);

/* Takes `bytes` more message bytes, SECRET or public; any number of calls, any alignment. With 0
 * bytes `data` may be NULL. The whole message must be shorter than 2^61 bytes (the standard's bound
 * is 2^125). */
void mb_sha512_update(mb_sha512 *sha, const void *data, size_t bytes);
void mb_sha384_update(mb_sha384 *sha, const void *data, size_t bytes);

/* Writes the digest, 64 or 48 bytes, and wipes `sha`, which must be initialised before it is used
 * again. */
void mb_sha512_finish(mb_sha512 *sha, uint8_t out[64]);
void mb_sha384_finish(mb_sha384 *sha, uint8_t out[48]);

#endif
