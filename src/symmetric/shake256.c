/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHAKE256: the Keccak sponge with capacity 512 bits and the domain bits 1111. See shake256.h. */
#include "symmetric/shake256.h"

enum { RATE_BYTES = 200 - 64 };

void mb_shake256_init(mb_shake256 *shake)
{
    mb_keccak_init(&shake->sponge);
}

void mb_shake256_absorb(mb_shake256 *shake, const void *data, size_t bytes)
{
    mb_keccak_absorb(&shake->sponge, RATE_BYTES, data, bytes);
}

void mb_shake256_finish_absorb(mb_shake256 *shake)
{
    mb_keccak_pad(&shake->sponge, RATE_BYTES, 0x1f);
}

void mb_shake256_squeeze(mb_shake256 *shake, uint8_t *out, size_t bytes)
{
    mb_keccak_squeeze(&shake->sponge, RATE_BYTES, out, bytes);
}
