/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Sums of scaled vectors in portable C: one bit mask for each bit of a scalar, one accumulator for each bit, and the
 * field's multiplication only once at the end. Written so that a compiler's vectoriser takes the inner loops. */
#include "field/word.h"
#include "linear/contract.h"
#include "linear/portable/portable.h"
#include "platform/barrier.h"

#include <string.h>

static size_t prepared_bytes(const mb_field *field)
{
    return field->bits * sizeof(uint64_t);
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    uint64_t *mask = prepared;
    for (size_t j = 0; j < count; j++) {
        for (unsigned k = 0; k < field->bits; k++) {
            *mask++ = mb_mask_u64((scalars[j] >> k) & 1u);
        }
    }
}

/* `words` (a constant ≤ 4) words of out at once. */
static inline void combine_block(mb_field field, unsigned words, uint8_t *out, const uint8_t *vectors,
                                 size_t stride, const uint64_t *mask, size_t count)
{
    uint64_t plane[8][4] = {{0}};
    for (size_t j = 0; j < count; j++, vectors += stride, mask += field.bits) {
        uint64_t vector[4];
        memcpy(vector, vectors, words * sizeof *vector);
        for (unsigned k = 0; k < field.bits; k++) {
            for (unsigned w = 0; w < words; w++) {
                plane[k][w] ^= vector[w] & mask[k];
            }
        }
    }
    for (unsigned w = 0; w < words; w++) {
        uint64_t column[8], sum;
        for (unsigned k = 0; k < field.bits; k++) {
            column[k] = plane[k][w];
        }
        memcpy(&sum, out + w * sizeof sum, sizeof sum);
        sum ^= mb_word_recombine(field, column);
        memcpy(out + w * sizeof sum, &sum, sizeof sum);
    }
}

/* The last bytes < 8 of a vector: never reads or writes past them. */
static inline void combine_tail(mb_field field, size_t bytes, uint8_t *out, const uint8_t *vectors,
                                size_t stride, const uint64_t *mask, size_t count)
{
    uint64_t plane[8] = {0};
    for (size_t j = 0; j < count; j++, vectors += stride, mask += field.bits) {
        const uint64_t vector = mb_load_word(vectors, bytes);
        for (unsigned k = 0; k < field.bits; k++) {
            plane[k] ^= vector & mask[k];
        }
    }
    mb_store_word(out, bytes, mb_load_word(out, bytes) ^ mb_word_recombine(field, plane));
}

static inline void combine_field(mb_field field, uint8_t *out, size_t bytes, const uint8_t *vectors,
                                 size_t stride, const uint64_t *mask, size_t count)
{
    /* Two words a block for 8-bit elements, four for 4-bit ones: eight vector registers of planes. */
    const unsigned words = field.bits == 4 ? 4 : 2;
    size_t done = 0;
    for (; done + 8 * words <= bytes; done += 8 * words) {
        combine_block(field, words, out + done, vectors + done, stride, mask, count);
    }
    for (; done + 16 <= bytes; done += 16) {
        combine_block(field, 2, out + done, vectors + done, stride, mask, count);
    }
    for (; done + 8 <= bytes; done += 8) {
        combine_block(field, 1, out + done, vectors + done, stride, mask, count);
    }
    if (done < bytes) {
        combine_tail(field, bytes - done, out + done, vectors + done, stride, mask, count);
    }
}

static void combine(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors,
                    size_t stride, const void *prepared, size_t count)
{
    const uint64_t *mask = prepared;
    MB_WORD_DISPATCH(field, combine_field, out, bytes, vectors, stride, mask, count);
}

const mb_multiplier mb_portable_multiplier = {"portable", prepared_bytes, prepare, combine};
