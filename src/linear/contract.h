/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What a backend offers: linear algebra over a binary field that is a value. Nobody outside linear/ knows which backend runs.
 * A vector is packed bytes; a scalar is one element in a byte. The three tables are separate so that a verifier links one. */
#ifndef MB_LINEAR_CONTRACT_H
#define MB_LINEAR_CONTRACT_H

#include "field/field.h"

/* A quicker combine_many for a matrix of scalars that is used often. */
typedef struct mb_arrangement {
    size_t scalar_bytes; /* of memory for each arranged scalar: at least those of a prepared one */
    /* `outs` rows of `stride` prepared scalars, in place: they lie together at the beginning of outs·stride·scalar_bytes bytes. */
    void (*arrange)(const mb_field *field, void *prepared, size_t stride, size_t outs);
    /* As mb_multiplier's combine_many, with all the rows that were arranged together; `prepared` may begin at any of the scalars of
     * the first row, which are as far apart as prepared ones. */
    void (*combine_many)(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                         const uint8_t *vectors, size_t stride, const void *prepared, size_t prepared_stride,
                         size_t count);
} mb_arrangement;

/* One matrix, SECRET too, times many vectors. */
typedef struct mb_transformation {
    size_t (*prepared_bytes)(const mb_field *field, size_t rows, size_t columns);
    /* From the matrix, packed column by column. */
    void (*prepare)(const mb_field *field, void *prepared, const uint8_t *matrix, size_t rows, size_t columns);
    /* For v < count: (`rows` packed elements at out + v·stride) ^= matrix · (`columns` packed elements at vectors + v·stride).
     * No out overlaps a vector. */
    void (*add_products)(const mb_field *field, uint8_t *out, const uint8_t *vectors, size_t stride, size_t count,
                         const void *prepared, size_t rows, size_t columns);
} mb_transformation;

/* A stored triangle of vectors, row by row, and what it adds its value to. */
typedef struct mb_triangle {
    uint8_t *constant;
    size_t bytes; /* of a coefficient vector and of the constant */
    const uint8_t *coefficients;
} mb_triangle;

#define MB_SCALE_MARGIN 64

/* Sums of scaled vectors, everything SECRET, constant time.
 * Scalars are prepared once (as masks, tables, bit matrices: the backend's choice) and then used on
 * as many vectors as the caller likes. */
typedef struct mb_multiplier {
    const char *name;
    size_t grain; /* bytes: a vector costs as much as the next multiple of them, and a longer one more */
    /* Bytes of one prepared scalar. A prepared array begins aligned like scratch memory, and may be used
     * from any of its scalars on. */
    size_t (*prepared_bytes)(const mb_field *field);
    /* count scalars, one element a byte, to prepared form. */
    void (*prepare)(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count);
    const mb_arrangement *arrangement; /* or NULL */
    /* out ^= Σ_j scalar j · (the `bytes` bytes at vectors + j·stride). No alignment is asked of out
     * and vectors; out overlaps nothing. Any count and bytes, 0 included. */
    void (*combine)(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors,
                    size_t stride, const void *prepared, size_t count);
    /* The same vectors summed `outs` times, each time with a row of scalars of their own: for b < outs,
     * (the `bytes` bytes at out + b·out_stride) ^= Σ_j scalar (b·prepared_stride + j) · vector j. */
    void (*combine_many)(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                         const uint8_t *vectors, size_t stride, const void *prepared, size_t prepared_stride,
                         size_t count);
    /* NULL, or: out = a prepared scalar times `count` elements, one a byte; up to MB_SCALE_MARGIN bytes behind both may be read and
     * written. */
    void (*scale)(const mb_field *field, uint8_t *out, const uint8_t *elements, const void *prepared, size_t count);
    const mb_transformation *transformation; /* or NULL */
    /* NULL, or, for each of the triangles: constant ^= Σ_{i ≤ j} scalar i · scalar j · vector (i, j), for n scalars. 0, or -1 with
     * nothing done where there is no way for this field and these shapes. */
    int (*combine_triangles)(const mb_field *field, const mb_triangle *triangles, size_t triangles_len, const void *prepared, size_t n);
} mb_multiplier;

