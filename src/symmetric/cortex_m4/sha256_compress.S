/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA-256's compression [FIPS 180-4 §6.2.2], SECRET, constant time.
 *
 *   void mb_m4_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t count);
 *
 * Takes `count` blocks of 64 bytes each, at any address, into the state; `count` may be 0. Eight rounds are unrolled, so that the
 * working variables change their names instead of their places. Then the schedule moves down: a verifier has less RAM than time.
 *
 *   r4-r11         a ... h
 *   r0, r1         the message schedule and the round constants, eight words on after eight rounds
 *   r2, r3         work
 *   r12, lr        by turns b ^ c, which was a ^ b a round ago, and work
 *   [sp]           W(t - 16) ... W(t + 7) where 8 divides t, cleared at the end
 *   s0, s1, s2     state, blocks, count, all public; s3 turns left */
    .equ    FRAME, 100                  @ the stack stays aligned to 8 bytes

/* A round with W(t) in r3 and K(t) added to h. \old is b ^ c; \new becomes a ^ b, which is that of the next round. */
.macro ROUND a, b, c, d, e, f, g, h, old, new
    add.w   \h, \h, r3
    eor.w   r3, \e, \e, ror #5
    eor.w   r3, r3, \e, ror #19
    eor.w   r2, \f, \g
    add.w   \h, \h, r3, ror #6
    and.w   r2, r2, \e
    eor.w   r3, \a, \a, ror #11
    eor.w   r2, r2, \g
    eor.w   r3, r3, \a, ror #20
    add.w   \h, \h, r2
    eor.w   \new, \a, \b
    add.w   \d, \d, \h
    and.w   \old, \old, \new
    add.w   \h, \h, r3, ror #2
    eor.w   \old, \old, \b
    add.w   \h, \h, \old
.endm

/* W(t) lies in the schedule already. */
.macro MESSAGE_ROUND i, a, b, c, d, e, f, g, h, old, new
    ldr.w   r3, [r0, #4 * \i]
    ldr.w   r2, [r1, #4 * \i]
    add.w   \h, \h, r2
    ROUND   \a, \b, \c, \d, \e, \f, \g, \h, \old, \new
.endm

/* W(t) = W(t-16) + σ0(W(t-15)) + W(t-7) + σ1(W(t-2)). */
.macro SCHEDULE_ROUND i, a, b, c, d, e, f, g, h, old, new
    ldr.w   r2, [r0, #4 * \i - 60]
    ldr.w   r3, [r0, #4 * \i - 8]
    ldr.w   \new, [r1, #4 * \i]
    add.w   \h, \h, \new
    ror.w   \new, r2, #7
    eor.w   \new, \new, r2, ror #18
    eor.w   \new, \new, r2, lsr #3
    ror.w   r2, r3, #17
    eor.w   r2, r2, r3, ror #19
    eor.w   r2, r2, r3, lsr #10
    add.w   \new, \new, r2
    ldr.w   r2, [r0, #4 * \i - 64]
    ldr.w   r3, [r0, #4 * \i - 28]
    add.w   \new, \new, r2
    add.w   r3, r3, \new
    str.w   r3, [r0, #4 * \i]
    ROUND   \a, \b, \c, \d, \e, \f, \g, \h, \old, \new
.endm

.macro EIGHT round
    \round  0, r4, r5, r6, r7, r8, r9, r10, r11, r12, lr
    \round  1, r11, r4, r5, r6, r7, r8, r9, r10, lr, r12
    \round  2, r10, r11, r4, r5, r6, r7, r8, r9, r12, lr
    \round  3, r9, r10, r11, r4, r5, r6, r7, r8, lr, r12
    \round  4, r8, r9, r10, r11, r4, r5, r6, r7, r12, lr
    \round  5, r7, r8, r9, r10, r11, r4, r5, r6, lr, r12
    \round  6, r6, r7, r8, r9, r10, r11, r4, r5, r12, lr
    \round  7, r5, r6, r7, r8, r9, r10, r11, r4, lr, r12
    add.w   r0, r0, #32
    add.w   r1, r1, #32
.endm

/* Three words, eight places down. */
.macro MOVE at
    ldr.w   r2, [sp, #32 + \at]
    ldr.w   r3, [sp, #36 + \at]
    ldr.w   lr, [sp, #40 + \at]
    str.w   r2, [sp, #\at]
    str.w   r3, [sp, #4 + \at]
    str.w   lr, [sp, #8 + \at]
.endm

    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_sha256_compress, "ax", %progbits
    .global mb_m4_sha256_compress
    .type   mb_m4_sha256_compress, %function
    .balign 4
mb_m4_sha256_compress:
    cmp     r2, #0
    it      eq
    bxeq    lr
    push.w  {r4-r11, lr}
    sub.w   sp, sp, #FRAME
    vmov    s0, r0
    vmov    s1, r1
    vmov    s2, r2
.Lblock:
    @ The message, big-endian, to the schedule.
    vmov    r12, s1
    mov.w   lr, sp
    mov.w   r10, #4
.Lmessage:
    ldr.w   r4, [r12]
    ldr.w   r5, [r12, #4]
    ldr.w   r6, [r12, #8]
    ldr.w   r7, [r12, #12]
    rev.w   r4, r4
    rev.w   r5, r5
    rev.w   r6, r6
    rev.w   r7, r7
    add.w   r12, r12, #16
    stm     lr!, {r4-r7}
    subs.w  r10, r10, #1
    bne.w   .Lmessage
    vmov    s1, r12

    vmov    r2, s0
    ldr.w   r1, =mb_sha256_round_constants
    ldm.w   r2, {r4-r11}
    mov.w   r0, sp
    mov.w   r3, #2
    eor.w   r12, r5, r6
.Lfirst:
    vmov    s3, r3
    EIGHT   MESSAGE_ROUND
    vmov    r3, s3
    subs.w  r3, r3, #1
    bne.w   .Lfirst
    mov.w   r3, #6
    b.w     .Leight
.Lmove:
    vmov    s3, r3
    MOVE    0
    MOVE    12
    MOVE    24
    MOVE    36
    MOVE    48
    ldr.w   r2, [sp, #92]
    str.w   r2, [sp, #60]
    sub.w   r0, r0, #32
    vmov    r3, s3
.Leight:
    vmov    s3, r3
    EIGHT   SCHEDULE_ROUND
    vmov    r3, s3
    subs.w  r3, r3, #1
    bne.w   .Lmove

    vmov    r2, s0
    ldm.w   r2, {r0, r1, r3, lr}
    add.w   r4, r4, r0
    add.w   r5, r5, r1
    add.w   r6, r6, r3
    add.w   r7, r7, lr
    stm.w   r2!, {r4-r7}
    ldm.w   r2, {r0, r1, r3, lr}
    add.w   r8, r8, r0
    add.w   r9, r9, r1
    add.w   r10, r10, r3
    add.w   r11, r11, lr
    stm.w   r2, {r8-r11}
    vmov    r3, s2
    subs.w  r3, r3, #1
    vmov    s2, r3
    bne.w   .Lblock

    mov.w   r0, #0
    mov.w   r1, #0
    mov.w   r2, #0
    mov.w   r3, #0
    mov.w   r12, sp
    .rept   6
    stm.w   r12!, {r0-r3}
    .endr
    add.w   sp, sp, #FRAME
    pop.w   {r4-r11, pc}
    .ltorg
    .size   mb_m4_sha256_compress, . - mb_m4_sha256_compress
