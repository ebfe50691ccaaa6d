/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Secret quadratic forms at secret points; see evaluate.h. All loops run over public shapes. */
#include "quadratic/evaluate.h"

#include <string.h>

/* Adds the `count` products in work->scalars, which belong to the monomials from `done` on. */
static void add_products(const mb_workspace *work, const mb_triangle *triangles, size_t triangles_len, size_t done,
                         size_t count)
{
    work->multiplier->prepare(work->field, work->prepared, work->scalars, count);
    for (size_t t = 0; t < triangles_len; t++) {
        const size_t bytes = triangles[t].bytes;
        work->multiplier->combine(work->field, triangles[t].constant, bytes,
                                  triangles[t].coefficients + done * bytes, bytes, work->prepared, count);
    }
}

void mb_evaluate_triangles(const mb_workspace *work, const mb_triangle *triangles, size_t triangles_len,
                           const uint8_t *x, size_t n)
{
    /* The products x_i·x_j of several rows gather until the workspace is full: the coefficient vectors
     * of successive rows follow one another, so they make one longer sum. */
    size_t done = 0, waiting = 0;
    for (size_t i = 0; i < n; i++) {
        if (waiting + (n - i) > work->capacity) {
            add_products(work, triangles, triangles_len, done, waiting);
            done += waiting;
            waiting = 0;
        }
        memset(work->scalars + waiting, 0, n - i);
        mb_workspace_add_scaled(work, work->scalars + waiting, n - i, x + i, x[i]);
        waiting += n - i;
    }
    add_products(work, triangles, triangles_len, done, waiting);
}

void mb_evaluate_polar(const mb_workspace *work, uint8_t *constant, uint8_t *linear, size_t bytes,
                       const mb_row_stream *rows, const uint8_t *x, size_t n)
{
    const mb_multiplier *multiplier = work->multiplier;
    multiplier->prepare(work->field, work->prepared, x, n);
    for (size_t i = 0; i < n; i++) {
        const uint8_t *x_from_i = work->prepared + i * work->prepared_bytes;
        uint8_t *linear_i = linear + i * bytes;
        mb_ctr_read(rows->stream, rows->buffer, (n - i) * bytes);
        multiplier->combine(work->field, linear_i, (n - i) * bytes, rows->buffer, 0, x_from_i, 1);
        multiplier->combine(work->field, constant, bytes, linear_i, 0, x_from_i, 1);
        /* Adds the terms with j ≥ i; the square's comes a second time and so goes away. */
        multiplier->combine(work->field, linear_i, bytes, rows->buffer, bytes, x_from_i, n - i);
    }
}

void mb_evaluate_rectangle(const mb_workspace *work, uint8_t *left, uint8_t *right, size_t bytes,
                           const mb_row_stream *stream, const uint8_t *x, size_t rows,
                           const uint8_t *y, size_t columns)
{
    const mb_multiplier *multiplier = work->multiplier;
    const size_t row_bytes = columns * bytes;
    const size_t rows_at_once = stream->buffer_bytes / row_bytes;
    for (size_t i = 0; i < rows; i += rows_at_once) {
        const size_t count = rows - i < rows_at_once ? rows - i : rows_at_once;
        mb_ctr_read(stream->stream, stream->buffer, count * row_bytes);
        multiplier->prepare(work->field, work->prepared, x + i, count);
        multiplier->combine(work->field, left, row_bytes, stream->buffer, row_bytes, work->prepared,
                            count);
        if (right == NULL) {
            continue;
        }
        multiplier->prepare(work->field, work->prepared, y, columns);
        for (size_t r = 0; r < count; r++) {
            multiplier->combine(work->field, right + (i + r) * bytes, bytes,
                                stream->buffer + r * row_bytes, bytes, work->prepared, columns);
        }
    }
}
