/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * CTR-DRBG without derivation function [SP 800-90A §10.2.1.2 ... §10.2.1.5.1]. V increases before each
 * block, so that V + 1 is the counter of the next one. See drbg.h. */
#include "symmetric/drbg.h"

#include "platform/wipe.h"
#include "symmetric/counter.h"

#include <string.h>

static void advance(uint8_t v[16], uint64_t blocks)
{
    mb_counter_store(v, mb_counter_add(mb_counter_load(v), blocks));
}

static uint64_t blocks_of(uint64_t bytes)
{
    return bytes / 16 + (bytes % 16 != 0);
}

/* The end of Update: the new key and V from the three blocks, with the seed added already. */
static void take_state(mb_drbg *drbg, const uint8_t fresh[48])
{
    memcpy(drbg->key, fresh, 32);
    memcpy(drbg->v, fresh + 32, 16);
}

static void init_with(mb_drbg *drbg, const mb_aes_cipher *cipher, const uint8_t seed[48])
{
    /* AES-256 under key 0 of the blocks 1, 2 and 3: Update begins there whatever the seed. */
    static const uint8_t start[48] = {
        0x53, 0x0f, 0x8a, 0xfb, 0xc7, 0x45, 0x36, 0xb9, 0xa9, 0x63, 0xb4, 0xf1, 0xc4, 0xcb, 0x73, 0x8b,
        0xce, 0xa7, 0x40, 0x3d, 0x4d, 0x60, 0x6b, 0x6e, 0x07, 0x4e, 0xc5, 0xd3, 0xba, 0xf3, 0x9d, 0x18,
        0x72, 0x60, 0x03, 0xca, 0x37, 0xa6, 0x2a, 0x74, 0xd1, 0xa2, 0xf5, 0x8e, 0x75, 0x06, 0x35, 0x8e};
    uint8_t fresh[48];
    for (unsigned i = 0; i < 48; i++) {
        fresh[i] = start[i] ^ seed[i];
    }
    drbg->cipher = cipher;
    take_state(drbg, fresh);
    mb_wipe(fresh, sizeof fresh);
}

void mb_drbg_init(mb_drbg *drbg, const uint8_t seed[48])
{
    init_with(drbg, &mb_aes_constant_time, seed);
}

void mb_drbg_init_vartime(mb_drbg *drbg, const uint8_t seed[48])
{
    init_with(drbg, &mb_aes_vartime, seed);
}

void mb_drbg_draw(mb_drbg *drbg, uint8_t *out, size_t bytes)
{
    mb_aes aes;
    uint8_t end[64]; /* the cut block if there is one, then the three blocks of Update */
    const size_t cut = bytes % 16;
    const size_t cut_blocks = cut != 0;

    drbg->cipher->init_256(&aes, drbg->key);
    advance(drbg->v, 1);
    if (bytes >= 16) {
        drbg->cipher->ctr(&aes, drbg->v, out, bytes / 16);
    }
    drbg->cipher->ctr(&aes, drbg->v, end, cut_blocks + 3);
    if (cut != 0) {
        memcpy(out + (bytes - cut), end, cut);
    }
    take_state(drbg, end + 16 * cut_blocks);
    mb_wipe(&aes, sizeof aes);
    mb_wipe(end, sizeof end);
}

/* Goes past a draw with the expanded key at hand. On entry V is the counter of its first block. */
static void skip_with(mb_drbg *drbg, const mb_aes *aes, uint64_t bytes)
{
    uint8_t fresh[48];
    advance(drbg->v, blocks_of(bytes));
    drbg->cipher->ctr(aes, drbg->v, fresh, 3);
    take_state(drbg, fresh);
    mb_wipe(fresh, sizeof fresh);
}

void mb_drbg_open(mb_ctr *stream, mb_drbg *drbg, uint64_t bytes)
{
    advance(drbg->v, 1);
    mb_ctr_init_256_with(stream, drbg->cipher, drbg->key, drbg->v);
    skip_with(drbg, &stream->aes, bytes);
}

void mb_drbg_skip(mb_drbg *drbg, uint64_t bytes)
{
    mb_aes aes;
    advance(drbg->v, 1);
    drbg->cipher->init_256(&aes, drbg->key);
    skip_with(drbg, &aes, bytes);
    mb_wipe(&aes, sizeof aes);
}

void mb_drbg_wipe(mb_drbg *drbg)
{
    mb_wipe(drbg, sizeof *drbg);
}
