/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA-256 [FIPS 180-4 §6.2], incremental and in constant time for a message of a given length.
 * To choose a hash at run time, see hash.h. */
#ifndef MB_SYMMETRIC_SHA256_H
#define MB_SYMMETRIC_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { MB_SHA256_DIGEST_BYTES = 32 };

/* A hash under way. May be copied to fork a common prefix. SECRET if the message is. */
typedef struct mb_sha256 {
    uint32_t state[8];
    uint8_t block[64];      /* the block being filled */
    uint64_t message_bytes; /* taken so far; the fill of block is its remainder by 64 */
} mb_sha256;

void mb_sha256_init(mb_sha256 *sha);

/* Takes `bytes` more message bytes, SECRET or public; any number of calls, any alignment. With 0
 * bytes `data` may be NULL. The whole message must be shorter than 2^61 bytes. */
void mb_sha256_update(mb_sha256 *sha, const void *data, size_t bytes);

/* As mb_sha256_update, of as many of the `*bytes` > 0 bytes as fit into the block being filled: leaves in *bytes how many, and returns
 * the context's copy of them, which is what was hashed. It lies there until the next call. */
const uint8_t *mb_sha256_take(mb_sha256 *sha, const void *data, size_t *bytes);

/* Writes the 32-byte digest and wipes `sha`, which must be initialised before it is used again. */
void mb_sha256_finish(mb_sha256 *sha, uint8_t out[32]);

#endif
