/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Bit matrices of the basis elements, for GF2P8AFFINEQB: byte 7 - i of a matrix is its row i, the input bits of which the
 * sum is output bit i. Those of the fields in use are constants; a test computes them anew. */
#include "field/word.h"
#include "linear/x86/x86.h"

typedef struct field_matrices {
    mb_field field;
    uint64_t matrices[8];
    uint64_t rows[8];
} field_matrices;

static const field_matrices known[] = {
    {{4, MB_BASIS_TOWER, 0},
     {0x0102040810204080, 0x0203080c203080c0, 0x080c050a80c050a0, 0x0c040a0fc040a0f0},
     {0x00000000080c0a0f, 0x000000000408050a, 0x0000000002030c04, 0x000000000102080c,
      0x080c0a0f00000000, 0x0408050a00000000, 0x02030c0400000000, 0x0102080c00000000}},
    {{8, MB_BASIS_TOWER, 0},
     {0x0102040810204080, 0x0203080c203080c0, 0x080c050a80c050a0, 0x0c040a0fc040a0f0,
      0xc040a0f011224488, 0x4080f050223388cc, 0xf05060b088cc55aa, 0x50a0b0d0cc44aaff},
     {0x80c0a0f088ccaaff, 0x408050a0448855aa, 0x2030c0402233cc44, 0x102080c0112288cc,
      0x080c0a0ff050b0d0, 0x0408050aa0f060b0, 0x02030c04408050a0, 0x0102080cc040f050}},
    {{4, MB_BASIS_POLYNOMIAL, 0x3},
     {0x0102040810204080, 0x0809020480902040, 0x040c090240c09020, 0x02060c092060c090},
     {0x0000000008040209, 0x000000000402090c, 0x0000000002090c06, 0x0000000001080402,
      0x0804020900000000, 0x0402090c00000000, 0x02090c0600000000, 0x0108040200000000}},
    {{8, MB_BASIS_POLYNOMIAL, 0x1b},
     {0x0102040810204080, 0x8081028488102040, 0x40c08142c4881020, 0x2060c0a162c48810,
      0x103060d0b162c488, 0x889830e858b162c4, 0xc44c98f42c58b162, 0x62a64cfa962c58b1},
     {0x8040201088c462b1, 0x40201088c462b158, 0x201088c462b1582c, 0x1088c462b1582c96,
      0x088442a1d0e8f4fa, 0x040281c06030984c, 0x0281c06030984ca6, 0x018040201088c462}},
};

uint64_t mb_x86_matrix_of(const uint64_t image[8])
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
            /* bits is 4 or 8. NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
            image[k][b] = plane[k];
        }
    }
    for (unsigned k = 0; k < field->bits; k++) {
        matrices[k] = mb_x86_matrix_of(image[k]);
    }
}

void mb_x86_compute_matrix_rows(const mb_field *field, uint64_t rows[8])
{
    uint64_t matrices[8];
    mb_x86_compute_basis_matrices(field, matrices);
    for (unsigned byte = 0; byte < 8; byte++) {
        uint64_t image[8] = {0};
        for (unsigned k = 0; k < field->bits; k++) {
            image[k] = matrices[k] >> (8 * byte) & 0xff;
        }
        rows[byte] = mb_x86_matrix_of(image);
    }
}

const uint64_t *mb_x86_matrix_rows(const mb_field *field, uint64_t storage[8])
{
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        if (mb_field_equal(&known[i].field, field)) {
            return known[i].rows;
        }
    }
    mb_x86_compute_matrix_rows(field, storage);
    return storage;
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
