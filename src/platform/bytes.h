/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Numbers to and from bytes in either order, at any address, in constant time. Where the compiler
 * tells the machine's byte order, each function is one load or store and at most one byte swap. */
#ifndef MB_PLATFORM_BYTES_H
#define MB_PLATFORM_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A copy that becomes one load or store even where -ffreestanding makes memcpy an ordinary function. */
#if defined(__GNUC__) || defined(__clang__)
#define MB_COPY(to, from, bytes) __builtin_memcpy(to, from, bytes)
#else
#define MB_COPY(to, from, bytes) memcpy(to, from, bytes)
#endif

/* A copy of some ten bytes, which do not overlap: quicker than a call of memcpy. */
static inline void mb_copy_short(uint8_t *out, const uint8_t *in, size_t bytes)
{
    size_t i = 0;
    if (bytes < 16) {
        for (; i < bytes; i++) {
            out[i] = in[i];
        }
        return;
    }
    for (; i + 32 <= bytes; i += 32) {
        MB_COPY(out + i, in + i, 16);
        MB_COPY(out + i + 16, in + i + 16, 16);
    }
    if (i + 16 < bytes) {
        MB_COPY(out + i, in + i, 16);
    }
    if (i < bytes) {
        MB_COPY(out + bytes - 16, in + bytes - 16, 16); /* some of them again */
    }
}

/* Reverses the bytes of a number. Compilers know this idiom. */
static inline uint32_t mb_swap32(uint32_t x)
{
    x = (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff);
    return x << 16 | x >> 16;
}

/* Reverses the bytes of a number. */
static inline uint64_t mb_swap64(uint64_t x)
{
    return (uint64_t)mb_swap32((uint32_t)x) << 32 | mb_swap32((uint32_t)(x >> 32));
}

/* Between a number and one whose bytes lie in memory least significant first. */
static inline uint32_t mb_order32_le(uint32_t x)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return x;
#elif defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return mb_swap32(x);
#else
    const uint32_t one = 1;
    uint8_t first;
    MB_COPY(&first, &one, 1);
    return first == 1 ? x : mb_swap32(x);
#endif
}

/* The same for 64 bits. */
static inline uint64_t mb_order64_le(uint64_t x)
{
    return mb_order32_le(1) == 1 ? x : mb_swap64(x);
}

/* Reads 4 bytes, least significant first. */
static inline uint32_t mb_load32_le(const uint8_t *in)
{
    uint32_t x;
    MB_COPY(&x, in, sizeof x);
    return mb_order32_le(x);
}

/* Reads 4 bytes, most significant first. */
static inline uint32_t mb_load32_be(const uint8_t *in)
{
    return mb_swap32(mb_load32_le(in));
}

/* Writes 4 bytes, least significant first. */
static inline void mb_store32_le(uint8_t *out, uint32_t value)
{
    const uint32_t x = mb_order32_le(value);
    MB_COPY(out, &x, sizeof x);
}

/* Writes 4 bytes, most significant first. */
static inline void mb_store32_be(uint8_t *out, uint32_t value)
{
    mb_store32_le(out, mb_swap32(value));
}

/* Reads 8 bytes, least significant first. */
static inline uint64_t mb_load64_le(const uint8_t *in)
{
    uint64_t x;
    MB_COPY(&x, in, sizeof x);
    return mb_order64_le(x);
}

/* Reads 8 bytes, most significant first. */
static inline uint64_t mb_load64_be(const uint8_t *in)
{
    return mb_swap64(mb_load64_le(in));
}

/* Writes 8 bytes, least significant first. */
static inline void mb_store64_le(uint8_t *out, uint64_t value)
{
    const uint64_t x = mb_order64_le(value);
    MB_COPY(out, &x, sizeof x);
}

/* Writes 8 bytes, most significant first. */
static inline void mb_store64_be(uint8_t *out, uint64_t value)
{
    mb_store64_le(out, mb_swap64(value));
}

#endif
