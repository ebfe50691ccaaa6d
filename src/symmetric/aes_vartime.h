/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES by table, for PUBLIC keys alone: addresses depend on key and counter. What the portable code (aes_vartime.c) and
 * assembly for machines without AES instructions share. For its users: aes.h. */
#ifndef MB_SYMMETRIC_AES_VARTIME_H
#define MB_SYMMETRIC_AES_VARTIME_H

#include "symmetric/aes_backend.h"

/* For a byte x in row 0 of a column what it adds to the next state's column, with S = SubBytes(x), the least significant
 * byte first: 2·S, S, S, 3·S. A byte in row r adds the same rotated left by 8·r bits. */
extern const uint32_t mb_aes_table[256];

/* KeyExpansion by that table; the contracts of mb_aes_init_128 and mb_aes_init_256 but for their time. */
void mb_aes_table_init_128(mb_aes *aes, const uint8_t key[16]);
void mb_aes_table_init_256(mb_aes *aes, const uint8_t key[32]);

/* The contract of mb_aes_ctr_vartime, in portable C. */
void mb_aes_table_ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks);
/* The contract of mb_aes_backend's ctr_some. */
void mb_aes_table_ctr_some(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks, const uint8_t *wanted,
                           size_t count);

#endif
