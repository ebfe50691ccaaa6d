/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Sums of scaled vectors in portable C: one bit mask for each bit of a scalar, one accumulator for each bit, and the
 * field's multiplication only once at the end. Sixteen bytes at a time. */
#include "field/word.h"
#include "linear/contract.h"
#include "linear/portable/portable.h"
#include "platform/compiler.h"
#include "platform/lanes.h"

/* A prepared scalar is a mask of 16 bytes for each of its bits. */
static size_t prepared_bytes(const mb_field *field)
{
    return field->bits * sizeof(mb_lanes);
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    mb_lanes *mask = prepared;
    const mb_lanes one = mb_lanes_broadcast(1);
    for (size_t j = 0; j < count; j++) {
        const mb_lanes scalar = mb_lanes_broadcast(scalars[j]);
        for (unsigned k = 0; k < 4; k++) {
            mask[k] = 0 - ((scalar >> k) & one);
        }
        for (unsigned k = 4; k < field->bits; k++) {
            mask[k] = 0 - ((scalar >> k) & one);
        }
        mask += field->bits;
    }
}

/* `width` (a constant, 1 or 2) times 16 bytes of the sum. */
static MB_ALWAYS_INLINE void sum_block(mb_field field, unsigned width, mb_lanes *sum,
                                                            const uint8_t *vectors, size_t stride,
                                                            const mb_lanes *mask, size_t count)
{
    mb_lanes plane[8][2] = {{MB_LANES_OF(0)}};
    for (size_t j = 0; j < count; j++, vectors += stride, mask += field.bits) {
        for (unsigned w = 0; w < width; w++) {
            const mb_lanes vector = mb_lanes_load(vectors + w * MB_LANES_BYTES);
            for (unsigned k = 0; k < field.bits; k++) {
                plane[k][w] ^= vector & mask[k];
            }
        }
    }
    for (unsigned w = 0; w < width; w++) {
        for (unsigned i = 0; i < MB_LANES_WORDS; i++) {
            uint64_t column[8] = {0};
            for (unsigned k = 0; k < field.bits; k++) {
                column[k] = MB_LANES_WORD(plane[k][w], i);
            }
            MB_LANES_WORD(sum[w], i) = mb_word_recombine(field, column);
        }
    }
}

/* Vectors shorter than 16 bytes, through a buffer. */
static inline void combine_short(mb_field field, uint8_t *out, size_t bytes, const uint8_t *vectors,
                                 size_t stride, const mb_lanes *mask, size_t count)
{
    uint64_t plane[8][MB_LANES_WORDS] = {{0}};
    for (size_t j = 0; j < count; j++, vectors += stride, mask += field.bits) {
        for (size_t i = 0; 8 * i < bytes; i++) {
            const uint64_t word = mb_load_word(vectors + 8 * i, bytes - 8 * i);
            for (unsigned k = 0; k < field.bits; k++) {
                plane[k][i] ^= word & MB_LANES_WORD(mask[k], 0);
            }
        }
    }
    for (size_t i = 0; 8 * i < bytes; i++) {
        uint64_t column[8] = {0};
        for (unsigned k = 0; k < field.bits; k++) {
            column[k] = plane[k][i];
        }
        mb_store_word(out + 8 * i, bytes - 8 * i,
                      mb_load_word(out + 8 * i, bytes - 8 * i) ^ mb_word_recombine(field, column));
    }
}

static MB_ALWAYS_INLINE void combine_field(mb_field field, uint8_t *out, size_t bytes,
                                                                const uint8_t *vectors, size_t stride,
                                                                const mb_lanes *mask, size_t count)
{
    /* Eight registers of planes: two times 16 bytes for 4-bit elements, once for 8-bit ones. */
    const unsigned width = field.bits == 4 ? 2 : 1;
    size_t done = 0;
    mb_lanes sum[2] = {MB_LANES_OF(0)};
    if (bytes < MB_LANES_BYTES) {
        combine_short(field, out, bytes, vectors, stride, mask, count);
        return;
    }
    for (; done + width * MB_LANES_BYTES <= bytes; done += width * MB_LANES_BYTES) {
        sum_block(field, width, sum, vectors + done, stride, mask, count);
        for (unsigned w = 0; w < width; w++) {
            uint8_t *at = out + done + w * MB_LANES_BYTES;
            mb_lanes_store(at, mb_lanes_load(at) ^ sum[w]);
        }
    }
    if (width == 2 && done + MB_LANES_BYTES <= bytes) {
        sum_block(field, 1, sum, vectors + done, stride, mask, count);
        mb_lanes_store(out + done, mb_lanes_load(out + done) ^ sum[0]);
        done += MB_LANES_BYTES;
    }
    if (done < bytes) {
        /* The last block reaches back into bytes that are done: their part of the sum is left out. */
        const size_t start = bytes - MB_LANES_BYTES;
        uint8_t rest[MB_LANES_BYTES];
        sum_block(field, 1, sum, vectors + start, stride, mask, count);
        mb_lanes_store(rest, sum[0]);
        for (size_t i = done - start; i < MB_LANES_BYTES; i++) {
            out[start + i] ^= rest[i];
        }
    }
}

static void combine(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors,
                    size_t stride, const void *prepared, size_t count)
{
    const mb_lanes *mask = prepared;
    MB_WORD_DISPATCH(field, combine_field, out, bytes, vectors, stride, mask, count);
}

static void combine_many(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                         const uint8_t *vectors, size_t stride, const void *prepared, size_t prepared_stride,
                         size_t count)
{
    const mb_lanes *mask = prepared;
    for (size_t b = 0; b < outs; b++) {
        combine(field, out + b * out_stride, bytes, vectors, stride, mask + b * prepared_stride * field->bits, count);
    }
}

const mb_multiplier mb_portable_multiplier = {"portable", MB_LANES_BYTES, prepared_bytes, prepare, NULL, combine,
                                              combine_many, NULL, NULL, NULL};
