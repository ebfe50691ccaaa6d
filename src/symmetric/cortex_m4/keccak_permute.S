/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Keccak-f[1600] [FIPS 202 §3.3], SECRET, constant time.
 *
 *   void mb_m4_keccak_permute(uint64_t lanes[25]);
 *
 * Inside, a lane is two words, its even bits and its odd bits, so that to rotate a lane by 2·k or 2·k + 1 is to rotate words. No
 * instruction is spent on that: a word of the state lies turned, to be turned right by a constant of its place whenever it is
 * an operand, which the barrel shifter does. The turns are such that they are the same after each round. A parity is turned like the
 * first lane that goes into it, θ's sum for a column like the parity of the column before it, and a lane after ρ and π like that
 * sum, less its rotation; only the even parity of column 0 has to be turned by an instruction. The turns in the macros' arguments
 * follow from this rule and FIPS 202's rotations.
 *
 *   r4-r12, lr     parities of the half columns 0 even, 0 odd, 1 even ... 4 odd
 *   r0, r1, r3, r6-r9   what θ adds to the half columns 2 even, 2 odd, 1 odd, 3 even, 3 odd, 4 even, 4 odd; three more on the stack
 *   r4, r5, r10, r11, r12   five words of half a plane
 *   r2, lr         work
 *   [sp]           the three sums, CONSTANTS, the words of the state, those of the next one, LANES, then the registers saved */
    .equ    D_0E, 0
    .equ    D_0O, 1
    .equ    D_1E, 2
    .equ    CONSTANTS, 3
    .equ    STATE, 4
    .equ    NEXT, 54
    .equ    LANES, 104
    .equ    FRAME, 4 * 105                  @ the stack stays aligned to 8 bytes

/* d = a op (b turned right by \n). */
.macro TURNED op, d, a, b, n
    .if \n == 0
    \op\().w  \d, \a, \b
    .else
    \op\().w  \d, \a, \b, ror #\n
    .endif
.endm

