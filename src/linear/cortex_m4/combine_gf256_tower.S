/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds a sum of scaled vectors over GF(256) in the tower basis (Rainbow III, V), constant time.
 *
 *   void mb_m4_combine_gf256_tower(uint8_t *out, const uint8_t *vectors, size_t stride, const uint8_t *scalars, size_t count,
 *                                 size_t blocks);
 *
 * The 8·blocks > 0 bytes at out ^= Σ_j scalars[j]·(the bytes at vectors + j·stride), j < count; scalars one element a byte. No
 * alignment is asked, out overlaps nothing. Registers: combine.inc. */
#include "linear/cortex_m4/combine.inc"

/* sum ^= X·a, where X² = X + xy in each byte: (c + d·X)·X = xy·d + (c + d)·X. Changes a. */
.macro ADD_Z sum, a
    and     r2, \a, #0x0f0f0f0f
    eor     \a, \a, r2
    eor     \sum, \sum, r2, lsl #4
    eor     \sum, \sum, \a
    lsr     \a, \a, #4
    mov     r4, #0
    ADD_TOWER_X r4, \a, r2
    ADD_TOWER_Y \sum, r4, r2
.endm

    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_combine_gf256_tower, "ax", %progbits
    .global mb_m4_combine_gf256_tower
    .type   mb_m4_combine_gf256_tower, %function
    .balign 4
mb_m4_combine_gf256_tower:
    ENTER
.Lblock:
    SUM     1
    JOIN_TOWER r8, r9, r10, r11
    JOIN_TOWER r3, r4, r5, r6
    vmov    HIGH_FIRST, r8
    vmov    HIGH_SECOND, r3
    SUM     5
    JOIN_TOWER r8, r9, r10, r11
    JOIN_TOWER r3, r4, r5, r6
    vmov    r0, HIGH_FIRST
    vmov    r1, HIGH_SECOND
    ADD_Z   r8, r0
    ADD_Z   r3, r1
    LEAVE_OR .Lblock
    .size   mb_m4_combine_gf256_tower, . - mb_m4_combine_gf256_tower
