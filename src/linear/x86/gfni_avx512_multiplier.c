/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Sums of scaled vectors for processors with GFNI and AVX-512 (gfni_avx512.h). Sums of short vectors, of long ones and of those
 * between go different ways; all are loops over public shapes. */
#include "linear/x86/gfni_avx512.h"

#include <string.h>

static size_t prepared_bytes(const mb_field *field)
{
    (void)field;
    return PREPARED_BYTES;
}

/* The matrices of eight scalars: byte b of each is one linear map of its scalar, so an affine map makes
 * those bytes of all eight at once, and what is left is to transpose. */
static inline __m512i eight_matrices(__m512i rows, long long eight)
{
    const __m512i transposed = _mm512_set_epi64(0x3f372f271f170f07, 0x3e362e261e160e06, 0x3d352d251d150d05,
                                                0x3c342c241c140c04, 0x3b332b231b130b03, 0x3a322a221a120a02,
                                                0x3931292119110901, 0x3830282018100800);
    return _mm512_permutexvar_epi8(transposed, times(_mm512_set1_epi64(eight), rows));
}

static void prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
{
    uint64_t storage[8];
    const __m512i rows = _mm512_loadu_si512(mb_x86_matrix_rows(field, storage));
    uint8_t *out = prepared;
    long long eight = 0;
    size_t j = 0;
    for (; j + 8 <= count; j += 8) {
        memcpy(&eight, scalars + j, 8);
        _mm512_storeu_si512(out + j * PREPARED_BYTES, eight_matrices(rows, eight));
    }
    if (j == count) {
        return;
    }
    if (count > 8) {
        memcpy(&eight, scalars + count - 8, 8);
        _mm512_storeu_si512(out + (count - 8) * PREPARED_BYTES, eight_matrices(rows, eight));
        return;
    }
    /* One store a scalar: what follows reads them at once, and masked stores do not forward. */
    uint8_t all[REGISTER];
    eight = 0;
    for (size_t b = 0; b < count; b++) {
        eight |= (long long)scalars[b] << (8 * b);
    }
    _mm512_storeu_si512(all, eight_matrices(rows, eight));
    for (size_t b = 0; b < count; b++) {
        memcpy(out + b * PREPARED_BYTES, all + b * PREPARED_BYTES, PREPARED_BYTES);
    }
}

/* ---- Short vectors, one after the other ------------------------------------------------------------ */

/* `together` vectors fill `registers` registers. Which of their scalars each word of these belongs to: */
enum { TOGETHER_MOST = 8, REGISTERS_MOST = 9 };

static const uint8_t owners_16[1][8] = {{0, 0, 1, 1, 2, 2, 3, 3}};
static const uint8_t owners_32[1][8] = {{0, 0, 0, 0, 1, 1, 1, 1}};
static const uint8_t owners_48[3][8] = {{0, 0, 0, 0, 0, 0, 1, 1}, {1, 1, 1, 1, 2, 2, 2, 2}, {2, 2, 3, 3, 3, 3, 3, 3}};
static const uint8_t owners_72[9][8] = {
    {0, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 2, 2, 2, 2, 2, 2},
    {2, 2, 2, 3, 3, 3, 3, 3}, {3, 3, 3, 3, 4, 4, 4, 4}, {4, 4, 4, 4, 4, 5, 5, 5},
    {5, 5, 5, 5, 5, 5, 6, 6}, {6, 6, 6, 6, 6, 6, 6, 7}, {7, 7, 7, 7, 7, 7, 7, 7}};
static const uint8_t owners_80[5][8] = {{0, 0, 0, 0, 0, 0, 0, 0},
                                        {0, 0, 1, 1, 1, 1, 1, 1},
                                        {1, 1, 1, 1, 2, 2, 2, 2},
                                        {2, 2, 2, 2, 2, 2, 3, 3},
                                        {3, 3, 3, 3, 3, 3, 3, 3}};
static const uint8_t owners_96[3][8] = {{0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}};

