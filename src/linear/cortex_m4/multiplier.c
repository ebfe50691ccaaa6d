/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Sums of scaled vectors on Cortex-M4: whole blocks of 8 bytes by combine_*.S, what is left through a block on the stack. A
 * prepared scalar is the scalar itself. Fields without a kernel of their own go to the portable multiplier. */
#include "linear/cortex_m4/cortex_m4.h"
#include "linear/cortex_m4/words.h"
#include "linear/portable/portable.h"
#include "platform/wipe.h"

enum { BLOCK_BYTES = 8 };

static size_t prepared_bytes(const mb_field *field)
{
    return mb_m4_combine_for(field) != NULL ? 1 : mb_portable_multiplier.prepared_bytes(field);
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    if (mb_m4_combine_for(field) == NULL) {
        mb_portable_multiplier.prepare(field, prepared, scalars, count);
        return;
    }
    memcpy(prepared, scalars, count);
}

/* The last `bytes` < 8 bytes of vectors that are at least a block long: the block that they end, without its beginning. */
static void combine_end(mb_m4_combine *combine_blocks, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                        const uint8_t *scalars, size_t count)
{
    uint8_t block[BLOCK_BYTES] = {0};
    const size_t before = BLOCK_BYTES - bytes;
    combine_blocks(block, vectors - before, stride, scalars, count, 1);
    for (size_t i = 0; i < bytes; i++) {
        out[i] ^= block[before + i];
    }
    mb_wipe(block, sizeof block);
}

/* Vectors shorter than a block. */
static void combine_short(mb_m4_combine *combine_blocks, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                          const uint8_t *scalars, size_t count)
{
    uint8_t block[BLOCK_BYTES] = {0}, sum[BLOCK_BYTES] = {0};
    for (size_t j = 0; j < count; j++) {
        memcpy(block, vectors + j * stride, bytes);
        combine_blocks(sum, block, 0, scalars + j, 1, 1);
    }
    for (size_t i = 0; i < bytes; i++) {
        out[i] ^= sum[i];
    }
    mb_wipe(block, sizeof block);
    mb_wipe(sum, sizeof sum);
}

/* A single vector: no accumulators, a word at a time. */
static MB_ALWAYS_INLINE void add_scaled(mb_field field, uint8_t *out, size_t bytes, const uint8_t *vector, uint8_t scalar)
{
    const mb_m4_scalar s = mb_m4_masks(field, scalar);
    size_t i = 0;
    for (; i + 4 <= bytes; i += 4) {
        mb_m4_store(out + i, mb_m4_load(out + i) ^ mb_m4_times(field, &s, mb_m4_load(vector + i)));
    }
    for (; i < bytes; i++) {
        out[i] ^= (uint8_t)mb_m4_times(field, &s, vector[i]);
    }
}

static void combine(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                    const void *prepared, size_t count)
{
    mb_m4_combine *combine_blocks = mb_m4_combine_for(field);
    const size_t whole = bytes / BLOCK_BYTES * BLOCK_BYTES;
    if (combine_blocks == NULL) {
        mb_portable_multiplier.combine(field, out, bytes, vectors, stride, prepared, count);
        return;
    }
    if (count == 1) {
        MB_M4_DISPATCH(field, add_scaled, out, bytes, vectors, *(const uint8_t *)prepared);
        return;
    }
    if (whole == 0) {
        combine_short(combine_blocks, out, bytes, vectors, stride, prepared, count);
        return;
    }
    combine_blocks(out, vectors, stride, prepared, count, whole / BLOCK_BYTES);
    if (whole < bytes) {
        combine_end(combine_blocks, out + whole, bytes - whole, vectors + whole, stride, prepared, count);
    }
}

static void combine_many(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                         const uint8_t *vectors, size_t stride, const void *prepared, size_t prepared_stride, size_t count)
{
    const size_t each = prepared_stride * prepared_bytes(field);
    mb_m4_combine *combine_blocks = mb_m4_combine_for(field);
    if (combine_blocks != NULL && bytes % BLOCK_BYTES == 0 && bytes != 0) {
        for (size_t b = 0; b < outs; b++) {
            combine_blocks(out + b * out_stride, vectors, stride, (const uint8_t *)prepared + b * each, count,
                           bytes / BLOCK_BYTES);
        }
        return;
    }
    for (size_t b = 0; b < outs; b++) {
        combine(field, out + b * out_stride, bytes, vectors, stride, (const uint8_t *)prepared + b * each, count);
    }
}

const mb_multiplier mb_m4_multiplier = {"cortex-m4", BLOCK_BYTES, prepared_bytes, prepare, NULL, combine, combine_many,
                                        NULL, NULL, NULL};
