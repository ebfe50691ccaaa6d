/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Secret quadratic forms at secret points; see evaluate.h. All loops run over public shapes. */
#include "quadratic/evaluate.h"

#include "field/word.h"
#include "platform/barrier.h"
#include "platform/machine_word.h"

#include <string.h>

/* Adds the `count` products in work->scalars, which belong to the monomials from `done` on. */
static void add_products(const mb_workspace *work, const mb_triangle *triangles, size_t triangles_len, size_t done,
                         size_t count)
{
    for (size_t from = 0; from < count; from += work->capacity) {
        const size_t part = count - from < work->capacity ? count - from : work->capacity;
        work->multiplier->prepare(work->field, work->prepared, work->scalars + from, part);
        for (size_t t = 0; t < triangles_len; t++) {
            const size_t bytes = triangles[t].bytes;
            work->multiplier->combine(work->field, triangles[t].constant, bytes,
                                      triangles[t].coefficients + (done + from) * bytes, bytes, work->prepared, part);
        }
    }
}

/* work->point = x times each basis element; or x, and its elements prepared. */
static void set_point(const mb_workspace *work, const uint8_t *x, size_t n)
{
    memset(work->point, 0, (work->multiplier->scale != NULL ? 1u : work->field->bits) * work->point_stride);
    memcpy(work->point, x, n);
    if (work->multiplier->scale != NULL) {
        work->multiplier->prepare(work->field, work->point_prepared, x, n);
        return;
    }
    for (size_t j = 0; j < n; j += sizeof(uint64_t)) {
        uint64_t word, multiple[8];
        memcpy(&word, work->point + j, sizeof word);
        mb_word_spread(*work->field, multiple, word);
        for (unsigned k = 1; k < work->field->bits; k++) {
            memcpy(work->point + k * work->point_stride + j, &multiple[k], sizeof word);
        }
    }
}

/* Four rows of the point from column j on, those for which the masks are ones, summed. */
static inline mb_machine_word sum_four(const uint8_t *rows, size_t stride, const mb_machine_word mask[4])
{
    mb_machine_word a, b, c, d;
    memcpy(&a, rows, sizeof a);
    memcpy(&b, rows + stride, sizeof b);
    memcpy(&c, rows + 2 * stride, sizeof c);
    memcpy(&d, rows + 3 * stride, sizeof d);
    return (a & mask[0]) ^ (b & mask[1]) ^ (c & mask[2]) ^ (d & mask[3]);
}

/* The products of x_i with x_i, x_{i+1}, …: the sum of the multiples of x for which x_i has bits. In whole words or registers: what
 * lies behind the n - i products is overwritten. */
static void multiply_row(const mb_workspace *work, uint8_t *products, size_t i, size_t n)
{
    const size_t stride = work->point_stride;
    if (work->multiplier->scale != NULL) {
        work->multiplier->scale(work->field, products, work->point + i, work->point_prepared + i * work->prepared_bytes, n - i);
        return;
    }
    const uint32_t x_i = work->point[i];
    for (unsigned nibble = 0; nibble < work->field->bits; nibble += 4) {
        const uint8_t *rows = work->point + nibble * stride;
        const mb_machine_word mask[4] = {
            (mb_machine_word)mb_mask_u64(x_i >> nibble & 1), (mb_machine_word)mb_mask_u64(x_i >> (nibble + 1) & 1),
            (mb_machine_word)mb_mask_u64(x_i >> (nibble + 2) & 1), (mb_machine_word)mb_mask_u64(x_i >> (nibble + 3) & 1)};
        for (size_t j = i; j < n; j += sizeof(mb_machine_word)) {
            mb_machine_word sum = 0;
            if (nibble != 0) {
                memcpy(&sum, products + (j - i), sizeof sum);
            }
            sum ^= sum_four(rows + j, stride, mask);
            memcpy(products + (j - i), &sum, sizeof sum);
        }
    }
}

