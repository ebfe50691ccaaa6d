/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Evaluates SECRET quadratic forms, stored or streaming out of a generator, at SECRET points. Constant time.
 * Points are one element a byte; outputs are added to (exclusive or), so the caller clears them. */
#ifndef MB_QUADRATIC_EVALUATE_H
#define MB_QUADRATIC_EVALUATE_H

#include "quadratic/workspace.h"
#include "symmetric/ctr.h"

/* For each of the triangles over the same n variables:
 * constant ^= Σ_{i≤j} x_i·x_j·(coefficient vector of (i, j)). n ≤ work->scalars_len, and at most the
 * variables that mb_workspace_take_point was told. */
void mb_evaluate_triangles(const mb_workspace *work, const mb_triangle *triangles, size_t triangles_len,
                           const uint8_t *x, size_t n);

/* Where a seeded block comes from, and the buffer through which it goes. */
typedef struct mb_row_stream {
    mb_ctr *stream;
    uint8_t *buffer;
    size_t buffer_bytes; /* at least a coefficient vector; whole rows are quicker */
} mb_row_stream;

/* One pass over a streaming triangle Q of n variables:
 *   polar[k] ^= Σ_i (Q + Qᵗ)[i, k]·x_i   (n coefficient vectors),
 *   constant  ^= Σ_k x_k·polar[k], where polar[k] has just received its terms with i ≤ k, the
 *                square's among them: so what `polar` held before is evaluated at x along with Q. */
void mb_evaluate_polar(const mb_workspace *work, uint8_t *constant, uint8_t *polar, size_t bytes,
                       const mb_row_stream *rows, const uint8_t *x, size_t n);

/* One pass over a streaming rectangle of rows × columns monomials:
 *   left[j] ^= Σ_i x_i·Q[i, j]  (columns coefficient vectors), and, unless `right` is NULL,
 *   right[i] ^= Σ_j y_j·Q[i, j] (`rows` coefficient vectors). */
void mb_evaluate_rectangle(const mb_workspace *work, uint8_t *left, uint8_t *right, size_t bytes,
                           const mb_row_stream *stream, const uint8_t *x, size_t rows,
                           const uint8_t *y, size_t columns);

#endif
