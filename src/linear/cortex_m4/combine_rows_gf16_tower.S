/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds a sum of scaled rows of Rainbow I's maps, 512 bytes each, constant time: mb_m4_combine_gf16_tower for as many rows as there
 * are oil variables or vinegars.
 *
 *   void mb_m4_combine_rows_gf16_tower(uint8_t *out, const uint8_t *rows, const uint8_t *scalars, size_t count, size_t blocks);
 *
 * The 8·blocks > 0 bytes at out ^= Σ_j scalars[j]·(the bytes at rows + 512·j), j < count, 32 or 36; scalars one element a byte. Rows
 * and scalars are aligned to 4 bytes, out overlaps nothing. The last row comes first, so that scalars leave r2 from its upper end on.
 *
 * Registers: combine.inc; s8-s15 and r7 the scalars, r14 their number. */
#include "linear/cortex_m4/combine.inc"

    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_combine_rows_gf16_tower, "ax", %progbits
    .global mb_m4_combine_rows_gf16_tower
    .type   mb_m4_combine_rows_gf16_tower, %function

/* The rows of the four scalars in r2. */
.macro ADD_FOUR_ROWS
    LOAD    #-512
    ADD_WORDS 5
    .rept   3
    LOAD    #-512
    ADD_WORDS 6
    .endr
.endm

    .balign 4
mb_m4_combine_rows_gf16_tower:
    push    {r4-r11, lr}
    ldr     r4, [sp, #36]
    vldm    r2!, {s8-s15}
    mov     r14, r3
    movs    r7, #0
    cmp     r3, #36
    it      eq
    ldreq   r7, [r2]
    subs    r3, r3, #1
    add     r1, r1, r3, lsl #9
    vmov    OUT, r0
    vmov    VECTORS, r1
    vmov    BLOCKS, r4
.Lblock:
    vmov    r12, VECTORS
    mov     r2, r7
    CLEAR
    cmp     r14, #36
    bne     .Lthirty_two
    ADD_FOUR_ROWS
    .balign 4
.Lthirty_two:
    .irp    four, 15, 14, 13, 12, 11, 10, 9, 8
    vmov    r2, s\four
    ADD_FOUR_ROWS
    .endr
    JOIN_TOWER r8, r9, r10, r11
    JOIN_TOWER r3, r4, r5, r6
    LEAVE_OR .Lblock
    .size   mb_m4_combine_rows_gf16_tower, . - mb_m4_combine_rows_gf16_tower
