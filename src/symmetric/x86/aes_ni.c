/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES with the instructions AESENC, AESENCLAST and AESKEYGENASSIST, eight blocks at a time to cover
 * their latency. Build this file with -maes -msse4.1; it is entered only where both exist. */
#include "platform/cpu.h"
#include "platform/wipe.h"
#include "symmetric/aes_backend.h"
#include "symmetric/x86/aes_x86.h"

#include <string.h>

#include <immintrin.h>

enum { GROUP_BLOCKS = 8 };

static inline __m128i load(const uint8_t *in)
{
    return _mm_loadu_si128((const __m128i *)(const void *)in);
}

static inline void store(uint8_t *out, __m128i value)
{
    _mm_storeu_si128((__m128i *)(void *)out, value);
}

/* Words (w0, w1, w2, w3) to (w0, w0+w1, w0+w1+w2, w0+w1+w2+w3): the chain of xors in a key step. */
static inline __m128i running_sum(__m128i words)
{
    words = _mm_xor_si128(words, _mm_slli_si128(words, 4));
    return _mm_xor_si128(words, _mm_slli_si128(words, 8));
}

/* RotWord(SubWord(last word of key)) ^ constant in all four words. The constant is not given to
 * AESKEYGENASSIST because that wants it in the instruction. */
static inline __m128i rotated_substitute(__m128i key, unsigned constant)
{
    const __m128i assisted = _mm_shuffle_epi32(_mm_aeskeygenassist_si128(key, 0), 0xff);
    return _mm_xor_si128(assisted, _mm_set1_epi32((int)constant));
}

/* SubWord(last word of key) in all four words. */
static inline __m128i plain_substitute(__m128i key)
{
    return _mm_shuffle_epi32(_mm_aeskeygenassist_si128(key, 0), 0xaa);
}

/* The next round constant: times x in GF(256) [FIPS 197 §5.2]. */
static inline unsigned next_constant(unsigned constant)
{
    return (constant << 1 ^ (constant >> 7) * 0x1b) & 0xff;
}

static void init_128(mb_aes *aes, const uint8_t key[16])
{
    __m128i last = load(key);
    unsigned constant = 1;
    aes->rounds = 10;
    store(aes->round_keys, last);
    for (unsigned i = 1; i <= 10; i++) {
        last = _mm_xor_si128(running_sum(last), rotated_substitute(last, constant));
        constant = next_constant(constant);
        store(aes->round_keys + 16 * i, last);
    }
}

static void init_256(mb_aes *aes, const uint8_t key[32])
{
    __m128i even = load(key);
    __m128i odd = load(key + 16);
    unsigned constant = 1;
    aes->rounds = 14;
    store(aes->round_keys, even);
    store(aes->round_keys + 16, odd);
    for (unsigned i = 2; i <= 14; i += 2) {
        even = _mm_xor_si128(running_sum(even), rotated_substitute(odd, constant));
        constant = next_constant(constant);
        store(aes->round_keys + 16 * i, even);
        if (i < 14) {
            odd = _mm_xor_si128(running_sum(odd), plain_substitute(even));
            store(aes->round_keys + 16 * (i + 1), odd);
        }
    }
}

/* Between a counter as it is stored and as it is computed with: its low half in the low lane. */
static inline __m128i reverse_bytes(__m128i block)
{
    return _mm_shuffle_epi8(block, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

/* counter + n for n below 2^63: then the low half carries out iff its top bit goes from one to zero.
 * (Not a comparison: the counter may be SECRET.) */
static inline __m128i counter_add(__m128i counter, unsigned n)
{
    const __m128i sum = _mm_add_epi64(counter, _mm_set_epi64x(0, n));
    const __m128i carry = _mm_srli_epi64(_mm_andnot_si128(sum, counter), 63);
    return _mm_add_epi64(sum, _mm_slli_si128(carry, 8));
}

static inline __m128i counter_block(__m128i counter, unsigned n)
{
    return reverse_bytes(counter_add(counter, n));
}

/* Eight blocks of key stream from `counter` on. */
static inline void group(uint8_t out[16 * GROUP_BLOCKS], const mb_aes *aes, __m128i counter)
{
    __m128i key = load(aes->round_keys);
    __m128i b0 = _mm_xor_si128(counter_block(counter, 0), key);
    __m128i b1 = _mm_xor_si128(counter_block(counter, 1), key);
    __m128i b2 = _mm_xor_si128(counter_block(counter, 2), key);
    __m128i b3 = _mm_xor_si128(counter_block(counter, 3), key);
    __m128i b4 = _mm_xor_si128(counter_block(counter, 4), key);
    __m128i b5 = _mm_xor_si128(counter_block(counter, 5), key);
    __m128i b6 = _mm_xor_si128(counter_block(counter, 6), key);
    __m128i b7 = _mm_xor_si128(counter_block(counter, 7), key);
    for (unsigned round = 1; round < aes->rounds; round++) {
        key = load(aes->round_keys + 16 * round);
        b0 = _mm_aesenc_si128(b0, key);
        b1 = _mm_aesenc_si128(b1, key);
        b2 = _mm_aesenc_si128(b2, key);
        b3 = _mm_aesenc_si128(b3, key);
        b4 = _mm_aesenc_si128(b4, key);
        b5 = _mm_aesenc_si128(b5, key);
        b6 = _mm_aesenc_si128(b6, key);
        b7 = _mm_aesenc_si128(b7, key);
    }
    key = load(aes->round_keys + 16 * aes->rounds);
    store(out, _mm_aesenclast_si128(b0, key));
    store(out + 16, _mm_aesenclast_si128(b1, key));
    store(out + 32, _mm_aesenclast_si128(b2, key));
    store(out + 48, _mm_aesenclast_si128(b3, key));
    store(out + 64, _mm_aesenclast_si128(b4, key));
    store(out + 80, _mm_aesenclast_si128(b5, key));
    store(out + 96, _mm_aesenclast_si128(b6, key));
    store(out + 112, _mm_aesenclast_si128(b7, key));
}

void mb_aes_ni_ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    __m128i next = reverse_bytes(load(counter));
    for (; blocks >= GROUP_BLOCKS; blocks -= GROUP_BLOCKS) {
        group(out, aes, next);
        next = counter_add(next, GROUP_BLOCKS);
        out += 16 * GROUP_BLOCKS;
    }
    if (blocks != 0) {
        /* One block takes nearly as long as eight. */
        uint8_t last[16 * GROUP_BLOCKS];
        group(last, aes, next);
        next = counter_add(next, (unsigned)blocks);
        memcpy(out, last, 16 * blocks);
        mb_wipe(last, sizeof last);
    }
    store(counter, reverse_bytes(next));
}

static const mb_aes_backend aes_ni_backend = {"AES-NI", init_128, init_256, mb_aes_ni_ctr, NULL};
static const mb_aes_backend vaes_backend = {"VAES", init_128, init_256, mb_aes_vaes_ctr, NULL};

const mb_aes_backend *mb_aes_accelerated(unsigned features)
{
    const unsigned wide = MB_CPU_AESNI | MB_CPU_VAES | MB_CPU_AVX512;
    if ((features & wide) == wide) {
        return &vaes_backend;
    }
    return (features & MB_CPU_AESNI) != 0 ? &aes_ni_backend : NULL;
}

/* The instructions need no table. */
const mb_aes_backend *mb_aes_accelerated_vartime(unsigned features)
{
    return mb_aes_accelerated(features);
}
