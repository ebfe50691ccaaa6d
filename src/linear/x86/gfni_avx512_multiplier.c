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

void mb_gfni_avx512_prepare(const mb_field *field, void *prepared, const uint8_t *scalars, size_t count)
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

/* ---- Any vectors ------------------------------------------------------------------------------------- */

/* Vectors of which a whole register may be read at their last bytes: those after them are there. */
static size_t readable(size_t bytes, size_t stride, size_t count)
{
    if (bytes >= REGISTER) {
        return count;
    }
    const size_t last = stride == 0 ? count : (REGISTER - bytes + stride - 1) / stride;
    return count < last ? 0 : count - last;
}

/* sum += scalar · vector, of which the part from `done` on is concerned; `more` bytes of it and what follows may be read. */
static MB_ALWAYS_INLINE void add_vector(__m512i *sum, unsigned full, size_t tail, const uint8_t *vector, size_t done, size_t bytes,
                                        size_t more, const uint8_t *prepared)
{
    const __m512i matrix = matrix_at(prepared);
    MB_UNROLL_ANY
    for (unsigned w = 0; w < full; w++) {
        MB_PREFETCH(vector + AHEAD + done + w * REGISTER);
        sum[w] = add_times(sum[w], _mm512_loadu_si512(vector + done + w * REGISTER), matrix);
    }
    if (tail != 0) {
        MB_PREFETCH(vector + AHEAD + bytes);
        sum[full] = add_times(sum[full], load_last(vector, bytes, more), matrix);
    }
}

/* The part of out from `done` on: `full` registers and a tail. Several sums of each where they are few, because each addition waits
 * for the one before. */
