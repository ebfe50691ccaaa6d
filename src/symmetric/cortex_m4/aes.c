/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES in constant time on the Cortex-M4: keys, and counters around the assembly of aes_pairs.S. */
#include "platform/bytes.h"
#include "platform/compiler.h"
#include "platform/wipe.h"
#include "symmetric/cortex_m4/aes.h"

#include <string.h>

enum { KEYS_MAX = 15 };

static uint32_t rotate_right(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

/* ---- Keys ------------------------------------------------------------------------------------ */

/* KeyExpansion for keys of 4 or 8 words [FIPS 197 §5.2]; a word's first byte is its lowest here. */
static void expand(mb_aes *aes, const uint8_t *key, unsigned key_words)
{
    uint32_t *const out = (uint32_t *)(void *)aes->round_keys; /* aligned like `rounds` */
    unsigned constant = 1;
    aes->rounds = key_words + 6;
    memcpy(out, key, (size_t)4 * key_words);

    uint32_t last = out[key_words - 1];
    for (unsigned i = key_words; i < 4 * (aes->rounds + 1); i++) {
        if (i % key_words == 0) {
            last = mb_m4_aes_substitute_word(rotate_right(last, 8)) ^ constant;
            constant = (constant << 1 ^ (constant >> 7) * 0x1b) & 0xff;
        } else if (i % key_words == 4) { /* only in AES-256 */
            last = mb_m4_aes_substitute_word(last);
        }
        last ^= out[i - key_words];
        out[i] = last;
    }
}

static void init_128(mb_aes *aes, const uint8_t key[16])
{
    expand(aes, key, 4);
}

static void init_256(mb_aes *aes, const uint8_t key[32])
{
    expand(aes, key, 8);
}

/* ---- Counter mode ---------------------------------------------------------------------------- */

static void load_counter(uint32_t words[4], const uint8_t counter[16])
{
    for (unsigned i = 0; i < 4; i++) {
        words[i] = mb_load32_be(counter + 4 * i);
    }
}

static void store_counter(uint8_t counter[16], const uint32_t words[4])
{
    for (unsigned i = 0; i < 4; i++) {
        mb_store32_be(counter + 4 * i, words[i]);
    }
}

/* The last block, of a pair whose other one is not wanted. */
static MB_NOINLINE void single(uint8_t out[16], const uint32_t (*keys)[8], unsigned rounds, uint32_t counter[4])
{
    uint8_t pair[32];
    uint32_t next[4] = {counter[0], counter[1], counter[2], counter[3]};
    mb_m4_aes_pairs(pair, keys[0], keys[rounds], next, 1);
    memcpy(out, pair, 16);
    mb_wipe(pair, sizeof pair);
    /* The counter + 1, with a carry that is no branch. */
    uint32_t carry = 1;
    for (unsigned i = 4; i-- > 0;) {
        const uint64_t sum = (uint64_t)counter[i] + carry;
        counter[i] = (uint32_t)sum;
        carry = (uint32_t)(sum >> 32);
    }
    mb_wipe(next, sizeof next);
}

static void ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    uint32_t keys[KEYS_MAX][8], words[4];
    mb_m4_aes_lay_out_keys(keys, (const uint32_t *)(const void *)aes->round_keys, aes->rounds);
    load_counter(words, counter);
    if (blocks / 2 != 0) {
        mb_m4_aes_pairs(out, keys[0], keys[aes->rounds], words, blocks / 2);
    }
    if (blocks % 2 != 0) {
        single(out + 16 * (blocks - 1), (const uint32_t(*)[8])keys, aes->rounds, words);
    }
    store_counter(counter, words);
    mb_wipe(keys, sizeof keys);
    mb_wipe(words, sizeof words);
}

static const mb_aes_backend bitsliced_backend = {"Cortex-M4 bitsliced", init_128, init_256, ctr, NULL, NULL, NULL};

const mb_aes_backend *mb_aes_accelerated(unsigned features)
{
    (void)features;
    return &bitsliced_backend;
}
