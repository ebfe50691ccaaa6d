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
    lsls    r1, r1, #30
    bne     .Lany
    cmp     r14, #16
    beq     .L16
    cmp     r14, #32
    beq     .L32
    cmp     r14, #512
    beq     .L512
.Lany:
    SUM     5
    JOIN_TOWER r8, r9, r10, r11
    JOIN_TOWER r3, r4, r5, r6
    LEAVE_OR .Lany
/* The strides of Rainbow I's maps: vectors of 32 elements, of 64, and rows of 32 of the short ones. */
.L16:
    SUM     5, #16
    JOIN_TOWER r8, r9, r10, r11
    JOIN_TOWER r3, r4, r5, r6
    LEAVE_OR .L16
.L32:
    SUM     5, #32
    JOIN_TOWER r8, r9, r10, r11
    JOIN_TOWER r3, r4, r5, r6
    LEAVE_OR .L32
.L512:
    SUM     5, #512
    JOIN_TOWER r8, r9, r10, r11
    JOIN_TOWER r3, r4, r5, r6
    LEAVE_OR .L512
    .size   mb_m4_combine_gf16_tower, . - mb_m4_combine_gf16_tower
