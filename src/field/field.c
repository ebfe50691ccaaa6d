/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The four fields in use, their scalars and packing. A scalar is a word with one element in it. */
#include "field/field.h"

#include "field/word.h"
#include "platform/barrier.h"
#include "platform/bytes.h"

#include <string.h>

const mb_field mb_gf16_tower = {4, MB_BASIS_TOWER, 0};
const mb_field mb_gf256_tower = {8, MB_BASIS_TOWER, 0};
const mb_field mb_gf16_polynomial = {4, MB_BASIS_POLYNOMIAL, 0x3};
const mb_field mb_gf256_aes = {8, MB_BASIS_POLYNOMIAL, 0x1b};

uint8_t mb_field_multiply(const mb_field *field, uint8_t a, uint8_t b)
{
    uint64_t plane[8];
    for (unsigned k = 0; k < field->bits; k++) {
        plane[k] = a & mb_mask_u64(((unsigned)b >> k) & 1u);
    }
    return (uint8_t)mb_word_recombine(*field, plane);
}

uint8_t mb_field_invert(const mb_field *field, uint8_t a)
{
    /* a^(q - 2) = a^2 · a^4 · … · a^(q/2) */
    uint8_t power = mb_field_multiply(field, a, a);
    uint8_t inverse = power;
    for (unsigned k = 2; k < field->bits; k++) {
        power = mb_field_multiply(field, power, power);
        inverse = mb_field_multiply(field, inverse, power);
    }
    return inverse;
}

void mb_field_unpack(const mb_field *field, uint8_t *elements, const uint8_t *packed, size_t count)
{
    if (field->bits == 8) {
        memcpy(elements, packed, count);
        return;
    }
    size_t i = 0;
#ifndef MOONBOW_SMALL_CODE
    for (; i + 4 <= count / 2; i += 4) {
        /* The low nibbles and the high ones of bytes 0 and 2, then of bytes 1 and 3. */
        const uint32_t word = mb_load32_le(packed + i);
        const uint32_t even = (word & 0x000f000f) | (word & 0x00f000f0) << 4;
        const uint32_t odd = (word >> 8 & 0x000f000f) | (word >> 4 & 0x0f000f00);
        mb_store32_le(elements + 2 * i, (even & 0xffff) | odd << 16);
        mb_store32_le(elements + 2 * i + 4, even >> 16 | (odd & 0xffff0000));
    }
#endif
    for (; i < count / 2; i++) {
        elements[2 * i] = packed[i] & 15;
        elements[2 * i + 1] = (uint8_t)(packed[i] >> 4);
    }
}

void mb_field_pack(const mb_field *field, uint8_t *packed, const uint8_t *elements, size_t count)
{
    if (field->bits == 8) {
        memcpy(packed, elements, count);
        return;
    }
    for (size_t i = 0; i < count / 2; i++) {
        packed[i] = (uint8_t)(elements[2 * i] | (elements[2 * i + 1] << 4));
    }
}

/* NOLINTBEGIN(clang-analyzer-core.*): the analyser does not know that bits is 4 or 8. */
void mb_field_nibble_products(const mb_field *field, uint8_t low[16], uint8_t high[16], uint8_t s)
{
    uint64_t basis[8];
    mb_word_spread(*field, basis, s);
    low[0] = 0;
    if (field->bits == 8) {
        high[0] = 0;
    }
    for (unsigned k = 0; k < 4; k++) {
        for (unsigned a = 0; a < 1u << k; a++) {
            low[(1u << k) + a] = (uint8_t)(low[a] ^ basis[k]);
            if (field->bits == 8) {
                high[(1u << k) + a] = (uint8_t)(high[a] ^ basis[4 + k]);
            }
        }
    }
}
/* NOLINTEND(clang-analyzer-core.*) */
