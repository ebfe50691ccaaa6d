/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES by table on blocks whose counters differ in their last byte alone, PUBLIC data, variable time.
 *
 *   void mb_m4_aes_blocks_vartime(uint8_t *out, const mb_m4_aes_run *run, const uint32_t *table, size_t blocks);
 *
 * Writes 16·blocks > 0 bytes to `out`, at any address. `table` is mb_aes_table or a copy of it. Rounds 1 and 2 are in *run (aes.h):
 * all that the last byte of the counter reaches in them is one column, then one byte of each column.
 *
 * A round takes 54 cycles: 16 bytes are cut out, looked up in two bursts of 8 loads, and added turned (a column's first byte
 * is its lowest), and the round key comes from registers of the floating point unit: all of AES-128's, the last eight of AES-256's.
 *
 *   r0-r3, r4-r7   columns of the state, and of the next one: they change places with each round
 *   r8-r11         bytes on their way
 *   r12            table
 *   lr             where the next block goes
 *   s0-s31         the last eight round keys
 *   [sp]           the run, the end of the blocks, and of AES-256 the four round keys before those, then the registers saved */
    .equ    LAST_BYTE, 0                @ in the run
    .equ    RUN_ROUNDS, 28
    .equ    RUN_KEYS, 32
    .equ    OUT_END, RUN_KEYS           @ in its place
    .equ    KEYS, RUN_KEYS + 4
    .equ    FRAME, KEYS + 64

