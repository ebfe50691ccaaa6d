/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Rows of a public map by fours (gfni_avx512.h), at one point or some. Column j of four rows has one factor, x_j: what of the
 * four vectors does not fill registers shares them, no factor is arranged, and there is one loop for four rows. Public data. */
#ifndef MB_LINEAR_X86_GFNI_AVX512_ROWS_H
#define MB_LINEAR_X86_GFNI_AVX512_ROWS_H

#include "linear/x86/gfni_avx512.h"

enum { FOUR = 4, LINE = 64 };

/* Lengths that have code of their own: those of Rainbow and UOV. A total has at most three parts. */
enum { TOTAL_BYTES = 3 * REGISTER };

static inline int goes_by_fours(size_t bytes)
{
    switch (bytes) {
    case 16:
    case 32:
    case 36:
    case 44:
    case 48:
    case 64:
    case 72:
    case 80:
    case 96:
    case 100:
        return 1;
    default:
        return 0;
    }
}

/* A vector's parts: whole registers, half a one, a quarter, and, where bytes are left, the last 16. Four vectors' parts of a kind
 * lie side by side in registers of their own. */
static MB_ALWAYS_INLINE unsigned wholes_of(size_t bytes)
{
    return (unsigned)(bytes / REGISTER);
}

static MB_ALWAYS_INLINE unsigned halves_of(size_t bytes)
{
    return bytes / 32 % 2;
}

static MB_ALWAYS_INLINE unsigned parts_of(size_t bytes)
{
    return wholes_of(bytes) + halves_of(bytes) + (bytes / 16 % 2 != 0) + (bytes % 16 != 0);
}

static MB_ALWAYS_INLINE unsigned registers_of_four(size_t bytes)
{
    return parts_of(bytes) + 3 * wholes_of(bytes) + halves_of(bytes);
}

static MB_ALWAYS_INLINE size_t part_at(size_t bytes, unsigned part)
{
    const size_t quarter = bytes / 32 * 32;
    if (part < wholes_of(bytes)) {
        return part * (size_t)REGISTER;
    }
    if (part == wholes_of(bytes) && halves_of(bytes) != 0) {
        return quarter - 32;
    }
    return bytes % 32 >= 16 && part + 1 + (bytes % 16 != 0) == parts_of(bytes) ? quarter : bytes - 16;
}

/* Which of the registers of four has a part of row r. */
static MB_ALWAYS_INLINE unsigned register_at(size_t bytes, unsigned part, unsigned r)
{
    const unsigned wholes = wholes_of(bytes);
    if (part < wholes) {
        return part * FOUR + r;
    }
    return part == wholes && halves_of(bytes) != 0 ? wholes * FOUR + r / 2 : part + 3 * wholes + halves_of(bytes);
}

static MB_ALWAYS_INLINE __m512i with_half(__m512i all, const uint8_t *p)
{
    return _mm512_inserti64x4(all, _mm256_loadu_si256((const void *)p), 1);
}

static MB_ALWAYS_INLINE __m512i first_half(const uint8_t *p)
{
    return _mm512_zextsi256_si512(_mm256_loadu_si256((const void *)p));
}

static MB_ALWAYS_INLINE __m128i quarter_at(const uint8_t *p)
{
    return _mm_loadu_si128((const void *)p);
}

/* The part of row r alone, in its place, zeros elsewhere; r and part are constants. */
static MB_ALWAYS_INLINE __m512i part_alone(size_t bytes, unsigned part, unsigned r, const uint8_t *vector)
{
    const uint8_t *p = vector + part_at(bytes, part);
    const __m512i zero = _mm512_setzero_si512();
    if (part < wholes_of(bytes)) {
        return _mm512_loadu_si512(p);
    }
    if (part == wholes_of(bytes) && halves_of(bytes) != 0) {
        return r % 2 == 0 ? first_half(p) : with_half(zero, p);
    }
    switch (r) {
    case 0:
        return _mm512_inserti32x4(zero, quarter_at(p), 0);
    case 1:
        return _mm512_inserti32x4(zero, quarter_at(p), 1);
    case 2:
        return _mm512_inserti32x4(zero, quarter_at(p), 2);
    default:
        return _mm512_inserti32x4(zero, quarter_at(p), 3);
    }
}

