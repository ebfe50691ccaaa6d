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

void mb_drbg_init(mb_drbg *drbg, const uint8_t seed[48])
{
    static const uint8_t zero_key[32] = {0};
    mb_aes aes;
    uint8_t counter[16] = {0};
    uint8_t fresh[48];

    mb_aes_init_256(&aes, zero_key);
    advance(counter, 1);
    mb_aes_ctr(&aes, counter, fresh, 3);
    for (unsigned i = 0; i < 48; i++) {
        fresh[i] ^= seed[i];
    }
    take_state(drbg, fresh);
    mb_wipe(fresh, sizeof fresh);
}

void mb_drbg_draw(mb_drbg *drbg, uint8_t *out, size_t bytes)
{
    mb_aes aes;
    uint8_t end[64]; /* the cut block if there is one, then the three blocks of Update */
    const size_t cut = bytes % 16;
    const size_t cut_blocks = cut != 0;

    mb_aes_init_256(&aes, drbg->key);
    advance(drbg->v, 1);
    if (bytes >= 16) {
        mb_aes_ctr(&aes, drbg->v, out, bytes / 16);
    }
    mb_aes_ctr(&aes, drbg->v, end, cut_blocks + 3);
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
    mb_aes_ctr(aes, drbg->v, fresh, 3);
    take_state(drbg, fresh);
    mb_wipe(fresh, sizeof fresh);
}

void mb_drbg_open(mb_ctr *stream, mb_drbg *drbg, uint64_t bytes)
{
    advance(drbg->v, 1);
    mb_ctr_init_256(stream, drbg->key, drbg->v);
    skip_with(drbg, &stream->aes, bytes);
}

void mb_drbg_skip(mb_drbg *drbg, uint64_t bytes)
{
    mb_aes aes;
    advance(drbg->v, 1);
    mb_aes_init_256(&aes, drbg->key);
    skip_with(drbg, &aes, bytes);
    mb_wipe(&aes, sizeof aes);
}

void mb_drbg_wipe(mb_drbg *drbg)
{
    mb_wipe(drbg, sizeof *drbg);
}