void mb_evaluate_triangles(const mb_workspace *work, const mb_triangle *triangles, size_t triangles_len,
                           const uint8_t *x, size_t n)
{
    /* The products x_i·x_j of several rows gather until the workspace is full: the coefficient vectors
     * of successive rows follow one another, so they make one longer sum. */
    size_t done = 0, waiting = 0;
    if (work->multiplier->combine_triangles != NULL && n <= work->capacity) {
        work->multiplier->prepare(work->field, work->prepared, x, n);
        if (work->multiplier->combine_triangles(work->field, triangles, triangles_len, work->prepared, n) == 0) {
            return;
        }
    }
    set_point(work, x, n);
    for (size_t i = 0; i < n; i++) {
        if (waiting + (n - i) > work->scalars_len) {
            add_products(work, triangles, triangles_len, done, waiting);
            done += waiting;
            waiting = 0;
        }
        multiply_row(work, work->scalars + waiting, i, n);
        waiting += n - i;
    }
    add_products(work, triangles, triangles_len, done, waiting);
}

/* The next `count` coefficient vectors of a row, at most as many as the buffer holds; returns how many. */
static size_t next_vectors(const mb_row_stream *rows, size_t bytes, size_t count)
{
    const size_t most = rows->buffer_bytes / bytes;
    if (count > most) {
        count = most;
    }
    mb_ctr_read(rows->stream, rows->buffer, count * bytes);
    return count;
}

void mb_evaluate_polar(const mb_workspace *work, uint8_t *constant, uint8_t *polar, size_t bytes,
                       const mb_row_stream *rows, const uint8_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t *polar_i = polar + i * bytes;
        size_t count;
        for (size_t j = i; j < n; j += count) {
            count = next_vectors(rows, bytes, n - j);
            mb_workspace_add_scaled(work, polar + j * bytes, count * bytes, rows->buffer, x[i]);
            if (j == i) {
                mb_workspace_add_scaled(work, constant, bytes, polar_i, x[i]);
            }
            /* Adds the terms with j ≥ i; the square's comes a second time and so goes away. */
            mb_workspace_matrix_vector(work, polar_i, bytes, rows->buffer, x + j, count);
        }
    }
}

/* One row of the rectangle, in as many pieces as the buffer asks for. */
static void add_row(const mb_workspace *work, uint8_t *left, uint8_t *right_i, size_t bytes,
                    const mb_row_stream *stream, uint8_t x_i, const uint8_t *y, size_t columns)
{
    size_t count;
    for (size_t j = 0; j < columns; j += count) {
        count = next_vectors(stream, bytes, columns - j);
        mb_workspace_add_scaled(work, left + j * bytes, count * bytes, stream->buffer, x_i);
        if (right_i != NULL) {
            mb_workspace_matrix_vector(work, right_i, bytes, stream->buffer, y + j, count);
        }
    }
}

void mb_evaluate_rectangle(const mb_workspace *work, uint8_t *left, uint8_t *right, size_t bytes,
                           const mb_row_stream *stream, const uint8_t *x, size_t rows,
                           const uint8_t *y, size_t columns)
{
    const size_t row_bytes = columns * bytes;
    const size_t rows_at_once = stream->buffer_bytes / row_bytes;
    if (rows_at_once < 2) {
        for (size_t i = 0; i < rows; i++) {
            add_row(work, left, right == NULL ? NULL : right + i * bytes, bytes, stream, x[i], y, columns);
        }
        return;
    }
    for (size_t i = 0; i < rows; i += rows_at_once) {
        const size_t count = rows - i < rows_at_once ? rows - i : rows_at_once;
        mb_ctr_read(stream->stream, stream->buffer, count * row_bytes);
        mb_workspace_matrix_vector(work, left, row_bytes, stream->buffer, x + i, count);
        for (size_t r = 0; r < count && right != NULL; r++) {
            mb_workspace_matrix_vector(work, right + (i + r) * bytes, bytes, stream->buffer + r * row_bytes, y,
                                       columns);
        }
    }
}
