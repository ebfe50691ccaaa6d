/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds SECRET multiples of one column to others, constant time: 8 bytes of each column, by the highest nibble of its entry.
 *
 *   void mb_m4_eliminate(uint8_t *columns, size_t stride, const uint32_t multiple[8], const uint32_t *entries, size_t count);
 *
 * For j < count: the 8 bytes at columns + j·stride ^= Σ_k (bit 28 + k of entries[j])·(multiple[4 + k], multiple[k]), k < 4. The bits
 * reach the flags C and N and decide which exclusive ors of an IT block write, which costs the same either way.
 *
 * r0, r1 the column's words, r2 the entry, r3 stride, r4-r7 the second word's multiples, r8-r11 the first word's, r12 the column,
 * r14 the next entry. The end of the entries lies on the stack. */
    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_m4_eliminate, "ax", %progbits
    .global mb_m4_eliminate
    .type   mb_m4_eliminate, %function

.macro EOR2 condition, first, second
    itt     \condition
    eor\condition\().w r0, r0, \first
    eor\condition r1, \second
.endm

.macro COLUMN
    ldr     r2, [r14], #4
    ldr     r0, [r12]
    ldr     r1, [r12, #4]
    lsls    r2, r2, #1
    EOR2    cs, r11, r7
    EOR2    mi, r10, r6
    lsls    r2, r2, #2
    EOR2    cs, r9, r5
    EOR2    mi, r8, r4
    str     r0, [r12]
    str     r1, [r12, #4]
    add     r12, r3
.endm

    .balign 4
mb_m4_eliminate:
    push    {r4-r11, lr}
    ldr     r5, [sp, #36]
    cmp     r5, #0
    beq     3f
    mov     r12, r0
    mov     r14, r3
    add     r4, r3, r5, lsl #2
    push    {r4}
    mov     r3, r1
    lsls    r0, r5, #31 /* an odd number of columns begins in the middle */
    ldm     r2, {r4-r11}
    bmi     2f
    .balign 4
1:  COLUMN
2:  COLUMN
    ldr     r0, [sp]
    cmp     r14, r0
    bne     1b
    pop     {r4}
3:  pop     {r4-r11, pc}
    .size   mb_m4_eliminate, . - mb_m4_eliminate
