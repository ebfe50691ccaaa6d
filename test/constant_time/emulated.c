/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The kernels of linear/x86/kernels.h over GFNI and AVX-512 in plain C, because valgrind knows neither: against the portable
 * backend on random shapes and, with the argument `secret`, on undefined data under valgrind. See docs/soundness.md. */
#include "linear/portable/portable.h"
#include "linear/x86/x86.h"
#include "platform/declassify.h"
#include "xorshift.h"

#include <string.h>

/* ---- The operations that kernels.h asks for ------------------------------------------------------- */

typedef struct vec {
    uint64_t words[8];
} vec;
typedef uint64_t vec_scalar;
enum { VEC_BYTES = 64, PREPARED_BYTES = 8 };

static inline vec vec_zero(void)
{
    return (vec){{0}};
}

static inline vec vec_xor(vec a, vec b)
{
    for (unsigned i = 0; i < 8; i++) {
        a.words[i] ^= b.words[i];
    }
    return a;
}

static inline vec vec_load(const uint8_t *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void vec_store(uint8_t *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

static inline vec vec_load_end(const uint8_t *p, size_t bytes, size_t tail)
{
    vec v = vec_zero();
    memcpy(&v, p + (bytes - tail), tail);
    return v;
}

static inline vec vec_only_tail(vec v, size_t bytes, size_t tail)
{
    (void)bytes;
    (void)tail; /* nothing else is loaded */
    return v;
}

static inline void vec_xor_tail(uint8_t *p, size_t bytes, size_t tail, vec v)
{
    const vec sum = vec_xor(vec_load_end(p, bytes, tail), v);
    memcpy(p + (bytes - tail), &sum, tail);
}

static inline void vec_xor_padded(uint8_t *p, size_t bytes, size_t tail, vec v)
{
    uint8_t *at = p + (bytes - tail);
    vec_store(at, vec_xor(vec_load(at), v));
}

static inline vec vec_and_byte(vec v, uint8_t mask)
{
    for (unsigned i = 0; i < 8; i++) {
        v.words[i] &= mask * UINT64_C(0x0101010101010101);
    }
    return v;
}

static inline vec_scalar vec_matrix(const uint8_t *p)
{
    uint64_t matrix;
    memcpy(&matrix, p, sizeof matrix);
    return matrix;
}

/* In each byte bit 0 becomes the sum of its bits. */
static inline uint64_t parities(uint64_t w)
{
    w ^= w >> 4;
    w ^= w >> 2;
    w ^= w >> 1;
    return w & UINT64_C(0x0101010101010101);
}

/* GF2P8AFFINEQB without a constant, on eight bytes: bit i of a byte is the sum of those of its bits that byte 7 - i of the
 * matrix selects. */
static inline uint64_t affine(uint64_t w, uint64_t matrix)
{
    uint64_t product = 0;
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t row = (matrix >> (8 * (7 - i)) & 0xff) * UINT64_C(0x0101010101010101);
        product |= parities(w & row) << i;
    }
    return product;
}

static inline vec vec_times_matrix(vec v, vec_scalar scalar)
{
    for (unsigned i = 0; i < 8; i++) {
        v.words[i] = affine(v.words[i], scalar);
    }
    return v;
}

#include "linear/x86/whole.h"

static inline vec_basis vec_basis_of(const mb_field *field, vec_basis_storage *storage)
{
    return mb_x86_matrix_rows(field, storage->matrices);
}

static inline vec_scalar vec_scalar_of(unsigned bits, vec_basis basis, uint8_t s)
{
    uint64_t matrix = 0;
    (void)bits;
    for (unsigned b = 0; b < 8; b++) {
        matrix |= (affine(s, basis[b]) & 0xff) << (8 * b);
    }
    return matrix;
}

static inline void prepare_bits(unsigned bits, vec_basis basis, uint8_t *out, const uint8_t *scalars, size_t count)
{
    for (size_t j = 0; j < count; j++, out += PREPARED_BYTES) {
        const vec_scalar matrix = vec_scalar_of(bits, basis, scalars[j]);
        memcpy(out, &matrix, sizeof matrix);
    }
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    vec_basis_storage storage;
    prepare_bits(8, vec_basis_of(field, &storage), prepared, scalars, count);
}

#include "linear/x86/kernels.h"
#include "linear/x86/elimination.h"
#include "linear/x86/gather_rows.h"

static void combine_in_rows(const mb_field *field, uint8_t *to, size_t out_stride, size_t outs, size_t bytes, const uint8_t *in,
                            size_t stride, void *rows, size_t row_len, size_t count)
{
    combine_many(field, to, out_stride, outs, bytes, in, stride, rows, row_len, count);
}

static const mb_multiplier emulated_extras = {.scale = scale};

#include "emulated_test.h"
