/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Binary fields as values: which GF(16) or GF(256), in which basis. Scalars, packing, and the tables kernels ask for.
 * Everything here runs in constant time. Words full of elements: word.h. */
#ifndef MB_FIELD_FIELD_H
#define MB_FIELD_FIELD_H

#include <stddef.h>
#include <stdint.h>

typedef enum mb_basis {
    /* [RB3 §2]: GF(4) by x² = x + 1, GF(16) by y² = y + x, GF(256) by X² = X + xy; bits are the
     * coefficients of 1, x, y, xy and then the same times X. */
    MB_BASIS_TOWER,
    /* [UOV3 §2]: bit k is the coefficient of x^k. */
    MB_BASIS_POLYNOMIAL
} mb_basis;

typedef struct mb_field {
    uint8_t bits;    /* of an element: 4 or 8 */
    uint8_t basis;   /* an mb_basis */
    uint8_t modulus; /* polynomial basis: x^bits in terms of lower powers; else 0 */
} mb_field;

extern const mb_field mb_gf16_tower;      /* Rainbow I */
extern const mb_field mb_gf256_tower;     /* Rainbow III, V */
extern const mb_field mb_gf16_polynomial; /* x⁴ + x + 1: Rainbow I tweaked, UOV Is, MAYO */
extern const mb_field mb_gf256_aes;       /* 0x11B: UOV Ip, III, V */

static inline int mb_field_equal(const mb_field *a, const mb_field *b)
{
    return a->bits == b->bits && a->basis == b->basis && a->modulus == b->modulus;
}

/* Bytes of `count` packed elements; count is even where an element has 4 bits. */
static inline size_t mb_field_bytes(const mb_field *field, size_t count)
{
    return field->bits == 4 ? count / 2 : count;
}

/* Elements in `bytes` packed bytes. */
static inline size_t mb_field_elements(const mb_field *field, size_t bytes)
{
    return field->bits == 4 ? bytes * 2 : bytes;
}

/* Product and inverse of SECRET elements; the inverse of 0 is 0. */
uint8_t mb_field_multiply(const mb_field *field, uint8_t a, uint8_t b);
uint8_t mb_field_invert(const mb_field *field, uint8_t a);

/* Packed elements (element 2i in the low nibble of byte i) to one element a byte, and back. */
void mb_field_unpack(const mb_field *field, uint8_t *elements, const uint8_t *packed, size_t count);
void mb_field_pack(const mb_field *field, uint8_t *packed, const uint8_t *elements, size_t count);

/* The products of s with every low nibble and with every high nibble: s·a = low[a & 15] + high[a >> 4].
 * For fields of 4 bits only low is written. */
void mb_field_nibble_products(const mb_field *field, uint8_t low[16], uint8_t high[16], uint8_t s);

#endif
