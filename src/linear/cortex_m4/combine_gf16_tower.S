/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds a sum of scaled vectors over GF(16) in the tower basis (Rainbow I), constant time.
 *
 *   void mb_m4_combine_gf16_tower(uint8_t *out, const uint8_t *vectors, size_t stride, const uint8_t *scalars, size_t count,
 *                                 size_t blocks);
 *
 * The 8·blocks > 0 bytes at out ^= Σ_j scalars[j]·(the bytes at vectors + j·stride), j < count; scalars one element a byte. No
 * alignment is asked, out overlaps nothing. Registers and frame: combine.inc. */
#include "linear/cortex_m4/combine.inc"

    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_m4_combine_gf16_tower, "ax", %progbits
    .global mb_m4_combine_gf16_tower
    .type   mb_m4_combine_gf16_tower, %function
    .balign 4
mb_m4_combine_gf16_tower:
    ENTER
.Lblock:
    SUM     5
    JOIN_TOWER r8, r9, r10, r11
    JOIN_TOWER r3, r4, r5, r6
    LEAVE_OR .Lblock
    .size   mb_m4_combine_gf16_tower, . - mb_m4_combine_gf16_tower
