/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES in counter mode in constant time, two blocks at a time in bit planes (planes.inc).
 *
 *   void mb_m4_aes_pairs(uint8_t *out, const uint32_t *keys, const uint32_t *keys_end, uint32_t counter[4], size_t pairs);
 *
 * Writes 32·pairs > 0 bytes to `out`, at any address. `keys` are the round keys in planes, 8 words each, as aes.c lays them out;
 * `keys_end` is the last one. `counter` is the number of 128 bits, most significant word first, and is left behind the last
 * block. Everything is SECRET but the lengths; the stack is cleared of it.
 *
 * ShiftRows moves nothing ("fixslicing", see aes_bitsliced.c): after i rounds the byte of row r and column c is at column
 * c + i·r modulo 4, so that there are four kinds of MixColumns, and after the last round (2 modulo 4) the odd rows of columns
 * c and c + 2 change places.
 *
 *   r4-r11              the eight planes
 *   r0-r3, r12, lr      work
 *   [sp]                what mb_m4_aes_substitute puts aside, then KEY, KEYS, KEYS_END, OUT, COUNTER, PAIRS, and the registers
 *                       saved */
#include "symmetric/cortex_m4/planes.inc"

    .equ    KEY, MB_M4_AES_ASIDE
    .equ    OUT, KEY + 4
    .equ    KEYS, KEY + 8
    .equ    KEYS_END, KEY + 12
    .equ    COUNTER, KEY + 16
    .equ    PAIRS, KEY + 20
    .equ    FRAME, KEY + 24
    .equ    ARGUMENTS, FRAME + 36

