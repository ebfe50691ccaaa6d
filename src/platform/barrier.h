/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Value barriers: what passes through one is unknown to the optimiser, so that it cannot turn a mask
 * made from a secret bit into a branch. Assumes nothing. */
#ifndef MB_PLATFORM_BARRIER_H
#define MB_PLATFORM_BARRIER_H

#include <stdint.h>

/* Returns `value`, SECRET or public, hidden from the optimiser. */
static inline uint32_t mb_barrier_u32(uint32_t value)
{
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(value));
    return value;
#else
    volatile uint32_t hidden = value;
    return hidden;
#endif
}

/* Returns `value`, SECRET or public, hidden from the optimiser. */
static inline uint64_t mb_barrier_u64(uint64_t value)
{
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(value));
    return value;
#else
    volatile uint64_t hidden = value;
    return hidden;
#endif
}

/* All ones if `bit` is 1, zero if it is 0. `bit` may be SECRET and must be one of the two. */
static inline uint32_t mb_mask_u32(uint32_t bit)
{
    return 0u - mb_barrier_u32(bit);
}

/* All ones if `bit` is 1, zero if it is 0. `bit` may be SECRET and must be one of the two. */
static inline uint64_t mb_mask_u64(uint64_t bit)
{
    return UINT64_C(0) - mb_barrier_u64(bit);
}

#endif
