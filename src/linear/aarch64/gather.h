/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification's inner loop: vectors go to a bucket by the value of their scalar, and the buckets are weighed once at the end, as
 * in portable/gatherer.c, in whole registers. PUBLIC data, variable time. Part of kernels.h. */
#ifndef MB_LINEAR_AARCH64_GATHER_H
#define MB_LINEAR_AARCH64_GATHER_H

typedef struct gather_layout {
    size_t x_bytes, bucket_bytes, buckets_len;
    uint8_t *x;        /* n elements, one a byte, padded to whole registers and one more */
    uint8_t *products; /* of a row: x_i·x_j for the columns j at hand */
    uint8_t *buckets;  /* one for each value; that of 0 is written and never read */
} gather_layout;

static size_t whole_registers(size_t bytes)
{
    return (bytes + VEC_BYTES - 1) / VEC_BYTES * VEC_BYTES;
}

static gather_layout gather_lay_out(const mb_gathering *g)
{
    gather_layout at;
    at.x_bytes = whole_registers(g->n) + VEC_BYTES;
    at.bucket_bytes = whole_registers(g->width);
    at.buckets_len = (size_t)1 << g->field->bits;
    at.x = g->memory;
    at.products = at.x + at.x_bytes;
    at.buckets = at.products + at.x_bytes;
    return at;
}

static size_t gather_memory_bytes(const mb_gathering *g)
{
    const size_t bucket_bytes = whole_registers(g->width);
    return 2 * (whole_registers(g->n) + VEC_BYTES) + ((size_t)1 << g->field->bits) * bucket_bytes;
}

static void gather_begin_vartime(const mb_gathering *g, const uint8_t *x)
{
    const gather_layout at = gather_lay_out(g);
    memset(at.x, 0, at.x_bytes);
    memcpy(at.x, x, g->n);
    memset(at.buckets, 0, at.buckets_len * at.bucket_bytes);
}

/* products[c] = x_i·x[j + c] for c < count, and up to a register more. */
static MB_ALWAYS_INLINE void row_products(unsigned bits, const mb_nibble_tables *basis, const gather_layout *at, uint8_t x_i,
                                          size_t j, size_t count)
{
    const multiple m = multiple_of(basis, bits, vdupq_n_u8(x_i));
    for (size_t c = 0; c < count; c += VEC_BYTES) {
        vec_store(at->products + c, times(bits, vec_load(at->x + j + c), m));
    }
}

/* The key is read once, in order; how far ahead of its use it is asked for. Asking beyond its end is harmless. */
enum { AHEAD_BYTES = 1024 };

/* bucket ^= vector, of `regs` registers and then `rest` < 16 bytes: constants, nearly always. */
static MB_ALWAYS_INLINE void add_to_bucket(uint8_t *bucket, const uint8_t *vector, unsigned regs, size_t rest)
{
    vec sum[8], v[8];
    uint64_t eight = 0, eight_of_bucket = 0;
    uint32_t four = 0, four_of_bucket = 0;
    const size_t after = VEC_BYTES * regs, after_eight = after + (rest & 8), last = after + (rest & 12);
    load_several(v, regs, vector);
    load_several(sum, regs, bucket);
    for (unsigned r = 0; r < regs; r++) {
        sum[r] = veorq_u8(sum[r], v[r]);
    }
    if (rest & 8) {
        memcpy(&eight, vector + after, 8);
        memcpy(&eight_of_bucket, bucket + after, 8);
    }
    if (rest & 4) {
        memcpy(&four, vector + after_eight, 4);
        memcpy(&four_of_bucket, bucket + after_eight, 4);
    }
    store_several(bucket, regs, sum);
    if (rest & 8) {
        eight ^= eight_of_bucket;
        memcpy(bucket + after, &eight, 8);
    }
    if (rest & 4) {
        four ^= four_of_bucket;
        memcpy(bucket + after_eight, &four, 4);
    }
    for (size_t i = 0; i < (rest & 3); i++) {
        bucket[last + i] ^= vector[last + i];
    }
}

