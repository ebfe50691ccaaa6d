/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Registers loaded and stored two at a time. Compilers find some of the pairs: gcc 12 no stores, and its vld1q_u8_x4 comes with moves. */
#ifndef MB_LINEAR_AARCH64_PAIRS_H
#define MB_LINEAR_AARCH64_PAIRS_H

#include "platform/compiler.h"

#include <stddef.h>
#include <stdint.h>

/* v[0], v[1] = the 32 bytes at p + offset, a constant multiple of 16 below 1024. What is named as read begins at p, so that no register is
 * spent on where the pair begins. */
#define LOAD_PAIR(v, p, offset)                                                                    \
    __asm__("ldp %q0, %q1, [%2, #" #offset "]"                                                     \
            : "=w"((v)[0]), "=w"((v)[1])                                                           \
            : "r"(p), "m"(*(const uint8_t(*)[offset + 32])(p)))

/* v[0], v[1] = registers r and r + 1 of those from p on; r is even, below 8, a constant. */
static MB_ALWAYS_INLINE void load_pair(vec *v, const uint8_t *p, unsigned r)
{
    switch (r) {
    case 0:
        LOAD_PAIR(v, p, 0);
        return;
    case 2:
        LOAD_PAIR(v, p, 32);
        return;
    case 4:
        LOAD_PAIR(v, p, 64);
        return;
    default:
        LOAD_PAIR(v, p, 96);
    }
}

/* v[0], v[1] = the 32 bytes at *p, which moves past them. */
static MB_ALWAYS_INLINE void load_pair_next(vec *v, const uint8_t **p)
{
    const uint8_t(*from)[32] = (const uint8_t(*)[32])*p;
    __asm__("ldp %q0, %q1, [%2], #32" : "=w"(v[0]), "=w"(v[1]), "+r"(*p) : "m"(*from));
}

#define STORE_PAIR(p, offset, v)                                                                   \
    __asm__("stp %q1, %q2, [%3, #" #offset "]"                                                     \
            : "=m"(*(uint8_t(*)[32])((p) + (offset)))                                              \
            : "w"((v)[0]), "w"((v)[1]), "r"(p))

/* `regs` ≤ 12 registers, a constant number, from p on. */
static MB_ALWAYS_INLINE void load_several(vec *v, unsigned regs, const uint8_t *p)
{
    if (regs >= 2) {
        LOAD_PAIR(v, p, 0);
    }
    if (regs >= 4) {
        LOAD_PAIR(v + 2, p, 32);
    }
    if (regs >= 6) {
        LOAD_PAIR(v + 4, p, 64);
    }
    if (regs >= 8) {
        LOAD_PAIR(v + 6, p, 96);
    }
    if (regs >= 10) {
        LOAD_PAIR(v + 8, p, 128);
    }
    if (regs == 12) {
        LOAD_PAIR(v + 10, p, 160);
    }
    if (regs % 2 != 0) {
        __builtin_memcpy(v + (regs - 1), p + 16 * (regs - 1), 16);
    }
}

/* `regs` ≤ 8 */
static MB_ALWAYS_INLINE void store_several(uint8_t *p, unsigned regs, const vec *v)
{
    if (regs >= 2) {
        STORE_PAIR(p, 0, v);
    }
    if (regs >= 4) {
        STORE_PAIR(p, 32, v + 2);
    }
    if (regs >= 6) {
        STORE_PAIR(p, 64, v + 4);
    }
    if (regs == 8) {
        STORE_PAIR(p, 96, v + 6);
    }
    if (regs % 2 != 0) {
        __builtin_memcpy(p + 16 * (regs - 1), v + (regs - 1), 16);
    }
}

#undef LOAD_PAIR
#undef STORE_PAIR

#endif
