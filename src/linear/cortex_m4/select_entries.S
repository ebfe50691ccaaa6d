/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Reads one row of a matrix at a SECRET place, constant time: 16 bytes of each column.
 *
 *   void mb_m4_select_entries(uint32_t *entries, const uint8_t *columns, size_t stride, const uint32_t mask[4], size_t count,
 *                             uint32_t ones, int add);
 *
 * For j < count > 0: entries[j] = (with `add` |=) the element of (the 16 bytes at columns + j·stride) where the mask has ones, in its highest bits.
 * What is below them does not matter. The mask covers one element or none; ones has a 1 in each element.
 *
 * r0 entries, r1 columns, r2 stride, r3 the entry, r4-r7 the mask, r8-r11 the column, r12 ones, r14 the end of the entries. */
    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_m4_select_entries, "ax", %progbits
    .global mb_m4_select_entries
    .type   mb_m4_select_entries, %function
/* r8 = the entry, in its highest bits. */
.macro ENTRY
    ldr     r8, [r1]
    ldr     r9, [r1, #4]
    ldr     r10, [r1, #8]
    ldr     r11, [r1, #12]
    and     r8, r8, r4
    and     r9, r9, r5
    and     r10, r10, r6
    and     r11, r11, r7
    orr     r8, r8, r9
    orr     r10, r10, r11
    orr     r8, r8, r10
    mul     r8, r8, r12
    adds    r1, r1, r2
.endm

    .balign 4
mb_m4_select_entries:
    push    {r4-r11, lr}
    ldrd    r14, r12, [sp, #36]
    ldr     r8, [sp, #44]
    ldm     r3, {r4-r7}
    add     r14, r0, r14, lsl #2
    cmp     r8, #0
    bne     2f
    .balign 4
1:  ENTRY
    str     r8, [r0], #4
    cmp     r0, r14
    bne     1b
    pop     {r4-r11, pc}
    .balign 4
2:  ENTRY
    ldr     r3, [r0]
    orr     r3, r3, r8
    str     r3, [r0], #4
    cmp     r0, r14
    bne     2b
    pop     {r4-r11, pc}
    .size   mb_m4_select_entries, . - mb_m4_select_entries
