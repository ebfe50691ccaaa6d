/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES through whichever backend suits this machine, asked anew in each call: there is no state. See
 * aes.h, aes_backend.h. */
#include "symmetric/aes.h"

#include "platform/cpu.h"
#include "symmetric/aes_backend.h"

static const mb_aes_backend *backend(void)
{
    return mb_aes_accelerated(mb_cpu_features());
}

void mb_aes_init_128(mb_aes *aes, const uint8_t key[16])
{
    backend()->init_128(aes, key);
}

void mb_aes_init_256(mb_aes *aes, const uint8_t key[32])
{
    backend()->init_256(aes, key);
}

void mb_aes_ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    backend()->ctr(aes, counter, out, blocks);
}

const mb_aes_cipher mb_aes_constant_time = {mb_aes_init_128, mb_aes_init_256, mb_aes_ctr, NULL, NULL, NULL, NULL};