/* \n = ShiftRows, SubBytes and MixColumns of \s. \s is lost. */
.macro MIX s0, s1, s2, s3, n0, n1, n2, n3
    uxtb.w  \n0, \s0
    uxtb.w  \n1, \s1
    uxtb.w  \n2, \s2
    uxtb.w  \n3, \s3
    ubfx    r8, \s1, #8, #8
    ubfx    r9, \s2, #8, #8
    ubfx    r10, \s3, #8, #8
    ubfx    r11, \s0, #8, #8
    ldr.w   \n0, [r12, \n0, lsl #2]
    ldr.w   \n1, [r12, \n1, lsl #2]
    ldr.w   \n2, [r12, \n2, lsl #2]
    ldr.w   \n3, [r12, \n3, lsl #2]
    ldr.w   r8, [r12, r8, lsl #2]
    ldr.w   r9, [r12, r9, lsl #2]
    ldr.w   r10, [r12, r10, lsl #2]
    ldr.w   r11, [r12, r11, lsl #2]
    eor.w   \n0, \n0, r8, ror #24
    eor.w   \n1, \n1, r9, ror #24
    eor.w   \n2, \n2, r10, ror #24
    eor.w   \n3, \n3, r11, ror #24
    ubfx    r8, \s2, #16, #8
    ubfx    r9, \s3, #16, #8
    ubfx    r10, \s0, #16, #8
    ubfx    r11, \s1, #16, #8
    lsr.w   \s0, \s0, #24
    lsr.w   \s1, \s1, #24
    lsr.w   \s2, \s2, #24
    lsr.w   \s3, \s3, #24
    ldr.w   r8, [r12, r8, lsl #2]
    ldr.w   r9, [r12, r9, lsl #2]
    ldr.w   r10, [r12, r10, lsl #2]
    ldr.w   r11, [r12, r11, lsl #2]
    ldr.w   \s0, [r12, \s0, lsl #2]
    ldr.w   \s1, [r12, \s1, lsl #2]
    ldr.w   \s2, [r12, \s2, lsl #2]
    ldr.w   \s3, [r12, \s3, lsl #2]
    eor.w   \n0, \n0, r8, ror #16
    eor.w   \n1, \n1, r9, ror #16
    eor.w   \n2, \n2, r10, ror #16
    eor.w   \n3, \n3, r11, ror #16
    eor.w   \n0, \n0, \s3, ror #8
    eor.w   \n1, \n1, \s0, ror #8
    eor.w   \n2, \n2, \s1, ror #8
    eor.w   \n3, \n3, \s2, ror #8
.endm

/* \n += \s, the round key. */
.macro ADD s0, s1, s2, s3, n0, n1, n2, n3
    eor.w   \n0, \n0, \s0
    eor.w   \n1, \n1, \s1
    eor.w   \n2, \n2, \s2
    eor.w   \n3, \n3, \s3
.endm

/* Rounds whose keys lie in registers, and on the stack. */
.macro ROUND k0, k1, k2, k3, s0, s1, s2, s3, n0, n1, n2, n3
    MIX     \s0, \s1, \s2, \s3, \n0, \n1, \n2, \n3
    vmov    \s0, \k0
    vmov    \s1, \k1
    vmov    \s2, \k2
    vmov    \s3, \k3
    ADD     \s0, \s1, \s2, \s3, \n0, \n1, \n2, \n3
.endm

.macro EARLY_ROUND at, s0, s1, s2, s3, n0, n1, n2, n3
    MIX     \s0, \s1, \s2, \s3, \n0, \n1, \n2, \n3
    ldr.w   \s0, [sp, #KEYS + \at]
    ldr.w   \s1, [sp, #KEYS + \at + 4]
    ldr.w   \s2, [sp, #KEYS + \at + 8]
    ldr.w   \s3, [sp, #KEYS + \at + 12]
    ADD     \s0, \s1, \s2, \s3, \n0, \n1, \n2, \n3
.endm

    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_aes_blocks_vartime, "ax", %progbits
    .global mb_m4_aes_blocks_vartime
    .type   mb_m4_aes_blocks_vartime, %function
    .balign 4
mb_m4_aes_blocks_vartime:
    push.w  {r4-r11, lr}
    vpush   {s16-s31}
    sub.w   sp, sp, #FRAME
    mov.w   r12, r2
    mov.w   lr, r0
    add.w   r0, r0, r3, lsl #4
    ldm     r1, {r2-r10}
    stm.w   sp, {r2-r9}
    str.w   r0, [sp, #OUT_END]
    cmp     r9, #10
    beq     1f
    add.w   r0, sp, #KEYS
    .rept   4
    ldm     r10!, {r4-r7}
    stm     r0!, {r4-r7}
    .endr
1:  vldm    r10, {s0-s31}
.Lblock:
    @ Rounds 1 and 2: column 0 = r8 ^ table[last counter byte ^ key], the others are at rest.
    ldm.w   sp, {r2-r9}
    eor.w   r3, r3, r2
    add.w   r2, r2, #1
    ldr.w   r3, [r12, r3, lsl #2]
    str.w   r2, [sp]
    eor.w   r8, r8, r3, ror #8
    uxtb.w  r0, r8
    ubfx    r1, r8, #8, #8
    ubfx    r2, r8, #16, #8
    lsr.w   r3, r8, #24
    ldr.w   r0, [r12, r0, lsl #2]
    ldr.w   r1, [r12, r1, lsl #2]
    ldr.w   r2, [r12, r2, lsl #2]
    ldr.w   r3, [r12, r3, lsl #2]
    eor.w   r4, r4, r0
    eor.w   r7, r7, r1, ror #24
    eor.w   r6, r6, r2, ror #16
    eor.w   r5, r5, r3, ror #8
    cmp     r9, #10
    beq.w   .Lrounds_10
    EARLY_ROUND 0, r4, r5, r6, r7, r0, r1, r2, r3
    EARLY_ROUND 16, r0, r1, r2, r3, r4, r5, r6, r7
    EARLY_ROUND 32, r4, r5, r6, r7, r0, r1, r2, r3
    EARLY_ROUND 48, r0, r1, r2, r3, r4, r5, r6, r7
    .balign 4
.Lrounds_10:
    ROUND   s0, s1, s2, s3, r4, r5, r6, r7, r0, r1, r2, r3
    ROUND   s4, s5, s6, s7, r0, r1, r2, r3, r4, r5, r6, r7
    ROUND   s8, s9, s10, s11, r4, r5, r6, r7, r0, r1, r2, r3
    ROUND   s12, s13, s14, s15, r0, r1, r2, r3, r4, r5, r6, r7
    ROUND   s16, s17, s18, s19, r4, r5, r6, r7, r0, r1, r2, r3
    ROUND   s20, s21, s22, s23, r0, r1, r2, r3, r4, r5, r6, r7
    ROUND   s24, s25, s26, s27, r4, r5, r6, r7, r0, r1, r2, r3

    @ The last round has no MixColumns: the substituted byte alone is the table's second one.
    add.w   r12, r12, #1
    uxtb.w  r4, r0
    uxtb.w  r5, r1
    uxtb.w  r6, r2
    uxtb.w  r7, r3
    ubfx    r8, r1, #8, #8
    ubfx    r9, r2, #8, #8
    ubfx    r10, r3, #8, #8
    ubfx    r11, r0, #8, #8
    ldrb.w  r4, [r12, r4, lsl #2]
    ldrb.w  r5, [r12, r5, lsl #2]
    ldrb.w  r6, [r12, r6, lsl #2]
    ldrb.w  r7, [r12, r7, lsl #2]
    ldrb.w  r8, [r12, r8, lsl #2]
    ldrb.w  r9, [r12, r9, lsl #2]
    ldrb.w  r10, [r12, r10, lsl #2]
    ldrb.w  r11, [r12, r11, lsl #2]
    eor.w   r4, r4, r8, lsl #8
    eor.w   r5, r5, r9, lsl #8
    eor.w   r6, r6, r10, lsl #8
    eor.w   r7, r7, r11, lsl #8
    ubfx    r8, r2, #16, #8
    ubfx    r9, r3, #16, #8
    ubfx    r10, r0, #16, #8
    ubfx    r11, r1, #16, #8
    lsr.w   r0, r0, #24
    lsr.w   r1, r1, #24
    lsr.w   r2, r2, #24
    lsr.w   r3, r3, #24
    ldrb.w  r8, [r12, r8, lsl #2]
    ldrb.w  r9, [r12, r9, lsl #2]
    ldrb.w  r10, [r12, r10, lsl #2]
    ldrb.w  r11, [r12, r11, lsl #2]
    ldrb.w  r0, [r12, r0, lsl #2]
    ldrb.w  r1, [r12, r1, lsl #2]
    ldrb.w  r2, [r12, r2, lsl #2]
    ldrb.w  r3, [r12, r3, lsl #2]
    eor.w   r4, r4, r8, lsl #16
    eor.w   r5, r5, r9, lsl #16
    eor.w   r6, r6, r10, lsl #16
    eor.w   r7, r7, r11, lsl #16
    eor.w   r4, r4, r3, lsl #24
    eor.w   r5, r5, r0, lsl #24
    eor.w   r6, r6, r1, lsl #24
    eor.w   r7, r7, r2, lsl #24
    vmov    r0, s28
    vmov    r1, s29
    vmov    r2, s30
    vmov    r3, s31
    sub.w   r12, r12, #1
    ADD     r0, r1, r2, r3, r4, r5, r6, r7
    ldr.w   r0, [sp, #OUT_END]
    str.w   r4, [lr]
    str.w   r5, [lr, #4]
    str.w   r6, [lr, #8]
    str.w   r7, [lr, #12]
    add.w   lr, lr, #16
    cmp     lr, r0
    bne.w   .Lblock
    add.w   sp, sp, #FRAME
    vpop    {s16-s31}
    pop.w   {r4-r11, pc}
    .size   mb_m4_aes_blocks_vartime, . - mb_m4_aes_blocks_vartime
