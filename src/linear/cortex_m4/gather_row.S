/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds the coefficient vectors of a row to the buckets of their variables, in VARIABLE TIME: public data only.
 *
 *   void mb_m4_gather_row_vartime(uint8_t *const bucket[16], const uint8_t *vectors, size_t quarters, const uint8_t *x,
 *                                 size_t count);
 *
 * For c < count: the 16·quarters > 0 bytes at bucket[x[c]], if that is not NULL, ^= (as many bytes at vectors + c·16·quarters).
 * Buckets and vectors are aligned to 4 bytes.
 *
 * r0 bucket, r1 vectors, r2 quarters, r3 x; r4-r7 the vector's words, r8-r11 the bucket's, r12 the bucket, r14 quarters left.
 * The end of x lies on the stack. */
    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_m4_gather_row_vartime, "ax", %progbits
    .global mb_m4_gather_row_vartime
    .type   mb_m4_gather_row_vartime, %function

/* 16 bytes. */
.macro ADD_QUARTER
    ldm     r1!, {r4-r7}
    ldm     r12, {r8-r11}
    eor     r8, r8, r4
    eor     r9, r9, r5
    eor     r10, r10, r6
    eor     r11, r11, r7
    stm     r12!, {r8-r11}
.endm

    .balign 4
mb_m4_gather_row_vartime:
    push    {r4-r11, lr}
    ldr     r4, [sp, #36]
    add     r4, r4, r3
    push    {r4}
    cmp     r2, #2
    bne     4f
    b       2f
    /* 32 bytes, without a loop over the quarters */
    .balign 4
1:  ADD_QUARTER
    ADD_QUARTER
2:  ldr     r7, [sp]
3:  cmp     r3, r7
    beq     8f
    ldrb    r4, [r3], #1
    ldr     r12, [r0, r4, lsl #2]
    cmp     r12, #0
    bne     1b
    adds    r1, r1, #32
    b       3b
    /* any number */
4:  ldr     r7, [sp]
5:  cmp     r3, r7
    beq     8f
    ldrb    r4, [r3], #1
    ldr     r12, [r0, r4, lsl #2]
    cmp     r12, #0
    bne     6f
    add     r1, r1, r2, lsl #4
    b       5b
6:  mov     r14, r2
7:  ADD_QUARTER
    subs    r14, r14, #1
    bne     7b
    b       4b
8:  pop     {r4}
    pop     {r4-r11, pc}
    .size   mb_m4_gather_row_vartime, . - mb_m4_gather_row_vartime
