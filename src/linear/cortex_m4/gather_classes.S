/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Sums a block of 32-byte coefficient vectors by the values of their variables, in VARIABLE TIME: public data only.
 *
 *   void mb_m4_gather_classes_vartime(const mb_m4_class classes[15], void *buckets);
 *
 * A class holds the variables of one value, a power of a primitive element. For each bucket s, for the rows of each class u and the
 * columns of class w = s - u mod 15 (the products of such variables are that power s), the vectors go into eight registers; so there
 * are only 15 stores in all. A row jumps to the unrolled code for as many vectors as it has with class w, and the code falls
 * through to the next row of class u: 20 cycles a vector.
 *
 * A row's entry for w, times 16, is added to the program counter: -2 - 3·(its vectors), or 0 where it has none. Then the rows after
 * it have none either, and the pair is done; the last row of each class has none at all.
 *
 * r4-r11 the bucket, r0-r3 and r12 a vector's words and address; the last word is added late, after the next address is made, be
 * it of another row.
 * r14 the row's base, to which columns are offsets. s0-s23 the columns, s25 the bucket's number, s27 its address, s28 classes,
 * s29 class u, s30 w, s31 the row after this one. */
.equ ROW_BASE, 16
.equ ROW_BYTES, 20
.equ CLASS_ROWS, 0
.equ CLASS_COLUMNS, 4
.equ CLASS_COLUMNS_LEN, 8
.equ CLASS_BYTES, 12

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
    vpush   {s16-s31}
    vmov    s28, r0
    movs    r2, #0
/* r1 the bucket's address, r2 its number s: class 0 with class s first */
.Lbucket:
    vmov    r0, s28
    vmov    s25, r2
    vmov    s27, r1
    vmov    s29, r0
    vmov    s30, r2
    ldm     r1, {r4-r11}
    movs    r3, #0
    mov     r1, r0
    b       .Lpair
.Lnext_bucket:
    vmov    r1, s27
    vmov    r2, s25
    eor     r11, r11, r3
    stm     r1!, {r4-r11}
    adds    r2, r2, #1
    cmp     r2, #15
    bne     .Lbucket
    vpop    {s16-s31}
    pop     {r4-r11, pc}

    .balign 16
.irp column, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    ADD_VECTOR \column
.endr
/* The next row: 32 bytes of code up to where the jump counts from. */
.Lrow:
    vmov    r2, s30
    vmov    r0, s31
    add.w   r1, r0, #ROW_BYTES
    vmov    s31, r1
    ldrsb.w r1, [r0, r2]
    ldr.w   r14, [r0, #ROW_BASE]
    lsl.w   r1, r1, #4
.Ljump:
    add.n   pc, r1
    nop.n
    .if     . - .Lrow != 32
    .error  "jumps count from here"
    .endif

/* The next pair of classes of this bucket. */
    vmov    r0, s29
    vmov    r1, s28
    vmov    r2, s30
    adds    r0, r0, #CLASS_BYTES
    vmov    s29, r0
    sub     r12, r0, r1
    cmp     r12, #15*CLASS_BYTES
    beq     .Lnext_bucket
    subs    r2, r2, #1
    it      mi
    movmi   r2, #14
    vmov    s30, r2
/* r0 class u, r1 classes, r2 w */
.Lpair:
    add     r12, r2, r2, lsl #1
    add     r1, r1, r12, lsl #2 /* class w */
    ldr     r0, [r0, #CLASS_ROWS]
    ldr     r12, [r1, #CLASS_COLUMNS]
    ldr     r1, [r1, #CLASS_COLUMNS_LEN]
    vldm    r12!, {s0-s7}
    cmp     r1, #8
    bhi     .Lmore_columns
.Lfirst_row:
    ldrsb   r1, [r0, r2]
    ldr     r14, [r0, #ROW_BASE]
    adds    r0, r0, #ROW_BYTES
    lsls    r1, r1, #4
    vmov    s31, r0
    b       .Ljump
.Lmore_columns:
    vldm    r12!, {s8-s15}
    cmp     r1, #16
    bls     .Lfirst_row
    vldm    r12!, {s16-s23}
    b       .Lfirst_row

    .size   mb_m4_gather_classes_vartime, . - mb_m4_gather_classes_vartime