/* The prepared scalars of `together` vectors, without a look behind the last. */
static MB_ALWAYS_INLINE __m512i load_scalars(const uint8_t *prepared, unsigned together)
{
    if (together == 8) {
        return _mm512_loadu_si512(prepared);
    }
    if (together == 4) {
        return _mm512_castsi256_si512(_mm256_loadu_si256((const void *)prepared));
    }
    return _mm512_castsi128_si512(_mm_loadu_si128((const void *)prepared));
}

/* out ^= the sum of the `together` vectors that the registers hold. */
static MB_ALWAYS_INLINE void add_parts(uint8_t *out, size_t bytes, const __m512i *sum, unsigned together,
                                       unsigned registers)
{
    uint8_t parts[REGISTERS_MOST * REGISTER + REGISTER];
    for (unsigned w = 0; w < registers; w++) {
        _mm512_storeu_si512(parts + w * REGISTER, sum[w]);
    }
    for (size_t at = 0; at < bytes; at += REGISTER) {
        const size_t left = bytes - at;
        const __mmask64 mask = left < REGISTER ? first(left) : ~(__mmask64)0;
        __m512i total = _mm512_maskz_loadu_epi8(mask, out + at);
        for (unsigned v = 0; v < together; v++) {
            total = add(total, _mm512_maskz_loadu_epi8(mask, parts + v * bytes + at));
        }
        _mm512_mask_storeu_epi8(out + at, mask, total);
    }
}

static MB_ALWAYS_INLINE void combine_packed(uint8_t *out, size_t bytes, const uint8_t *vectors,
                                            const uint8_t *prepared, size_t count, const uint8_t (*owners)[8],
                                            unsigned together, unsigned registers)
{
    __m512i sum[REGISTERS_MOST], owner[REGISTERS_MOST];
    for (unsigned w = 0; w < registers; w++) {
        sum[w] = _mm512_setzero_si512();
        owner[w] = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const void *)owners[w]));
    }
    for (; count >= together; count -= together) {
        const __m512i scalars = load_scalars(prepared, together);
        for (unsigned w = 0; w < registers; w++) {
            MB_PREFETCH(vectors + AHEAD + w * REGISTER);
            sum[w] = add_times(sum[w], _mm512_loadu_si512(vectors + w * REGISTER),
                               _mm512_permutexvar_epi64(owner[w], scalars));
        }
        vectors += registers * REGISTER;
        prepared += together * PREPARED_BYTES;
    }
    const __m512i scalars = _mm512_maskz_loadu_epi64((__mmask8)first(count), prepared);
    const size_t words = count * bytes / 8;
    for (unsigned w = 0; w < registers && w * 8 < words; w++) {
        const __mmask8 mask = words - w * 8 < 8 ? (__mmask8)first(words - w * 8) : 0xff;
        sum[w] = add_times(sum[w], _mm512_maskz_loadu_epi64(mask, vectors + w * REGISTER),
                           _mm512_permutexvar_epi64(owner[w], scalars));
    }
    add_parts(out, bytes, sum, together, registers);
}

/* Vectors that divide registers evenly; 0 if these are of another length. */
static int combine_short(uint8_t *out, size_t bytes, const uint8_t *vectors, const uint8_t *prepared, size_t count)
{
    switch (bytes) {
    case 16:
        combine_packed(out, 16, vectors, prepared, count, owners_16, 4, 1);
        return 1;
    case 32:
        combine_packed(out, 32, vectors, prepared, count, owners_32, 2, 1);
        return 1;
    case 48:
        combine_packed(out, 48, vectors, prepared, count, owners_48, 4, 3);
        return 1;
    case 72:
        combine_packed(out, 72, vectors, prepared, count, owners_72, 8, 9);
        return 1;
    case 80:
        combine_packed(out, 80, vectors, prepared, count, owners_80, 4, 5);
        return 1;
    case 96:
        combine_packed(out, 96, vectors, prepared, count, owners_96, 2, 3);
        return 1;
    default:
        return 0;
    }
}

