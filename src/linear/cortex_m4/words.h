/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * As field/word.h for the words of this processor, 32 bits: multiplication by the basis elements and by a SECRET scalar. Constant
 * time. Inlined with a field that is a constant, each is a few dozen instructions. */
#ifndef MB_LINEAR_CORTEX_M4_WORDS_H
#define MB_LINEAR_CORTEX_M4_WORDS_H

#include "field/word.h"
#include "platform/barrier.h"
#include "platform/compiler.h"

#include <string.h>

/* Before a loop over the bits of an element: unrolled, so that what it indexes lies in registers. */
#define MB_M4_UNROLL _Pragma("GCC unroll 8")
/* Likewise before a loop over words whose number may be a constant, 4. */
#define MB_M4_UNROLL_PART _Pragma("GCC unroll 4")

/* A word at any address. */
static inline uint32_t mb_m4_load(const uint8_t *in)
{
    uint32_t word;
    memcpy(&word, in, sizeof word);
    return word;
}

static inline void mb_m4_store(uint8_t *out, uint32_t word)
{
    memcpy(out, &word, sizeof word);
}

/* (a + b·x)·x = b + (a + b)·x in each pair of bits. */
static inline uint32_t mb_m4_tower_x(uint32_t w)
{
    const uint32_t b = w & 0xaaaaaaaau;
    return (b >> 1) ^ b ^ ((w ^ b) << 1);
}

/* (a + b·y)·y = b·x + (a + b)·y in each nibble. */
static inline uint32_t mb_m4_tower_y(uint32_t w)
{
    const uint32_t a = w & 0x33333333u, b = w ^ a;
    return b ^ (a << 2) ^ mb_m4_tower_x(b >> 2);
}

/* (a + b·X)·X = b·xy + (a + b)·X in each byte. */
static inline uint32_t mb_m4_tower_z(uint32_t w)
{
    const uint32_t a = w & 0x0f0f0f0fu, b = w ^ a;
    return b ^ (a << 4) ^ mb_m4_tower_y(mb_m4_tower_x(b >> 4));
}

/* Times x where x⁴ = x + 1, or x⁸ = x⁴ + x³ + x + 1. */
static inline uint32_t mb_m4_polynomial_x(unsigned bits, uint32_t w)
{
    const uint32_t top = bits == 4 ? 0x88888888u : 0x80808080u;
    const uint32_t carry = w & top, both = carry ^ (carry >> 1);
    return ((w ^ carry) << 1) ^ (bits == 4 ? both >> 2 : (both >> 3) ^ (both >> 6));
}

/* The sum over k of (basis element k)·plane[k], element by element. */
static MB_ALWAYS_INLINE uint32_t mb_m4_join(mb_field field, const uint32_t *plane)
{
    if (field.basis == MB_BASIS_POLYNOMIAL) {
        uint32_t sum = plane[field.bits - 1];
        MB_M4_UNROLL
        for (unsigned k = field.bits - 1u; k-- > 0;) {
            sum = mb_m4_polynomial_x(field.bits, sum) ^ plane[k];
        }
        return sum;
    }
    const uint32_t low = plane[0] ^ mb_m4_tower_x(plane[1]) ^ mb_m4_tower_y(plane[2] ^ mb_m4_tower_x(plane[3]));
    if (field.bits == 4) {
        return low;
    }
    return low ^ mb_m4_tower_z(plane[4] ^ mb_m4_tower_x(plane[5]) ^ mb_m4_tower_y(plane[6] ^ mb_m4_tower_x(plane[7])));
}

/* The products of w with the basis elements. */
static MB_ALWAYS_INLINE void mb_m4_spread(mb_field field, uint32_t *plane, uint32_t w)
{
    plane[0] = w;
    MB_M4_UNROLL
    for (unsigned k = 1; k < field.bits; k++) {
        plane[k] = field.basis == MB_BASIS_POLYNOMIAL ? mb_m4_polynomial_x(field.bits, plane[k - 1])
                   : k == 1                           ? mb_m4_tower_x(plane[0])
                   : k < 4                            ? mb_m4_tower_y(plane[k - 2])
                                                      : mb_m4_tower_z(plane[k - 4]);
    }
}

/* A SECRET scalar as a mask for each of its bits. */
typedef struct mb_m4_scalar {
    uint32_t mask[8];
} mb_m4_scalar;

static MB_ALWAYS_INLINE mb_m4_scalar mb_m4_masks(mb_field field, uint32_t scalar)
{
    mb_m4_scalar s;
    MB_M4_UNROLL
    for (unsigned k = 0; k < field.bits; k++) {
        s.mask[k] = mb_mask_u32(scalar >> k & 1u);
    }
    return s;
}

/* The scalar times each element of w. */
static MB_ALWAYS_INLINE uint32_t mb_m4_times(mb_field field, const mb_m4_scalar *scalar, uint32_t w)
{
    uint32_t plane[8];
    MB_M4_UNROLL
    for (unsigned k = 0; k < field.bits; k++) {
        plane[k] = w & scalar->mask[k];
    }
    return mb_m4_join(field, plane);
}

/* Calls function(constant field, …) for a field of 4 bits that has kernels: see mb_m4_has_kernels. */
#define MB_M4_DISPATCH_16(field, function, ...)                             \
    do {                                                                    \
        if ((field)->basis == MB_BASIS_TOWER) {                             \
            function((mb_field){4, MB_BASIS_TOWER, 0}, __VA_ARGS__);        \
        } else {                                                            \
            function((mb_field){4, MB_BASIS_POLYNOMIAL, 0x3}, __VA_ARGS__); \
        }                                                                   \
    } while (0)

/* The same for 8 bits. */
#define MB_M4_DISPATCH_256(field, function, ...)                             \
    do {                                                                     \
        if ((field)->basis == MB_BASIS_TOWER) {                              \
            function((mb_field){8, MB_BASIS_TOWER, 0}, __VA_ARGS__);         \
        } else {                                                             \
            function((mb_field){8, MB_BASIS_POLYNOMIAL, 0x1b}, __VA_ARGS__); \
        }                                                                    \
    } while (0)

/* The same for either. */
#define MB_M4_DISPATCH(field, function, ...)                    \
    do {                                                        \
        if ((field)->bits == 4) {                               \
            MB_M4_DISPATCH_16(field, function, __VA_ARGS__);    \
        } else {                                                \
            MB_M4_DISPATCH_256(field, function, __VA_ARGS__);   \
        }                                                       \
    } while (0)

#endif
