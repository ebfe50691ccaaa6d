/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SubBytes without its final xor with 0x63 on 32 bytes in bit planes, constant time; not for C.
 *
 *   r4-r11   plane 0 ... plane 7, in and out
 *   r0-r3, r12, lr   changed
 *   [sp], MB_M4_AES_ASIDE bytes (planes.inc): lent by the caller, not cleared
 *
 * The circuit of 115 gates is that of aes_bitsliced.c, under its names; the order of the gates and what is put aside were
 * chosen by search, for the fewest loads and stores. */
#include "symmetric/cortex_m4/planes.inc"

    .syntax unified
    .cpu    cortex-m4
    .thumb
    .section .text.mb_m4_aes_substitute, "ax", %progbits
    .global mb_m4_aes_substitute
    .type   mb_m4_aes_substitute, %function
    .balign 4
mb_m4_aes_substitute:
    str.w   lr, [sp, #MB_M4_AES_ASIDE - 4]
    eor.w   r0, r11, r8                 @ y9
    eor.w   r9, r10, r9                 @ t0
    eor.w   r1, r11, r5                 @ y13
    eor.w   r2, r9, r4                  @ y1
    eor.w   r3, r2, r8                  @ y4
    and.w   r12, r3, r4
    eor.w   r8, r8, r6                  @ y14
    eor.w   lr, r1, r8                  @ y12
    eor.w   r7, r7, lr                  @ t1
    eor.w   r5, r2, r5                  @ y5
    eor.w   r10, r7, r10                @ y20
    eor.w   r7, r7, r6                  @ y15
    str.w   r3, [sp, #0]                @ y4 aside
    and.w   r3, lr, r7                  @ t2
    str.w   lr, [sp, #4]                @ y12 aside
    eor.w   lr, r7, r4                  @ y6
    str.w   r4, [sp, #8]                @ q0 aside
    and.w   r4, r5, r2
    str.w   r2, [sp, #12]               @ y1 aside
    eor.w   r2, r7, r9                  @ y10
    eor.w   r6, r11, r6                 @ y8
    str.w   r7, [sp, #16]               @ y15 aside
    eor.w   r7, r5, r6                  @ y3
    str.w   r5, [sp, #20]               @ y5 aside
    and.w   r5, r7, lr
    str.w   lr, [sp, #24]               @ y6 aside
    eor.w   lr, r10, r0                 @ y11
    str.w   r7, [sp, #28]               @ y3 aside
    and.w   r7, r0, lr                  @ t12
    eor.w   r9, r9, lr                  @ y16
    eor.w   r5, r5, r3                  @ t4
    eor.w   r12, r12, r3                @ t6
    eor.w   r3, r2, lr                  @ y17
    str.w   r0, [sp, #32]               @ y9 aside
    and.w   r0, r8, r3
    eor.w   r0, r0, r7                  @ t14
    str.w   r8, [sp, #36]               @ y14 aside
    eor.w   r8, r1, r9                  @ y21
    str.w   r3, [sp, #40]               @ y17 aside
    and.w   r3, r6, r2
    eor.w   r3, r3, r7                  @ t16
    eor.w   r12, r12, r3
    and.w   r7, r1, r9                  @ t7
    eor.w   r4, r4, r7                  @ t9
    eor.w   r5, r5, r0
    eor.w   r5, r5, r10                 @ t21
    eor.w   r4, r4, r0
    eor.w   r0, r2, r6                  @ y19
    eor.w   r12, r12, r0                @ t22
    eor.w   r4, r4, r8                  @ t23
    ldr.w   r0, [sp, #8]                @ q0 back
    ldr.w   r10, [sp, #12]              @ y1 back
    eor.w   r8, r0, lr                  @ y7
    eor.w   r0, r10, r11                @ y2
    and.w   r10, r0, r8
    eor.w   r11, r11, r9                @ y18
    eor.w   r10, r10, r7                @ t11
    and.w   r7, r5, r4                  @ t26
    eor.w   r5, r5, r12                 @ t25
    eor.w   r10, r10, r3
    eor.w   r10, r10, r11               @ t24
    eor.w   r3, r4, r10                 @ t30
    eor.w   r11, r10, r7                @ t27
    eor.w   r7, r12, r7                 @ t31
    and.w   r7, r7, r3
    eor.w   r7, r7, r10                 @ t33
    and.w   r3, r5, r11
    eor.w   r3, r3, r12                 @ t29
    eor.w   r12, r3, r7                 @ t42
    and.w   r8, r3, r8                  @ z5
    str.w   r8, [sp, #44]               @ z5 aside
    eor.w   r8, r11, r7                 @ t35
    and.w   r10, r10, r8                @ t36
    eor.w   r4, r4, r7                  @ t34
    eor.w   r11, r11, r10               @ t38
    eor.w   r10, r10, r4                @ t37
    and.w   r11, r3, r11
    eor.w   r5, r5, r11                 @ t40
    eor.w   r4, r5, r10                 @ t41
    eor.w   r8, r12, r4                 @ t45
    eor.w   r11, r3, r5                 @ t43
    and.w   r1, r11, r1                 @ z12
    and.w   r3, r3, r0                  @ z14
    and.w   r6, r4, r6                  @ z17
    and.w   r11, r11, r9                @ z3
    and.w   r4, r4, r2                  @ z8
    and.w   lr, r12, lr                 @ z6
    ldr.w   r0, [sp, #32]               @ y9 back
    ldr.w   r2, [sp, #40]               @ y17 back
    ldr.w   r9, [sp, #36]               @ y14 back
    and.w   r12, r12, r0                @ z15
    eor.w   r0, r7, r10                 @ t44
    and.w   r2, r8, r2                  @ z7
    and.w   r8, r8, r9                  @ z16
    eor.w   lr, lr, r2                  @ t54
    eor.w   r2, r2, r4                  @ t52
    ldr.w   r4, [sp, #4]                @ y12 back
    ldr.w   r9, [sp, #16]               @ y15 back
    and.w   r4, r0, r4                  @ z9
    eor.w   r12, r12, r8                @ t46
    and.w   r0, r0, r9                  @ z0
    eor.w   r0, r0, r11                 @ t53
    eor.w   r11, r11, lr                @ t59
    eor.w   r8, r8, r6                  @ t55
    ldr.w   lr, [sp, #28]               @ y3 back
    ldr.w   r6, [sp, #0]                @ y4 back
    ldr.w   r9, [sp, #24]               @ y6 back
    and.w   lr, r10, lr                 @ z10
    and.w   r6, r7, r6                  @ z11
    eor.w   r6, lr, r6                  @ t47
    and.w   r10, r10, r9                @ z1
    eor.w   r4, r4, lr                  @ t49
    ldr.w   lr, [sp, #12]               @ y1 back
    ldr.w   r9, [sp, #20]               @ y5 back
    and.w   lr, r5, lr                  @ z4
    and.w   r5, r5, r9                  @ z13
    eor.w   r9, lr, r12                 @ t58
    eor.w   lr, lr, r11                 @ t64
    eor.w   r4, r4, r9                  @ t63
    eor.w   r2, r2, r9                  @ t62
    eor.w   r10, r10, r4                @ t66
    eor.w   r11, r11, r4                @ s7
    ldr.w   r4, [sp, #8]                @ q0 back
    ldr.w   r9, [sp, #44]               @ z5 back
    and.w   r7, r7, r4                  @ z2
    eor.w   r4, r7, r1                  @ t50
    eor.w   r4, r4, r0                  @ t57
    eor.w   r3, r3, r4                  @ t61
    eor.w   r5, r9, r5                  @ t48
    eor.w   r12, r12, r4                @ t60
    eor.w   r7, r7, r9                  @ t51
    eor.w   r3, r3, r2                  @ t65
    eor.w   r6, r6, r3                  @ s2
    eor.w   r3, lr, r3                  @ t67
    eor.w   r4, r5, r12                 @ s0
    eor.w   r1, r1, r5                  @ t56
    eor.w   r5, r1, r2                  @ s1
    eor.w   r7, r7, r10                 @ s3
    eor.w   r9, r8, r3                  @ s5
    eor.w   r8, r0, r10                 @ s4
    eor.w   r10, lr, r8                 @ s6
    ldr.w   pc, [sp, #MB_M4_AES_ASIDE - 4]
    .size   mb_m4_aes_substitute, . - mb_m4_aes_substitute
