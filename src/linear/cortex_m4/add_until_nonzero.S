/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Makes a SECRET element of a row differ from zero by adding rows that follow, constant time: 16 bytes of each row.
 *
 *   uint32_t mb_m4_add_until_nonzero(uint8_t *rows, size_t stride, uint32_t mask, size_t count, size_t word);
 *
 * For j = 1, …, count: unless word `word` < 4 of the 16 bytes at rows has a one where the mask has, these 16 bytes ^= those at
 * rows + j·stride. Returns how many were added. The decision reaches the flag Z, which an IT block turns into exclusive ors that
 * write or do not.
 *
 * r0 how many, r1 stride, r2 mask, r4-r7 the row, r8-r11 the other one, r12 its address, r14 rows left. */
    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_m4_add_until_nonzero, "ax", %progbits
    .global mb_m4_add_until_nonzero
    .type   mb_m4_add_until_nonzero, %function

.macro ADD_ROW tested
    ldm     r12, {r8-r11}
    add     r12, r1
    tst     \tested, r2
    it      eq
    addeq   r0, r0, #1
    itttt   eq
    eoreq   r4, r4, r8
    eoreq   r5, r5, r9
    eoreq   r6, r6, r10
    eoreq   r7, r7, r11
.endm

.macro ADD_ROWS tested
    lsls    r3, r14, #31 /* an odd number of rows begins in the middle */
    bmi     2f
    .balign 4
1:  ADD_ROW \tested
2:  ADD_ROW \tested
    subs    r14, r14, #2
    bgt     1b
.endm

    .balign 4
mb_m4_add_until_nonzero:
    push    {r0, r4-r11, lr}
    mov     r12, r0
    movs    r0, #0
    movs    r14, r3
    beq     9f
    ldr     r3, [sp, #40]
    ldm     r12, {r4-r7}
    add     r12, r1
    cmp     r3, #2
    bhi     6f
    beq     5f
    cmp     r3, #0
    bne     4f
    ADD_ROWS r4
    b       8f
4:  ADD_ROWS r5
    b       8f
5:  ADD_ROWS r6
    b       8f
6:  ADD_ROWS r7
8:  ldr     r1, [sp]
    stm     r1, {r4-r7}
9:  add     sp, sp, #4
    pop     {r4-r11, pc}
    .size   mb_m4_add_until_nonzero, . - mb_m4_add_until_nonzero
