/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds a sum of scaled vectors of 32 elements over GF(16) in the tower basis, constant time, by packed scalars.
 *
 *   void mb_m4_combine_packed_gf16_tower(uint8_t *out, const uint8_t *vectors, size_t stride, const uint32_t *scalars, size_t count,
 *                                        size_t blocks);
 *
 * The 8·blocks > 0 bytes at out ^= Σ_j (scalar j)·(the bytes at vectors + 16·j), j < count > 0; eight scalars a word, the first one
 * lowest. The stride is 16. No alignment is asked of vectors and out; out overlaps nothing. Registers: combine.inc. */
#include "linear/cortex_m4/combine.inc"

    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_combine_packed_gf16_tower, "ax", %progbits
    .global mb_m4_combine_packed_gf16_tower
    .type   mb_m4_combine_packed_gf16_tower, %function
    .balign 4
mb_m4_combine_packed_gf16_tower:
    ENTER
    PREPARE_SIXTEENS .Lcode, 4, 4
.Lblock:
    SUM_SIXTEENS .Lcode, 16, 4
    JOIN_TOWER r8, r9, r10, r11
    JOIN_TOWER r3, r4, r5, r6
    LEAVE_OR .Lblock
    .size   mb_m4_combine_packed_gf16_tower, . - mb_m4_combine_packed_gf16_tower