/* ---- Any vectors ------------------------------------------------------------------------------------- */

/* What lies in the last register of a vector of `bytes` ≥ REGISTER bytes, or of shorter ones: there the
 * vectors' own bytes come first, and with `more` bytes that may be read behind the vector's start no mask is needed. */
static MB_ALWAYS_INLINE __m512i load_last(const uint8_t *vector, size_t bytes, size_t more)
{
    if (bytes >= REGISTER) {
        return _mm512_loadu_si512(vector + bytes - REGISTER);
    }
    return more >= REGISTER ? _mm512_loadu_si512(vector) : _mm512_maskz_loadu_epi8(first(bytes), vector);
}

/* Adds the `tail` bytes that end a sum, from a register as load_last fills it. */
static MB_ALWAYS_INLINE void add_last(uint8_t *out, size_t bytes, size_t tail, __m512i sum)
{
    uint8_t *at = bytes >= REGISTER ? out + bytes - REGISTER : out;
    const __mmask64 mask = bytes >= REGISTER ? ~(~(__mmask64)0 >> tail) : first(tail);
    _mm512_mask_storeu_epi8(at, mask, add(_mm512_maskz_loadu_epi8(mask, at), sum));
}

/* The part of out from `done` on: `full` registers and a tail. */
static MB_ALWAYS_INLINE void combine_part(unsigned full, size_t tail, uint8_t *out, size_t done, size_t bytes,
                                          const uint8_t *vectors, size_t stride, const uint8_t *prepared, size_t count)
{
    __m512i sum[5];
    for (unsigned w = 0; w <= full; w++) {
        sum[w] = _mm512_setzero_si512();
    }
    for (size_t j = 0; j < count; j++, vectors += stride, prepared += PREPARED_BYTES) {
        const __m512i matrix = matrix_at(prepared);
        for (unsigned w = 0; w < full; w++) {
            MB_PREFETCH(vectors + AHEAD + done + w * REGISTER);
            sum[w] = add_times(sum[w], _mm512_loadu_si512(vectors + done + w * REGISTER), matrix);
        }
        if (tail != 0) {
            MB_PREFETCH(vectors + AHEAD + bytes);
            sum[full] = add_times(sum[full], load_last(vectors, bytes, (count - 1 - j) * stride + bytes), matrix);
        }
    }
    for (unsigned w = 0; w < full; w++) {
        uint8_t *at = out + done + w * REGISTER;
        _mm512_storeu_si512(at, add(_mm512_loadu_si512(at), sum[w]));
    }
    if (tail != 0) {
        add_last(out, bytes, tail, sum[full]);
    }
}

static void combine_any(uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride, const uint8_t *prepared,
                        size_t count)
{
    const size_t tail = bytes % REGISTER;
    size_t done = 0;
    for (; done + 4 * REGISTER <= bytes; done += 4 * REGISTER) {
        combine_part(4, 0, out, done, bytes, vectors, stride, prepared, count);
    }
    switch ((bytes - done) / REGISTER) {
    case 0:
        if (tail != 0) {
            combine_part(0, tail, out, done, bytes, vectors, stride, prepared, count);
        }
        return;
    case 1:
        combine_part(1, tail, out, done, bytes, vectors, stride, prepared, count);
        return;
    case 2:
        combine_part(2, tail, out, done, bytes, vectors, stride, prepared, count);
        return;
    default:
        combine_part(3, tail, out, done, bytes, vectors, stride, prepared, count);
    }
}

/* Long vectors: some of them together from end to end, so that memory is read in order. */
enum { LONG = 512, ROWS = 8 };

