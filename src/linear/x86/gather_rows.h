/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Public maps (linear/contract.h) by the sums of kernels.h, which is included before: little memory. */
#ifndef MB_LINEAR_X86_GATHER_ROWS_H
#define MB_LINEAR_X86_GATHER_ROWS_H

/* Memory: x prepared; the sum, and room for a register. A row is summed with the x_j and scaled once by x_i. */
static size_t gather_memory_bytes(const mb_gathering *g)
{
    return g->n * prepared_bytes(g->field) + g->width + VEC_BYTES;
}

static uint8_t *gather_sum(const mb_gathering *g)
{
    return (uint8_t *)g->memory + g->n * prepared_bytes(g->field);
}

static void gather_begin_vartime(const mb_gathering *g, const uint8_t *x)
{
    prepare(g->field, g->memory, x, g->n);
    memset(gather_sum(g), 0, g->width + VEC_BYTES);
}

static MB_ALWAYS_INLINE void gather_rows(unsigned bits, uint8_t *sum, const uint8_t *prepared, size_t bytes, const uint8_t *vectors,
                                         const mb_monomials *monomials)
{
    for (size_t row = 0; row < monomials->rows; row++) {
        const size_t j = monomials->j + row * monomials->shrink, count = monomials->end - j;
        combine_scaled(bits, sum, bytes, vectors, bytes, prepared + j * prepared_len(bits), count,
                       prepared + (monomials->i + row) * prepared_len(bits));
        vectors += count * bytes;
    }
}

static void gather_vartime(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors,
                           const mb_monomials *monomials)
{
    if (kernel_bits(g->field) == 4) {
        gather_rows(4, gather_sum(g) + first, g->memory, bytes, vectors, monomials);
    } else {
        gather_rows(8, gather_sum(g) + first, g->memory, bytes, vectors, monomials);
    }
}

static void gather_collect_vartime(const mb_gathering *g, uint8_t *out)
{
    memcpy(out, gather_sum(g), g->width);
}

#endif
