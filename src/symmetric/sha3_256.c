/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA3-256: the Keccak sponge with capacity 512 bits and the domain bits 01. See sha3_256.h. */
#include "symmetric/sha3_256.h"

#include "platform/wipe.h"

enum { RATE_BYTES = 200 - 64 };

void mb_sha3_256_init(mb_sha3_256 *sha)
{
    mb_keccak_init(&sha->sponge);
}

void mb_sha3_256_update(mb_sha3_256 *sha, const void *data, size_t bytes)
{
    mb_keccak_absorb(&sha->sponge, RATE_BYTES, data, bytes);
}

void mb_sha3_256_finish(mb_sha3_256 *sha, uint8_t out[32])
{
    mb_keccak_pad(&sha->sponge, RATE_BYTES, 0x06);
    mb_keccak_squeeze(&sha->sponge, RATE_BYTES, out, MB_SHA3_256_DIGEST_BYTES);
    mb_wipe(sha, sizeof *sha);
}