/* The planes ^= the next round key. */
.macro ADD_KEY
    ldr.w   r12, [sp, #KEY]
    ldm.w   r12!, {r0, r1, r2, r3, lr}
    eor.w   r4, r4, r0
    eor.w   r5, r5, r1
    eor.w   r6, r6, r2
    eor.w   r7, r7, r3
    eor.w   r8, r8, lr
    ldm.w   r12!, {r0, r1, r2}
    str.w   r12, [sp, #KEY]
    eor.w   r9, r9, r0
    eor.w   r10, r10, r1
    eor.w   r11, r11, r2
.endm

/* \next, turned right by \turn bits, is the row below of plane \q where \i rounds' ShiftRows are outstanding. */
.macro NEXT_ROW next, q, i, t
    .if \i == 1
    and     \next, \q, #0xfcfcfcfc
    and     \t, \q, #0x03030303
    .elseif \i == 2
    and     \next, \q, #0xf0f0f0f0
    and     \t, \q, #0x0f0f0f0f
    .elseif \i == 3
    and     \next, \q, #0xc0c0c0c0
    and     \t, \q, #0x3f3f3f3f
    .endif
    .if \i != 0
    eor.w   \next, \next, \t, ror #24
    .endif
.endm

/* One plane of MixColumns, see mix_columns() in aes_bitsliced.c: q = carried + t7 (where the reduction adds it) + next + the sum two
 * rows below, with t = q + next. In: \carried = t of the plane below. Out: \t. The turn of \next is 8 + 2·i bits. */
.macro MIX_PLANE q, carried, t, i, reduce
    .if \i == 0
    eor.w   \t, \q, \q, ror #8
    eor.w   \carried, \carried, \q, ror #8
    .else
    NEXT_ROW r0, \q, \i, r2
    eor.w   \t, \q, r0, ror #(8 + 2 * \i)
    eor.w   \carried, \carried, r0, ror #(8 + 2 * \i)
    .endif
    .if \reduce
    eor.w   \carried, \carried, r11
    .endif
    TWO_ROWS \q, \carried, \t, \i
.endm

/* \q = \sum ^ what stands two rows below of \t. */
.macro TWO_ROWS q, sum, t, i
    .if \i == 1 || \i == 3
    and     r2, \t, #0xf0f0f0f0
    and     r3, \t, #0x0f0f0f0f
    eor.w   r2, r2, r3, ror #24
    eor.w   \q, \sum, r2, ror #20
    .else
    eor.w   \q, \sum, \t, ror #16
    .endif
.endm

/* MixColumns where \i (modulo 4) rounds' ShiftRows are outstanding. r11 holds t7 until the end, r12 the row below of plane 7;
 * r1 and lr take turns as the sum that goes to the next plane. */
.macro MIX_COLUMNS i
    .if \i == 0
    mov.w   r12, r11
    eor.w   r11, r11, r11, ror #8
    .else
    NEXT_ROW r12, r11, \i, r2
    eor.w   r11, r11, r12, ror #(8 + 2 * \i)
    .endif
    mov.w   r1, r11
    MIX_PLANE r4, r1, lr, \i, 0
    MIX_PLANE r5, lr, r1, \i, 1
    MIX_PLANE r6, r1, lr, \i, 0
    MIX_PLANE r7, lr, r1, \i, 1
    MIX_PLANE r8, r1, lr, \i, 1
    MIX_PLANE r9, lr, r1, \i, 0
    MIX_PLANE r10, r1, lr, \i, 0
    eor.w   lr, lr, r12, ror #(8 + 2 * \i)
    mov.w   r1, r11
    TWO_ROWS r11, lr, r1, \i
.endm

/* \a and \b, the same columns two apart, exchange their odd rows. */
.macro EXCHANGE_ODD_ROWS a, b, t
    eor.w   \t, \a, \b
    and     \t, \t, #0xff00ff00
    eor.w   \a, \a, \t
    eor.w   \b, \b, \t
.endm

    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_m4_aes_pairs, "ax", %progbits
    .global mb_m4_aes_pairs
    .type   mb_m4_aes_pairs, %function
    .balign 4
mb_m4_aes_pairs:
    push.w  {r4-r11, lr}
    sub.w   sp, sp, #FRAME
    ldr.w   r4, [sp, #ARGUMENTS]
    str.w   r0, [sp, #OUT]
    str.w   r1, [sp, #KEYS]
    str.w   r2, [sp, #KEYS_END]
    str.w   r3, [sp, #COUNTER]
    str.w   r4, [sp, #PAIRS]
.Lpair:
    ldr.w   r12, [sp, #COUNTER]
    ldr.w   lr, [sp, #KEYS]
    ldm.w   r12, {r0, r1, r2, r3}
    str.w   lr, [sp, #KEY]
    rev.w   r4, r0
    rev.w   r6, r1
    rev.w   r8, r2
    rev.w   r10, r3
    adds.w  r3, r3, #1
    adcs    r2, r2, #0
    adcs    r1, r1, #0
    adc     r0, r0, #0
    rev.w   r5, r0
    rev.w   r7, r1
    rev.w   r9, r2
    rev.w   r11, r3
    adds.w  r3, r3, #1
    adcs    r2, r2, #0
    adcs    r1, r1, #0
    adc     r0, r0, #0
    stm.w   r12, {r0, r1, r2, r3}
    TRANSPOSE
    ADD_KEY
    b       .Lfirst
    .balign 4
.Lrounds:
    MIX_COLUMNS 2
    ADD_KEY
    bl      mb_m4_aes_substitute
    MIX_COLUMNS 3
    ADD_KEY
    bl      mb_m4_aes_substitute
    MIX_COLUMNS 0
    ADD_KEY
.Lfirst:
    bl      mb_m4_aes_substitute
    MIX_COLUMNS 1
    ADD_KEY
    bl      mb_m4_aes_substitute
    ldr.w   r0, [sp, #KEY]
    ldr.w   r1, [sp, #KEYS_END]
    cmp     r0, r1
    bne.w   .Lrounds

    ADD_KEY
    TRANSPOSE
    EXCHANGE_ODD_ROWS r4, r8, r0
    EXCHANGE_ODD_ROWS r5, r9, r1
    EXCHANGE_ODD_ROWS r6, r10, r2
    EXCHANGE_ODD_ROWS r7, r11, r3
    ldr.w   r0, [sp, #OUT]
    ldr.w   r1, [sp, #PAIRS]
    str.w   r4, [r0]
    str.w   r6, [r0, #4]
    str.w   r8, [r0, #8]
    str.w   r10, [r0, #12]
    str.w   r5, [r0, #16]
    str.w   r7, [r0, #20]
    str.w   r9, [r0, #24]
    str.w   r11, [r0, #28]
    add.w   r0, r0, #32
    str.w   r0, [sp, #OUT]
    subs.w  r1, r1, #1
    str.w   r1, [sp, #PAIRS]
    bne.w   .Lpair

    mov.w   r0, #0
    .set    at, 0
    .rept   MB_M4_AES_ASIDE / 4
    str.w   r0, [sp, #at]
    .set    at, at + 4
    .endr
    mov.w   r1, #0
    mov.w   r2, #0
    mov.w   r3, #0
    mov.w   r12, #0
    add.w   sp, sp, #FRAME
    pop.w   {r4-r11, pc}
    .size   mb_m4_aes_pairs, . - mb_m4_aes_pairs