static void combine_long(uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride, const uint8_t *prepared)
{
    const size_t tail = bytes % REGISTER;
    __m512i matrix[ROWS];
    for (unsigned r = 0; r < ROWS; r++) {
        matrix[r] = matrix_at(prepared + r * PREPARED_BYTES);
    }
    for (size_t at = 0; at < bytes - tail; at += REGISTER) {
        __m512i sum = _mm512_loadu_si512(out + at);
        for (unsigned r = 0; r < ROWS; r++) {
            sum = add_times(sum, _mm512_loadu_si512(vectors + r * stride + at), matrix[r]);
        }
        _mm512_storeu_si512(out + at, sum);
    }
    if (tail != 0) {
        __m512i sum = _mm512_setzero_si512();
        for (unsigned r = 0; r < ROWS; r++) {
            sum = add_times(sum, load_last(vectors + r * stride, bytes, bytes), matrix[r]);
        }
        add_last(out, bytes, tail, sum);
    }
}

static void combine(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
                    const void *prepared, size_t count)
{
    const uint8_t *scalars = prepared;
    (void)field; /* it is in the prepared scalars */
    if (stride == bytes && count >= 2 && combine_short(out, bytes, vectors, scalars, count)) {
        return;
    }
    if (bytes >= LONG) {
        for (; count >= ROWS; count -= ROWS) {
            combine_long(out, bytes, vectors, stride, scalars);
            vectors += ROWS * stride;
            scalars += ROWS * PREPARED_BYTES;
        }
    }
    combine_any(out, bytes, vectors, stride, scalars, count);
}

/* ---- Several sums of the same vectors --------------------------------------------------------------- */

/* A register's width, or the last bytes, of OUTS sums at once: the vectors are loaded once for all. */
enum { OUTS = 8 };

static MB_ALWAYS_INLINE void sum_many(size_t tail, uint8_t *out, size_t out_stride, size_t at, size_t bytes,
                                      const uint8_t *vectors, size_t stride, const uint8_t *prepared,
                                      size_t prepared_stride, size_t count)
{
    __m512i sum[OUTS];
    for (unsigned b = 0; b < OUTS; b++) {
        sum[b] = _mm512_setzero_si512();
    }
    for (size_t j = 0; j < count; j++, vectors += stride, prepared += PREPARED_BYTES) {
        const __m512i v = tail != 0 ? load_last(vectors, bytes, (count - 1 - j) * stride + bytes)
                                    : _mm512_loadu_si512(vectors + at);
        for (unsigned b = 0; b < OUTS; b++) {
            sum[b] = add_times(sum[b], v, matrix_at(prepared + b * prepared_stride));
        }
    }
    for (unsigned b = 0; b < OUTS; b++) {
        uint8_t *to = out + b * out_stride;
        if (tail != 0) {
            add_last(to, bytes, tail, sum[b]);
        } else {
            _mm512_storeu_si512(to + at, add(_mm512_loadu_si512(to + at), sum[b]));
        }
    }
}

static void combine_many(const mb_field *field, uint8_t *out, size_t out_stride, size_t outs, size_t bytes,
                         const uint8_t *vectors, size_t stride, const void *prepared, size_t prepared_stride,
                         size_t count)
{
    if (bytes <= REGISTER / 2) { /* half a register holds them */
        mb_gfni_avx2_multiplier.combine_many(field, out, out_stride, outs, bytes, vectors, stride, prepared,
                                             prepared_stride, count);
        return;
    }
    const uint8_t *scalars = prepared;
    const size_t tail = bytes % REGISTER;
    prepared_stride *= PREPARED_BYTES;
    for (; outs >= OUTS; outs -= OUTS) {
        for (size_t at = 0; at + REGISTER <= bytes; at += REGISTER) {
            sum_many(0, out, out_stride, at, bytes, vectors, stride, scalars, prepared_stride, count);
        }
        if (tail != 0) {
            sum_many(tail, out, out_stride, 0, bytes, vectors, stride, scalars, prepared_stride, count);
        }
        out += OUTS * out_stride;
        scalars += OUTS * prepared_stride;
    }
    for (; outs != 0; outs--) {
        combine(field, out, bytes, vectors, stride, scalars, count);
        out += out_stride;
        scalars += prepared_stride;
    }
}

const mb_multiplier mb_gfni_avx512_multiplier = {"gfni-avx512", prepared_bytes, prepare, combine, combine_many};
