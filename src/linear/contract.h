/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What a backend offers: linear algebra over a binary field that is a value. Nobody outside linear/ knows which backend runs.
 * A vector is packed bytes; a scalar is one element in a byte. The three tables are separate so that a verifier links one. */
#ifndef MB_LINEAR_CONTRACT_H
#define MB_LINEAR_CONTRACT_H

#include "field/field.h"

/* Sums of scaled vectors, everything SECRET, constant time.
 * Scalars are prepared once (as masks, tables, bit matrices: the backend's choice) and then used on
 * as many vectors as the caller likes. */
typedef struct mb_multiplier {
    const char *name;
    /* Bytes of one prepared scalar. A prepared array begins aligned like scratch memory, and may be used
     * from any of its scalars on. */
    size_t (*prepared_bytes)(const mb_field *field);
    /* count scalars, one element a byte, to prepared form. */
    void (*prepare)(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count);
    /* out ^= Σ_j scalar j · (the `bytes` bytes at vectors + j·stride). No alignment is asked of out
     * and vectors; out overlaps nothing. Any count and bytes, 0 included. */
    void (*combine)(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors,
                    size_t stride, const void *prepared, size_t count);
    /* The same vectors summed `outs` times, each time with scalars of their own: for b < outs,
     * (the `bytes` bytes at out + b·out_stride) ^= Σ_j scalar (b·prepared_stride + j) · vector j. */
    void (*combine_many)(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                         const uint8_t *vectors, size_t stride, const void *prepared, size_t prepared_stride,
                         size_t count);
} mb_multiplier;

/* Square linear systems, everything SECRET but whether the matrix is singular; constant time.
 * The matrix is stored column by column: column j is the n packed elements at matrix + j·bytes(n). */
typedef struct mb_solver {
    const char *name;
    /* Extra memory that `factor` fills and `solve` reads. */
    size_t (*factors_bytes)(const mb_field *field, size_t n);
    /* Overwrites the matrix, fills the factors. 0, or -1 when it is singular. */
    int (*factor)(const mb_field *field, uint8_t *matrix, void *factors, size_t n);
    /* The n elements of x, one a byte, with (matrix before factoring)·x = right, packed.
     * `right` is overwritten, the factors serve as work memory but stay valid: any number of times
     * after one factor that returned 0. */
    void (*solve)(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix,
                  void *factors, size_t n);
} mb_solver;

/* Sums of vectors scaled by PUBLIC scalars, in variable time: the inner loop of verification.
 * `width` bytes wide sums gather in accumulators that start as zero bytes; `small` asks for little
 * memory. A call may concern only the bytes [first, first + bytes) of the width. */
typedef struct mb_gatherer {
    const char *name;
    size_t (*accumulator_bytes)(const mb_field *field, size_t width, int small);
    /* accumulators ^= Σ_j scalars[j] · (the `bytes` bytes at vectors + j·bytes) */
    void (*gather_vartime)(const mb_field *field, void *accumulators, size_t width, int small,
                           size_t first, size_t bytes, const uint8_t *vectors,
                           const uint8_t *scalars, size_t count);
    /* out = the sums; the accumulators are used up. */
    void (*collect_vartime)(const mb_field *field, uint8_t *out, void *accumulators, size_t width,
                            int small);
} mb_gatherer;

/* The backend for this machine (dispatch.c). */
const mb_multiplier *mb_linear_multiplier(void);
const mb_solver *mb_linear_solver(void);
const mb_gatherer *mb_linear_gatherer(void);

#endif
