/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The multiplier, the gatherer and the solver of linear/x86/gfni_avx512_*.c, built with avx512/immintrin.h for <immintrin.h> because
 * valgrind does not know the instructions: against the portable backend on random shapes and, with the argument `secret`, on
 * undefined data under valgrind. See docs/soundness.md. */
#include "linear/portable/portable.h"
#include "linear/x86/x86.h"

enum { PREPARED_BYTES = 8 };

/* What the sources leave to gfni_avx2.c, whose own source emulated.c tests: narrow sums, here one by one, and
 * systems larger than the test's. */
static void narrow_combine_many(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                                const uint8_t *vectors, size_t stride, const void *prepared, size_t prepared_stride, size_t count)
{
    for (size_t b = 0; b < outs; b++) {
        mb_gfni_avx512_multiplier.combine(field, out + b * out_stride, bytes, vectors, stride,
                                          (const uint8_t *)prepared + b * prepared_stride * PREPARED_BYTES, count);
    }
}

extern const mb_multiplier emulated_narrow_multiplier;
const mb_multiplier emulated_narrow_multiplier = {.combine_many = narrow_combine_many};

static size_t prepared_bytes(const mb_field *field)
{
    return mb_gfni_avx512_multiplier.prepared_bytes(field);
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    mb_gfni_avx512_multiplier.prepare(field, prepared, scalars, count);
}

static void combine(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride, const void *prepared,
                    size_t count)
{
    mb_gfni_avx512_multiplier.combine(field, out, bytes, vectors, stride, prepared, count);
}

static void combine_many(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes, const uint8_t *vectors,
                         size_t stride, const void *prepared, size_t prepared_stride, size_t count)
{
    mb_gfni_avx512_multiplier.combine_many(field, out, out_stride, outs, bytes, vectors, stride, prepared, prepared_stride,
                                           count);
}

static void combine_in_rows(const mb_field *field, uint8_t *to, size_t out_stride, size_t outs, size_t bytes, const uint8_t *in,
                            size_t stride, void *rows, size_t row_len, size_t count)
{
    combine_many(field, to, out_stride, outs, bytes, in, stride, rows, row_len, count);
}

static size_t gather_memory_bytes(const mb_gathering *g)
{
    return mb_gfni_avx512_gatherer.memory_bytes(g);
}

static void gather_begin_vartime(const mb_gathering *g, const uint8_t *x)
{
    mb_gfni_avx512_gatherer.begin_vartime(g, x);
}

static void gather_vartime(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors, const mb_monomials *monomials)
{
    mb_gfni_avx512_gatherer.gather_vartime(g, first, bytes, vectors, monomials);
}

static void gather_collect_vartime(const mb_gathering *g, uint8_t *out)
{
    mb_gfni_avx512_gatherer.collect_vartime(g, out);
}

static size_t factors_bytes(const mb_field *field, size_t n)
{
    return mb_gfni_avx512_solver.factors_bytes(field, n);
}

static int factor(const mb_field *field, uint8_t *matrix, void *factors, size_t n)
{
    return mb_gfni_avx512_solver.factor(field, matrix, factors, n);
}

static void solve(const mb_field *field, uint8_t *x, uint8_t *right, const uint8_t *matrix, void *factors, size_t n)
{
    mb_gfni_avx512_solver.solve(field, x, right, matrix, factors, n);
}

static const mb_multiplier emulated_extras = {.scale = mb_gfni_avx512_scale, .transformation = &mb_gfni_avx512_transformation};

#include "emulated_test.h"
