/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Marks for the constant-time test, which runs under valgrind and treats "undefined" as "SECRET".
 * Without MOONBOW_CONSTANT_TIME_TEST both functions are empty. */
#ifndef MB_PLATFORM_DECLASSIFY_H
#define MB_PLATFORM_DECLASSIFY_H

#include <stddef.h>

#ifdef MOONBOW_CONSTANT_TIME_TEST
#include <valgrind/memcheck.h>
#endif

/* From here on `bytes` bytes at `memory` are public: the program may branch on them. Say beside each
 * call why that gives nothing away. */
static inline void mb_declassify(const void *memory, size_t bytes)
{
#ifdef MOONBOW_CONSTANT_TIME_TEST
    (void)VALGRIND_MAKE_MEM_DEFINED(memory, bytes);
#else
    (void)memory;
    (void)bytes;
#endif
}

/* From here on `bytes` bytes at `memory` are SECRET: a branch or an address that depends on them is
 * an error in the constant-time test. */
static inline void mb_classify(const void *memory, size_t bytes)
{
#ifdef MOONBOW_CONSTANT_TIME_TEST
    (void)VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes);
#else
    (void)memory;
    (void)bytes;
#endif
}

#endif
