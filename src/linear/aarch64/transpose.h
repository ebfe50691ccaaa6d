/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Bytes of sixteen registers, transposed. Part of kernels.h. */
#ifndef MB_LINEAR_AARCH64_TRANSPOSE_H
#define MB_LINEAR_AARCH64_TRANSPOSE_H

/* Transposes 16 × 16 bytes: bytes 2^k apart change places with registers 2^k apart, for k = 0 … 3. */
static MB_ALWAYS_INLINE void transpose_sixteen(vec m[16])
{
    /* Pair u of each step is of registers i and i + 2^k, where i is u with a zero put in at bit k. */
    MB_UNROLL
    for (unsigned u = 0; u < 8; u++) {
        const unsigned i = 2 * u;
        const vec a = m[i], b = m[i + 1];
        m[i] = vtrn1q_u8(a, b);
        m[i + 1] = vtrn2q_u8(a, b);
    }
    MB_UNROLL
    for (unsigned u = 0; u < 8; u++) {
        const unsigned i = u + (u & 6);
        const uint16x8_t a = vreinterpretq_u16_u8(m[i]), b = vreinterpretq_u16_u8(m[i + 2]);
        m[i] = vreinterpretq_u8_u16(vtrn1q_u16(a, b));
        m[i + 2] = vreinterpretq_u8_u16(vtrn2q_u16(a, b));
    }
    MB_UNROLL
    for (unsigned u = 0; u < 8; u++) {
        const unsigned i = u + (u & 4);
        const uint32x4_t a = vreinterpretq_u32_u8(m[i]), b = vreinterpretq_u32_u8(m[i + 4]);
        m[i] = vreinterpretq_u8_u32(vtrn1q_u32(a, b));
        m[i + 4] = vreinterpretq_u8_u32(vtrn2q_u32(a, b));
    }
    MB_UNROLL
    for (unsigned i = 0; i < 8; i++) {
        const uint64x2_t a = vreinterpretq_u64_u8(m[i]), b = vreinterpretq_u64_u8(m[i + 8]);
        m[i] = vreinterpretq_u8_u64(vtrn1q_u64(a, b));
        m[i + 8] = vreinterpretq_u8_u64(vtrn2q_u64(a, b));
    }
}

#endif
