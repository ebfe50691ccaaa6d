/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For kernels.h where multiplication by a prepared scalar of 8 bytes is one operation, vec_times_matrix(v, s), on elements of
 * any number of bits: nothing is split, and a sum is a register. */
#ifndef MB_LINEAR_X86_WHOLE_H
#define MB_LINEAR_X86_WHOLE_H

enum { KERNEL_OUTS = 8 };

static inline unsigned kernel_bits(const mb_field *field)
{
    (void)field;
    return 8;
}

static inline size_t prepared_len(unsigned bits)
{
    (void)bits;
    return 8;
}

typedef vec vec_split;
typedef vec vec_sum;

static inline vec_scalar vec_prepared(unsigned bits, const uint8_t *p)
{
    (void)bits;
    return vec_matrix(p);
}

static inline vec vec_times(unsigned bits, vec v, vec_scalar scalar)
{
    (void)bits;
    return vec_times_matrix(v, scalar);
}

static inline vec_split vec_split_for(unsigned bits, vec v)
{
    (void)bits;
    return v;
}

static inline vec vec_elements_times(unsigned bits, vec_split split, vec_scalar scalar)
{
    (void)bits;
    return vec_times_matrix(split, scalar);
}

static inline vec_sum vec_sum_zero(void)
{
    return vec_zero();
}

static inline void vec_sum_add(unsigned bits, vec_sum *sum, vec_split split, vec_scalar scalar)
{
    (void)bits;
    *sum = vec_xor(*sum, vec_times_matrix(split, scalar));
}

static inline vec vec_sum_value(unsigned bits, const vec_sum *sum)
{
    (void)bits;
    return *sum;
}

static inline void vec_tail_add(unsigned bits, vec_sum *sum, const uint8_t *p, size_t bytes, size_t tail, const uint8_t *prepared)
{
    (void)bits;
    *sum = vec_xor(*sum, vec_times_matrix(vec_load_end(p, bytes, tail), vec_matrix(prepared)));
}

static inline vec vec_tail_value(unsigned bits, const vec_sum *sum, size_t bytes, size_t tail)
{
    (void)bits;
    return vec_only_tail(*sum, bytes, tail);
}

static inline size_t vec_combine_pairs(unsigned bits, uint8_t *out, const uint8_t *vectors, const uint8_t *prepared, size_t count)
{
    (void)bits, (void)out, (void)vectors, (void)prepared, (void)count;
    return 0;
}

/* Bit matrices by which scalars become theirs. */
typedef const uint64_t *vec_basis;
typedef struct vec_basis_storage {
    uint64_t matrices[8];
} vec_basis_storage;

#endif
