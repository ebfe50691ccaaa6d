/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Clears `count` > 0 lines of 64 bytes, aligned to 4, on ARMv7E-M: 21 cycles each.
 *
 *   void mb_wipe_lines(void *lines, size_t count); */
    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_wipe_lines, "ax", %progbits
    .global mb_wipe_lines
    .type   mb_wipe_lines, %function
    .balign 4
mb_wipe_lines:
    push    {r4-r8, lr}
    movs    r2, #0
    movs    r3, #0
    movs    r4, #0
    movs    r5, #0
    movs    r6, #0
    movs    r7, #0
    mov     r8, r2
    mov     r12, r2
.Lline:
    stm     r0!, {r2-r8, r12}
    stm     r0!, {r2-r8, r12}
    subs    r1, r1, #1
    bne     .Lline
    pop     {r4-r8, pc}
    .size   mb_wipe_lines, . - mb_wipe_lines
