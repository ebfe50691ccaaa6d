/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the secret computations on quadratic maps share: the field, the backend, and working memory for scalars.
 * Also the matrix-vector product of packed matrices. Everything here is SECRET and constant time. */
#ifndef MB_QUADRATIC_WORKSPACE_H
#define MB_QUADRATIC_WORKSPACE_H

#include "linear/contract.h"
#include "platform/arena.h"

typedef struct mb_workspace {
    const mb_field *field;
    const mb_multiplier *multiplier;
    size_t prepared_bytes; /* of one scalar */
    size_t scalars_len;    /* room in `scalars` */
    uint8_t *scalars;      /* one element a byte */
    size_t capacity;       /* room in `prepared`, in scalars */
    uint8_t *prepared;
    uint8_t *one;          /* a single prepared scalar */
    size_t point_stride;   /* of the rows of `point` */
    uint8_t *point;        /* a point times each basis element, one element a byte, each row padded with zeros; */
    uint8_t *point_prepared; /* or the point alone, and its elements prepared, where the multiplier has `scale` */
} mb_workspace;

/* Takes its memory from the arena, also when that only measures. */
void mb_workspace_init(mb_workspace *work, mb_arena *arena, const mb_field *field, size_t scalars_len,
                       size_t capacity);

/* Takes the memory for the evaluation of triangles of up to n variables. */
void mb_workspace_take_point(mb_workspace *work, mb_arena *arena, size_t n);

/* Bytes of a prepared array of `count` scalars. */
size_t mb_workspace_prepared_bytes(const mb_workspace *work, size_t count);

/* Prepares `count` ≤ scalars_len packed elements into `prepared`, by way of work->scalars. */
void mb_workspace_prepare_packed(const mb_workspace *work, void *prepared, const uint8_t *packed,
                                 size_t count);

/* out ^= Σ_j x_j · (column j, `bytes` packed bytes, one after the other); x one element a byte, any
 * count. Uses work->prepared. */
void mb_workspace_matrix_vector(const mb_workspace *work, uint8_t *out, size_t bytes,
                                const uint8_t *columns, const uint8_t *x, size_t count);

/* The same with packed x, count ≤ scalars_len. Uses work->scalars too. */
void mb_workspace_matrix_packed(const mb_workspace *work, uint8_t *out, size_t bytes,
                                const uint8_t *columns, const uint8_t *packed, size_t count);

/* A product of matrices: for each of the `columns` packed columns of t (count elements each),
 * vector j of out ^= Σ_k vectors[k]·t[k, j]. */
void mb_workspace_matrix_matrix(const mb_workspace *work, uint8_t *out, size_t bytes, size_t columns,
                                const uint8_t *vectors, size_t count, const uint8_t *t);

/* out ^= scalar · (the `bytes` bytes of the vector). Uses work->one. */
void mb_workspace_add_scaled(const mb_workspace *work, uint8_t *out, size_t bytes,
                             const uint8_t *vector, uint8_t scalar);

#endif
