/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Bit matrices of the basis elements, for GF2P8AFFINEQB: byte 7 - i of a matrix is its row i, the input bits of which the
 * sum is output bit i. Those of the fields in use are constants; a test computes them anew. */
#include "field/word.h"
#include "linear/x86/x86.h"

typedef struct field_matrices {
    mb_field field;
    uint64_t matrices[8];
} field_matrices;

static const field_matrices known[] = {
    {{4, MB_BASIS_TOWER, 0},
     {0x0102040810204080, 0x0203080c203080c0, 0x080c050a80c050a0, 0x0c040a0fc040a0f0}},
    {{8, MB_BASIS_TOWER, 0},
     {0x0102040810204080, 0x0203080c203080c0, 0x080c050a80c050a0, 0x0c040a0fc040a0f0,
      0xc040a0f011224488, 0x4080f050223388cc, 0xf05060b088cc55aa, 0x50a0b0d0cc44aaff}},
    {{4, MB_BASIS_POLYNOMIAL, 0x3},
     {0x0102040810204080, 0x0809020480902040, 0x040c090240c09020, 0x02060c092060c090}},
    {{8, MB_BASIS_POLYNOMIAL, 0x1b},
     {0x0102040810204080, 0x8081028488102040, 0x40c08142c4881020, 0x2060c0a162c48810,
      0x103060d0b162c488, 0x889830e858b162c4, 0xc44c98f42c58b162, 0x62a64cfa962c58b1}},
};

/* The matrix of a linear map from the images of the eight single bits: column b is image[b]. */
static uint64_t matrix_of(const uint64_t image[8])
{
    uint64_t matrix = 0;
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned b = 0; b < 8; b++) {
            matrix |= ((image[b] >> i) & 1) << (8 * (7 - i) + b);
        }
    }
    return matrix;
}

void mb_x86_compute_basis_matrices(const mb_field *field, uint64_t matrices[8])
{
    uint64_t image[8][8]; /* of bit b under basis element k: image[k][b] */
    for (unsigned b = 0; b < 8; b++) {
        uint64_t plane[8];
        mb_word_spread(*field, plane, (uint64_t)1 << b);
        for (unsigned k = 0; k < field->bits; k++) {
            image[k][b] = plane[k];
        }
    }
    for (unsigned k = 0; k < field->bits; k++) {
        matrices[k] = matrix_of(image[k]);
    }
}

const uint64_t *mb_x86_basis_matrices(const mb_field *field, uint64_t storage[8])
{
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        if (mb_field_equal(&known[i].field, field)) {
            return known[i].matrices;
        }
    }
    mb_x86_compute_basis_matrices(field, storage);
    return storage;
}
