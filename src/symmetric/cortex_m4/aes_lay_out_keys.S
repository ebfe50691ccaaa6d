/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Lays round keys of AES out as mb_m4_aes_pairs reads them, SECRET, constant time.
 *
 *   void mb_m4_aes_lay_out_keys(uint32_t (*planes)[8], const uint32_t *keys, unsigned rounds);
 *
 * `keys` are the rounds + 1 round keys of FIPS 197, 4 words each, a word's first byte the lowest. Each goes in planes
 * (planes.inc), the same for both blocks. The ShiftRows of the rounds before it are outstanding: row r of column c goes to
 * column c + i·r modulo 4 in key i. All keys but the first one take the 0x63 that mb_m4_aes_substitute leaves out.
 *
 *   r4, r6, r8, r10     the four columns; then r4-r11 the planes
 *   r12, lr             planes, keys, going up
 *   r0-r3               work
 *   [sp]                KEY, the number of the key; ROUNDS; the registers saved */
#include "symmetric/cortex_m4/planes.inc"

    .equ    KEY, 0
    .equ    ROUNDS, 4
    .equ    FRAME, 8

/* The bytes of \a and \b at the mask in r0 change places. */
.macro EXCHANGE_ROWS a, b, t
    eor.w   \t, \a, \b
    and.w   \t, \t, r0
    eor.w   \a, \a, \t
    eor.w   \b, \b, \t
.endm

/* \odd = the odd bits of \even twice, \even = its even bits twice: the first step of TRANSPOSE for two equal words. */
.macro SPLIT even, odd
    and     \odd, \even, #0xaaaaaaaa
    and     \even, \even, #0x55555555
    orr.w   \odd, \odd, \odd, lsr #1
    orr.w   \even, \even, \even, lsl #1
.endm

    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_m4_aes_lay_out_keys, "ax", %progbits
    .global mb_m4_aes_lay_out_keys
    .type   mb_m4_aes_lay_out_keys, %function
    .balign 4
mb_m4_aes_lay_out_keys:
    push.w  {r4-r11, lr}
    sub.w   sp, sp, #FRAME
    mov.w   r12, r0
    mov.w   lr, r1
    mov.w   r1, #0
    strd    r1, r2, [sp, #KEY]
.Lkey:
    ldm     lr!, {r4, r6, r8, r10}
    ands    r2, r1, #3
    beq     .Lsplit
    mov.w   r0, #0xff00ff00
    lsrs    r3, r2, #1
    bcc     .Ltwo                       @ i = 2 modulo 4: the odd rows go two columns on
    @ Odd keys: the odd rows go one column on, and then rows 2 and 3 (i = 1), or 1 and 2, two more.
    EXCHANGE_ROWS r8, r10, r1           @ 0 1 2 3 -> 0 1 3 2 in the odd rows
    EXCHANGE_ROWS r6, r8, r1            @ -> 0 3 1 2
    EXCHANGE_ROWS r4, r6, r1            @ -> 3 0 1 2
    lsl.w   r0, r0, #16                 @ 0xff00ff00 -> 0xff000000
    asr.w   r0, r0, #8                  @ -> 0xffff0000
    cmp     r2, #1
    it      ne
    lsrne   r0, r0, #8
.Ltwo:
    EXCHANGE_ROWS r4, r8, r1
    EXCHANGE_ROWS r6, r10, r2
.Lsplit:
    SPLIT   r4, r5
    SPLIT   r6, r7
    SPLIT   r8, r9
    SPLIT   r10, r11
    TRANSPOSE_PAIRS
    ldrd    r1, r2, [sp, #KEY]
    cbz     r1, .Lstore
    mvn.w   r4, r4
    mvn.w   r5, r5
    mvn.w   r9, r9
    mvn.w   r10, r10
.Lstore:
    stm     r12!, {r4-r11}
    add.w   r1, r1, #1
    str.w   r1, [sp, #KEY]
    cmp     r1, r2
    bls.w   .Lkey
    mov.w   r0, #0
    mov.w   r1, #0
    mov.w   r2, #0
    mov.w   r3, #0
    add.w   sp, sp, #FRAME
    pop.w   {r4-r11, pc}
    .size   mb_m4_aes_lay_out_keys, . - mb_m4_aes_lay_out_keys
