/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds a row of 32-byte coefficient vectors, whose columns are sorted by value, to four planes, in VARIABLE TIME: public data only.
 *
 *   void mb_m4_gather_sorted_vartime(uint8_t *planes, unsigned u, const uint8_t *row, const uint8_t starts[30]);
 *
 * Plane k is the sum of the vectors whose product has coordinate k. The values of the product are taken in the order of a Gray code of
 * their coordinates, the highest one first, at t = 1, ..., 15. The vectors of all are summed up in registers, and the sum so far goes to
 * plane k where the values that have coordinate k begin and where they end: one plane after each value, as many as t has zeros at its end.
 *
 * r4-r11 the sum, r0-r2 a vector's words, r3 the next column, r12 the vector, r14 row, s0 planes, s1 steps, s2 columns, s3 starts,
 * s4 t. What the caller has in r4-r11 and r14 waits in s5-s13, so that no stack is needed. */
    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_gather_sorted_vartime, "ax", %progbits
    .global mb_m4_gather_sorted_vartime
    .type   mb_m4_gather_sorted_vartime, %function

/* 16 bytes of the plane at r0. */
.macro ADD_TO_PLANE at, a, b, c, d
    eor     r1, r1, \a
    eor     r2, r2, \b
    eor     r3, r3, \c
    eor     r12, r12, \d
    str     r1, [r0, #\at]
    str     r2, [r0, #\at + 4]
    str     r3, [r0, #\at + 8]
    str     r12, [r0, #\at + 12]
.endm

    .balign 4
mb_m4_gather_sorted_vartime:
    vmov    s5, s6, r4, r5
    vmov    s7, s8, r6, r7
    vmov    s9, s10, r8, r9
    vmov    s11, s12, r10, r11
    vmov    s13, r14
    mov     r14, r2
    vmov    s0, r0
    adds    r0, r0, #128
    vmov    s2, r0
    adr     r0, .Lsteps
    vmov    s1, r0
    rsb     r1, r1, #15
    add     r1, r1, r3                  @ where class 0 is that of the first power
    vmov    s3, r1
    movs    r4, #0
    movs    r5, #0
    movs    r6, #0
    movs    r7, #0
    mov     r8, r4
    mov     r9, r4
    mov     r10, r4
    mov     r11, r4
    movs    r12, #1
    b       .Lvalue
    .balign 4
.Lvector:
    ldm     r12!, {r0-r2}
    eor     r4, r4, r0
    eor     r5, r5, r1
    eor     r6, r6, r2
    ldm     r12!, {r0-r2}
    eor     r7, r7, r0
    eor     r8, r8, r1
    eor     r9, r9, r2
    ldm     r12, {r0, r1}
    ldrb    r2, [r3], #1
    eor     r10, r10, r0
    eor     r11, r11, r1
    cmp     r2, #255
    add     r12, r14, r2, lsl #5
    bne     .Lvector
.Lplane:
    vmov    r12, s4
    vmov    r0, s0
    rbit    r1, r12
    clz     r1, r1
    add     r0, r0, r1, lsl #5
    adds    r12, r12, #1
    vmov    s4, r12
    ldm     r0, {r1-r3, r12}
    ADD_TO_PLANE 0, r4, r5, r6, r7
    ldr     r1, [r0, #16]
    ldr     r2, [r0, #20]
    ldr     r3, [r0, #24]
    ldr     r12, [r0, #28]
    ADD_TO_PLANE 16, r8, r9, r10, r11
    vmov    r12, s4
    cmp     r12, #16
    beq     .Lreturn
.Lvalue:
    vmov    r0, s1
    vmov    r1, s3
    ldrb    r0, [r0, r12]
    vmov    r3, s2
    ldrb    r0, [r1, r0]
    add     r3, r3, r0
    vmov    s4, r12
    ldrb    r2, [r3], #1
    cmp     r2, #255
    add     r12, r14, r2, lsl #5
    bne     .Lvector
    b       .Lplane
.Lreturn:
    vmov    r14, s13
    vmov    r4, r5, s5, s6
    vmov    r6, r7, s7, s8
    vmov    r8, r9, s9, s10
    vmov    r10, r11, s11, s12
    bx      r14

    /* Where g⁴ = g + 1: the power of g whose coordinates are 8 ^ the Gray code of t - 1; t begins with 1. */
    .balign 4
.Lsteps:
    .byte   0, 3, 14, 7, 9, 11, 12, 13, 6, 2, 8, 10, 5, 1, 4, 0
    .size   mb_m4_gather_sorted_vartime, . - mb_m4_gather_sorted_vartime
