/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA-256's compression with the instructions SHA256RNDS2, SHA256MSG1 and SHA256MSG2. Build this file
 * with -msha -msse4.1; it is entered only where both exist. See sha256_backend.h. */
#include "platform/cpu.h"
#include "symmetric/sha256_backend.h"

#include <immintrin.h>

/* The working variables as SHA256RNDS2 wants them, named from the top word down. */
typedef struct working {
    __m128i abef, cdgh;
} working;

static inline __m128i load(const void *in)
{
    return _mm_loadu_si128(in);
}

/* Four message words, each from big-endian bytes. */
static inline __m128i load_words(const uint8_t *in)
{
    const __m128i order = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    return _mm_shuffle_epi8(load(in), order);
}

/* Rounds t ... t + 3 [FIPS 180-4 §6.2.2 step 3] with W_t ... W_(t+3). Two rounds make (a, b, e, f) anew,
 * and the old ones become (c, d, g, h): so the names swap, and swap back. */
static inline working four_rounds(working v, __m128i words, unsigned t)
{
    const __m128i summands = _mm_add_epi32(words, load(mb_sha256_round_constants + t));
    v.cdgh = _mm_sha256rnds2_epu32(v.cdgh, v.abef, summands);
    v.abef = _mm_sha256rnds2_epu32(v.abef, v.cdgh, _mm_shuffle_epi32(summands, 0x0e));
    return v;
}

/* The next four words of the message schedule [step 1] after the sixteen in w0 ... w3. */
static inline __m128i extend(__m128i w0, __m128i w1, __m128i w2, __m128i w3)
{
    const __m128i seven_before = _mm_alignr_epi8(w3, w2, 4); /* W_(t-7) for each of the four t */
    return _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), seven_before), w3);
}

static inline working compress_block(working v, const uint8_t *block)
{
    __m128i w0 = load_words(block);
    __m128i w1 = load_words(block + 16);
    __m128i w2 = load_words(block + 32);
    __m128i w3 = load_words(block + 48);
    for (unsigned t = 0;; t += 16) {
        v = four_rounds(v, w0, t);
        v = four_rounds(v, w1, t + 4);
        v = four_rounds(v, w2, t + 8);
        v = four_rounds(v, w3, t + 12);
        if (t == 48) {
            return v;
        }
        w0 = extend(w0, w1, w2, w3);
        w1 = extend(w1, w2, w3, w0);
        w2 = extend(w2, w3, w0, w1);
        w3 = extend(w3, w0, w1, w2);
    }
}

static void compress(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    /* From (d, c, b, a) and (h, g, f, e), top word first, to (a, b, e, f) and (c, d, g, h). */
    const __m128i abcd = _mm_shuffle_epi32(load(state), 0x1b);
    const __m128i efgh = _mm_shuffle_epi32(load(state + 4), 0x1b);
    working v = {_mm_unpackhi_epi64(efgh, abcd), _mm_unpacklo_epi64(efgh, abcd)};
    for (; count != 0; count--, blocks += 64) {
        const working start = v;
        v = compress_block(v, blocks);
        v.abef = _mm_add_epi32(v.abef, start.abef);
        v.cdgh = _mm_add_epi32(v.cdgh, start.cdgh);
    }
    const __m128i feba = _mm_shuffle_epi32(v.abef, 0x1b);
    const __m128i hgdc = _mm_shuffle_epi32(v.cdgh, 0x1b);
    _mm_storeu_si128((void *)state, _mm_unpacklo_epi64(feba, hgdc));
    _mm_storeu_si128((void *)(state + 4), _mm_unpackhi_epi64(feba, hgdc));
}

mb_sha256_compress mb_sha256_accelerated(void)
{
    return (mb_cpu_features() & MB_CPU_SHANI) != 0 ? compress : mb_sha256_portable;
}