/* \c = the sum of five words, the first of which gives the turn. */
.macro PARITY c, from, w0, w1, n1, w2, n2, w3, n3, w4, n4
    ldr.w   \c, [sp, #4 * (\from + \w0)]
    ldr.w   r0, [sp, #4 * (\from + \w1)]
    ldr.w   r1, [sp, #4 * (\from + \w2)]
    ldr.w   r2, [sp, #4 * (\from + \w3)]
    ldr.w   r3, [sp, #4 * (\from + \w4)]
    TURNED  eor, \c, \c, r0, \n1
    TURNED  eor, \c, \c, r1, \n2
    TURNED  eor, \c, \c, r2, \n3
    TURNED  eor, \c, \c, r3, \n4
.endm

/* Words of the state that ρ and π bring to half a plane. */
.macro LOAD_5 from, w0, w1, w2, w3, w4
    ldr.w   r4, [sp, #4 * (\from + \w0)]
    ldr.w   r5, [sp, #4 * (\from + \w1)]
    ldr.w   r10, [sp, #4 * (\from + \w2)]
    ldr.w   r11, [sp, #4 * (\from + \w3)]
    ldr.w   r12, [sp, #4 * (\from + \w4)]
.endm

/* θ's sums to them. */
.macro ADD_5 d0, n0, d1, n1, d2, n2, d3, n3, d4, n4
    TURNED  eor, r4, \d0, r4, \n0
    TURNED  eor, r5, \d1, r5, \n1
    TURNED  eor, r10, \d2, r10, \n2
    TURNED  eor, r11, \d3, r11, \n3
    TURNED  eor, r12, \d4, r12, \n4
.endm

/* out = b0 + (not b1 and b2), turned like b0. */
.macro CHI out, b0, b1, b2, n1, n2
    TURNED  bic, \out, \b2, \b1, \n1
    TURNED  eor, \out, \b0, \out, \n2
.endm

/* The last four words of half a plane. */
.macro CHI_4 to, n11, n12, n21, n22, n31, n32, n41, n42
    CHI     lr, r5, r10, r11, \n11, \n12
    CHI     r2, r10, r11, r12, \n21, \n22
    str.w   lr, [sp, #4 * (\to + 2)]
    CHI     lr, r11, r12, r4, \n31, \n32
    str.w   r2, [sp, #4 * (\to + 4)]
    CHI     r2, r12, r4, r5, \n41, \n42
    str.w   lr, [sp, #4 * (\to + 6)]
    str.w   r2, [sp, #4 * (\to + 8)]
.endm

/* All five. */
.macro CHI_5 to, n01, n02, n11, n12, n21, n22, n31, n32, n41, n42
    CHI     r2, r4, r5, r10, \n01, \n02
    str.w   r2, [sp, #4 * (\to)]
    CHI_4   \to, \n11, \n12, \n21, \n22, \n31, \n32, \n41, \n42
.endm

/* A round from one place to the other, its constant's halves at \constant. */
.macro ROUND from, to, constant
    @ θ: the parity of each half column; its first lane gives the turn.
    PARITY  r4, \from, 20, 0, 0, 10, 14, 30, 29, 40, 12
    PARITY  r5, \from, 21, 1, 31, 11, 13, 31, 28, 41, 11
    PARITY  r6, \from, 2, 12, 21, 22, 29, 32, 3, 42, 21
    PARITY  r7, \from, 3, 13, 22, 23, 29, 33, 3, 43, 22
    PARITY  r8, \from, 34, 4, 25, 14, 2, 24, 19, 44, 27
    PARITY  r9, \from, 35, 5, 26, 15, 3, 25, 20, 45, 27
    PARITY  r10, \from, 16, 6, 7, 26, 28, 36, 25, 46, 1
    PARITY  r11, \from, 17, 7, 7, 27, 28, 37, 25, 47, 1
    PARITY  r12, \from, 48, 8, 3, 18, 12, 28, 23, 38, 0
    PARITY  lr, \from, 49, 9, 4, 19, 13, 29, 23, 39, 0
    ror.w   r4, r4, #31
    @ What each column takes; three of ten to the stack.
    TURNED  eor, r0, r12, r7, 10
    TURNED  eor, r1, lr, r6, 11
    TURNED  eor, r2, r4, r9, 26
    str     r0, [sp, #4 * D_0E]
    str     r1, [sp, #4 * D_0O]
    str     r2, [sp, #4 * D_1E]
    TURNED  eor, r3, r5, r8, 27
    TURNED  eor, r0, r6, r11, 31
    TURNED  eor, r1, r7, r10, 31
    TURNED  eor, r6, r8, lr, 3
    TURNED  eor, r7, r9, r12, 4
    TURNED  eor, r8, r10, r5, 22
    TURNED  eor, r9, r11, r4, 22
    @ ρ, π, χ: half a plane at a time.
    @ plane 0, even bits
    LOAD_5  \from, 0, 12, 25, 37, 48
    ldr.w   r2, [sp, #4 * D_0E]
    ldr.w   lr, [sp, #4 * D_1E]
    ADD_5   r2, 0, lr, 31, r1, 5, r7, 8, r8, 22
    CHI     r2, r4, r5, r10, 22, 21
    ldr.w   lr, [sp, #4 * CONSTANTS]        @ ι
    ldr.w   lr, [lr, #\constant + 0]
    TURNED  eor, r2, r2, lr, 1
    str.w   r2, [sp, #4 * (\to + 0)]
    CHI_4   \to + 0, 4, 6, 14, 14, 3, 15, 21, 8
    @ plane 0, odd bits
    LOAD_5  \from, 1, 13, 24, 36, 49
    ldr.w   r2, [sp, #4 * D_0O]
    ADD_5   r2, 0, r3, 0, r0, 4, r6, 7, r9, 21
    CHI     r2, r4, r5, r10, 21, 22
    ldr.w   lr, [sp, #4 * CONSTANTS]        @ ι
    ldr.w   lr, [lr, #\constant + 4]
    TURNED  eor, r2, r2, lr, 1
    str.w   r2, [sp, #4 * (\to + 1)]
    CHI_4   \to + 1, 4, 7, 14, 14, 4, 14, 21, 7
    @ plane 1, even bits
    LOAD_5  \from, 6, 18, 21, 33, 45
    ldr.w   r2, [sp, #4 * D_0O]
    ADD_5   r6, 21, r8, 2, r2, 1, r3, 13, r1, 12
    CHI_5   \to + 10, 2, 16, 20, 10, 30, 14, 30, 4, 14, 20
    @ plane 1, odd bits
    LOAD_5  \from, 7, 19, 20, 32, 44
    ldr.w   r2, [sp, #4 * D_0E]
    ldr.w   lr, [sp, #4 * D_1E]
    ADD_5   r7, 22, r9, 2, r2, 0, lr, 13, r0, 12
    CHI_5   \to + 11, 2, 17, 20, 10, 30, 14, 31, 3, 13, 20
    @ plane 2, even bits
    LOAD_5  \from, 3, 14, 27, 38, 40
    ldr.w   r2, [sp, #4 * D_0E]
    ADD_5   r3, 10, r0, 19, r7, 11, r8, 22, r2, 12
    CHI_5   \to + 20, 25, 15, 9, 30, 15, 8, 23, 26, 24, 17
    @ plane 2, odd bits
    LOAD_5  \from, 2, 15, 26, 39, 41
    ldr.w   r2, [sp, #4 * D_1E]
    ldr.w   lr, [sp, #4 * D_0O]
    ADD_5   r2, 10, r1, 20, r6, 10, r9, 21, lr, 12
    CHI_5   \to + 21, 24, 15, 9, 31, 16, 7, 22, 26, 25, 17
    @ plane 3, even bits
    LOAD_5  \from, 9, 10, 22, 35, 46
    ldr.w   r2, [sp, #4 * D_0E]
    ldr.w   lr, [sp, #4 * D_1E]
    ADD_5   r9, 25, r2, 14, lr, 7, r1, 17, r6, 15
    CHI_5   \to + 30, 18, 31, 25, 21, 3, 4, 3, 26, 15, 14
    @ plane 3, odd bits
    LOAD_5  \from, 8, 11, 23, 34, 47
    ldr.w   r2, [sp, #4 * D_0O]
    ADD_5   r8, 25, r2, 14, r3, 7, r0, 17, r7, 16
    CHI_5   \to + 31, 18, 31, 24, 22, 4, 4, 3, 25, 15, 14
    @ plane 4, even bits
    LOAD_5  \from, 4, 17, 29, 31, 42
    ldr.w   r2, [sp, #4 * D_0O]
    ldr.w   lr, [sp, #4 * D_1E]
    ADD_5   r0, 10, r7, 15, r9, 12, r2, 29, lr, 31
    CHI_5   \to + 40, 9, 11, 12, 11, 11, 9, 20, 1, 12, 0
    @ plane 4, odd bits
    LOAD_5  \from, 5, 16, 28, 30, 43
    ldr.w   r2, [sp, #4 * D_0E]
    ADD_5   r1, 11, r6, 14, r8, 13, r2, 29, r3, 0
    CHI_5   \to + 41, 10, 11, 11, 11, 12, 9, 20, 0, 11, 1
.endm

/* Exchanges the bits of \a at \mask << \shift with those of \b at \mask. */
.macro EXCHANGE a, b, mask, shift
    eor.w   r12, \b, \a, lsr #\shift
    and     r12, r12, #\mask
    eor.w   \b, \b, r12
    eor.w   \a, \a, r12, lsl #\shift
.endm

    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_m4_keccak_permute, "ax", %progbits
    .global mb_m4_keccak_permute
    .type   mb_m4_keccak_permute, %function
    .balign 4
mb_m4_keccak_permute:
    push.w  {r4-r11, lr}
    sub.w   sp, sp, #FRAME
    mov.w   lr, r0
    @ The lanes to even and odd bits, each word turned.
    add.w   r1, sp, #4 * STATE
    ldr.w   r2, =.Lturns
    mov.w   r3, #25
.Lenter:
    ldrd    r4, r5, [r0], #8
    pkhbt   r6, r4, r5, lsl #16
    pkhtb   r7, r5, r4, asr #16
    ldrb.w  r8, [r2], #1
    ldrb.w  r9, [r2], #1
    EXCHANGE r6, r7, 0x00ff00ff, 8
    EXCHANGE r6, r7, 0x0f0f0f0f, 4
    EXCHANGE r6, r7, 0x33333333, 2
    EXCHANGE r6, r7, 0x55555555, 1
    ror.w   r6, r6, r8
    ror.w   r7, r7, r9
    strd    r6, r7, [r1], #8
    subs.w  r3, r3, #1
    bne.w   .Lenter

    ldr.w   r2, =.Lconstants
    str.w   lr, [sp, #4 * LANES]
    str.w   r2, [sp, #4 * CONSTANTS]
.Lrounds:
    ROUND   STATE, NEXT, 0
    ROUND   NEXT, STATE, 8
    ldr.w   r2, [sp, #4 * CONSTANTS]
    ldr.w   r0, =.Lconstants_end
    add.w   r2, r2, #16
    str.w   r2, [sp, #4 * CONSTANTS]
    cmp     r2, r0
    bne.w   .Lrounds

    @ And back.
    ldr.w   r0, [sp, #4 * LANES]
    add.w   r1, sp, #4 * STATE
    ldr.w   r2, =.Lturns
    mov.w   r3, #25
.Lleave:
    ldrd    r6, r7, [r1], #8
    ldrb.w  r8, [r2], #1
    ldrb.w  r9, [r2], #1
    rsb.w   r8, r8, #32
    rsb.w   r9, r9, #32
    ror.w   r6, r6, r8
    ror.w   r7, r7, r9
    EXCHANGE r6, r7, 0x55555555, 1
    EXCHANGE r6, r7, 0x33333333, 2
    EXCHANGE r6, r7, 0x0f0f0f0f, 4
    EXCHANGE r6, r7, 0x00ff00ff, 8
    pkhbt   r4, r6, r7, lsl #16
    pkhtb   r5, r7, r6, asr #16
    strd    r4, r5, [r0], #8
    subs.w  r3, r3, #1
    bne.w   .Lleave

    mov.w   r0, #0
    mov.w   r1, #0
    mov.w   r2, #0
    mov.w   r3, #0
    mov.w   r12, sp
    .rept   26
    stm.w   r12!, {r0-r3}
    .endr
    mov.w   r12, #0
    add.w   sp, sp, #FRAME
    pop.w   {r4-r11, pc}
    .ltorg
.Lturns:                                    @ of the 50 words, to the right when they enter
    .byte   1, 1, 22, 22, 12, 11, 16, 15, 30, 29
    .byte   19, 19, 1, 0, 3, 2, 23, 22, 21, 20
    .byte   1, 0, 25, 25, 18, 17, 27, 26, 10, 10
    .byte   4, 4, 19, 19, 5, 5, 30, 29, 1, 1
    .byte   21, 21, 1, 0, 10, 10, 22, 21, 1, 1
    .balign 4
.Lconstants:                                @ [§3.2.5], even and odd bits of each
    .word   0x00000001, 0x00000000, 0x00000000, 0x00000089, 0x00000000, 0x8000008b
    .word   0x00000000, 0x80008080, 0x00000001, 0x0000008b, 0x00000001, 0x00008000
    .word   0x00000001, 0x80008088, 0x00000001, 0x80000082, 0x00000000, 0x0000000b
    .word   0x00000000, 0x0000000a, 0x00000001, 0x00008082, 0x00000000, 0x00008003
    .word   0x00000001, 0x0000808b, 0x00000001, 0x8000000b, 0x00000001, 0x8000008a
    .word   0x00000001, 0x80000081, 0x00000000, 0x80000081, 0x00000000, 0x80000008
    .word   0x00000000, 0x00000083, 0x00000000, 0x80008003, 0x00000001, 0x80008088
    .word   0x00000000, 0x80000088, 0x00000001, 0x00008000, 0x00000000, 0x80008082
.Lconstants_end:
    .size   mb_m4_keccak_permute, . - mb_m4_keccak_permute
