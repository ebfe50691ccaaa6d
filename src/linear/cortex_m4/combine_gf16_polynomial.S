/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds a sum of scaled vectors over GF(16) in the polynomial basis of x⁴ + x + 1 (UOV Is), constant time.
 *
 *   void mb_m4_combine_gf16_polynomial(uint8_t *out, const uint8_t *vectors, size_t stride, const uint8_t *scalars, size_t count,
 *                                 size_t blocks);
 *
 * The 8·blocks > 0 bytes at out ^= Σ_j scalars[j]·(the bytes at vectors + j·stride), j < count; scalars one element a byte. No
 * alignment is asked, out overlaps nothing. Registers: combine.inc. */
#include "linear/cortex_m4/combine.inc"

/* sum ^= x·a in each nibble. Changes a. */
.macro ADD_X sum, a
    and     r2, \a, #0x88888888
    eor     \a, \a, r2
    eor     r2, r2, r2, lsr #1
    eor     \sum, \sum, \a, lsl #1
    eor     \sum, \sum, r2, lsr #2
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
    .section .text.mb_m4_combine_gf16_polynomial, "ax", %progbits
    .global mb_m4_combine_gf16_polynomial
    .type   mb_m4_combine_gf16_polynomial, %function
    .balign 4
mb_m4_combine_gf16_polynomial:
    ENTER
    lsls    r1, r1, #30
    bne     .Lany
    cmp     r14, #32
    beq     .L32
.Lany:
    SUM     5
    JOIN    r8, r9, r10, r11
    JOIN    r3, r4, r5, r6
    LEAVE_OR .Lany
/* The vectors of UOV Is and Rainbow I. */
.L32:
    SUM     5, #32
    JOIN    r8, r9, r10, r11
    JOIN    r3, r4, r5, r6
    LEAVE_OR .L32
    .size   mb_m4_combine_gf16_polynomial, . - mb_m4_combine_gf16_polynomial
