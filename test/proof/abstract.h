/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For the proofs of memory safety: memory of exact length with any contents, and the fields. */
#ifndef TEST_PROOF_ABSTRACT_H
#define TEST_PROOF_ABSTRACT_H

#include "__fc_builtin.h"
#include "field/field.h"

#include <stdlib.h>

/* A block of its own without contents: reading it before it is written is an alarm. Of 0 bytes: a pointer that must not be used. */
static uint8_t *unset_bytes(size_t bytes)
{
    return malloc(bytes);
}

/* A block of its own, each byte any value. */
static uint8_t *any_bytes(size_t bytes)
{
    uint8_t *block = unset_bytes(bytes);
    if (bytes != 0) {
        Frama_C_make_unknown((char *)block, bytes);
    }
    return block;
}

enum { FIELDS = 4 };

static const mb_field *any_field(size_t number)
{
    static const mb_field *const fields[FIELDS] = {&mb_gf16_tower, &mb_gf256_tower, &mb_gf16_polynomial, &mb_gf256_aes};
    return fields[number];
}

#endif
