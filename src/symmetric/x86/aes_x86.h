/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the two x86 implementations of AES share; chosen between in aes_ni.c. */
#ifndef MB_SYMMETRIC_X86_AES_X86_H
#define MB_SYMMETRIC_X86_AES_X86_H

#include "symmetric/aes_backend.h"

#include <immintrin.h>

/* As mb_aes_ctr. */
void mb_aes_ni_ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks);
void mb_aes_vaes_ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks);

/* As mb_aes_backend's ctr_by_shortcut. */
void mb_aes_vaes_ctr_by_shortcut_vartime(const mb_aes *aes, const mb_aes_shortcut *shortcut, uint8_t counter[16], uint8_t *out, size_t blocks);

/* Whole groups of MB_AES_SHORTCUT_BLOCKS whose counters differ in the last byte alone. */
typedef struct mb_aes_ni_run {
    const uint8_t *state; /* the shortcut's, one after the other */
    size_t blocks;
    __m128i key; /* to be added to each: the difference to the counters that the shortcut was made for, and the key after two rounds */
} mb_aes_ni_run;

/* The next run of at most `blocks` blocks, none if that byte wraps within the first group; the counter moves past it. */
mb_aes_ni_run mb_aes_ni_next_run(const mb_aes *aes, const mb_aes_shortcut *shortcut, uint8_t counter[16], size_t blocks);

#endif
