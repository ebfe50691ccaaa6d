/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The intrinsics that linear/x86/gfni_avx512_*.c use, in plain C, for emulated_avx512.c. Their arguments may be SECRET, but for
 * immediate ones, masks of loads and stores (shapes) and addresses: no branch and no address depends on the others. */
#ifndef TEST_AVX512_IMMINTRIN_H
#define TEST_AVX512_IMMINTRIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A compiler's register, of which there is none here (linear/x86/x86.h). */
#undef MB_X86_IN_REGISTER
#define MB_X86_IN_REGISTER(vector) ((void)0)

typedef struct __m512i {
    uint64_t word[8];
} __m512i;
typedef struct __m256i {
    uint64_t word[4];
} __m256i;
typedef struct __m128i {
    uint64_t word[2];
} __m128i;
typedef uint64_t __mmask64;
typedef uint32_t __mmask32;
typedef uint8_t __mmask8;

/* ---- Bytes of a register --------------------------------------------------------------------------- */

static inline void emulated_to_bytes(uint8_t bytes[64], __m512i v)
{
    memcpy(bytes, &v, 64);
}

static inline __m512i emulated_of_bytes(const uint8_t bytes[64])
{
    __m512i v;
    memcpy(&v, bytes, 64);
    return v;
}

/* 0xff where the mask has a one. */
static inline uint8_t emulated_byte_mask(__mmask64 mask, unsigned i)
{
    return (uint8_t)(0u - (unsigned)(mask >> i & 1));
}

/* ---- Loads, stores, constants ------------------------------------------------------------------------ */

