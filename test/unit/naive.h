/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For tests: the fields of [RB3 §2] from their defining polynomials, one product at a time, and packed vectors by element.
 * Shares no arithmetic with src/field; test_field.c shows that the two agree. */
#ifndef TEST_NAIVE_H
#define TEST_NAIVE_H

#include "field/field.h"

/* GF(2^bits) as a tower: each storey adjoins t with t² = t + c to the one below: c = 1 for x, x for y,
 * xy for X. An element is low + high·t. */
static inline unsigned naive_tower(unsigned a, unsigned b, unsigned bits)
{
    static const unsigned constant[5] = {0, 1, 2, 0, 8};
    if (bits == 1) {
        return a & b;
    }
    const unsigned half = bits / 2, mask = (1u << half) - 1;
    const unsigned low = naive_tower(a & mask, b & mask, half);
    const unsigned high = naive_tower(a >> half, b >> half, half);
    const unsigned crossed = naive_tower(a & mask, b >> half, half) ^ naive_tower(a >> half, b & mask, half);
    return (low ^ naive_tower(high, constant[half], half)) | ((crossed ^ high) << half);
}

/* School multiplication, then division with remainder by x^bits + modulus. */
static inline unsigned naive_polynomial(unsigned a, unsigned b, unsigned bits, unsigned modulus)
{
    unsigned product = 0;
    for (unsigned k = 0; k < bits; k++) {
        product ^= (b >> k & 1) != 0 ? a << k : 0;
    }
    for (unsigned degree = 2 * bits - 2; degree >= bits; degree--) {
        if ((product >> degree & 1) != 0) {
            product ^= ((1u << bits) | modulus) << (degree - bits);
        }
    }
    return product;
}

/* A field with its table of products. */
typedef struct naive_field {
    const char *name;
    mb_field field;
    unsigned size;
    uint8_t product[256][256];
} naive_field;

/* The four in use, and two whose moduli no code is specialised for: x⁴ + x³ + 1 and 0x11D. */
enum { NAIVE_FIELDS_LEN = 6, NAIVE_FIELDS_USED_LEN = 4 };
static naive_field naive_fields[NAIVE_FIELDS_LEN] = {
    {"gf16_tower", {4, MB_BASIS_TOWER, 0}, 16, {{0}}},
    {"gf256_tower", {8, MB_BASIS_TOWER, 0}, 256, {{0}}},
    {"gf16_polynomial", {4, MB_BASIS_POLYNOMIAL, 0x3}, 16, {{0}}},
    {"gf256_aes", {8, MB_BASIS_POLYNOMIAL, 0x1b}, 256, {{0}}},
    {"gf16_unusual", {4, MB_BASIS_POLYNOMIAL, 0x9}, 16, {{0}}},
    {"gf256_unusual", {8, MB_BASIS_POLYNOMIAL, 0x1d}, 256, {{0}}},
};

/* Fills the tables; call it first. */
static inline void naive_start(void)
{
    for (naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (unsigned a = 0; a < f->size; a++) {
            for (unsigned b = 0; b < f->size; b++) {
                f->product[a][b] = (uint8_t)(f->field.basis == MB_BASIS_TOWER
                                                 ? naive_tower(a, b, f->field.bits)
                                                 : naive_polynomial(a, b, f->field.bits, f->field.modulus));
            }
        }
    }
}

/* The least even count not below for 4-bit elements: counts that fill whole bytes. */
static inline size_t naive_whole(const naive_field *f, size_t count)
{
    return f->field.bits == 4 ? (count + 1) / 2 * 2 : count;
}

/* Element i of a packed vector. */
static inline uint8_t naive_get(const naive_field *f, const uint8_t *packed, size_t i)
{
    const unsigned byte = packed[f->field.bits == 8 ? i : i / 2];
    return (uint8_t)(f->field.bits == 8 ? byte : byte >> (4 * (i % 2)) & 15u);
}

/* Adds to element i of a packed vector. */
static inline void naive_add(const naive_field *f, uint8_t *packed, size_t i, uint8_t element)
{
    if (f->field.bits == 8) {
        packed[i] ^= element;
    } else {
        packed[i / 2] = (uint8_t)(packed[i / 2] ^ (element << (4 * (i % 2))));
    }
}

/* out ^= scalar · (the `bytes` packed bytes of the vector). */
static inline void naive_add_scaled(const naive_field *f, uint8_t *out, const uint8_t *vector, size_t bytes,
                                    uint8_t scalar)
{
    const uint8_t *row = f->product[scalar];
    for (size_t i = 0; i < bytes; i++) {
        const unsigned both = row[vector[i] & 15] | (unsigned)row[vector[i] >> 4] << 4;
        out[i] = (uint8_t)(out[i] ^ (f->field.bits == 8 ? row[vector[i]] : both));
    }
}

#endif
