/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A board that supplies AES, SHA-256 and randomness, played by portable code: the image must give the same known answers, and must not hold the
 * library's own for this processor. */
#include "../programs/job.h"
#include "symmetric/aes_backend.h"
#include "symmetric/sha256_backend.h"

#include <moonbow/board.h>

static void encrypt_counters(const uint8_t *key, size_t key_bytes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    mb_aes aes;
    (key_bytes == 16 ? mb_aes_portable_backend.init_128 : mb_aes_portable_backend.init_256)(&aes, key);
    mb_aes_portable_backend.ctr(&aes, counter, out, blocks);
}

static int fill(void *context, uint8_t *out, size_t bytes)
{
    (void)context;
    job_fill(out, bytes, 1U << 29);
    return 0;
}

MOONBOW_BOARD_SHA256(mb_sha256_portable);
MOONBOW_BOARD_AES(encrypt_counters);
MOONBOW_BOARD_RANDOM(fill);
