/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A product in a field with a planted leak: a table indexed by a secret scalar. The constant-time test must fail with it. */
#include "field/field.h"
#include "field/word.h"

uint8_t __wrap_mb_field_multiply(const mb_field *field, uint8_t a, uint8_t b);

uint8_t __wrap_mb_field_multiply(const mb_field *field, uint8_t a, uint8_t b)
{
    uint8_t products[256];
    for (unsigned i = 0; i < 1u << field->bits; i++) {
        uint64_t plane[8];
        for (unsigned k = 0; k < field->bits; k++) {
            plane[k] = a * (uint64_t)(i >> k & 1);
        }
        products[i] = (uint8_t)mb_word_recombine(*field, plane);
    }
    return products[b];
}
