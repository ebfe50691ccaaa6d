/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For tests: memory between two pages that must not be touched, so that a read or a write beyond either end stops the
 * program, and patterns around outputs that show a write which stays within the page. Include it first. */
#ifndef TEST_GUARD_H
#define TEST_GUARD_H

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#endif

#include <guard_take.h> /* guard_take(bytes): at least so many usable bytes; a file for the host, another for the target */
#include <string.h>

/* The last `bytes` bytes before the forbidden page. */
static inline uint8_t *guard_last(const guard *memory, size_t bytes)
{
    return memory->end - bytes;
}

/* The last aligned place for `bytes` bytes: fewer than `alignment` usable bytes follow. */
static inline uint8_t *guard_last_aligned(const guard *memory, size_t bytes, size_t alignment)
{
    return memory->end - (bytes + alignment - 1) / alignment * alignment;
}

enum { GUARD_PATTERN = 0xa7, GUARD_MARGIN = 256 };

/* How many bytes before `from` and after `to` are painted. */
static inline size_t guard_before(const guard *memory, const uint8_t *from)
{
    const size_t room = (size_t)(from - memory->start);
    return room < GUARD_MARGIN ? room : GUARD_MARGIN;
}

static inline size_t guard_after(const guard *memory, const uint8_t *to)
{
    const size_t room = (size_t)(memory->end - to);
    return room < GUARD_MARGIN ? room : GUARD_MARGIN;
}

/* Paints [from, from + bytes) and the margins. */
static inline void guard_paint(const guard *memory, uint8_t *from, size_t bytes)
{
    const size_t before = guard_before(memory, from);
    memset(from - before, GUARD_PATTERN, before + bytes + guard_after(memory, from + bytes));
}

/* 1 if the margins around [from, from + bytes) are as they were painted. */
static inline int guard_untouched(const guard *memory, const uint8_t *from, size_t bytes)
{
    const uint8_t *to = from + bytes;
    unsigned difference = 0;
    for (size_t i = guard_before(memory, from); i > 0; i--) {
        difference |= from[-(ptrdiff_t)i] ^ GUARD_PATTERN;
    }
    for (size_t i = 0; i < guard_after(memory, to); i++) {
        difference |= to[i] ^ GUARD_PATTERN;
    }
    return difference == 0;
}

#endif
