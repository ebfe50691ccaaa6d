/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The way into the field of AES and back, for processors that multiply and invert there (GF2P8MULB, GF2P8AFFINEINVQB): each
 * field in use is that field, or a subfield of it, in other coordinates. Known ones are constants; a test computes them anew. */
#include "linear/x86/x86.h"

typedef struct field_map {
    mb_field field;
    mb_x86_aes_map map;
} field_map;

static const field_map known[] = {
    {{4, MB_BASIS_TOWER, 0}, {0x010006060e0a040a, 0x0134301400000000}},
    {{8, MB_BASIS_TOWER, 0}, {0xe5301ebe463224b2, 0x3f22ec64aeacdea0}},
    {{4, MB_BASIS_POLYNOMIAL, 0x3}, {0x010002020a040e04, 0x0104201400000000}},
    {{8, MB_BASIS_POLYNOMIAL, 0x1b}, {0x0102040810204080, 0x0102040810204080}},
};

/* Tries to send the powers of g to those of h: 0 if that is a map of fields, -1 if not. */
static int map_powers(const mb_field *field, uint8_t *image, uint8_t g, uint8_t h)
{
    const unsigned elements = 1u << field->bits;
    uint8_t a = 1, b = 1;
    unsigned order = 0;
    image[0] = 0;
    do {
        image[a] = b;
        a = mb_field_multiply(field, a, g);
        b = mb_field_multiply(&mb_gf256_aes, b, h);
        order++;
    } while (a != 1 && b != 1);
    if (a != b || order != elements - 1) {
        return -1;
    }
    for (unsigned i = 0; i < elements; i++) {
        for (unsigned bit = 1; bit < elements; bit *= 2) {
            if (image[i ^ bit] != (image[i] ^ image[bit])) {
                return -1;
            }
        }
    }
    return 0;
}

static unsigned parity(unsigned word)
{
    word ^= word >> 4;
    word ^= word >> 2;
    word ^= word >> 1;
    return word & 1;
}

/* Some eight bits whose sum, taken of an element's image, is the element's bit `wanted`. */
static uint8_t bits_for(const mb_field *field, const uint8_t *image, unsigned wanted)
{
    for (unsigned row = 0;; row++) {
        unsigned right = 0;
        for (unsigned b = 0; b < field->bits; b++) {
            right += parity(row & image[1u << b]) == (b == wanted);
        }
        if (right == field->bits) {
            return (uint8_t)row;
        }
    }
}

void mb_x86_compute_aes_map(const mb_field *field, mb_x86_aes_map *map)
{
    uint8_t image[256];
    uint64_t bits[8] = {0};
    unsigned g = 2, h = 2;
    while (map_powers(field, image, (uint8_t)g, (uint8_t)h) != 0) {
        h = (h + 1) % 256;
        if (h == 0) { /* g is not a generator */
            g++;
            h = 2;
        }
    }
    for (unsigned b = 0; b < field->bits; b++) {
        /* map_powers has filled it. NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
        bits[b] = image[1u << b];
    }
    map->to_aes = mb_x86_matrix_of(bits);
    map->from_aes = 0;
    for (unsigned i = 0; i < field->bits; i++) {
        map->from_aes |= (uint64_t)bits_for(field, image, i) << (8 * (7 - i));
    }
}

const mb_x86_aes_map *mb_x86_find_aes_map(const mb_field *field, mb_x86_aes_map *storage)
{
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        if (mb_field_equal(&known[i].field, field)) {
            return &known[i].map;
        }
    }
    mb_x86_compute_aes_map(field, storage);
    return storage;
}
