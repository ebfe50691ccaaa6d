/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds a SECRET number of rows to the one before them, constant time: 16 bytes of each row.
 *
 *   void mb_m4_add_first(uint8_t *rows, size_t stride, uint32_t first, size_t count);
 *
 * For j = 1, …, count: if j ≤ first, the 16 bytes at rows ^= those at rows + j·stride. The decision reaches the flag N, which an
 * IT block turns into exclusive ors that write or do not.
 *
 * r0 rows, r1 stride, r2 rows still to add, r3 rows left, r4-r7 the row, r8-r11 the other one, r12 its address. */
    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_m4_add_first, "ax", %progbits
    .global mb_m4_add_first
    .type   mb_m4_add_first, %function

.macro ADD_ROW
    ldm     r12, {r8-r11}
    add     r12, r1
    subs    r2, r2, #1
    itttt   pl
    eorpl   r4, r4, r8
    eorpl   r5, r5, r9
    eorpl   r6, r6, r10
    eorpl   r7, r7, r11
.endm

    .balign 4
mb_m4_add_first:
    push    {r4-r11, lr}
    mov     r12, r0
    cbz     r3, 3f
    ldm     r0, {r4-r7}
    add     r12, r1
    lsls    r14, r3, #31 /* an odd number of rows begins in the middle */
    bmi     2f
    .balign 4
1:  ADD_ROW
2:  ADD_ROW
    subs    r3, r3, #2
    bgt     1b
    stm     r0, {r4-r7}
3:  pop     {r4-r11, pc}
    .size   mb_m4_add_first, . - mb_m4_add_first
