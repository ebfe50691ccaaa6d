/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds a sum of scaled vectors over GF(256) in the basis of AES (UOV Ip, III, V), constant time.
 *
 *   void mb_m4_combine_gf256_aes(uint8_t *out, const uint8_t *vectors, size_t stride, const uint8_t *scalars, size_t count,
 *                                 size_t blocks);
 *
 * The 8·blocks > 0 bytes at out ^= Σ_j scalars[j]·(the bytes at vectors + j·stride), j < count; scalars one element a byte. No
 * alignment is asked, out overlaps nothing. Registers: combine.inc. */
#include "linear/cortex_m4/combine.inc"

/* sum ^= x·a in each byte, where x⁸ = x⁴ + x³ + x + 1. Changes a. */
.macro ADD_X sum, a
    and     r2, \a, #0x80808080
    eor     \a, \a, r2
    eor     r2, r2, r2, lsr #1
    eor     \sum, \sum, \a, lsl #1
    eor     \sum, \sum, r2, lsr #3
    eor     \sum, \sum, r2, lsr #6
.endm

/* a0 ^= x·a1 + x²·a2 + x³·a3. Changes all. */
.macro JOIN a0, a1, a2, a3
    ADD_X   \a2, \a3
    ADD_X   \a1, \a2
    ADD_X   \a0, \a1
.endm

    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_combine_gf256_aes, "ax", %progbits
    .global mb_m4_combine_gf256_aes
    .type   mb_m4_combine_gf256_aes, %function
    .balign 4
mb_m4_combine_gf256_aes:
    ENTER
.Lblock:
    SUM     1
    JOIN    r8, r9, r10, r11
    JOIN    r3, r4, r5, r6
    vmov    HIGH_FIRST, r8
    vmov    HIGH_SECOND, r3
    SUM     5
    vmov    r0, HIGH_FIRST
    vmov    r1, HIGH_SECOND
    ADD_X   r11, r0 /* x⁴·high, by Horner's rule along with the low planes */
    ADD_X   r6, r1
    JOIN    r8, r9, r10, r11
    JOIN    r3, r4, r5, r6
    LEAVE_OR .Lblock
    .size   mb_m4_combine_gf256_aes, . - mb_m4_combine_gf256_aes
