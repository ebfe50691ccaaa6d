/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES by table in portable C, and the cipher for PUBLIC keys: the processor's instructions where there are some, else the
 * table. Under the constant-time test a secret that came here would be found: it would be an address. */
#include "symmetric/aes_vartime.h"

#include "platform/bytes.h"
#include "platform/cpu.h"
#include "symmetric/counter.h"

#include <string.h>

static uint32_t rotate_left(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/* Byte `row` of a column, whose first byte is its lowest. */
static unsigned byte_of(uint32_t column, unsigned row)
{
    return column >> (8 * row) & 0xff;
}

static uint32_t substitute(unsigned byte)
{
    return mb_aes_table[byte] >> 8 & 0xff;
}

static uint32_t substitute_word(uint32_t in)
{
    uint32_t out = 0;
    for (unsigned row = 0; row < 4; row++) {
        out |= substitute(byte_of(in, row)) << (8 * row);
    }
    return out;
}

/* KeyExpansion for keys of 4 or 8 words [FIPS 197 §5.2]; a word's first byte is its lowest here. */
static void expand(mb_aes *aes, const uint8_t *key, unsigned key_words)
{
    uint8_t *const out = aes->round_keys;
    unsigned constant = 1;
    aes->rounds = key_words + 6;
    memcpy(out, key, (size_t)4 * key_words);

    uint32_t last = mb_load32_le(key + 4 * (key_words - 1));
    for (unsigned i = key_words; i < 4 * (aes->rounds + 1); i++) {
        if (i % key_words == 0) {
            last = substitute_word(last >> 8 | last << 24) ^ constant;
            constant = (constant << 1 ^ (constant >> 7) * 0x1b) & 0xff;
        } else if (i % key_words == 4) { /* only in AES-256 */
            last = substitute_word(last);
        }
        last ^= mb_load32_le(out + 4 * (i - key_words));
        mb_store32_le(out + 4 * i, last);
    }
}

void mb_aes_table_init_128(mb_aes *aes, const uint8_t key[16])
{
    expand(aes, key, 4);
}

void mb_aes_table_init_256(mb_aes *aes, const uint8_t key[32])
{
    expand(aes, key, 8);
}

/* Column c of the state after SubBytes, ShiftRows and MixColumns: row r comes from column c + r. */
static uint32_t next_column(const uint32_t state[4], unsigned c)
{
    uint32_t sum = mb_aes_table[byte_of(state[c], 0)];
    for (unsigned row = 1; row < 4; row++) {
        sum ^= rotate_left(mb_aes_table[byte_of(state[(c + row) % 4], row)], 8 * row);
    }
    return sum;
}

/* The same without MixColumns, for the last round. */
static uint32_t last_column(const uint32_t state[4], unsigned c)
{
    uint32_t sum = 0;
    for (unsigned row = 0; row < 4; row++) {
        sum |= substitute(byte_of(state[(c + row) % 4], row)) << (8 * row);
    }
    return sum;
}

static void encrypt(uint8_t block[16], const mb_aes *aes)
{
    const uint8_t *key = aes->round_keys;
    uint32_t state[4], next[4];
    for (unsigned c = 0; c < 4; c++) {
        state[c] = mb_load32_le(block + 4 * c) ^ mb_load32_le(key + 4 * c);
    }
    for (unsigned round = 1; round <= aes->rounds; round++) {
        key += 16;
        for (unsigned c = 0; c < 4; c++) {
            next[c] = round == aes->rounds ? last_column(state, c) : next_column(state, c);
            next[c] ^= mb_load32_le(key + 4 * c);
        }
        memcpy(state, next, sizeof state);
    }
    for (unsigned c = 0; c < 4; c++) {
        mb_store32_le(block + 4 * c, state[c]);
    }
}

void mb_aes_table_ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    mb_counter next = mb_counter_load(counter);
    for (; blocks != 0; blocks--, out += 16) {
        mb_counter_store(out, next);
        encrypt(out, aes);
        next = mb_counter_add(next, 1);
    }
    mb_counter_store(counter, next);
}

void mb_aes_table_ctr_some(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks, const uint8_t *wanted,
                           size_t count)
{
    for (size_t piece = 0; piece < count; piece++, out += 16 * blocks) {
        if (wanted[piece] != 0) {
            mb_aes_table_ctr(aes, counter, out, blocks);
        } else {
            mb_counter_store(counter, mb_counter_add(mb_counter_load(counter), blocks));
        }
    }
}

const mb_aes_backend mb_aes_portable_vartime_backend = {"table", mb_aes_table_init_128, mb_aes_table_init_256,
                                                        mb_aes_table_ctr, mb_aes_table_ctr_some, NULL, NULL};

static const mb_aes_backend *backend(void)
{
    const mb_aes_backend *accelerated = mb_aes_accelerated_vartime(mb_cpu_features());
    return accelerated != NULL ? accelerated : &mb_aes_portable_vartime_backend;
}

static void init_128(mb_aes *aes, const uint8_t key[16])
{
    backend()->init_128(aes, key);
}

static void init_256(mb_aes *aes, const uint8_t key[32])
{
    backend()->init_256(aes, key);
}

static void ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    backend()->ctr(aes, counter, out, blocks);
}

static int ctr_some(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks, const uint8_t *wanted, size_t count)
{
    if (backend()->ctr_some == NULL) {
        return -1;
    }
    backend()->ctr_some(aes, counter, out, blocks, wanted, count);
    return 0;
}

static size_t shortcut_bytes(void)
{
    return backend()->ctr_by_shortcut == NULL ? 0 : sizeof(mb_aes_shortcut);
}

static void begin_shortcut(mb_aes_shortcut *shortcut)
{
    shortcut->made = 0;
}

static void ctr_by_shortcut(const mb_aes *aes, mb_aes_shortcut *shortcut, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    const mb_aes_backend *const chosen = backend();
    const size_t whole = blocks - blocks % MB_AES_SHORTCUT_BLOCKS, until_carry = 0xffffffff - mb_load32_be(counter + 12);
    if (whole > until_carry || chosen->make_shortcut == NULL || chosen->ctr_by_shortcut == NULL) {
        chosen->ctr(aes, counter, out, blocks);
        return;
    }
    if (whole != 0) {
        if (!shortcut->made || memcmp(counter, shortcut->counter, sizeof shortcut->counter) != 0) {
            chosen->make_shortcut(aes, shortcut, counter);
            memcpy(shortcut->counter, counter, sizeof shortcut->counter);
            shortcut->made = 1;
        }
        chosen->ctr_by_shortcut(aes, shortcut, counter, out, whole);
    }
    chosen->ctr(aes, counter, out + 16 * whole, blocks - whole);
}

const mb_aes_cipher mb_aes_vartime = {init_128, init_256, ctr, ctr_some, shortcut_bytes, begin_shortcut, ctr_by_shortcut};
