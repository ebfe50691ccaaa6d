/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Sorts variables that are rows as well as columns of a triangle into classes, in VARIABLE TIME: public data only.
 *
 *   int mb_m4_sort_square_vartime(mb_m4_classes *classes, mb_m4_row *rows, const uint8_t *x, size_t count, const uint8_t logarithm[16],
 *                                 uint32_t offset, uintptr_t base);
 *
 * From the last of the `count` > 0 variables at x to the first one: the variable joins the columns of its class, and a row is made for it. The last
 * variable's column has the offset `offset`, and its row the base `base`. Returns 0, or -1 where a class is too large.
 *
 * r0 classes, r1 x, r2 logarithms, r3 the variable's class, r4-r9 its row, before that r4 its class's place, r5 the place's column, r6 its
 * entry; r10 where the row goes, r11 the bytes of the row, r12 offset, r14 the beginning of x. */
.equ PLACES, 16
.equ PLACE_ROWS, 0
.equ PLACE_COLUMN, 4
.equ VECTOR_BYTES, 32
.equ FULL, -2 - 3*20 /* the entry of a class with as many columns as it can have */

    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_m4_sort_square_vartime, "ax", %progbits
    .global mb_m4_sort_square_vartime
    .type   mb_m4_sort_square_vartime, %function
    .balign 4
mb_m4_sort_square_vartime:
    push    {r4-r11, lr}
    mov     r10, r1
    mov     r14, r2
    add     r1, r2, r3
    ldr     r2, [sp, #36]
    ldr     r12, [sp, #40]
    ldr     r8, [sp, #44]
    mov     r11, #0
.Lvariable:
    ldrb    r3, [r1, #-1]!
    ldrb    r3, [r2, r3]
    cmp     r3, #15
    beq     .Lnext
    add     r4, r0, r3, lsl #3
    ldrsb   r6, [r0, r3]
    ldr     r5, [r4, #PLACES + PLACE_COLUMN]
    ldr     r9, [r4, #PLACES + PLACE_ROWS]
    str     r12, [r5], #4
    str     r5, [r4, #PLACES + PLACE_COLUMN]
    str     r10, [r4, #PLACES + PLACE_ROWS]
    cmp     r6, #FULL
    beq     .Lfull
    cmp     r6, #0
    it      eq
    moveq   r6, #-2
    subs    r6, r6, #3
    strb    r6, [r0, r3]
    ldm     r0, {r4-r7}
    stm     r10!, {r4-r9}
.Lnext:
    add     r11, r11, #VECTOR_BYTES
    sub     r8, r8, r11
    sub     r12, r12, #VECTOR_BYTES
    cmp     r1, r14
    bne     .Lvariable
    movs    r0, #0
    pop     {r4-r11, pc}
.Lfull:
    mov     r0, #-1
    pop     {r4-r11, pc}
    .size   mb_m4_sort_square_vartime, . - mb_m4_sort_square_vartime