/* Register w of four vectors, `at` bytes behind where the rows are. */
static MB_ALWAYS_INLINE __m512i join_four(size_t bytes, unsigned w, const uint8_t *const row[FOUR], size_t at)
{
    const unsigned wholes = wholes_of(bytes), halves = halves_of(bytes);
    if (w < FOUR * wholes) {
        return _mm512_loadu_si512(row[w % FOUR] + at + w / FOUR * REGISTER);
    }
    if (w < FOUR * wholes + 2 * halves) {
        const unsigned r = 2 * (w - FOUR * wholes);
        at += part_at(bytes, wholes);
        return with_half(first_half(row[r] + at), row[r + 1] + at);
    }
    at += part_at(bytes, w - 3 * wholes - halves);
    __m512i all = _mm512_inserti32x4(_mm512_setzero_si512(), quarter_at(row[0] + at), 0);
    all = _mm512_inserti32x4(all, quarter_at(row[1] + at), 1);
    all = _mm512_inserti32x4(all, quarter_at(row[2] + at), 2);
    return _mm512_inserti32x4(all, quarter_at(row[3] + at), 3);
}

/* x_{i + r} at each place that row r has in register w of four. */
static MB_ALWAYS_INLINE __m512i factors_of_four(size_t bytes, unsigned w, const uint8_t *x_i, size_t apart)
{
    const unsigned wholes = wholes_of(bytes), halves = halves_of(bytes);
    if (w < FOUR * wholes) {
        return matrix_at(x_i + w % FOUR * apart);
    }
    if (w < FOUR * wholes + 2 * halves) {
        const uint8_t *two = x_i + 2 * (w - FOUR * wholes) * apart;
        return _mm512_mask_mov_epi64(matrix_at(two), 0xf0, matrix_at(two + apart));
    }
    __m512i all = _mm512_mask_mov_epi64(matrix_at(x_i), 0x0c, matrix_at(x_i + apart));
    all = _mm512_mask_mov_epi64(all, 0x30, matrix_at(x_i + 2 * apart));
    return _mm512_mask_mov_epi64(all, 0xc0, matrix_at(x_i + 3 * apart));
}

/* Points whose prepared x lie side by side: x_j of point k at x + (j·points + k)·PREPARED_BYTES. Each has a total of
 * parts_of(bytes) registers, each the sum of four places or two or one. */
typedef struct some_points {
    const uint8_t *x;
    uint8_t *const *totals;
} some_points;

static MB_ALWAYS_INLINE const uint8_t *factor_at(const some_points *p, unsigned points, size_t j, unsigned k)
{
    return p->x + (j * points + k) * PREPARED_BYTES;
}

/* One vector, of column j and row r of four. */
static MB_ALWAYS_INLINE void add_one(__m512i *sum, const some_points *p, unsigned points, size_t bytes, const uint8_t *vector, size_t j,
                                     unsigned r)
{
    MB_UNROLL
    for (unsigned part = 0; part < parts_of(bytes); part++) {
        const __m512i v = part_alone(bytes, part, r, vector);
        __m512i *to = sum + register_at(bytes, part, r) * points;
        MB_UNROLL
        for (unsigned k = 0; k < points; k++) {
            to[k] = add_times(to[k], v, matrix_at(factor_at(p, points, j, k)));
        }
    }
}

/* Column j of four rows, or columns j and j + 1. */
static MB_ALWAYS_INLINE void add_columns(__m512i *sum, const some_points *p, unsigned points, size_t bytes, const uint8_t *const row[FOUR],
                                         size_t j, unsigned columns)
{
    const uint8_t *x = p->x + j * points * PREPARED_BYTES;
    MB_UNROLL
    for (unsigned w = 0; w < registers_of_four(bytes); w++) {
        const __m512i one = join_four(bytes, w, row, 0), other = columns == 2 ? join_four(bytes, w, row, bytes) : one;
        if (points != 1) {
            MB_X86_FORGET(x); /* else the compiler keeps the factors in registers that the sums need */
        }
        MB_UNROLL
        for (unsigned k = 0; k < points; k++) {
            __m512i *to = sum + w * points + k;
            const __m512i product = times(one, matrix_at(x + k * PREPARED_BYTES));
            *to = columns == 1 ? add(*to, product)
                               : _mm512_ternarylogic_epi64(*to, product, times(other, matrix_at(x + (points + k) * PREPARED_BYTES)), 0x96);
        }
    }
}

/* total += x_{i + r}·(sum of row r), at each point. */
static MB_ALWAYS_INLINE void end_rows(const __m512i *sum, const some_points *p, unsigned points, size_t bytes, size_t i, unsigned rows)
{
    const size_t apart = points * PREPARED_BYTES;
    MB_UNROLL
    for (unsigned k = 0; k < points; k++) {
        const uint8_t *x_i = factor_at(p, points, i, k);
        MB_UNROLL
        for (unsigned part = 0; part < parts_of(bytes); part++) {
            const unsigned from = register_at(bytes, part, 0), past = rows == 1 ? from + 1 : register_at(bytes, part, FOUR - 1) + 1;
            uint8_t *to = p->totals[k] + part * REGISTER;
            __m512i total = _mm512_loadu_si512(to);
            MB_UNROLL_ANY
            for (unsigned w = from; w < past; w++) {
                total = add_times(total, sum[w * points + k], rows == 1 ? matrix_at(x_i) : factors_of_four(bytes, w, x_i, apart));
            }
            _mm512_storeu_si512(to, total);
        }
    }
}

