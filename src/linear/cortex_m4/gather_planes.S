/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds the coefficient vectors of a piece of a row to the planes of their products, in VARIABLE TIME: public data only.
 *
 *   void mb_m4_gather_planes_vartime(uint8_t *planes, const uint8_t *vectors, size_t quarters, const uint8_t coordinates[16], const uint8_t *x,
 *                                    size_t count);
 *
 * For c < count and k < 4: if coordinates[x[c]] has bit k, the 16·quarters bytes, 16 or 32, at planes + 32·k ^= (as many bytes at vectors +
 * c·16·quarters). Planes and vectors are aligned to 4 bytes.
 *
 * r0 planes, r1 vectors, r2 x, r3 a vector's coordinates, r4-r7 its words, r8-r11 a plane's, r12 the plane, r14 the end of x; s0 the
 * table of coordinates, s1 bytes of a vector. What the caller has in r4-r11 and r14 waits in s2-s10. */
    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_gather_planes_vartime, "ax", %progbits
    .global mb_m4_gather_planes_vartime
    .type   mb_m4_gather_planes_vartime, %function

.macro ADD_IF_BIT k, at
    tst     r3, #1 << \k
    add     r12, r0, #32 * \k + \at
    beq     1f
    ldm     r12, {r8-r11}
    eor     r8, r8, r4
    eor     r9, r9, r5
    eor     r10, r10, r6
    eor     r11, r11, r7
    str     r8, [r12]
    str     r9, [r12, #4]
    str     r10, [r12, #8]
    str     r11, [r12, #12]
1:
.endm

.macro ADD_QUARTER at
    ldm     r1!, {r4-r7}
    ADD_IF_BIT 0, \at
    ADD_IF_BIT 1, \at
    ADD_IF_BIT 2, \at
    ADD_IF_BIT 3, \at
.endm

    .balign 4
mb_m4_gather_planes_vartime:
    vmov    s2, s3, r4, r5
    vmov    s4, s5, r6, r7
    vmov    s6, s7, r8, r9
    vmov    s8, s9, r10, r11
    vmov    s10, r14
    ldrd    r4, r5, [sp]
    lsls    r2, r2, #4
    vmov    s0, r3
    vmov    s1, r2
    mov     r2, r4
    add     r14, r4, r5
.Lvector:
    cmp     r2, r14
    beq     .Lreturn
    ldrb    r3, [r2], #1
    vmov    r12, s0
    ldrb    r3, [r12, r3]
    cmp     r3, #0
    beq     .Lnone
    ADD_QUARTER 0
    vmov    r12, s1
    cmp     r12, #16
    beq     .Lvector
    ADD_QUARTER 16
    b       .Lvector
.Lnone:
    vmov    r12, s1
    add     r1, r1, r12
    b       .Lvector
.Lreturn:
    vmov    r14, s10
    vmov    r4, r5, s2, s3
    vmov    r6, r7, s4, s5
    vmov    r8, r9, s6, s7
    vmov    r10, r11, s8, s9
    bx      r14
    .size   mb_m4_gather_planes_vartime, . - mb_m4_gather_planes_vartime
