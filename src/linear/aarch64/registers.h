/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Registers of 16 bytes: loads and stores at any address, nibbles, look-up, and multiplication by a public constant.
 *
 * Look-up is TBL: table and index are registers, no memory is addressed, and Arm lists TBL (as the rest of what is used here)
 * among the instructions whose time does not depend on their data (PSTATE.DIT). So it may be done by a SECRET index. */
#ifndef MB_LINEAR_AARCH64_REGISTERS_H
#define MB_LINEAR_AARCH64_REGISTERS_H

#include "linear/tables/tables.h"
#include "platform/compiler.h"

#include <string.h>

enum { VEC_BYTES = 16 };

static MB_ALWAYS_INLINE vec vec_load(const uint8_t *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

static MB_ALWAYS_INLINE void vec_store(uint8_t *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

static MB_ALWAYS_INLINE vec vec_zero(void)
{
    return vdupq_n_u8(0);
}

static MB_ALWAYS_INLINE vec low_nibbles(vec v)
{
    return vandq_u8(v, vdupq_n_u8(15));
}

static MB_ALWAYS_INLINE vec high_nibbles(vec v)
{
    return vshrq_n_u8(v, 4);
}

/* Each nibble of one register, and of the other, in the low and in the high half of a byte: two registers of pairs from two
 * registers of low and of high nibbles. */
static MB_ALWAYS_INLINE vec join_low(vec low, vec high)
{
    return vsliq_n_u8(low, high, 4);
}

static MB_ALWAYS_INLINE vec join_high(vec low, vec high)
{
    return vsriq_n_u8(high, low, 4);
}

/* The elements of a register times the public constant of these tables. */
static MB_ALWAYS_INLINE vec times_constant(vec v, const mb_nibble_tables *constant)
{
    return veorq_u8(vqtbl1q_u8(vec_load(constant->products), low_nibbles(v)),
                    vqtbl1q_u8(vec_load(constant->products + 16), high_nibbles(v)));
}

/* The last `tail` < VEC_BYTES bytes of a register. */
static MB_ALWAYS_INLINE vec last_bytes(vec v, size_t tail)
{
    static const uint8_t places[16] = {16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
    return vandq_u8(v, vcgeq_u8(vdupq_n_u8((uint8_t)tail), vec_load(places)));
}

/* `bytes` < VEC_BYTES bytes, zeros behind them. */
static MB_ALWAYS_INLINE vec load_short(const uint8_t *p, size_t bytes)
{
    uint8_t whole[VEC_BYTES] = {0};
    for (size_t i = 0; i < bytes; i++) {
        whole[i] = p[i];
    }
    return vec_load(whole);
}

static MB_ALWAYS_INLINE void xor_short(uint8_t *p, size_t bytes, vec v)
{
    uint8_t whole[VEC_BYTES];
    vec_store(whole, v);
    for (size_t i = 0; i < bytes; i++) {
        p[i] ^= whole[i];
    }
}

static MB_ALWAYS_INLINE void xor_store(uint8_t *p, vec v)
{
    vec_store(p, veorq_u8(vec_load(p), v));
}

#endif
