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

/* Products with one scalar, the same in all bytes of `s`: its tables, sums of the basis elements' tables, and what is looked up in them. */
typedef struct multiple {
    vec low, high;
} multiple;

static MB_ALWAYS_INLINE vec times(unsigned bits, vec v, multiple s)
{
    if (bits == 4) {
        return vqtbl1q_u8(s.low, v);
    }
    return veorq_u8(vqtbl1q_u8(s.low, low_nibbles(v)), vqtbl1q_u8(s.high, high_nibbles(v)));
}

static MB_ALWAYS_INLINE multiple multiple_of(const mb_nibble_tables *basis, unsigned bits, vec s)
{
    multiple m = {vec_zero(), vec_zero()};
    MB_UNROLL
    for (unsigned k = 0; k < bits; k++) {
        const vec absent = vceqzq_u8(vandq_u8(s, vdupq_n_u8((uint8_t)(1u << k))));
        m.low = vec_xor_without(m.low, vec_load(basis[k].products), absent);
        if (bits == 8) {
            m.high = vec_xor_without(m.high, vec_load(basis[k].products + 16), absent);
        }
    }
    return m;
}

/* products[c] = x_i·x[j + c] for c < count, and up to two registers more, for which there is room: of x, or of what follows it. */
static MB_ALWAYS_INLINE void row_products(unsigned bits, const mb_nibble_tables *basis, const gather_layout *at, uint8_t x_i,
                                          size_t j, size_t count)
{
    const multiple m = multiple_of(basis, bits, vdupq_n_u8(x_i));
    for (size_t c = 0; c < count; c += 2 * VEC_BYTES) {
        vec v[2];
        load_several(v, 2, at->x + j + c);
        v[0] = times(bits, v[0], m);
        v[1] = times(bits, v[1], m);
        store_several(at->products + c, 2, v);
    }
}

/* The key is read once, in order; how far ahead of its use it is asked for. Asking beyond its end is harmless. */
enum { AHEAD_BYTES = 1024 };

/* `regs` registers from *p on, which moves past them. */
static MB_ALWAYS_INLINE void load_next(vec *v, unsigned regs, const uint8_t **p)
{
    for (unsigned r = 0; r + 2 <= regs; r += 2) {
        load_pair_next(v + r, p);
    }
    if (regs % 2 != 0) {
        v[regs - 1] = vec_load(*p);
        *p += VEC_BYTES;
    }
}

/* bucket ^= the `regs` registers and then `rest` < 16 bytes at *vector, which moves past them: constants, nearly always. */
static MB_ALWAYS_INLINE void add_to_bucket(uint8_t *bucket, const uint8_t **vector, unsigned regs, size_t rest)
{
    vec sum[8], v[8];
    uint64_t eight = 0, eight_of_bucket = 0;
    uint32_t four = 0, four_of_bucket = 0;
    const size_t after = VEC_BYTES * regs, after_eight = after + (rest & 8), last = after + (rest & 12);
    load_next(v, regs, vector);
    const uint8_t *tail = *vector;
    load_several(sum, regs, bucket);
    for (unsigned r = 0; r < regs; r++) {
        sum[r] = veorq_u8(sum[r], v[r]);
    }
    if (rest & 8) {
        memcpy(&eight, tail, 8);
        memcpy(&eight_of_bucket, bucket + after, 8);
    }
    if (rest & 4) {
        memcpy(&four, tail + (rest & 8), 4);
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
        bucket[last + i] ^= tail[(rest & 12) + i];
    }
    *vector += rest;
}

/* Whether a rest is quicker as a whole register, which reaches back into the vector and is moved to its place. */
static MB_ALWAYS_INLINE int rest_as_register(size_t rest)
{
    return rest != 0 && rest != 4 && rest != 8;
}

/* The same where the bucket has room for whole registers; `move` moves the last `rest` bytes of a register to its beginning. */
static MB_ALWAYS_INLINE void add_whole_to_bucket(uint8_t *bucket, const uint8_t **vector, unsigned regs, size_t rest, vec move)
{
    vec sum[8], v[8];
    load_next(v, regs, vector);
    v[regs] = vqtbl1q_u8(vec_load(*vector + rest - VEC_BYTES), move);
    *vector += rest;
    load_several(sum, regs + 1, bucket);
    MB_UNROLL
    for (unsigned r = 0; r <= regs; r++) {
        sum[r] = veorq_u8(sum[r], v[r]);
    }
    store_several(bucket, regs + 1, sum);
}

