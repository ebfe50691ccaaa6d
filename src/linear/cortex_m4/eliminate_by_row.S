/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * As eliminate.S, for rows that are 16 bytes apart and hold their entries themselves, constant time.
 *
 *   void mb_m4_eliminate_by_row(uint8_t *rows, unsigned place, const uint32_t multiple[8], uint32_t *entries, size_t count);
 *
 * For j < count: the 8 bytes at rows + 16·j ^= Σ_k (bit k of the four bits from bit `place` < 61 of these bytes on)·(multiple[4 + k],
 * multiple[k]), k < 4; the four bits lie in one word. Unless entries is NULL, they go to the highest bits of entries[j].
 *
 * r0, r1 the row's words, r2 the entry, r3 its distance from the highest bits, r4-r7 the second word's multiples, r8-r11 the first
 * word's, r12 the row, r14 the next entry, s0 the end of the rows. */
    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_eliminate_by_row, "ax", %progbits
    .global mb_m4_eliminate_by_row
    .type   mb_m4_eliminate_by_row, %function

.macro EOR2 condition, first, second
    itt     \condition
    eor\condition\().w r0, r0, \first
    eor\condition r1, \second
.endm

.macro ROW word, keep
    ldrd    r0, r1, [r12]
    lsl     r2, \word, r3
    .if     \keep
    str     r2, [r14], #4
    .endif
    lsls    r2, r2, #1
    EOR2    cs, r11, r7
    EOR2    mi, r10, r6
    lsls    r2, r2, #2
    EOR2    cs, r9, r5
    EOR2    mi, r8, r4
    strd    r0, r1, [r12], #16
.endm

/* An odd number of rows begins in the middle: r1 is their number. */
.macro ROWS word, keep
    lsls    r1, r1, #31
    bmi     2f
    .balign 4
1:  ROW     \word, \keep
2:  ROW     \word, \keep
    vmov    r2, s0
    cmp     r12, r2
    bne     1b
    pop     {r4-r11, pc}
.endm

    .balign 4
mb_m4_eliminate_by_row:
    push    {r4-r11, lr}
    mov     r12, r0
    mov     r14, r3
    ldr     r0, [sp, #36]
    and     r3, r1, #31
    rsb     r3, r3, #28
    cmp     r0, #0
    beq     .Lreturn
    add     r4, r12, r0, lsl #4
    vmov    s0, r4
    ldm     r2, {r4-r11}
    cmp     r1, #32
    mov     r1, r0
    bhs     .Lsecond
    cmp     r14, #0
    bne     .Lkept
    ROWS    r0, 0
.Lkept:
    ROWS    r0, 1
.Lsecond:
    cmp     r14, #0
    bne     .Lsecond_kept
    ROWS    r1, 0
.Lsecond_kept:
    ROWS    r1, 1
.Lreturn:
    pop     {r4-r11, pc}
    .size   mb_m4_eliminate_by_row, . - mb_m4_eliminate_by_row