static inline __m512i _mm512_loadu_si512(const void *p)
{
    __m512i v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void _mm512_storeu_si512(void *p, __m512i v)
{
    memcpy(p, &v, sizeof v);
}

static inline __m512i _mm512_maskz_loadu_epi8(__mmask64 mask, const void *p)
{
    uint8_t bytes[64] = {0};
    for (unsigned i = 0; i < 64; i++) {
        if ((mask >> i & 1) != 0) {
            bytes[i] = ((const uint8_t *)p)[i];
        }
    }
    return emulated_of_bytes(bytes);
}

static inline void _mm512_mask_storeu_epi8(void *p, __mmask64 mask, __m512i v)
{
    uint8_t bytes[64];
    emulated_to_bytes(bytes, v);
    for (unsigned i = 0; i < 64; i++) {
        if ((mask >> i & 1) != 0) {
            ((uint8_t *)p)[i] = bytes[i];
        }
    }
}

static inline __m512i _mm512_maskz_loadu_epi64(__mmask8 mask, const void *p)
{
    __m512i v = {{0}};
    for (unsigned i = 0; i < 8; i++) {
        if ((mask >> i & 1) != 0) {
            memcpy(&v.word[i], (const uint8_t *)p + 8 * i, 8);
        }
    }
    return v;
}

static inline __m512i _mm512_maskz_expandloadu_epi64(__mmask8 mask, const void *p)
{
    const uint8_t *next = p;
    __m512i v = {{0}};
    for (unsigned i = 0; i < 8; i++) {
        if ((mask >> i & 1) != 0) {
            memcpy(&v.word[i], next, 8);
            next += 8;
        }
    }
    return v;
}

static inline __m256i _mm256_maskz_loadu_epi8(__mmask32 mask, const void *p)
{
    const __m512i whole = _mm512_maskz_loadu_epi8(mask, p);
    __m256i v;
    memcpy(&v, &whole, sizeof v);
    return v;
}

static inline __m512i _mm512_set1_epi64(long long word)
{
    __m512i v;
    for (unsigned i = 0; i < 8; i++) {
        v.word[i] = (uint64_t)word;
    }
    return v;
}

static inline __m512i _mm512_set1_epi8(char byte)
{
    return _mm512_set1_epi64((long long)((uint8_t)byte * UINT64_C(0x0101010101010101)));
}

static inline __m512i _mm512_setzero_si512(void)
{
    return (__m512i){{0}};
}

static inline __m512i _mm512_set_epi64(long long h, long long g, long long f, long long e, long long d, long long c, long long b,
                                       long long a)
{
    return (__m512i){{(uint64_t)a, (uint64_t)b, (uint64_t)c, (uint64_t)d, (uint64_t)e, (uint64_t)f, (uint64_t)g, (uint64_t)h}};
}

static inline __m128i _mm512_castsi512_si128(__m512i v)
{
    return (__m128i){{v.word[0], v.word[1]}};
}

static inline int _mm_cvtsi128_si32(__m128i v)
{
    return (int)(uint32_t)v.word[0];
}

/* ---- Words and bits ------------------------------------------------------------------------------------ */

static inline __m512i _mm512_xor_si512(__m512i a, __m512i b)
{
    for (unsigned i = 0; i < 8; i++) {
        a.word[i] ^= b.word[i];
    }
    return a;
}

static inline __m512i _mm512_or_si512(__m512i a, __m512i b)
{
    for (unsigned i = 0; i < 8; i++) {
        a.word[i] |= b.word[i];
    }
    return a;
}

static inline __m512i _mm512_and_si512(__m512i a, __m512i b)
{
    for (unsigned i = 0; i < 8; i++) {
        a.word[i] &= b.word[i];
    }
    return a;
}

static inline __m512i _mm512_add_epi64(__m512i a, __m512i b)
{
    for (unsigned i = 0; i < 8; i++) {
        a.word[i] += b.word[i];
    }
    return a;
}

static inline __m512i _mm512_mul_epu32(__m512i a, __m512i b)
{
    for (unsigned i = 0; i < 8; i++) {
        a.word[i] = (a.word[i] & 0xffffffff) * (b.word[i] & 0xffffffff);
    }
    return a;
}

static inline __m512i _mm512_srli_epi64(__m512i a, unsigned count)
{
    for (unsigned i = 0; i < 8; i++) {
        a.word[i] >>= count;
    }
    return a;
}

static inline __m512i _mm512_slli_epi16(__m512i a, unsigned count)
{
    const uint64_t kept = (0xffffu << count & 0xffff) * UINT64_C(0x0001000100010001);
    for (unsigned i = 0; i < 8; i++) {
        a.word[i] = a.word[i] << count & kept;
    }
    return a;
}

static inline __m512i _mm512_cvtepu8_epi16(__m256i v)
{
    uint8_t from[32], to[64] = {0};
    memcpy(from, &v, sizeof from);
    for (unsigned i = 0; i < 32; i++) {
        to[2 * i] = from[i];
    }
    return emulated_of_bytes(to);
}

static inline __mmask64 _mm512_test_epi8_mask(__m512i a, __m512i b)
{
    uint8_t bytes[64];
    __mmask64 mask = 0;
    emulated_to_bytes(bytes, _mm512_and_si512(a, b));
    for (unsigned i = 0; i < 64; i++) {
        mask |= (uint64_t)((bytes[i] + 0xffu) >> 8 & 1) << i;
    }
    return mask;
}

static inline long long _mm_popcnt_u64(unsigned long long word)
{
    unsigned count = 0;
    for (unsigned i = 0; i < 64; i++) {
        count += (unsigned)(word >> i & 1);
    }
    return count;
}

static inline __m512i _mm512_mask_mov_epi8(__m512i otherwise, __mmask64 mask, __m512i v)
{
    uint8_t a[64], b[64];
    emulated_to_bytes(a, otherwise);
    emulated_to_bytes(b, v);
    for (unsigned i = 0; i < 64; i++) {
        const uint8_t m = emulated_byte_mask(mask, i);
        a[i] = (uint8_t)((a[i] & (uint8_t)~m) | (b[i] & m));
    }
    return emulated_of_bytes(a);
}

static inline __m512i _mm512_mask_mov_epi64(__m512i otherwise, __mmask8 mask, __m512i v)
{
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t kept = 0 - (uint64_t)(mask >> i & 1);
        v.word[i] = (otherwise.word[i] & ~kept) | (v.word[i] & kept);
    }
    return v;
}

/* ---- Halves and quarters --------------------------------------------------------------------------------- */