enum { SUMS_MOST = 28 };

static MB_ALWAYS_INLINE void add_four_rows(const some_points *p, unsigned points, size_t bytes, const uint8_t *vectors, size_t i, size_t j,
                                           size_t end, size_t shrink)
{
    const size_t length = (end - j) * bytes, less = shrink * bytes;
    const uint8_t *row[FOUR] = {vectors, vectors + length, vectors + 2 * length - less, vectors + 3 * length - 3 * less};
    __m512i sum[SUMS_MOST];
    MB_UNROLL
    for (unsigned w = 0; w < registers_of_four(bytes) * points; w++) {
        sum[w] = _mm512_setzero_si512();
    }
    if (shrink != 0) { /* columns that not all of them have */
        MB_UNROLL
        for (unsigned r = 0; r < FOUR - 1; r++) {
            for (size_t c = j + r; c < j + FOUR - 1; c++, row[r] += bytes) {
                add_one(sum, p, points, bytes, row[r], c, r);
            }
        }
        j += FOUR - 1;
    }
    for (; j + 2 <= end; j += 2) {
        MB_UNROLL
        for (unsigned r = 0; r < FOUR; r++) {
            for (size_t at = 0; at < 2 * bytes; at += LINE) {
                MB_PREFETCH(row[r] + AHEAD + at);
            }
        }
        add_columns(sum, p, points, bytes, row, j, 2);
        MB_UNROLL
        for (unsigned r = 0; r < FOUR; r++) {
            row[r] += 2 * bytes;
        }
    }
    if (j < end) {
        add_columns(sum, p, points, bytes, row, j, 1);
    }
    end_rows(sum, p, points, bytes, i, FOUR);
}

static MB_ALWAYS_INLINE void add_row(const some_points *p, unsigned points, size_t bytes, const uint8_t *vectors, size_t i, size_t j,
                                     size_t end)
{
    __m512i sum[SUMS_MOST];
    MB_UNROLL
    for (unsigned w = 0; w < registers_of_four(bytes) * points; w++) {
        sum[w] = _mm512_setzero_si512();
    }
    for (; j < end; j++, vectors += bytes) {
        MB_PREFETCH(vectors + AHEAD);
        add_one(sum, p, points, bytes, vectors, j, 0);
    }
    end_rows(sum, p, points, bytes, i, 1);
}

/* As many of the monomials' rows as fours of them; returns their vectors' number. */
static MB_ALWAYS_INLINE size_t add_fours(const some_points *p, unsigned points, size_t bytes, const uint8_t *vectors, const mb_monomials *m)
{
    size_t count = 0;
    for (size_t row = 0; row + FOUR <= m->rows; row += FOUR) {
        const size_t j = m->j + row * m->shrink;
        add_four_rows(p, points, bytes, vectors + count * bytes, m->i + row, j, m->end, m->shrink);
        count += FOUR * (m->end - j) - (FOUR * (FOUR - 1) / 2) * m->shrink;
    }
    return count;
}

/* `to` += what lies at some places, `bytes` ≤ REGISTER bytes each. */
static inline void add_places(uint8_t *to, size_t bytes, const uint8_t *from, size_t apart)
{
    const __mmask64 mask = bytes < REGISTER ? first(bytes) : ~(__mmask64)0;
    __m512i sum = _mm512_maskz_loadu_epi8(mask, to);
    for (size_t place = 0; place < REGISTER; place += apart) {
        sum = add(sum, _mm512_maskz_loadu_epi8(mask, from + place));
    }
    _mm512_mask_storeu_epi8(to, mask, sum);
}

/* value += a total of vectors of `bytes` bytes. */
static inline void add_total(uint8_t *value, size_t bytes, const uint8_t *total)
{
    for (unsigned part = 0; part < parts_of(bytes); part++, total += REGISTER) {
        const size_t at = part_at(bytes, part), left = bytes - at, rest = bytes % 16;
        if (part < wholes_of(bytes)) {
            add_places(value + at, REGISTER, total, REGISTER);
        } else if (left >= 32) {
            add_places(value + at, 32, total, 32);
        } else if (left == 16 && rest != 0) {
            add_places(value + bytes - rest, rest, total + 16 - rest, 16);
        } else {
            add_places(value + at, 16, total, 16);
        }
    }
}

#endif
