/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The NEON intrinsics that src/linear/aarch64 uses, in plain C, so that its kernels run under valgrind on another machine. A look-up takes
 * every entry under a mask: no address depends on an index, as on the processor. */
#ifndef TEST_ARM_NEON_H
#define TEST_ARM_NEON_H

#include <stdint.h>
#include <string.h>

typedef uint8_t uint8x16_t __attribute__((vector_size(16)));
typedef uint16_t uint16x8_t __attribute__((vector_size(16)));
typedef uint32_t uint32x4_t __attribute__((vector_size(16)));
typedef uint64_t uint64x2_t __attribute__((vector_size(16)));
typedef uint8_t uint8x8_t __attribute__((vector_size(8)));
typedef uint8x8_t poly8x8_t;
typedef uint8x16_t poly8x16_t;
typedef uint16x8_t poly16x8_t;
typedef struct {
    uint8x16_t val[2];
} uint8x16x2_t;
typedef struct {
    uint8x16_t val[3];
} uint8x16x3_t;
typedef struct {
    uint8x16_t val[4];
} uint8x16x4_t;

#define EMULATED(type) static inline __attribute__((unused)) type

/* The same bits as another type. */
#define REINTERPRET(name, to, from)                                                                \
    EMULATED(to) name(from v)                                                                      \
    {                                                                                              \
        return (to)v;                                                                              \
    }
REINTERPRET(vreinterpretq_u16_u8, uint16x8_t, uint8x16_t)
REINTERPRET(vreinterpretq_u32_u8, uint32x4_t, uint8x16_t)
REINTERPRET(vreinterpretq_u64_u8, uint64x2_t, uint8x16_t)
REINTERPRET(vreinterpretq_u8_u16, uint8x16_t, uint16x8_t)
REINTERPRET(vreinterpretq_u8_u32, uint8x16_t, uint32x4_t)
REINTERPRET(vreinterpretq_u8_u64, uint8x16_t, uint64x2_t)
REINTERPRET(vreinterpretq_u8_p16, uint8x16_t, poly16x8_t)
REINTERPRET(vreinterpretq_u8_p8, uint8x16_t, poly8x16_t)
REINTERPRET(vreinterpretq_p8_u8, poly8x16_t, uint8x16_t)
REINTERPRET(vreinterpret_p8_u8, poly8x8_t, uint8x8_t)

EMULATED(uint8x16_t) vdupq_n_u8(uint8_t byte)
{
    uint8x16_t v;
    memset(&v, byte, sizeof v);
    return v;
}

EMULATED(uint8x8_t) vdup_n_u8(uint8_t byte)
{
    uint8x8_t v;
    memset(&v, byte, sizeof v);
    return v;
}

EMULATED(uint8x16_t) veorq_u8(uint8x16_t a, uint8x16_t b)
{
    return a ^ b;
}

EMULATED(uint8x16_t) vandq_u8(uint8x16_t a, uint8x16_t b)
{
    return a & b;
}

EMULATED(uint8x16_t) vorrq_u8(uint8x16_t a, uint8x16_t b)
{
    return a | b;
}

EMULATED(uint8x16_t) vbicq_u8(uint8x16_t a, uint8x16_t b)
{
    return a & ~b;
}

EMULATED(uint8x16_t) vaddq_u8(uint8x16_t a, uint8x16_t b)
{
    return a + b;
}

EMULATED(uint8x16_t) vsubq_u8(uint8x16_t a, uint8x16_t b)
{
    return a - b;
}

EMULATED(uint8x16_t) vshrq_n_u8(uint8x16_t v, int n)
{
    return v >> (uint8_t)n;
}

/* Shifts v and keeps the bits of `into` that it does not reach. */
EMULATED(uint8x16_t) vsliq_n_u8(uint8x16_t into, uint8x16_t v, int n)
{
    return v << (uint8_t)n | (into & vdupq_n_u8((uint8_t)((1 << n) - 1)));
}

EMULATED(uint8x16_t) vsriq_n_u8(uint8x16_t into, uint8x16_t v, int n)
{
    return v >> (uint8_t)n | (into & vdupq_n_u8((uint8_t)~(0xff >> n)));
}

/* All ones in a byte of which a bit is set, without a comparison that memcheck would follow less closely. */
EMULATED(uint8_t) all_ones_unless_zero(uint8_t byte)
{
    return (uint8_t)(0u - (((uint32_t)byte | (0u - (uint32_t)byte)) >> 31));
}