static inline __m256i _mm256_loadu_si256(const void *p)
{
    __m256i v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline __m128i _mm_loadu_si128(const void *p)
{
    __m128i v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline __m512i _mm512_zextsi256_si512(__m256i v)
{
    __m512i all = {{0}};
    memcpy(&all, &v, sizeof v);
    return all;
}

static inline __m512i _mm512_inserti64x4(__m512i all, __m256i v, int half)
{
    memcpy(&all.word[4 * half], &v, sizeof v);
    return all;
}

static inline __m512i _mm512_inserti32x4(__m512i all, __m128i v, int quarter)
{
    memcpy(&all.word[2 * quarter], &v, sizeof v);
    return all;
}

/* ---- Permutations by SECRET places: every entry is read and one is kept ------------------------------------ */

static inline uint8_t emulated_pick(const uint8_t *entries, unsigned count, unsigned place)
{
    unsigned picked = 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned other = i ^ place;
        picked |= entries[i] & (((other - 1) >> 8) & 0xff);
    }
    return (uint8_t)picked;
}

static inline __m512i _mm512_permutexvar_epi8(__m512i places, __m512i v)
{
    uint8_t place[64], from[64], to[64];
    emulated_to_bytes(place, places);
    emulated_to_bytes(from, v);
    for (unsigned i = 0; i < 64; i++) {
        to[i] = emulated_pick(from, 64, place[i] & 63);
    }
    return emulated_of_bytes(to);
}

static inline __m512i _mm512_maskz_permutexvar_epi8(__mmask64 mask, __m512i places, __m512i v)
{
    return _mm512_mask_mov_epi8(_mm512_setzero_si512(), mask, _mm512_permutexvar_epi8(places, v));
}

static inline __m512i _mm512_maskz_permutex2var_epi8(__mmask64 mask, __m512i a, __m512i places, __m512i b)
{
    uint8_t place[64], from[128], to[64];
    emulated_to_bytes(place, places);
    emulated_to_bytes(from, a);
    emulated_to_bytes(from + 64, b);
    for (unsigned i = 0; i < 64; i++) {
        to[i] = emulated_pick(from, 128, place[i] & 127);
    }
    return _mm512_mask_mov_epi8(_mm512_setzero_si512(), mask, emulated_of_bytes(to));
}

/* The places are shapes, public. */
static inline __m512i _mm512_permutexvar_epi64(__m512i places, __m512i v)
{
    __m512i to;
    for (unsigned i = 0; i < 8; i++) {
        to.word[i] = v.word[places.word[i] & 7];
    }
    return to;
}

/* 0x96 is the one function in use: the sum. */
static inline __m512i _mm512_ternarylogic_epi64(__m512i a, __m512i b, __m512i c, int function)
{
    (void)function;
    return _mm512_xor_si512(_mm512_xor_si512(a, b), c);
}

static inline __mmask64 _mm512_cmpeq_epi8_mask(__m512i a, __m512i b)
{
    const __m512i differences = _mm512_xor_si512(a, b);
    return ~_mm512_test_epi8_mask(differences, differences);
}

/* The same in two registers. */
static inline __m512i _mm512_permutex2var_epi64(__m512i a, __m512i places, __m512i b)
{
    __m512i to;
    for (unsigned i = 0; i < 8; i++) {
        const unsigned place = (unsigned)(places.word[i] & 15);
        to.word[i] = place < 8 ? a.word[place] : b.word[place - 8];
    }
    return to;
}

/* ---- GFNI ------------------------------------------------------------------------------------------------- */

/* In each byte bit 0 becomes the sum of its bits. */
static inline uint64_t emulated_parities(uint64_t w)
{
    w ^= w >> 4;
    w ^= w >> 2;
    w ^= w >> 1;
    return w & UINT64_C(0x0101010101010101);
}

static inline __m512i _mm512_gf2p8affine_epi64_epi8(__m512i v, __m512i matrix, int constant)
{
    (void)constant; /* 0 everywhere */
    for (unsigned i = 0; i < 8; i++) {
        uint64_t product = 0;
        for (unsigned b = 0; b < 8; b++) {
            const uint64_t row = (matrix.word[i] >> (8 * (7 - b)) & 0xff) * UINT64_C(0x0101010101010101);
            product |= emulated_parities(v.word[i] & row) << b;
        }
        v.word[i] = product;
    }
    return v;
}

static inline __m512i _mm512_gf2p8mul_epi8(__m512i a, __m512i b)
{
    __m512i product = _mm512_setzero_si512();
    for (unsigned i = 0; i < 8; i++) {
        uint64_t multiple = a.word[i];
        for (unsigned k = 0; k < 8; k++) {
            product.word[i] ^= multiple & ((b.word[i] >> k & UINT64_C(0x0101010101010101)) * 0xff);
            const uint64_t carry = multiple >> 7 & UINT64_C(0x0101010101010101);
            multiple = (multiple << 1 & UINT64_C(0xfefefefefefefefe)) ^ carry * 0x1b;
        }
    }
    return product;
}

/* The inverse is the 254th power. */
static inline __m512i _mm512_gf2p8affineinv_epi64_epi8(__m512i v, __m512i matrix, int constant)
{
    __m512i power = v, inverse = _mm512_set1_epi8(1);
    for (unsigned k = 1; k < 8; k++) {
        power = _mm512_gf2p8mul_epi8(power, power);
        inverse = _mm512_gf2p8mul_epi8(inverse, power);
    }
    return _mm512_gf2p8affine_epi64_epi8(inverse, matrix, constant);
}

#endif
