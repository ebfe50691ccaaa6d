/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA-256's compression on the Cortex-M4: sha256_compress.S. See sha256_backend.h. */
#include "symmetric/sha256_backend.h"

void mb_m4_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t count);

mb_sha256_compress mb_sha256_accelerated(void)
{
    return mb_m4_sha256_compress;
}