static MB_ALWAYS_INLINE vec move_of(size_t rest)
{
    uint8_t places[VEC_BYTES];
    for (size_t i = 0; i < VEC_BYTES; i++) {
        places[i] = i < rest ? (uint8_t)(VEC_BYTES - rest + i) : 255;
    }
    return vec_load(places);
}

static MB_ALWAYS_INLINE void gather_one(uint8_t *bucket, size_t bytes, const uint8_t **vector, vec move)
{
    const unsigned regs = (unsigned)(bytes / VEC_BYTES);
    const size_t rest = bytes % VEC_BYTES;
    if (rest_as_register(rest)) {
        add_whole_to_bucket(bucket, vector, regs, rest, move);
    } else {
        add_to_bucket(bucket, vector, regs, rest);
    }
}

/* A constant number of bytes, at least a register. */
static MB_ALWAYS_INLINE void gather_fixed(uint8_t *buckets, size_t bucket_bytes, size_t bytes, const uint8_t *vectors,
                                          const uint8_t *products, size_t count)
{
    const vec move = rest_as_register(bytes % VEC_BYTES) ? move_of(bytes % VEC_BYTES) : vec_zero();
    for (; count >= 4; count -= 4, products += 4) {
        MB_UNROLL
        for (unsigned k = 0; k < 4; k++) {
            if (k == 0 || (bytes >= 64 && k * bytes % 128 < bytes)) { /* about once for 128 bytes */
                MB_PREFETCH(vectors + AHEAD_BYTES);
            }
            gather_one(buckets + products[k] * bucket_bytes, bytes, &vectors, move);
        }
    }
    for (; count != 0; count--) {
        gather_one(buckets + *products++ * bucket_bytes, bytes, &vectors, move);
    }
}

static void gather_any(uint8_t *buckets, size_t bucket_bytes, size_t bytes, const uint8_t *vectors, const uint8_t *products,
                       size_t count)
{
    for (; count != 0; count--) {
        uint8_t *bucket = buckets + *products++ * bucket_bytes;
        size_t done = 0;
        for (; done + VEC_BYTES <= bytes; done += VEC_BYTES, vectors += VEC_BYTES) {
            xor_store(bucket + done, vec_load(vectors));
        }
        add_to_bucket(bucket + done, &vectors, 0, bytes - done);
    }
}

/* One row, its products at hand; `room` bytes of each bucket from where its sum begins. */
static MB_ALWAYS_INLINE void gather_row(uint8_t *buckets, size_t bucket_bytes, size_t room, size_t bytes, const uint8_t *vectors,
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
        LENGTH(48)
        LENGTH(64)
        LENGTH(72)
        LENGTH(80)
        LENGTH(96)
        LENGTH(100)
#undef LENGTH
    case 45:
        if (room >= 48) {
            gather_fixed(buckets, bucket_bytes, 45, vectors, products, count);
            return;
        }
        /* fall through */
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
            if (g->field->bits == 4) {
                row_products(4, basis, &at, x_i, j, count);
            } else {
                row_products(8, basis, &at, x_i, j, count);
            }
            gather_row(at.buckets + first, at.bucket_bytes, at.bucket_bytes - first, bytes, vectors, at.products, count);
        }
        vectors += count * bytes;
    }
}

/* One register of the sum: from the top each half of the buckets is folded onto the lower half: plane k, the sum of the buckets whose value has bit k, is
 * what its upper half sums up to; then Σ (basis element k)·plane k. */
static MB_ALWAYS_INLINE vec collect_register(unsigned bits, const mb_nibble_tables *basis, uint8_t *buckets, size_t bucket_bytes)
{
    vec value = vec_zero();
    for (unsigned k = bits; k-- > 0;) {
        vec plane = vec_zero();
        uint8_t *lower = buckets, *upper = buckets + ((size_t)bucket_bytes << k);
        for (const uint8_t *end = upper; lower != end;) {
            const vec v = vec_load(upper);
            plane = veorq_u8(plane, v);
            xor_store(lower, v);
            lower += bucket_bytes;
            upper += bucket_bytes;
        }
        value = veorq_u8(value, times_constant(plane, &basis[k]));
    }
    return value;
}

static void gather_collect_vartime(const mb_gathering *g, uint8_t *out)
{
    const gather_layout at = gather_lay_out(g);
    mb_nibble_tables storage[8];
    const mb_nibble_tables *basis = mb_basis_tables(g->field, storage);
    for (size_t r = 0; r < at.bucket_bytes; r += VEC_BYTES) {
        const vec value = collect_register(g->field->bits, basis, at.buckets + r, at.bucket_bytes);
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
