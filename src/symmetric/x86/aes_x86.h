/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The counter modes of the two x86 implementations of AES, as mb_aes_ctr; chosen between in aes_ni.c. */
#ifndef MB_SYMMETRIC_X86_AES_X86_H
#define MB_SYMMETRIC_X86_AES_X86_H

#include "symmetric/aes.h"

void mb_aes_ni_ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks);
void mb_aes_vaes_ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks);

#endif