EMULATED(uint8x16_t) vtstq_u8(uint8x16_t a, uint8x16_t b)
{
    uint8x16_t v = a & b;
    for (unsigned i = 0; i < 16; i++) {
        v[i] = all_ones_unless_zero(v[i]);
    }
    return v;
}

EMULATED(uint8x16_t) vceqzq_u8(uint8x16_t v)
{
    return ~vtstq_u8(v, v);
}

EMULATED(uint8x16_t) vcgeq_u8(uint8x16_t a, uint8x16_t b)
{
    for (unsigned i = 0; i < 16; i++) {
        a[i] = (uint8_t)~(uint8_t)(0u - (((uint32_t)a[i] - (uint32_t)b[i]) >> 31));
    }
    return a;
}

EMULATED(uint8x16_t) vqaddq_u8(uint8x16_t a, uint8x16_t b)
{
    for (unsigned i = 0; i < 16; i++) {
        const unsigned sum = (unsigned)a[i] + b[i];
        a[i] = (uint8_t)(sum | (0u - (sum >> 8)));
    }
    return a;
}

/* A table of some registers; `outside` where the index is beyond it. */
EMULATED(uint8x16_t) look_up_in(const uint8x16_t *table, unsigned regs, uint8x16_t outside, uint8x16_t index)
{
    for (unsigned i = 0; i < 16; i++) {
        uint8_t found = outside[i];
        for (unsigned entry = 0; entry < 16 * regs; entry++) {
            const uint8_t other = all_ones_unless_zero((uint8_t)(index[i] ^ entry));
            found = (uint8_t)((found & other) | (table[entry / 16][entry % 16] & ~other));
        }
        outside[i] = found;
    }
    return outside;
}

EMULATED(uint8x16_t) vqtbx1q_u8(uint8x16_t outside, uint8x16_t table, uint8x16_t index)
{
    return look_up_in(&table, 1, outside, index);
}

EMULATED(uint8x16_t) vqtbx2q_u8(uint8x16_t outside, uint8x16x2_t table, uint8x16_t index)
{
    return look_up_in(table.val, 2, outside, index);
}

EMULATED(uint8x16_t) vqtbx4q_u8(uint8x16_t outside, uint8x16x4_t table, uint8x16_t index)
{
    return look_up_in(table.val, 4, outside, index);
}

EMULATED(uint8x16_t) vqtbl1q_u8(uint8x16_t table, uint8x16_t index)
{
    return look_up_in(&table, 1, vdupq_n_u8(0), index);
}

EMULATED(uint8x16_t) vqtbl2q_u8(uint8x16x2_t table, uint8x16_t index)
{
    return look_up_in(table.val, 2, vdupq_n_u8(0), index);
}

EMULATED(uint8x16_t) vqtbl3q_u8(uint8x16x3_t table, uint8x16_t index)
{
    return look_up_in(table.val, 3, vdupq_n_u8(0), index);
}

EMULATED(uint8x16_t) vqtbl4q_u8(uint8x16x4_t table, uint8x16_t index)
{
    return look_up_in(table.val, 4, vdupq_n_u8(0), index);
}

/* Lanes of two registers in a new order: half of ZIP, UZP and TRN each. */
#define PERMUTE(name, type, lanes, first, second)                                                  \
    EMULATED(type) name(type a, type b)                                                            \
    {                                                                                              \
        type v = a;                                                                                \
        for (unsigned i = 0; i < (lanes) / 2; i++) {                                               \
            first;                                                                                 \
            second;                                                                                \
        }                                                                                          \
        return v;                                                                                  \
    }
