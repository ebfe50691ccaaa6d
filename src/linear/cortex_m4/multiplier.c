/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Sums of scaled vectors on Cortex-M4: whole blocks of 8 bytes by combine_*.S, what is left through a block on the stack. A
 * prepared scalar is the scalar itself. Triangles over GF(16) have their products packed. Fields without a kernel of their own go to
 * the portable multiplier: see mb_m4_has_kernels. */
#include "linear/cortex_m4/cortex_m4.h"
#include "linear/cortex_m4/words.h"
#include "linear/portable/portable.h"
#include "platform/wipe.h"

extern const mb_multiplier mb_portable_multiplier __attribute__((weak)); /* see mb_m4_has_kernels */

enum { BLOCK_BYTES = 8 };

/* Of Rainbow I: rows of its secret map, and vectors of one of its layers. */
enum { ROW_BYTES = 512, ROWS_MANY = 36, ROWS_FEW = 32, LAYER_BYTES = 16 };

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

static int is_aligned(const void *at)
{
    return (uintptr_t)at % 4 == 0;
}

/* combine_rows_gf16_tower.S serves these. */
static int are_rows(const mb_field *field, const uint8_t *vectors, size_t stride, const void *prepared, size_t count)
{
    return stride == ROW_BYTES && (count == ROWS_MANY || count == ROWS_FEW) && field->basis == MB_BASIS_TOWER && field->bits == 4 &&
           is_aligned(vectors) && is_aligned(prepared);
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
    if (are_rows(field, vectors, stride, prepared, count)) {
        mb_m4_combine_rows_gf16_tower(out, vectors, prepared, count, whole / BLOCK_BYTES);
    } else {
        combine_blocks(out, vectors, stride, prepared, count, whole / BLOCK_BYTES);
    }
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

/* ---- Triangles over GF(16) --------------------------------------------------------------------------------------------------- */

enum { PER_WORD = 8, VARIABLES_MOST = 96, POINT_WORDS = VARIABLES_MOST / PER_WORD, PRODUCTS_WORDS = 96 };

/* Everything SECRET. */
typedef struct products {
    uint32_t point[4][POINT_WORDS];       /* times each basis element, packed; zeros behind it */
    uint32_t packed[PRODUCTS_WORDS + 1]; /* products x_i·x_j of several rows */
    size_t len;
} products;

static MB_ALWAYS_INLINE void spread_point(mb_field field, products *p, size_t n)
{
    for (size_t w = 0; w < (n + PER_WORD - 1) / PER_WORD; w++) {
        uint32_t plane[8];
        mb_m4_spread(field, plane, p->point[0][w]);
        for (unsigned k = 1; k < 4; k++) {
            p->point[k][w] = plane[k];
        }
    }
}

static void set_point(const mb_field *field, products *p, const uint8_t *x, size_t n)
{
    memset(p->point[0], 0, sizeof p->point[0]);
    mb_field_pack(field, (uint8_t *)p->point[0], x, n); /* pairs */
    if (n % 2 != 0) {
        p->point[0][n / PER_WORD] |= (uint32_t)x[n - 1] << (4 * ((n - 1) % PER_WORD));
    }
    if (field->basis == MB_BASIS_TOWER) {
        spread_point((mb_field){4, MB_BASIS_TOWER, 0}, p, n);
    } else {
        spread_point((mb_field){4, MB_BASIS_POLYNOMIAL, 0x3}, p, n);
    }
    p->len = 0;
}

/* The products of x_i, by its bits, with the variables of word w. */
static inline uint32_t multiply_word(const products *p, const uint32_t mask[4], size_t w)
{
    return (p->point[0][w] & mask[0]) ^ (p->point[1][w] & mask[1]) ^ (p->point[2][w] & mask[2]) ^ (p->point[3][w] & mask[3]);
}

/* Appends the products of x_i with x_i, x_{i+1}, …; what follows the last of them is zero, being products of zeros. */
static void multiply_row(products *p, size_t i, size_t n)
{
    const unsigned before = 4 * (i % PER_WORD);
    const uint32_t x_i = p->point[0][i / PER_WORD] >> before;
    const uint32_t mask[4] = {mb_mask_u32(x_i & 1), mb_mask_u32(x_i >> 1 & 1), mb_mask_u32(x_i >> 2 & 1), mb_mask_u32(x_i >> 3 & 1)};
    uint32_t *out = p->packed + p->len / PER_WORD, product = multiply_word(p, mask, i / PER_WORD) >> before;
    unsigned used = 4 * (p->len % PER_WORD);
    uint32_t word = (used == 0 ? 0 : *out) | product << used;
    used += 32 - before;
    if (used >= 32) {
        *out++ = word;
        used -= 32;
        word = product >> 1 >> (31 - before - used); /* what found no room */
    }
    for (size_t w = i / PER_WORD + 1; w < (n + PER_WORD - 1) / PER_WORD; w++) {
        product = multiply_word(p, mask, w);
        *out++ = word | product << used;
        word = product >> 1 >> (31 - used);
    }
    *out = word;
    p->len += n - i;
}

/* combine_packed_*.S for vectors of so many bytes, or NULL. */
static mb_m4_combine_packed *combine_packed_for(const mb_field *field, size_t bytes)
{
    return field->basis == MB_BASIS_TOWER && field->bits == 4 && bytes == LAYER_BYTES ? mb_m4_combine_packed_gf16_tower : NULL;
}

static int are_served(const mb_field *field, const mb_triangle *triangles, size_t triangles_len)
{
    for (size_t t = 0; t < triangles_len; t++) {
        if (combine_packed_for(field, triangles[t].bytes) == NULL) {
            return 0;
        }
    }
    return 1;
}

/* The products belong to the vectors from `done` on. */
static void add_products(const mb_field *field, const mb_triangle *triangles, size_t triangles_len, const products *p, size_t done)
{
    for (size_t t = 0; t < triangles_len; t++) {
        const size_t bytes = triangles[t].bytes;
        combine_packed_for(field, bytes)(triangles[t].constant, triangles[t].coefficients + done * bytes, bytes, p->packed, p->len,
                                         bytes / BLOCK_BYTES);
    }
}

static int combine_triangles(const mb_field *field, const mb_triangle *triangles, size_t triangles_len, const void *prepared, size_t n)
{
    size_t done = 0;
    products p;
    if (n > VARIABLES_MOST || !are_served(field, triangles, triangles_len)) {
        return -1;
    }
    set_point(field, &p, prepared, n);
    for (size_t i = 0; i < n; i++) {
        if (p.len + (n - i) > PRODUCTS_WORDS * PER_WORD) {
            add_products(field, triangles, triangles_len, &p, done);
            done += p.len;
            p.len = 0;
        }
        multiply_row(&p, i, n);
    }
    if (n != 0) {
        add_products(field, triangles, triangles_len, &p, done);
    }
    mb_wipe(&p, sizeof p);
    return 0;
}

/* ---- One matrix times many vectors ------------------------------------------------------------------------------------------- */

/* Scalars of a vector that are unpacked at a time. */
enum { UNPACKED = 64, UNPACKED_BYTES = 512 };

static size_t matrix_bytes(const mb_field *field, size_t rows, size_t columns)
{
    return columns * mb_field_bytes(field, rows);
}

static void prepare_matrix(const mb_field *field, void *prepared, const uint8_t *matrix, size_t rows, size_t columns)
{
    memcpy(prepared, matrix, matrix_bytes(field, rows, columns));
}

/* A vector whose scalars have to be unpacked. */
static void add_product(const mb_field *field, uint8_t *out, const uint8_t *vector, const uint8_t *matrix, size_t rows, size_t columns)
{
    _Alignas(16) uint8_t prepared[UNPACKED_BYTES];
    uint8_t scalars[UNPACKED];
    const size_t bytes = mb_field_bytes(field, rows), most = UNPACKED_BYTES / prepared_bytes(field);
    for (size_t done = 0, count; done < columns; done += count) {
        count = columns - done < most ? columns - done : most;
        count = count < UNPACKED ? count : UNPACKED;
        mb_field_unpack(field, scalars, vector + mb_field_bytes(field, done), count);
        prepare(field, prepared, scalars, count);
        combine(field, out, bytes, matrix + done * bytes, bytes, prepared, count);
    }
    mb_wipe(prepared, sizeof prepared);
    mb_wipe(scalars, sizeof scalars);
}

static void add_products_of_matrix(const mb_field *field, uint8_t *out, const uint8_t *vectors, size_t stride, size_t count,
                                   const void *prepared, size_t rows, size_t columns)
{
    const size_t bytes = mb_field_bytes(field, rows);
    mb_m4_combine_packed *combine_packed = combine_packed_for(field, bytes);
    for (; count != 0; count--, out += stride, vectors += stride) {
        if (combine_packed != NULL && columns != 0 && columns % PER_WORD == 0 && is_aligned(vectors)) {
            combine_packed(out, prepared, bytes, (const uint32_t *)(uintptr_t)vectors, columns, bytes / BLOCK_BYTES);
        } else {
            add_product(field, out, vectors, prepared, rows, columns);
        }
    }
}

static const mb_transformation transformation = {matrix_bytes, prepare_matrix, add_products_of_matrix};

const mb_multiplier mb_m4_multiplier = {"cortex-m4", BLOCK_BYTES, prepared_bytes, prepare, NULL, combine, combine_many,
                                        NULL, &transformation, combine_triangles};
