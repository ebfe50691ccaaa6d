/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * 64-bit words full of packed elements: multiplication by the basis elements, and their recombination.
 * Linear over GF(2), branch-free; the field is best a compile-time constant at the call (see MB_WORD_DISPATCH). */
#ifndef MB_FIELD_WORD_H
#define MB_FIELD_WORD_H

#include "field/field.h"

/* (a + b·x)·x = b + (a + b)·x in each pair of bits. */
static inline uint64_t mb_word_tower_x(uint64_t w)
{
    const uint64_t a = w & 0x5555555555555555u;
    const uint64_t b = (w >> 1) & 0x5555555555555555u;
    return b | ((a ^ b) << 1);
}

/* (a + b·y)·y = b·x + (a + b)·y in each nibble. */
static inline uint64_t mb_word_tower_y(uint64_t w)
{
    const uint64_t a = w & 0x3333333333333333u;
    const uint64_t b = (w >> 2) & 0x3333333333333333u;
    return mb_word_tower_x(b) | ((a ^ b) << 2);
}

/* (a + b·X)·X = b·xy + (a + b)·X in each byte. */
static inline uint64_t mb_word_tower_z(uint64_t w)
{
    const uint64_t a = w & 0x0f0f0f0f0f0f0f0fu;
    const uint64_t b = (w >> 4) & 0x0f0f0f0f0f0f0f0fu;
    return mb_word_tower_x(mb_word_tower_y(b)) | ((a ^ b) << 4);
}

/* 1 in each element. */
static inline uint64_t mb_word_ones(unsigned bits)
{
    return bits == 4 ? 0x1111111111111111u : 0x0101010101010101u;
}

/* Times x in the polynomial basis. */
static inline uint64_t mb_word_polynomial_x(mb_field field, uint64_t w)
{
    const uint64_t carry = (w >> (field.bits - 1)) & mb_word_ones(field.bits);
    uint64_t product = (w ^ (carry << (field.bits - 1))) << 1;
    for (unsigned k = 0; k < field.bits; k++) {
        product ^= (carry << k) & (0u - (uint64_t)(((unsigned)field.modulus >> k) & 1u));
    }
    return product;
}

/* NOLINTBEGIN(clang-analyzer-core.*): the analyser does not know that bits is 4 or 8, so that some planes look unset. */

/* The sum over k of (basis element k)·plane[k], element by element. */
static inline uint64_t mb_word_recombine(mb_field field, const uint64_t *plane)
{
    if (field.basis == MB_BASIS_POLYNOMIAL) {
        uint64_t sum = plane[field.bits - 1];
        for (unsigned k = field.bits - 1u; k-- > 0;) {
            sum = mb_word_polynomial_x(field, sum) ^ plane[k];
        }
        return sum;
    }
    uint64_t low = plane[0] ^ mb_word_tower_x(plane[1]);
    low ^= mb_word_tower_y(plane[2] ^ mb_word_tower_x(plane[3]));
    if (field.bits == 4) {
        return low;
    }
    uint64_t high = plane[4] ^ mb_word_tower_x(plane[5]);
    high ^= mb_word_tower_y(plane[6] ^ mb_word_tower_x(plane[7]));
    return low ^ mb_word_tower_z(high);
}

/* NOLINTEND(clang-analyzer-core.*) */

/* The products of every element of w with each basis element. */
static inline void mb_word_spread(mb_field field, uint64_t *plane, uint64_t w)
{
    plane[0] = w;
    if (field.basis == MB_BASIS_POLYNOMIAL) {
        for (unsigned k = 1; k < field.bits; k++) {
            plane[k] = mb_word_polynomial_x(field, plane[k - 1]);
        }
        return;
    }
    plane[1] = mb_word_tower_x(plane[0]);
    plane[2] = mb_word_tower_y(plane[0]);
    plane[3] = mb_word_tower_y(plane[1]);
    for (unsigned k = 4; k < field.bits; k++) {
        plane[k] = mb_word_tower_z(plane[k - 4]);
    }
}

/* Calls `function(constant field, ...)` so that the compiler sees the field's numbers; any other field
 * value runs the same code with its numbers as variables. */
#define MB_WORD_DISPATCH(field, function, ...)                                                     \
    do {                                                                                           \
        if ((field)->basis == MB_BASIS_TOWER && (field)->bits == 4) {                              \
            function((mb_field){4, MB_BASIS_TOWER, 0}, __VA_ARGS__);                               \
        } else if ((field)->basis == MB_BASIS_TOWER) {                                             \
            function((mb_field){8, MB_BASIS_TOWER, 0}, __VA_ARGS__);                               \
        } else if ((field)->bits == 4 && (field)->modulus == 0x3) {                                \
            function((mb_field){4, MB_BASIS_POLYNOMIAL, 0x3}, __VA_ARGS__);                        \
        } else if ((field)->bits == 8 && (field)->modulus == 0x1b) {                               \
            function((mb_field){8, MB_BASIS_POLYNOMIAL, 0x1b}, __VA_ARGS__);                       \
        } else {                                                                                   \
            function(*(field), __VA_ARGS__);                                                       \
        }                                                                                          \
    } while (0)

#endif
