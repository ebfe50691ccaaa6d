/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA3-256 [FIPS 202 §6.1], incremental and in constant time for a message of a given length. */
#ifndef MB_SYMMETRIC_SHA3_256_H
#define MB_SYMMETRIC_SHA3_256_H

#include "symmetric/keccak.h"

#include <stddef.h>
#include <stdint.h>

enum { MB_SHA3_256_DIGEST_BYTES = 32 };

/* A hash under way. May be copied to fork a common prefix. SECRET if the message is. */
typedef struct mb_sha3_256 {
    mb_keccak sponge;
} mb_sha3_256;

void mb_sha3_256_init(mb_sha3_256 *sha);

/* Takes `bytes` more message bytes, SECRET or public; any number of calls, any alignment. With 0
 * bytes `data` may be NULL. */
void mb_sha3_256_update(mb_sha3_256 *sha, const void *data, size_t bytes);

/* Writes the 32-byte digest and wipes `sha`, which must be initialised before it is used again. */
void mb_sha3_256_finish(mb_sha3_256 *sha, uint8_t out[32]);

#endif
