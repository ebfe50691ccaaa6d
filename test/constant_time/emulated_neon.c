/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The kernels of linear/aarch64/kernels.h over NEON in plain C (neon/arm_neon.h), because valgrind runs on another machine: against the
 * portable backend on random shapes and, with the argument `secret`, on undefined data under valgrind. See docs/soundness.md. */
#include <arm_neon.h>
#include <stddef.h>

typedef uint8x16_t vec;

static inline vec vec_xor3(vec a, vec b, vec c)
{
    return a ^ b ^ c;
}

static inline vec vec_xor_without(vec a, vec b, vec without)
{
    return a ^ (b & ~without);
}

static inline void load_several(vec *v, unsigned regs, const uint8_t *p)
{
    memcpy(v, p, regs * sizeof *v);
}

static inline void store_several(uint8_t *p, unsigned regs, const vec *v)
{
    memcpy(p, v, regs * sizeof *v);
}

static inline void load_pair(vec *v, const uint8_t *p, unsigned r)
{
    memcpy(v, p + r * sizeof *v, 2 * sizeof *v);
}

static inline void load_pair_next(vec *v, const uint8_t **p)
{
    memcpy(v, *p, 2 * sizeof *v);
    *p += 2 * sizeof *v;
}

#include "linear/aarch64/kernels.h"

static void combine_in_rows(const mb_field *field, uint8_t *to, size_t out_stride, size_t outs, size_t bytes, const uint8_t *in,
                            size_t stride, void *rows, size_t row_len, size_t count)
{
    arrange(field, rows, row_len, outs);
    combine_arranged(field, to, out_stride, outs, bytes, in, stride, rows, row_len, count);
}

static const mb_transformation many_vectors = {transformation_bytes, prepare_transformation, add_products};
static const mb_multiplier emulated_extras = {.transformation = &many_vectors, .combine_triangles = combine_triangles};

#include "emulated_test.h"