#define ZIP(suffix, type, lanes)                                                                                      \
    PERMUTE(vzip1q_##suffix, type, lanes, v[2 * i] = a[i], v[2 * i + 1] = b[i])                                       \
    PERMUTE(vzip2q_##suffix, type, lanes, v[2 * i] = a[(lanes) / 2 + i], v[2 * i + 1] = b[(lanes) / 2 + i])
#define TRN(suffix, type, lanes)                                                                                      \
    PERMUTE(vtrn1q_##suffix, type, lanes, v[2 * i] = a[2 * i], v[2 * i + 1] = b[2 * i])                               \
    PERMUTE(vtrn2q_##suffix, type, lanes, v[2 * i] = a[2 * i + 1], v[2 * i + 1] = b[2 * i + 1])
ZIP(u8, uint8x16_t, 16)
ZIP(u16, uint16x8_t, 8)
ZIP(u32, uint32x4_t, 4)
TRN(u8, uint8x16_t, 16)
TRN(u16, uint16x8_t, 8)
TRN(u32, uint32x4_t, 4)
TRN(u64, uint64x2_t, 2)
PERMUTE(vuzp1q_u8, uint8x16_t, 16, v[i] = a[2 * i], v[8 + i] = b[2 * i])
PERMUTE(vuzp2q_u8, uint8x16_t, 16, v[i] = a[2 * i + 1], v[8 + i] = b[2 * i + 1])
PERMUTE(vpaddq_u8, uint8x16_t, 16, v[i] = (uint8_t)(a[2 * i] + a[2 * i + 1]), v[8 + i] = (uint8_t)(b[2 * i] + b[2 * i + 1]))

EMULATED(uint8x8_t) vget_low_u8(uint8x16_t v)
{
    uint8x8_t half;
    memcpy(&half, &v, sizeof half);
    return half;
}

EMULATED(uint8x16_t) vcombine_u8(uint8x8_t low, uint8x8_t high)
{
    uint8x16_t v;
    memcpy(&v, &low, sizeof low);
    memcpy((uint8_t *)&v + sizeof low, &high, sizeof high);
    return v;
}

EMULATED(uint8x8_t) vld1_u8(const uint8_t *p)
{
    uint8x8_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

EMULATED(uint8_t) vgetq_lane_u8(uint8x16_t v, int lane)
{
    return v[lane];
}

EMULATED(uint32_t) vgetq_lane_u32(uint32x4_t v, int lane)
{
    return v[lane];
}

EMULATED(uint32x4_t) vdupq_n_u32(uint32_t word)
{
    return (uint32x4_t){word, word, word, word};
}

EMULATED(uint8x16x4_t) vld4q_dup_u8(const uint8_t *p)
{
    return (uint8x16x4_t){{vdupq_n_u8(p[0]), vdupq_n_u8(p[1]), vdupq_n_u8(p[2]), vdupq_n_u8(p[3])}};
}

/* 0xff where a < b, else 0. */
EMULATED(uint8_t) less(uint8_t a, uint8_t b)
{
    return (uint8_t)(0u - (((uint32_t)a - (uint32_t)b) >> 31));
}

EMULATED(uint8x16_t) vminq_u8(uint8x16_t a, uint8x16_t b)
{
    for (unsigned i = 0; i < 16; i++) {
        a[i] = (uint8_t)((a[i] & less(a[i], b[i])) | (b[i] & ~less(a[i], b[i])));
    }
    return a;
}

EMULATED(uint8x16_t) vmaxq_u8(uint8x16_t a, uint8x16_t b)
{
    return a ^ b ^ vminq_u8(a, b);
}

EMULATED(uint8_t) vminvq_u8(uint8x16_t v)
{
    uint8x16_t least = v;
    for (unsigned i = 1; i < 16; i++) {
        least = vminq_u8(least, vdupq_n_u8(v[i]));
    }
    return least[0];
}

EMULATED(uint8x16_t) vceqq_u8(uint8x16_t a, uint8x16_t b)
{
    return vceqzq_u8(a ^ b);
}

EMULATED(uint8x16_t) vbslq_u8(uint8x16_t mask, uint8x16_t a, uint8x16_t b)
{
    return (a & mask) | (b & ~mask);
}

EMULATED(poly16x8_t) vmull_p8(poly8x8_t a, poly8x8_t b)
{
    poly16x8_t product = {0};
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned k = 0; k < 8; k++) {
            product[i] = (uint16_t)(product[i] ^ ((unsigned)a[i] << k & (0u - (b[i] >> k & 1u))));
        }
    }
    return product;
}

EMULATED(poly8x16_t) vmulq_p8(poly8x16_t a, poly8x16_t b)
{
    poly8x16_t product = {0};
    for (unsigned i = 0; i < 16; i++) {
        for (unsigned k = 0; k < 8; k++) {
            product[i] = (uint8_t)(product[i] ^ ((unsigned)a[i] << k & (0u - (b[i] >> k & 1u))));
        }
    }
    return product;
}

EMULATED(poly16x8_t) vmull_high_p8(poly8x16_t a, poly8x16_t b)
{
    poly8x8_t high_a, high_b;
    memcpy(&high_a, (const uint8_t *)&a + 8, 8);
    memcpy(&high_b, (const uint8_t *)&b + 8, 8);
    return vmull_p8(high_a, high_b);
}

#endif
