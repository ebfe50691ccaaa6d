/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES on the Cortex-M4: what aes.c and its assembly share. */
#ifndef MB_SYMMETRIC_CORTEX_M4_AES_H
#define MB_SYMMETRIC_CORTEX_M4_AES_H

#include "symmetric/aes_backend.h"

/* Blocks whose counters differ in their last byte alone: rounds 1 and 2, and where the rest begins. PUBLIC. The assembly
 * knows the order. */
typedef struct mb_m4_aes_run {
    uint32_t last_byte;   /* of the first block's counter */
    uint32_t last_key;    /* the byte of round key 0 that is added to it */
    uint32_t round_2[4];  /* the state after round 2 without what column 0 adds to it */
    uint32_t round_1;     /* column 0 after round 1 without what the counter's last byte adds to it */
    uint32_t rounds;      /* 10 or 14 */
    const uint32_t *keys; /* from that of round 3 on */
} mb_m4_aes_run;

void mb_m4_aes_blocks_vartime(uint8_t *out, const mb_m4_aes_run *run, const uint32_t *table, size_t blocks);
void mb_m4_aes_pairs(uint8_t *out, const uint32_t *keys, const uint32_t *keys_end, uint32_t counter[4], size_t pairs);
void mb_m4_aes_lay_out_keys(uint32_t (*planes)[8], const uint32_t *keys, unsigned rounds);
uint32_t mb_m4_aes_substitute_word(uint32_t in);

#endif
