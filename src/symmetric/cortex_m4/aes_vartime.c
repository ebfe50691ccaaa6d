/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES by table for PUBLIC keys on the Cortex-M4: cuts the counters into runs whose first two rounds have nearly everything in
 * common. The rounds themselves: aes_blocks_vartime.S. */
#include "platform/bytes.h"
#include "platform/compiler.h"
#include "symmetric/aes_vartime.h"
#include "symmetric/cortex_m4/aes.h"

#include <string.h>

/* From so many blocks on it pays to copy the table to memory, which is quicker to read than flash. */
enum { COPY_BLOCKS = 16 };

static uint32_t rotate_left(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/* What the bytes of `state` in `rows`, a set of bits, add to column c of the next one. Both are constants where it is called. */
static MB_ALWAYS_INLINE uint32_t column(const uint32_t state[4], unsigned c, unsigned rows)
{
    uint32_t sum = (rows & 1) != 0 ? mb_aes_table[state[c] & 0xff] : 0;
    for (unsigned row = 1; row < 4; row++) {
        if ((rows >> row & 1) != 0) {
            sum ^= rotate_left(mb_aes_table[state[(c + row) % 4] >> 8 * row & 0xff], 8 * row);
        }
    }
    return sum;
}

/* The counter's last byte is in row 3 of column 3, so round 1 brings it to column 0 alone; of column 0, row r reaches column
 * 4 - r modulo 4 in round 2. */
static mb_m4_aes_run begin_run(const mb_aes *aes, const uint8_t counter[16])
{
    const uint32_t *keys = (const uint32_t *)(const void *)aes->round_keys; /* aligned like `rounds` */
    mb_m4_aes_run run = {counter[15], keys[3] >> 24, {0}, 0, aes->rounds, keys + 12};
    uint32_t state[4], next[4];
    for (unsigned c = 0; c < 4; c++) {
        state[c] = mb_load32_le(counter + 4 * c) ^ keys[c];
    }
    run.round_1 = keys[4] ^ column(state, 0, 0x7);
    next[0] = 0;
    next[1] = keys[5] ^ column(state, 1, 0xf);
    next[2] = keys[6] ^ column(state, 2, 0xf);
    next[3] = keys[7] ^ column(state, 3, 0xf);
    run.round_2[0] = keys[8] ^ column(next, 0, 0xe);
    run.round_2[1] = keys[9] ^ column(next, 1, 0x7);
    run.round_2[2] = keys[10] ^ column(next, 2, 0xb);
    run.round_2[3] = keys[11] ^ column(next, 3, 0xd);
    return run;
}

/* The counter goes on by `blocks`. */
static void advance(uint8_t counter[16], size_t blocks)
{
    size_t carry = blocks;
    for (unsigned i = 16; i-- > 0 && carry != 0;) {
        carry += counter[i];
        counter[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

static void ctr_with(const mb_aes *aes, const uint32_t *table, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    while (blocks != 0) {
        const size_t left = 256u - counter[15];
        const size_t count = blocks < left ? blocks : left;
        const mb_m4_aes_run run = begin_run(aes, counter);
        mb_m4_aes_blocks_vartime(out, &run, table, count);
        advance(counter, count);
        out += 16 * count;
        blocks -= count;
    }
}

static MB_NOINLINE void ctr_with_copy(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    uint32_t table[256];
    memcpy(table, mb_aes_table, sizeof table);
    ctr_with(aes, table, counter, out, blocks);
}

static void ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    if (blocks < COPY_BLOCKS) {
        ctr_with(aes, mb_aes_table, counter, out, blocks);
    } else {
        ctr_with_copy(aes, counter, out, blocks);
    }
}

/* `blocks` blocks in runs, or as many left out; a run goes on over what is left out. */
static uint8_t *go_on(const mb_aes *aes, const uint32_t *table, mb_m4_aes_run *run, uint8_t counter[16], uint8_t *out,
                      size_t blocks, int write)
{
    while (blocks != 0) {
        const size_t left = 256u - counter[15], count = blocks < left ? blocks : left;
        if (write) {
            run->last_byte = counter[15];
            mb_m4_aes_blocks_vartime(out, run, table, count);
        }
        advance(counter, count);
        if (count == left) {
            *run = begin_run(aes, counter);
        }
        out += 16 * count;
        blocks -= count;
    }
    return out;
}

/* Pieces that are wanted one after the other are made together. */
static void some_with(const mb_aes *aes, const uint32_t *table, uint8_t counter[16], uint8_t *out, size_t blocks,
                      const uint8_t *wanted, size_t count)
{
    const uint8_t *const end = wanted + count;
    mb_m4_aes_run run = begin_run(aes, counter);
    while (wanted != end) {
        const uint8_t *from = wanted;
        while (wanted != end && *wanted == 0) {
            wanted++;
        }
        out = go_on(aes, table, &run, counter, out, blocks * (size_t)(wanted - from), 0);
        from = wanted;
        while (wanted != end && *wanted != 0) {
            wanted++;
        }
        out = go_on(aes, table, &run, counter, out, blocks * (size_t)(wanted - from), 1);
    }
}

static MB_NOINLINE void some_with_copy(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks,
                                       const uint8_t *wanted, size_t count)
{
    uint32_t table[256];
    memcpy(table, mb_aes_table, sizeof table);
    some_with(aes, table, counter, out, blocks, wanted, count);
}

static void ctr_some(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks, const uint8_t *wanted, size_t count)
{
    if (blocks * count < COPY_BLOCKS) {
        some_with(aes, mb_aes_table, counter, out, blocks, wanted, count);
    } else {
        some_with_copy(aes, counter, out, blocks, wanted, count);
    }
}

static const mb_aes_backend table_backend = {"Cortex-M4 table", mb_aes_table_init_128, mb_aes_table_init_256, ctr, ctr_some, NULL, NULL};

const mb_aes_backend *mb_aes_accelerated_vartime(unsigned features)
{
    (void)features;
    return &table_backend;
}
