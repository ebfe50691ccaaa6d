/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Guards against a disturbed draw, which gives the key away although the signature verifies: salts, vinegars and seeds that are
 * constant or the same as the ones before, and vinegars that a second computation does not confirm. See docs/soundness.md. */
#ifndef MB_SCHEME_DRAWS_H
#define MB_SCHEME_DRAWS_H

#include "platform/declassify.h"

#include <moonbow/status.h>
#include <stddef.h>
#include <stdint.h>

enum { MB_DRAW_CHECKED_LEN = 16 };

/* OK, or FAULT if the `count` SECRET elements at `drawn` begin with sixteen equal ones or with those at `last`, which they then
 * replace; `last` begins as zero. By chance that happens with probability below 2^-58 over GF(16), 2^-118 over GF(256). Shapes
 * with fewer elements are not checked: there it could well be chance. */
static inline int mb_draw_check(uint8_t last[MB_DRAW_CHECKED_LEN], const uint8_t *drawn, size_t count)
{
    unsigned varied = 0, changed = 0;
    for (size_t i = 0; i < MB_DRAW_CHECKED_LEN && count >= MB_DRAW_CHECKED_LEN; i++) {
        varied |= (unsigned)drawn[i] ^ drawn[0];
        changed |= (unsigned)drawn[i] ^ last[i];
        last[i] = drawn[i];
    }
    /* Both are below 256: the subtraction borrows from zero alone. */
    int fault = (int)(((varied - 1u) | (changed - 1u)) >> 31);
    fault = count < MB_DRAW_CHECKED_LEN ? 0 : fault;
    mb_declassify(&fault, sizeof fault); /* 0 unless the machine was disturbed, and then it is the status */
    return fault != 0 ? MOONBOW_FAULT : MOONBOW_OK;
}

/* OK, or FAULT if two computations of the same `bytes` SECRET bytes differ: one of them missed a step. */
static inline int mb_draw_confirm(const void *drawn, const void *again, size_t bytes)
{
    const uint8_t *a = drawn, *b = again;
    unsigned difference = 0;
    for (size_t i = 0; i < bytes; i++) {
        difference |= (unsigned)a[i] ^ b[i];
    }
    int fault = (int)((0u - difference) >> 31);
    mb_declassify(&fault, sizeof fault); /* 0 unless the machine was disturbed, and then it is the status */
    return fault != 0 ? MOONBOW_FAULT : MOONBOW_OK;
}

#endif