static MB_ALWAYS_INLINE void gather_fixed(uint8_t *buckets, size_t bucket_bytes, size_t bytes, const uint8_t *vectors,
                                          const uint8_t *products, size_t count)
{
    const uint8_t *end = vectors + count * bytes;
    for (; vectors != end; vectors += bytes) {
        MB_PREFETCH(vectors + AHEAD_BYTES);
        add_to_bucket(buckets + *products++ * bucket_bytes, vectors, (unsigned)(bytes / VEC_BYTES), bytes % VEC_BYTES);
    }
}

static void gather_any(uint8_t *buckets, size_t bucket_bytes, size_t bytes, const uint8_t *vectors, const uint8_t *products,
                       size_t count)
{
    for (; count != 0; count--, vectors += bytes) {
        uint8_t *bucket = buckets + *products++ * bucket_bytes;
        size_t done = 0;
        for (; done + VEC_BYTES <= bytes; done += VEC_BYTES) {
            xor_store(bucket + done, vec_load(vectors + done));
        }
        add_to_bucket(bucket + done, vectors + done, 0, bytes - done);
    }
}

/* One row, its products at hand. */
static MB_ALWAYS_INLINE void gather_row(uint8_t *buckets, size_t bucket_bytes, size_t bytes, const uint8_t *vectors,
                                        const uint8_t *products, size_t count)
{
    switch (bytes) {
#define LENGTH(length)                                                          \
    case length:                                                                \
        gather_fixed(buckets, bucket_bytes, length, vectors, products, count);  \
        return;
        LENGTH(16)
        LENGTH(32)
        LENGTH(36)
        LENGTH(44)
        LENGTH(48)
        LENGTH(64)
        LENGTH(72)
        LENGTH(80)
        LENGTH(96)
        LENGTH(100)
#undef LENGTH
    default:
        gather_any(buckets, bucket_bytes, bytes, vectors, products, count);
    }
}

static void gather_vartime(const mb_gathering *g, size_t first, size_t bytes, const uint8_t *vectors,
                           const mb_monomials *monomials)
{
    const gather_layout at = gather_lay_out(g);
    mb_nibble_tables storage[8];
    const mb_nibble_tables *basis = mb_basis_tables(g->field, storage);
    for (size_t row = 0; row < monomials->rows; row++) {
        const size_t j = monomials->j + row * monomials->shrink, count = monomials->end - j;
        const uint8_t x_i = at.x[monomials->i + row];
        if (x_i != 0) {
            row_products(g->field->bits, basis, &at, x_i, j, count);
            gather_row(at.buckets + first, at.bucket_bytes, bytes, vectors, at.products, count);
        }
        vectors += count * bytes;
    }
}

/* From the top each half of the buckets is folded onto the lower half: plane k, the sum of the buckets whose value has bit k, is
 * what its upper half sums up to; then Σ (basis element k)·plane k. */
static void gather_collect_vartime(const mb_gathering *g, uint8_t *out)
{
    const gather_layout at = gather_lay_out(g);
    mb_nibble_tables storage[8];
    const mb_nibble_tables *basis = mb_basis_tables(g->field, storage);
    for (size_t r = 0; r < at.bucket_bytes; r += VEC_BYTES) {
        uint8_t *buckets = at.buckets + r;
        vec value = vec_zero();
        for (unsigned k = g->field->bits; k-- > 0;) {
            const size_t half = (size_t)1 << k;
            vec plane = vec_zero();
            for (size_t v = 0; v < half; v++) {
                const vec upper = vec_load(buckets + (half + v) * at.bucket_bytes);
                plane = veorq_u8(plane, upper);
                xor_store(buckets + v * at.bucket_bytes, upper);
            }
            value = veorq_u8(value, times_constant(plane, &basis[k]));
        }
        if (r + VEC_BYTES <= g->width) {
            vec_store(out + r, value);
        } else {
            uint8_t last[VEC_BYTES];
            vec_store(last, value);
            memcpy(out + r, last, g->width - r);
        }
    }
}

#endif
