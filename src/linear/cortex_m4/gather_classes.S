/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Sums a block of 32-byte coefficient vectors by the values of their variables, in VARIABLE TIME: public data only.
 *
 *   void mb_m4_gather_classes_vartime(const mb_m4_classes *classes, uint32_t *planes);
 *
 * A class holds the variables of one value, a power of a primitive element. Each power s is the product of the rows of a class u and the
 * columns of class w = s - u mod 15. Their vectors are summed up in eight registers, 20 cycles a vector, where a row jumps to the unrolled
 * code for as many vectors as it has with class w, and falls through to the next row of class u. The powers come in the order of
 * a Gray code of their four coordinates, t = 1, ..., 15, the highest one first: so the sum so far goes to plane k where the powers that have
 * coordinate k begin and where they end, one plane after each t, as many as t has zeros at its end.
 *
 * A row's entry for w, times 16, is added to the program counter: -2 - 3·(its vectors), or 0 where it has none. Then the rows after
 * it have none either, and the pair is done; the last row of each class has none at all.
 *
 * r4-r11 the sum, r0-r3 and r12 a vector's words and address; the last word is added late, after the next address is made, be
 * it of another row.
 * r14 the row's base, to which columns are offsets. s0-s19 the columns of w, s20 t, s21 steps, s22 planes, s23 the places of all classes,
 * s24 their columns, s25 the place of the next u, s26 w, s27 the row after this one. */
.equ ROW_BASE, 16
.equ ROW_NEXT, 20
.equ CLASSES_PLACES, 16
.equ PLACE_BYTES, 8 /* rows come first */
.equ CLASSES_COLUMNS, 144 /* 20 for each class */

    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_gather_classes_vartime, "ax", %progbits
    .global mb_m4_gather_classes_vartime
    .type   mb_m4_gather_classes_vartime, %function

/* The vector in column `column` of the row. 48 bytes of code. */
.macro ADD_VECTOR column
    vmov    r12, s\column
    add.w   r12, r12, r14
    eor.w   r11, r11, r3
    ldm.w   r12!, {r0-r3}
    eor.w   r4, r4, r0
    eor.w   r5, r5, r1
    eor.w   r6, r6, r2
    eor.w   r7, r7, r3
    ldm.w   r12, {r0-r3}
    eor.w   r8, r8, r0
    eor.w   r9, r9, r1
    eor.w   r10, r10, r2
.endm

mb_m4_gather_classes_vartime:
    push    {r4-r11, lr}
    vpush   {s16-s27}
    movs    r3, #0
    adr     r2, .Lsteps
    vmov    s21, r2
    vmov    s22, r1
    add     r12, r0, #CLASSES_COLUMNS
    adds    r0, r0, #CLASSES_PLACES
    vmov    s23, r0
    vmov    s24, r12
    movs    r4, #0
    movs    r5, #0
    movs    r6, #0
    movs    r7, #0
    mov     r8, r4
    mov     r9, r4
    mov     r10, r4
    mov     r11, r4
    movs    r12, #1
/* r12 t */
.Lpower:
    vmov    r1, s21
    vmov    r0, s23
    vmov    s20, r12
    ldrb    r2, [r1, r12]
    ldr     r1, [r0], #PLACE_BYTES /* rows of class 0 */
    vmov    s25, r0
    mov     r0, r1
    adds    r2, r2, #1
    b       .Lpair
.Lplane:
    vmov    r12, s20
    vmov    r2, s22
    eor     r11, r11, r3
    rbit    r0, r12
    clz     r0, r0
    add     r12, r2, r0, lsl #5
    movs    r3, #0
    ldm     r12, {r0-r2, r14}
    eor     r0, r0, r4
    eor     r1, r1, r5
    eor     r2, r2, r6
    eor     r14, r14, r7
    stm     r12!, {r0-r2, r14}
    ldm     r12, {r0-r2, r14}
    eor     r0, r0, r8
    eor     r1, r1, r9
    eor     r2, r2, r10
    eor     r14, r14, r11
    stm     r12, {r0-r2, r14}
    vmov    r12, s20
    adds    r12, r12, #1
    cmp     r12, #16
    bne     .Lpower
    vpop    {s16-s27}
    pop     {r4-r11, pc}
    .balign 4
.Lsteps: /* 0, then the power at each t, since g^4 = g + 1 */
    .byte   0, 3, 14, 7, 9, 11, 12, 13, 6, 2, 8, 10, 5, 1, 4, 0

    .balign 16
.irp column, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    ADD_VECTOR \column
.endr
/* The next row: 32 bytes of code up to where the jump counts from. */
.Lrow:
    vmov    r0, s27
    vmov    r2, s26
    ldr.w   r14, [r0, #ROW_BASE]
    ldrsb.w r1, [r0, r2]
    ldr.w   r0, [r0, #ROW_NEXT]
    lsl.w   r1, r1, #4
    vmov    s27, r0
.Ljump:
    add.n   pc, r1
    nop.n
    .if     . - .Lrow != 32
    .error  "jumps count from here"
    .endif

/* The next pair of classes. */
    vmov    r1, s25
    vmov    r2, s26
    ldr     r0, [r1], #PLACE_BYTES /* rows of u: NULL after the last class */
    vmov    s25, r1
    cbz     r0, .Lpairs_done
/* r0 the rows, r2 w + 1 */
.Lpair:
    subs    r2, r2, #1
    it      mi
    movmi   r2, #14
    vmov    r12, s24
    add     r14, r2, r2, lsl #2
    add     r12, r12, r14, lsl #4 /* columns of w */
    ldrsb   r1, [r0, r2]
    ldr     r14, [r0, #ROW_BASE]
    ldr     r0, [r0, #ROW_NEXT]
    vmov    s26, r2
    vmov    s27, r0
    vldm    r12!, {s0-s7}
    cmp     r1, #-2 - 3*8
    blt     .Lmore_columns
.Lfirst_row:
    lsls    r1, r1, #4
    sub     r1, r1, #.Lfirst_jump - .Ljump
.Lfirst_jump:
    add     pc, r1
.Lpairs_done:
    b       .Lplane
.Lmore_columns:
    vldm    r12!, {s8-s11}
    cmp     r1, #-2 - 3*12
    bge     .Lfirst_row
    vldm    r12!, {s12-s19}
    b       .Lfirst_row

    .size   mb_m4_gather_classes_vartime, . - mb_m4_gather_classes_vartime
