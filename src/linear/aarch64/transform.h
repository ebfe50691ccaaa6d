/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * One matrix for many vectors: key generation's S. Part of kernels.h.
 *
 * The vectors are transposed, so that a register holds one element of 16 of them (or of 32, over GF(16)): then the products are those of
 * multiply_many.h, whose tables are made once for all vectors. */
#ifndef MB_LINEAR_AARCH64_TRANSFORM_H
#define MB_LINEAR_AARCH64_TRANSFORM_H

enum { SLAB_BYTES = BLOCK * VEC_BYTES, SLAB_ELEMENTS = 64 };

/* Elements of some vectors, SLAB_BYTES for each element; over GF(16) vectors g and g + SLAB_BYTES share a byte. */
typedef struct slab {
    uint8_t rows[(SLAB_ELEMENTS + 16) * SLAB_BYTES]; /* and room for the rest of a block of sixteen */
} slab;

/* Vectors in a slab. */
static inline size_t slab_vectors(unsigned bits)
{
    return bits == 4 ? 2 * SLAB_BYTES : SLAB_BYTES;
}

/* Where byte b of sixteen vectors from vector `first` on is, before nibbles are joined to rows. */
static MB_ALWAYS_INLINE uint8_t *slab_at(unsigned bits, slab *s, size_t b, size_t first)
{
    return s->rows + b * slab_vectors(bits) + first;
}

/* Over GF(16), between bytes of two elements and elements of two vectors: its own inverse. */
static void exchange_nibbles(slab *s, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++) {
        for (size_t g = 0; g < SLAB_BYTES; g += VEC_BYTES) {
            uint8_t *even = slab_at(4, s, b, g), *odd = even + SLAB_BYTES;
            const vec first = vec_load(even), second = vec_load(odd);
            vec_store(even, join_low(first, second));
            vec_store(odd, join_high(first, second));
        }
    }
}

/* The first `bytes` bytes of each vector, to a slab. */
static void slab_load(unsigned bits, slab *s, const uint8_t *vectors, size_t stride, size_t count, size_t bytes)
{
    for (size_t first = 0; first < (bits == 4 ? slab_vectors(4) : count); first += 16) {
        for (size_t b = 0; b < bytes; b += 16) {
            const size_t here = bytes - b < 16 ? bytes - b : 16;
            vec block[16];
            if (here == 16 && first + 16 <= count) {
                MB_UNROLL
                for (size_t c = 0; c < 16; c++) {
                    block[c] = vec_load(vectors + (first + c) * stride + b);
                }
            } else {
                for (size_t c = 0; c < 16; c++) {
                    block[c] = first + c < count ? load_short(vectors + (first + c) * stride + b, here) : vec_zero();
                }
            }
            transpose_sixteen(block);
            if (here == 16) {
                MB_UNROLL
                for (size_t r = 0; r < 16; r++) {
                    vec_store(slab_at(bits, s, b + r, first), block[r]);
                }
            } else {
                for (size_t r = 0; r < here; r++) {
                    vec_store(slab_at(bits, s, b + r, first), block[r]);
                }
            }
        }
    }
    if (bits == 4) {
        exchange_nibbles(s, bytes);
    }
}

/* Adds it to them. */
static void slab_add(unsigned bits, slab *s, uint8_t *vectors, size_t stride, size_t count, size_t bytes)
{
    if (bits == 4) {
        exchange_nibbles(s, bytes);
    }
    for (size_t first = 0; first < count; first += 16) {
        for (size_t b = 0; b < bytes; b += 16) {
            const size_t here = bytes - b < 16 ? bytes - b : 16;
            vec block[16];
            MB_UNROLL
            for (size_t r = 0; r < 16; r++) { /* past the end of its rows a slab has room */
                block[r] = vec_load(slab_at(bits, s, b + r, first));
            }
            transpose_sixteen(block);
            if (here == 16 && first + 16 <= count) {
                MB_UNROLL
                for (size_t c = 0; c < 16; c++) {
                    xor_store(vectors + (first + c) * stride + b, block[c]);
                }
            } else {
                for (size_t c = 0; c < 16 && first + c < count; c++) {
                    xor_short(vectors + (first + c) * stride + b, here, block[c]);
                }
            }
        }
    }
}

/* A transformation as it is multiplied with: rows of arranged scalars. */
static size_t transformation_bytes(const mb_field *field, size_t rows, size_t columns)
{
    (void)field;
    return rows * columns * ARRANGED_BYTES;
}

static void prepare_transformation(const mb_field *field, void *prepared, const uint8_t *matrix, size_t rows, size_t columns)
{
    const size_t column_bytes = mb_field_bytes(field, rows);
    uint8_t *out = prepared, scalars[VEC_BYTES];
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j += VEC_BYTES) {
            const size_t count = columns - j < VEC_BYTES ? columns - j : VEC_BYTES;
            for (size_t u = 0; u < count; u++) {
                const uint8_t *column = matrix + (j + u) * column_bytes;
                scalars[u] = field->bits == 4 ? column[i / 2] >> (i % 2 * 4) & 15 : column[i];
            }
            prepare(field, out + (i * columns + j) * VEC_BYTES, scalars, count);
        }
    }
    arrange(field, prepared, columns, rows);
    mb_wipe(scalars, sizeof scalars);
}

/* Up to a slab of vectors. */
static void transform_slab(const mb_field *field, slab *from, slab *sums, uint8_t *out, const uint8_t *vectors, size_t stride,
                           size_t count, const uint8_t *prepared, size_t rows, size_t columns)
{
    const unsigned bits = field->bits;
    /* Over GF(16) the last vectors may be the second ones of their bytes. */
    const size_t bytes = bits == 4 ? SLAB_BYTES : (count + VEC_BYTES - 1) / VEC_BYTES * VEC_BYTES;
    for (size_t i = 0; i < rows; i += SLAB_ELEMENTS) {
        const size_t rows_here = rows - i < SLAB_ELEMENTS ? rows - i : SLAB_ELEMENTS;
        memset(sums, 0, sizeof *sums);
        for (size_t j = 0; j < columns; j += SLAB_ELEMENTS) {
            const size_t columns_here = columns - j < SLAB_ELEMENTS ? columns - j : SLAB_ELEMENTS;
            slab_load(bits, from, vectors + mb_field_bytes(field, j), stride, count, mb_field_bytes(field, columns_here));
            combine_arranged(field, sums->rows, SLAB_BYTES, rows_here, bytes, from->rows, SLAB_BYTES,
                             prepared + arranged_row(field, i, columns * VEC_BYTES) + j * VEC_BYTES, columns, columns_here);
        }
        slab_add(bits, sums, out + mb_field_bytes(field, i), stride, count, mb_field_bytes(field, rows_here));
    }
}

static void add_products(const mb_field *field, uint8_t *out, const uint8_t *vectors, size_t stride, size_t count, const void *prepared,
                         size_t rows, size_t columns)
{
    const size_t most = slab_vectors(field->bits);
    slab from, sums;
    for (size_t done = 0; done < count; done += most) {
        transform_slab(field, &from, &sums, out + done * stride, vectors + done * stride, stride, count - done < most ? count - done : most,
                       prepared, rows, columns);
    }
    mb_wipe(&from, sizeof from);
    mb_wipe(&sums, sizeof sums);
}

#endif
