/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The backends for x86-64, and what they share. */
#ifndef MB_LINEAR_X86_X86_H
#define MB_LINEAR_X86_X86_H

#include "linear/contract.h"
#include "linear/tables/tables.h"

/* Clang (14, at least) writes the address of an element of memory that it has GF2P8AFFINEQB broadcast as if there were no
 * broadcast: eight times too far. So a matrix that comes from memory by a broadcast is hidden in its register first. */
#if defined(__clang__)
#define MB_X86_IN_REGISTER(vector) __asm__("" : "+v"(vector))
#else
#define MB_X86_IN_REGISTER(vector) ((void)0)
#endif

/* What was read through this pointer has to be read anew. */
#define MB_X86_FORGET(pointer) __asm__("" : "+r"(pointer))

extern const mb_multiplier mb_gfni_avx512_multiplier, mb_gfni_avx2_multiplier, mb_avx2_multiplier;
extern const mb_transformation mb_gfni_avx512_transformation;
extern const mb_gatherer mb_gfni_avx512_gatherer, mb_gfni_avx2_gatherer, mb_avx2_gatherer;
extern const mb_many_gatherer mb_gfni_avx512_many_gatherer;
extern const mb_solver mb_gfni_avx512_solver, mb_gfni_avx2_solver, mb_avx2_solver;

void mb_gfni_avx512_scale(const mb_field *field, uint8_t *out, const uint8_t *elements, const void *prepared, size_t count);

/* For the gatherer: asking links nothing else of it. */
size_t mb_gfni_avx512_many_bytes(const mb_gathering *gathering);

/* The bit matrices, as GF2P8AFFINEQB wants them, of multiplication by each basis element: constants for
 * the fields in use, else computed into `storage`. Over GF(16) they multiply both nibbles of a byte. */
const uint64_t *mb_x86_basis_matrices(const mb_field *field, uint64_t storage[8]);
void mb_x86_compute_basis_matrices(const mb_field *field, uint64_t matrices[8]);

/* The matrix of a linear map on bytes from the images of the eight single bits: column b is image[b]. */
uint64_t mb_x86_matrix_of(const uint64_t image[8]);

/* Byte b of a scalar's matrix is a linear map of the scalar: the bit matrices of these eight maps. One
 * GF2P8AFFINEQB so makes a byte of eight scalars' matrices. */
const uint64_t *mb_x86_matrix_rows(const mb_field *field, uint64_t storage[8]);
void mb_x86_compute_matrix_rows(const mb_field *field, uint64_t rows[8]);

/* Bit matrices of an isomorphism onto (a subfield of) the field of AES, and back, one element a byte. */
typedef struct mb_x86_aes_map {
    uint64_t to_aes, from_aes;
} mb_x86_aes_map;

const mb_x86_aes_map *mb_x86_find_aes_map(const mb_field *field, mb_x86_aes_map *storage);
void mb_x86_compute_aes_map(const mb_field *field, mb_x86_aes_map *map);

#endif
