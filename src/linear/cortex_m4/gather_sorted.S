/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds the 32-byte coefficient vectors of a row to the buckets of their variables, which are sorted by value, in VARIABLE TIME:
 * public data only.
 *
 *   void mb_m4_gather_sorted_vartime(uint8_t *buckets, unsigned u, const uint8_t *row, const uint8_t *columns, const uint8_t starts[15]);
 *
 * For each class w < 15 and each column among columns[starts[w]], columns[starts[w] + 1], …, up to 255, which is none: bucket
 * u + w mod 15 ^= the vector at row + 32·column. All is aligned to 4 bytes.
 *
 * r4-r11 the bucket, r0-r3 and r12 a vector's words and address; the last word is added late, after the next address is made. r14 row,
 * s0 the bucket, s1 its end, s2 the buckets, s3 columns, s4 the next start, s5 their end, s6 the next column. */
    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_gather_sorted_vartime, "ax", %progbits
    .global mb_m4_gather_sorted_vartime
    .type   mb_m4_gather_sorted_vartime, %function

    .balign 4
mb_m4_gather_sorted_vartime:
    push    {r4-r11, lr}
    ldr     r4, [sp, #36]
    mov     r14, r2
    vmov    s2, r0
    add     r1, r0, r1, lsl #5
    add     r0, r0, #15*32
    vmov    s0, r1
    vmov    s1, r0
    vmov    s3, r3
    add     r5, r4, #15
    vmov    s5, r5
    b       .Lclass
    .balign 4
.Lvector:
    add     r12, r14, r12, lsl #5
    eor     r11, r11, r3
    ldm     r12!, {r0-r3}
    eor     r4, r4, r0
    eor     r5, r5, r1
    eor     r6, r6, r2
    eor     r7, r7, r3
    ldm     r12, {r0-r3}
    vmov    r12, s6
    eor     r8, r8, r0
    eor     r9, r9, r1
    eor     r10, r10, r2
    ldrb    r0, [r12], #1
    vmov    s6, r12
    mov     r12, r0
    cmp     r0, #255
    bne     .Lvector
    vmov    r1, s0
    eor     r11, r11, r3
    stm     r1, {r4-r11}
.Lnext:
    vmov    r1, s0
    vmov    r0, s1
    vmov    r4, s4
    adds    r1, r1, #32
    cmp     r1, r0
    it      eq
    vmoveq  r1, s2
    vmov    s0, r1
    vmov    r0, s5
    cmp     r4, r0
    beq     .Lreturn
.Lclass:
    ldrb    r2, [r4], #1
    vmov    r3, s3
    vmov    s4, r4
    adds    r2, r2, r3
    movs    r3, #0
    ldrb    r12, [r2], #1
    cmp     r12, #255
    beq     .Lnext
    vmov    s6, r2
    ldm     r1, {r4-r11}
    b       .Lvector
.Lreturn:
    pop     {r4-r11, pc}
    .size   mb_m4_gather_sorted_vartime, . - mb_m4_gather_sorted_vartime
