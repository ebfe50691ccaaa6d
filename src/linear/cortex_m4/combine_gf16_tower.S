/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds a sum of scaled vectors over GF(16) in the tower basis (Rainbow I), constant time.
 *
 *   void mb_m4_combine_gf16_tower(uint8_t *out, const uint8_t *vectors, size_t stride, const uint8_t *scalars, size_t count,
 *                                 size_t blocks);
 *
 * The 8·blocks > 0 bytes at out ^= Σ_j scalars[j]·(the bytes at vectors + j·stride), j < count; scalars one element a byte. No
 * alignment is asked, out overlaps nothing. Registers: combine.inc. */
#include "linear/cortex_m4/combine.inc"

    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_combine_gf16_tower, "ax", %progbits
    .global mb_m4_combine_gf16_tower
    .type   mb_m4_combine_gf16_tower, %function
    .balign 4
mb_m4_combine_gf16_tower:
    ENTER
    cmp     r4, #0
    beq     .Lany
    cmp     r14, #16
    beq     .L16
    cmp     r14, #32
    beq     .L32
.Lany:
    SUM     5
    JOIN_TOWER r8, r9, r10, r11
    JOIN_TOWER r3, r4, r5, r6
    LEAVE_OR .Lany
/* Vectors of 32 elements and of 64. */
.L16:
    PREPARE_SIXTEENS .L16_code, 4, 8
.L16_block:
    SUM_SIXTEENS .L16_code, 16, 8
    JOIN_TOWER r8, r9, r10, r11
    JOIN_TOWER r3, r4, r5, r6
    LEAVE_OR .L16_block
.L32:
    PREPARE_SIXTEENS .L32_code, 5, 8
.L32_block:
    SUM_SIXTEENS .L32_code, 32, 8
    JOIN_TOWER r8, r9, r10, r11
    JOIN_TOWER r3, r4, r5, r6
    LEAVE_OR .L32_block
    .size   mb_m4_combine_gf16_tower, . - mb_m4_combine_gf16_tower