static MB_ALWAYS_INLINE void combine_part(unsigned full, size_t tail, uint8_t *out, size_t done, size_t bytes,
                                          const uint8_t *vectors, size_t stride, const uint8_t *prepared, size_t count)
{
    const unsigned registers = full + (tail != 0), sums = registers == 1 ? 4 : registers == 2 ? 2 : 1;
    const size_t unmasked = tail != 0 ? readable(bytes, stride, count) : count;
    __m512i sum[4][5];
    size_t j = 0;
    MB_UNROLL_ANY
    for (unsigned w = 0; w < registers; w++) {
        MB_UNROLL_ANY
        for (unsigned s = 0; s < sums; s++) {
            sum[s][w] = _mm512_setzero_si512();
        }
    }
    for (; j + sums <= unmasked; j += sums, prepared += sums * PREPARED_BYTES) {
        MB_UNROLL_ANY
        for (unsigned s = 0; s < sums; s++, vectors += stride) {
            add_vector(sum[s], full, tail, vectors, done, bytes, REGISTER, prepared + s * PREPARED_BYTES);
        }
    }
    for (; j < count; j++, vectors += stride, prepared += PREPARED_BYTES) {
        add_vector(sum[0], full, tail, vectors, done, bytes, bytes, prepared);
    }
    MB_UNROLL_ANY
    for (unsigned w = 0; w < registers; w++) {
        MB_UNROLL_ANY
        for (unsigned s = 1; s < sums; s++) {
            sum[0][w] = add(sum[0][w], sum[s][w]);
        }
    }
    MB_UNROLL_ANY
    for (unsigned w = 0; w < full; w++) {
        uint8_t *at = out + done + w * REGISTER;
        _mm512_storeu_si512(at, add(_mm512_loadu_si512(at), sum[0][w]));
    }
    if (tail != 0) {
        add_last(out, bytes, tail, sum[0][full]);
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

/* ---- Short vectors, one after the other ------------------------------------------------------------ */

/* Vectors of whole words, of which `together` fill `registers` registers: a period. Memory is read by whole aligned registers,
 * which is up to twice as quick as across lines; so the first period begins with a gap of words that come before
 * the vectors, and each one may begin and end within a vector; of no more than eight vectors. Sums in fewer than two
 * registers are slower: each addition waits for the one before. */
enum { REGISTERS_MOST = 9, TOGETHER_MOST = 8, WORDS_MOST = 12, WORD = 8 };

/* Words to leave out so that registers are aligned: none where nothing could be. */
static inline size_t gap_before(const uint8_t *vectors)
{
    return (uintptr_t)vectors % WORD == 0 ? (uintptr_t)vectors % REGISTER / WORD : 0;
}

/* Which vector each word of register w belongs to, counted from the one in which the period begins, `before`
 * words after that one's beginning: floor((8w + lane + before) / words), the numerator being less than 100. */
static MB_ALWAYS_INLINE __m512i owners(unsigned w, size_t before, size_t words)
{
    const __m512i lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i places = _mm512_add_epi64(lanes, _mm512_set1_epi64((long long)before + 8 * (long long)w));
    const __m512i reciprocal = _mm512_set1_epi64((long long)((65536 + words - 1) / words));
    return _mm512_srli_epi64(_mm512_mul_epu32(places, reciprocal), 16);
}

void mb_gfni_avx512_add_vectors(uint8_t *out, size_t bytes, const uint8_t *vectors, unsigned count)
{
    for (size_t at = 0; at < bytes; at += REGISTER) {
        const __mmask64 mask = bytes - at < REGISTER ? first(bytes - at) : ~(__mmask64)0;
        __m512i total = _mm512_maskz_loadu_epi8(mask, out + at);
        for (unsigned v = 0; v < count; v++) {
            total = add(total, _mm512_loadu_si512(vectors + v * bytes + at));
        }
        _mm512_mask_storeu_epi8(out + at, mask, total);
    }
}

/* out ^= the sum of a period's vectors, the first of which began `before` words earlier. */
static MB_ALWAYS_INLINE void add_period(uint8_t *out, size_t bytes, const __m512i *sum, size_t before,
                                        unsigned together, unsigned registers)
{
    uint8_t parts[2 * WORDS_MOST * WORD + (REGISTERS_MOST + 1) * REGISTER];
    const size_t used = before * WORD + registers * REGISTER;
    memset(parts, 0, before * WORD);
    memset(parts + used, 0, bytes + REGISTER);
    for (unsigned w = 0; w < registers; w++) {
        _mm512_storeu_si512(parts + before * WORD + w * REGISTER, sum[w]);
    }
    mb_gfni_avx512_add_vectors(out, bytes, parts, before == 0 ? together : together + 1);
}

/* A period, or what `words` words there are of it. */
static MB_ALWAYS_INLINE void add_some(__m512i *sum, const __m512i *owner, unsigned registers, const uint8_t *vectors,
                                      __m512i scalars, size_t words)
{
    for (unsigned w = 0; w < registers && w * 8 < words; w++) {
        const __m512i v = _mm512_maskz_loadu_epi64(words_between(0, words - w * 8), vectors + w * REGISTER);
        sum[w] = add_times(sum[w], v, _mm512_permutexvar_epi64(owner[w], scalars));
    }
}

static MB_ALWAYS_INLINE void combine_packed(uint8_t *out, size_t bytes, const uint8_t *vectors,
                                            const uint8_t *prepared, size_t count, size_t gap, unsigned together,
                                            unsigned registers)
{
    const size_t words = bytes / WORD, period = registers * 8;
    const size_t earlier = (gap + words - 1) / words; /* vectors that would begin in the gap */
    const size_t before = earlier * words - gap;
    size_t words_left = gap + count * words, scalars_left = earlier + count;
    __m512i sum[REGISTERS_MOST], owner[REGISTERS_MOST];
    for (unsigned w = 0; w < registers; w++) {
        sum[w] = _mm512_setzero_si512();
        owner[w] = owners(w, before, words);
        MB_X86_IN_REGISTER(owner[w]); /* one that is known to be 0 makes a broadcast */
    }
    if (gap != 0) {
        const __m512i scalars = _mm512_maskz_expandloadu_epi64(words_between(earlier, scalars_left), prepared);
        const __m512i v = _mm512_maskz_expandloadu_epi64(words_between(gap, words_left), vectors);
        sum[0] = times(v, _mm512_permutexvar_epi64(owner[0], scalars));
        vectors += REGISTER - gap * WORD;
        if (words_left > 8) {
            add_some(sum + 1, owner + 1, registers - 1, vectors, scalars, words_left - 8);
        }
        if (words_left <= period) {
            add_period(out, bytes, sum, before, together, registers);
            return;
        }
        vectors += (registers - 1) * REGISTER;
        prepared += (together - earlier) * PREPARED_BYTES;
        words_left -= period;
        scalars_left -= together;
    }
    while (words_left >= period && scalars_left >= 8) {
        const __m512i scalars = _mm512_loadu_si512(prepared);
        for (unsigned w = 0; w < registers; w++) {
            sum[w] = add_times(sum[w], _mm512_loadu_si512(vectors + w * REGISTER),
                               _mm512_permutexvar_epi64(owner[w], scalars));
        }
        vectors += registers * REGISTER;
        prepared += together * PREPARED_BYTES;
        words_left -= period;
        scalars_left -= together;
    }
    while (words_left != 0) {
        const size_t some = words_left < period ? words_left : period;
        add_some(sum, owner, registers, vectors, _mm512_maskz_loadu_epi64(words_between(0, scalars_left), prepared),
                 some);
        vectors += registers * REGISTER;
        prepared += together * PREPARED_BYTES;
        words_left -= some;
        scalars_left = scalars_left < together ? 0 : scalars_left - together;
    }
    add_period(out, bytes, sum, before, together, registers);
}

/* Vectors of 72 bytes: some first, after which a vector begins with a register. */
static void combine_72(uint8_t *out, const uint8_t *vectors, const uint8_t *prepared, size_t count)
{
    const size_t some = 8 - gap_before(vectors);
    if (some != 8 && count > 2 * some) {
        combine_any(out, 72, vectors, 72, prepared, some);
        vectors += some * 72;
        prepared += some * PREPARED_BYTES;
        count -= some;
    }
    combine_packed(out, 72, vectors, prepared, count, 0, 8, 9);
}

/* Returns 0, with nothing done, for vectors of another length. */
static int combine_short(uint8_t *out, size_t bytes, const uint8_t *vectors, const uint8_t *prepared, size_t count)
{
    const size_t gap = gap_before(vectors);
    switch (bytes) {
    case 16:
        combine_packed(out, 16, vectors, prepared, count, gap % 2 == 0 ? gap : 0, 8, 2);
        return 1;
    case 32:
        combine_packed(out, 32, vectors, prepared, count, gap, 4, 2);
        return 1;
    case 48:
        combine_packed(out, 48, vectors, prepared, count, gap, 4, 3);
        return 1;
    case 72:
        combine_72(out, vectors, prepared, count);
        return 1;
    case 80:
        combine_packed(out, 80, vectors, prepared, count, gap, 4, 5);
        return 1;
    case 96:
        combine_packed(out, 96, vectors, prepared, count, gap, 2, 3);
        return 1;
    default:
        return 0;
    }
}

void mb_gfni_avx512_combine(const mb_field *field, uint8_t *out, size_t bytes, const uint8_t *vectors, size_t stride,
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
enum { OUTS = 8, FEW_OUTS = 4 };

static MB_ALWAYS_INLINE void sum_many(unsigned outs, size_t tail, uint8_t *out, size_t out_stride, size_t at, size_t bytes,
                                      const uint8_t *vectors, size_t stride, const uint8_t *prepared,
                                      size_t prepared_stride, size_t count)
{
    __m512i sum[OUTS];
    MB_UNROLL
    for (unsigned b = 0; b < outs; b++) {
        sum[b] = _mm512_setzero_si512();
    }
    for (size_t j = 0; j < count; j++, vectors += stride, prepared += PREPARED_BYTES) {
        const __m512i v = tail != 0 ? load_last(vectors, bytes, (count - 1 - j) * stride + bytes)
                                    : _mm512_loadu_si512(vectors + at);
        for (unsigned b = 0; b < outs; b++) {
            sum[b] = add_times(sum[b], v, matrix_at(prepared + b * prepared_stride));
        }
    }
    MB_UNROLL
    for (unsigned b = 0; b < outs; b++) {
        uint8_t *to = out + b * out_stride;
        if (tail != 0) {
            add_last(to, bytes, tail, sum[b]);
        } else {
            _mm512_storeu_si512(to + at, add(_mm512_loadu_si512(to + at), sum[b]));
        }
    }
}

static MB_ALWAYS_INLINE void sum_all(unsigned outs, uint8_t *out, size_t out_stride, size_t bytes, const uint8_t *vectors,
                                     size_t stride, const uint8_t *prepared, size_t prepared_stride, size_t count)
{
    const size_t tail = bytes % REGISTER;
    for (size_t at = 0; at + REGISTER <= bytes; at += REGISTER) {
        sum_many(outs, 0, out, out_stride, at, bytes, vectors, stride, prepared, prepared_stride, count);
    }
    if (tail != 0) {
        sum_many(outs, tail, out, out_stride, 0, bytes, vectors, stride, prepared, prepared_stride, count);
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
    prepared_stride *= PREPARED_BYTES;
    for (; outs >= OUTS; outs -= OUTS, out += OUTS * out_stride, scalars += OUTS * prepared_stride) {
        sum_all(OUTS, out, out_stride, bytes, vectors, stride, scalars, prepared_stride, count);
    }
    for (; outs >= FEW_OUTS; outs -= FEW_OUTS, out += FEW_OUTS * out_stride, scalars += FEW_OUTS * prepared_stride) {
        sum_all(FEW_OUTS, out, out_stride, bytes, vectors, stride, scalars, prepared_stride, count);
    }
    for (; outs != 0; outs--, out += out_stride, scalars += prepared_stride) {
        mb_gfni_avx512_combine(field, out, bytes, vectors, stride, scalars, count);
    }
}

void mb_gfni_avx512_scale(const mb_field *field, uint8_t *out, const uint8_t *elements, const void *prepared, size_t count)
{
    const __m512i matrix = matrix_at(prepared);
    (void)field;
    for (size_t c = 0; c < count; c += REGISTER) {
        _mm512_storeu_si512(out + c, times(_mm512_loadu_si512(elements + c), matrix));
    }
}

const mb_multiplier mb_gfni_avx512_multiplier = {"gfni-avx512", 64, prepared_bytes, mb_gfni_avx512_prepare, NULL,
                                                 mb_gfni_avx512_combine, combine_many, mb_gfni_avx512_scale,
                                                 &mb_gfni_avx512_transformation, NULL};
