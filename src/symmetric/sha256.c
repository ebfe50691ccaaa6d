/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA-256 through whichever compression function suits this machine, asked anew in each call: there is
 * no state. Sections are those of FIPS 180-4. See sha256.h, sha256_backend.h. */
#include "symmetric/sha256.h"

#include "platform/bytes.h"
#include "platform/wipe.h"
#include "symmetric/sha256_backend.h"

#include <string.h>

static void compress(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    const mb_sha256_compress accelerated = mb_sha256_accelerated();
    accelerated(state, blocks, count);
}

void mb_sha256_init(mb_sha256 *sha)
{
    /* [§5.3.3] */
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sha->state, start, sizeof start);
    sha->message_bytes = 0;
}

void mb_sha256_update(mb_sha256 *sha, const void *data, size_t bytes)
{
    const uint8_t *in = data;
    const size_t filled = (size_t)(sha->message_bytes % 64);
    sha->message_bytes += bytes;

    if (filled != 0) {
        const size_t room = 64 - filled;
        const size_t taken = bytes < room ? bytes : room;
        if (taken != 0) {
            memcpy(sha->block + filled, in, taken);
            in += taken;
            bytes -= taken;
        }
        if (taken < room) {
            return;
        }
        compress(sha->state, sha->block, 1);
    }
    compress(sha->state, in, bytes / 64);
    if (bytes % 64 != 0) {
        memcpy(sha->block, in + (bytes - bytes % 64), bytes % 64);
    }
}

const uint8_t *mb_sha256_take(mb_sha256 *sha, const void *data, size_t *bytes)
{
    const size_t filled = (size_t)(sha->message_bytes % 64), room = 64 - filled;
    uint8_t *const copy = sha->block + filled;
    *bytes = *bytes < room ? *bytes : room;
    memcpy(copy, data, *bytes);
    sha->message_bytes += *bytes;
    if (*bytes == room) {
        compress(sha->state, sha->block, 1);
    }
    return copy;
}

void mb_sha256_finish(mb_sha256 *sha, uint8_t out[32])
{
    /* [§5.1.1]: a one bit, zeros, and the length in bits as the last 64 bits of a block. */
    size_t filled = (size_t)(sha->message_bytes % 64);
    sha->block[filled++] = 0x80;
    if (filled > 56) {
        memset(sha->block + filled, 0, 64 - filled);
        compress(sha->state, sha->block, 1);
        filled = 0;
    }
    memset(sha->block + filled, 0, 56 - filled);
    mb_store64_be(sha->block + 56, sha->message_bytes * 8);
    compress(sha->state, sha->block, 1);

    for (unsigned i = 0; i < 8; i++) {
        mb_store32_be(out + 4 * i, sha->state[i]);
    }
    mb_wipe(sha, sizeof *sha);
}
