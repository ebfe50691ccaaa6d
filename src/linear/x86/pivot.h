/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What elimination does with SECRET indices: look-up in a table of bytes (every entry is read and one is kept by a mask), and
 * finding and reading the pivot row by one-hot masks. Needs AVX2; rows and columns are padded to 32 bytes. */
#ifndef MB_LINEAR_X86_PIVOT_H
#define MB_LINEAR_X86_PIVOT_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* table[index], of 16 entries for elements of 4 bits and of 256 for 8. */
static inline uint8_t mb_x86_look_up(const uint8_t *table, unsigned bits, uint8_t index)
{
    const __m128i first = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    if (bits == 4) {
        const __m128i entries = _mm_loadu_si128((const void *)table);
        return (uint8_t)_mm_cvtsi128_si32(_mm_shuffle_epi8(entries, _mm_cvtsi32_si128(index)));
    }
    const __m256i wanted = _mm256_set1_epi8((char)index);
    __m256i place = _mm256_inserti128_si256(_mm256_castsi128_si256(first), _mm_add_epi8(first, _mm_set1_epi8(16)), 1);
    __m256i kept = _mm256_setzero_si256();
    for (size_t i = 0; i < 256; i += 32) {
        const __m256i entries = _mm256_loadu_si256((const void *)(table + i));
        kept = _mm256_or_si256(kept, _mm256_and_si256(entries, _mm256_cmpeq_epi8(place, wanted)));
        place = _mm256_add_epi8(place, _mm256_set1_epi8(32));
    }
    /* One byte at most is not zero: the sum of all is it. */
    const __m256i sums = _mm256_sad_epu8(kept, _mm256_setzero_si256());
    const __m128i halves = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return (uint8_t)(_mm_cvtsi128_si32(halves) + _mm_cvtsi128_si32(_mm_unpackhi_epi64(halves, halves)));
}

/* Packed elements of 4 bits to one element a byte. */
static inline void mb_x86_unpack_nibbles(uint8_t *out, const uint8_t *packed, size_t packed_bytes)
{
    const __m128i nibble = _mm_set1_epi8(15);
    size_t i = 0;
    for (; i + 16 <= packed_bytes; i += 16) {
        const __m128i both = _mm_loadu_si128((const void *)(packed + i));
        const __m128i low = _mm_and_si128(both, nibble), high = _mm_and_si128(_mm_srli_epi16(both, 4), nibble);
        _mm_storeu_si128((void *)(out + 2 * i), _mm_unpacklo_epi8(low, high));
        _mm_storeu_si128((void *)(out + 2 * i + 16), _mm_unpackhi_epi8(low, high));
    }
    for (; i < packed_bytes; i++) {
        out[2 * i] = packed[i] & 15;
        out[2 * i + 1] = (uint8_t)(packed[i] >> 4);
    }
}

/* By one store, so that they can be loaded at once. */
static inline void mb_x86_store_words(uint8_t *out, const uint64_t word[4])
{
    _mm256_storeu_si256((void *)out, _mm256_setr_epi64x((long long)word[0], (long long)word[1], (long long)word[2],
                                                        (long long)word[3]));
}

/* Bit b of the word as byte b of a register: 0xff or 0. */
static inline __m256i mb_x86_bytes_of_bits(uint32_t word)
{
    const __m256i which = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201u);
    const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)word), which);
    return _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit);
}

/* The first of the rows k … n - 1 with an entry in this column, of which the bytes from n on are zero.
 * Writes `bytes` bytes: 0xff at that row, unless it is k itself; 0 elsewhere. Returns all ones if there is
 * such a row, else 0. */
static inline uint32_t mb_x86_find_pivot(uint8_t *one_hot, const uint8_t *column, size_t k, size_t bytes)
{
    uint32_t found = 0;
    for (size_t i = 0; i < bytes; i += 32) {
        const __m256i block = _mm256_loadu_si256((const void *)(column + i));
        const uint32_t zero = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(block, _mm256_setzero_si256()));
        /* Public: which of these rows are k or come after it, and which is k. */
        const uint32_t allowed = k <= i ? 0xffffffffu : k < i + 32 ? 0xffffffffu << (k - i) : 0;
        const uint32_t itself = k >= i && k < i + 32 ? (uint32_t)1 << (k - i) : 0;
        const uint32_t candidates = ~zero & allowed;
        const uint32_t lowest = candidates & (0u - candidates) & ~found;
        _mm256_storeu_si256((void *)(one_hot + i), mb_x86_bytes_of_bits(lowest & ~itself));
        found |= 0u - ((candidates | (0u - candidates)) >> 31);
    }
    return found;
}

/* The sum of those bytes of a column where the mask is set. */
static inline uint8_t mb_x86_masked_sum(const uint8_t *column, const uint8_t *mask, size_t bytes)
{
    __m256i sum = _mm256_setzero_si256();
    for (size_t i = 0; i < bytes; i += 32) {
        const __m256i kept = _mm256_and_si256(_mm256_loadu_si256((const void *)(column + i)),
                                              _mm256_loadu_si256((const void *)(mask + i)));
        sum = _mm256_xor_si256(sum, kept);
    }
    const __m128i half = _mm_xor_si128(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    uint64_t word = (uint64_t)_mm_cvtsi128_si64(_mm_xor_si128(half, _mm_unpackhi_epi64(half, half)));
    word ^= word >> 32;
    word ^= word >> 16;
    word ^= word >> 8;
    return (uint8_t)word;
}

#endif
