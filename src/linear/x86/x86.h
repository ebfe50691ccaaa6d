/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The backends for x86-64, and what they share. */
#ifndef MB_LINEAR_X86_X86_H
#define MB_LINEAR_X86_X86_H

#include "linear/contract.h"
#include "linear/tables/tables.h"

extern const mb_multiplier mb_gfni_avx512_multiplier, mb_gfni_avx2_multiplier, mb_avx2_multiplier;
extern const mb_gatherer mb_gfni_avx512_gatherer, mb_gfni_avx2_gatherer, mb_avx2_gatherer;
extern const mb_solver mb_gfni_avx512_solver, mb_gfni_avx2_solver, mb_avx2_solver;

/* The bit matrices, as GF2P8AFFINEQB wants them, of multiplication by each basis element: constants for
 * the fields in use, else computed into `storage`. Over GF(16) they multiply both nibbles of a byte. */
const uint64_t *mb_x86_basis_matrices(const mb_field *field, uint64_t storage[8]);
void mb_x86_compute_basis_matrices(const mb_field *field, uint64_t matrices[8]);

#endif
