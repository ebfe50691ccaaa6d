/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Working memory and matrix-vector products of the secret computations; see workspace.h. */
#include "quadratic/workspace.h"

void mb_workspace_init(mb_workspace *work, mb_arena *arena, const mb_field *field, size_t scalars_len,
                       size_t capacity)
{
    work->field = field;
    work->multiplier = mb_linear_multiplier();
    work->prepared_bytes = work->multiplier->prepared_bytes(field);
    work->scalars_len = scalars_len;
    /* Rows of products end in whole words or registers. */
    work->scalars = mb_arena_take(arena, scalars_len + (work->multiplier->scale != NULL ? MB_SCALE_MARGIN : sizeof(uint64_t)));
    work->capacity = capacity;
    work->prepared = mb_arena_take(arena, capacity * work->prepared_bytes);
    work->one = mb_arena_take(arena, work->prepared_bytes);
    work->point = NULL;
}

void mb_workspace_take_point(mb_workspace *work, mb_arena *arena, size_t n)
{
    if (work->multiplier->scale != NULL) {
        work->point_stride = n + MB_SCALE_MARGIN;
        work->point = mb_arena_take(arena, work->point_stride);
        work->point_prepared = mb_arena_take(arena, n * work->prepared_bytes);
        return;
    }
    /* Words are read from any element on. */
    work->point_stride = n + sizeof(uint64_t);
    work->point = mb_arena_take(arena, work->field->bits * work->point_stride);
}

size_t mb_workspace_prepared_bytes(const mb_workspace *work, size_t count)
{
    return count * work->prepared_bytes;
}

void mb_workspace_prepare_packed(const mb_workspace *work, void *prepared, const uint8_t *packed,
                                 size_t count)
{
    mb_field_unpack(work->field, work->scalars, packed, count);
    work->multiplier->prepare(work->field, prepared, work->scalars, count);
}

void mb_workspace_matrix_vector(const mb_workspace *work, uint8_t *out, size_t bytes,
                                const uint8_t *columns, const uint8_t *x, size_t count)
{
    while (count != 0) {
        const size_t part = count < work->capacity ? count : work->capacity;
        work->multiplier->prepare(work->field, work->prepared, x, part);
        work->multiplier->combine(work->field, out, bytes, columns, bytes, work->prepared, part);
        columns += part * bytes;
        x += part;
        count -= part;
    }
}

void mb_workspace_matrix_packed(const mb_workspace *work, uint8_t *out, size_t bytes,
                                const uint8_t *columns, const uint8_t *packed, size_t count)
{
    mb_field_unpack(work->field, work->scalars, packed, count);
    mb_workspace_matrix_vector(work, out, bytes, columns, work->scalars, count);
}

void mb_workspace_matrix_matrix(const mb_workspace *work, uint8_t *out, size_t bytes, size_t columns,
                                const uint8_t *vectors, size_t count, const uint8_t *t)
{
    const size_t t_column_bytes = mb_field_bytes(work->field, count);
    for (size_t j = 0; j < columns; j++) {
        mb_workspace_matrix_packed(work, out + j * bytes, bytes, vectors, t + j * t_column_bytes, count);
    }
}

void mb_workspace_add_scaled(const mb_workspace *work, uint8_t *out, size_t bytes,
                             const uint8_t *vector, uint8_t scalar)
{
    work->multiplier->prepare(work->field, work->one, &scalar, 1);
    work->multiplier->combine(work->field, out, bytes, vector, bytes, work->one, 1);
}