/* Square linear systems, everything SECRET but whether the matrix is singular; constant time.
 * The matrix is stored column by column: column j is the n packed elements at matrix + j·bytes(n). */
typedef struct mb_solver {
    const char *name;
    /* Extra memory that `factor` fills and `solve` reads. */
    size_t (*factors_bytes)(const mb_field *field, size_t n);
    /* May overwrite the matrix; fills the factors. 0, or -1 when it is singular. */
    int (*factor)(const mb_field *field, uint8_t *matrix, void *factors, size_t n);
    /* The n elements of x, one a byte, with (matrix before factoring)·x = right, packed.
     * `right` is overwritten, the factors serve as work memory but stay valid: any number of times
     * after one factor that returned 0. */
    void (*solve)(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix,
                  void *factors, size_t n);
} mb_solver;

/* The evaluation of a PUBLIC quadratic map at a PUBLIC point x, in variable time: the inner loop of
 * verification. Coefficient vectors come row by row and are summed, each times x_i·x_j. */
typedef struct mb_gathering {
    const mb_field *field;
    size_t n;     /* variables */
    size_t width; /* bytes of the map's value */
    int small;    /* spare memory rather than time */
    void *memory; /* memory_bytes of it, aligned like scratch */
} mb_gathering;

/* Monomials x_i·x_j that follow one another: `rows` rows from row i on, of which the first begins with
 * column j and each next one `shrink` columns later; all end before column `end`. */
typedef struct mb_monomials {
    size_t i, rows;
    size_t j, end;
    size_t shrink; /* 0: a rectangle, 1: a triangle or some of its rows */
} mb_monomials;

typedef struct mb_gatherer {
    const char *name;
    size_t rows; /* that go together with the least work, or 0: any */
    /* For these n, width and small; `memory` is not looked at. */
    size_t (*memory_bytes)(const mb_gathering *gathering);
    /* Begins with sum zero, at x: n elements, one a byte, which stay there until the end. */
    void (*begin_vartime)(const mb_gathering *gathering, const uint8_t *x);
    /* Adds each monomial's value times its vector to the bytes [first, first + bytes) of the sum; the vectors,
     * `bytes` bytes each, follow one another from `vectors` on, and each byte of them is read at most once. */
    void (*gather_vartime)(const mb_gathering *gathering, size_t first, size_t bytes, const uint8_t *vectors,
                           const mb_monomials *monomials);
    /* out = the sum, `width` bytes. Ends the evaluation. */
    void (*collect_vartime)(const mb_gathering *gathering, uint8_t *out);
    /* The memory of the mb_many_gatherer that goes with this one; or NULL, where points go one by one. */
    size_t (*many_bytes)(const mb_gathering *gathering);
} mb_gatherer;

/* The same at several points at once: a vector is loaded once for some of them. */
typedef struct mb_many_gatherer {
    const char *name;
    void (*begin_vartime)(const mb_gathering *gathering, const uint8_t *x);
    /* `count` gatherings that agree in all but their memory and point. */
    void (*gather_vartime)(const mb_gathering *const *gatherings, size_t count, size_t first, size_t bytes,
                           const uint8_t *vectors, const mb_monomials *monomials);
    void (*collect_vartime)(const mb_gathering *gathering, uint8_t *out);
} mb_many_gatherer;

/* The backend for this machine (dispatch.c). */
const mb_multiplier *mb_linear_multiplier(void);
/* For fields of 4 bits and of 8, choices: a signer and a verifier name their own, so that they link no other. Where memory is to be `small`,
 * one whose is. */
typedef const mb_solver *mb_solver_choice(int small);
mb_solver_choice mb_linear_solver_16, mb_linear_solver_256;
typedef const mb_gatherer *mb_gatherer_choice(int small);
mb_gatherer_choice mb_linear_gatherer_16, mb_linear_gatherer_256;
/* NULL where points go one by one. */
const mb_many_gatherer *mb_linear_many_gatherer(void);

#endif
