/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * How aes.c and aes_vartime.c find their implementations: portable code (aes_bitsliced.c; aes_vartime.c), or what
 * is quicker here: the processor's AES instructions (x86/aes_ni.c) or assembly (cortex_m4/aes.c). */
#ifndef MB_SYMMETRIC_AES_BACKEND_H
#define MB_SYMMETRIC_AES_BACKEND_H

#include "symmetric/aes.h"

#include <stddef.h>
#include <stdint.h>

/* What two rounds of AES, without the key that follows, make of a counter, for each value of its last byte. That byte goes to one column
 * in the first round and is spread over all by the second, which adds up what columns become. So for other counters, as long as only
 * their last four bytes differ, which go to a column each, a constant is added to all of it. PUBLIC: addresses follow the counter. */
struct mb_aes_shortcut {
    uint8_t state[256][16];
    uint8_t counter[12]; /* the first bytes of those that it is for */
    uint8_t made;
};

enum { MB_AES_SHORTCUT_BLOCKS = 8 };

/* The first three functions have the contracts of mb_aes_init_128, mb_aes_init_256 and mb_aes_ctr. */
typedef struct mb_aes_backend {
    const char *name;
    void (*init_128)(mb_aes *aes, const uint8_t key[16]);
    void (*init_256)(mb_aes *aes, const uint8_t key[32]);
    void (*ctr)(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks);
    /* As ctr with `count` pieces of `blocks` blocks each, but only pieces p with wanted[p] (PUBLIC) not 0 are written; NULL where leaving
     * some out takes no less time. */
    void (*ctr_some)(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks, const uint8_t *wanted, size_t count);
    /* NULL, or for PUBLIC keys and counters: a shortcut for counters with these first 12 bytes; and ctr with one, for a multiple of
     * MB_AES_SHORTCUT_BLOCKS. The first 12 bytes of the counter and of the one after the last block are the shortcut's. */
    void (*make_shortcut)(const mb_aes *aes, mb_aes_shortcut *shortcut, const uint8_t counter[16]);
    void (*ctr_by_shortcut)(const mb_aes *aes, const mb_aes_shortcut *shortcut, uint8_t counter[16], uint8_t *out, size_t blocks);
} mb_aes_backend;

extern const mb_aes_backend mb_aes_portable_backend;         /* constant time */
extern const mb_aes_backend mb_aes_portable_vartime_backend; /* PUBLIC keys alone */

/* The fastest backend that needs no more than `features`, a set from mb_cpu_features() or part of one: the portable one if none is
 * quicker, so that firmware links one, and for PUBLIC keys NULL. The build takes exactly one of the files that define both
 * functions: x86/aes_ni.c, aarch64/aes_ce.c, cortex_m4/aes.c or portable/aes_accelerated.c. */
const mb_aes_backend *mb_aes_accelerated(unsigned features);
const mb_aes_backend *mb_aes_accelerated_vartime(unsigned features);

#endif
