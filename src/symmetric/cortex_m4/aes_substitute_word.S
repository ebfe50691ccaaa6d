/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SubWord of AES's KeyExpansion [FIPS 197 §5.2], SECRET, constant time.
 *
 *   uint32_t mb_m4_aes_substitute_word(uint32_t in);
 *
 *   r4-r11              planes: bit j of each byte of the word, at the byte's lowest bit
 *   r0-r3, r12, lr      work
 *   [sp]                what mb_m4_aes_substitute puts aside, cleared at the end, then the registers saved */
#include "symmetric/cortex_m4/planes.inc"

    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_m4_aes_substitute_word, "ax", %progbits
    .global mb_m4_aes_substitute_word
    .type   mb_m4_aes_substitute_word, %function
    .balign 4
mb_m4_aes_substitute_word:
    push.w  {r4-r11, lr}
    sub.w   sp, sp, #MB_M4_AES_ASIDE
    @ Other bits than the lowest ones of the bytes go through the circuit and are dropped.
    mov.w   r4, r0
    lsr.w   r5, r0, #1
    lsr.w   r6, r0, #2
    lsr.w   r7, r0, #3
    lsr.w   r8, r0, #4
    lsr.w   r9, r0, #5
    lsr.w   r10, r0, #6
    lsr.w   r11, r0, #7
    bl      mb_m4_aes_substitute
    mvn     r0, #0x9c9c9c9c                 @ 0x63 in each byte
    and     r4, r4, #0x01010101
    and     r5, r5, #0x01010101
    and     r6, r6, #0x01010101
    and     r7, r7, #0x01010101
    and     r8, r8, #0x01010101
    and     r9, r9, #0x01010101
    and     r10, r10, #0x01010101
    and     r11, r11, #0x01010101
    eor.w   r0, r0, r4
    eor.w   r0, r0, r5, lsl #1
    eor.w   r0, r0, r6, lsl #2
    eor.w   r0, r0, r7, lsl #3
    eor.w   r0, r0, r8, lsl #4
    eor.w   r0, r0, r9, lsl #5
    eor.w   r0, r0, r10, lsl #6
    eor.w   r0, r0, r11, lsl #7
    mov.w   r1, #0
    .set    at, 0
    .rept   MB_M4_AES_ASIDE / 4
    str.w   r1, [sp, #at]
    .set    at, at + 4
    .endr
    mov.w   r2, #0
    mov.w   r3, #0
    mov.w   r12, #0
    add.w   sp, sp, #MB_M4_AES_ASIDE
    pop.w   {r4-r11, pc}
    .size   mb_m4_aes_substitute_word, . - mb_m4_aes_substitute_word
