/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What compilers spell differently. Assumes nothing: an unknown compiler gets plain C (lanes.h alone asks for vector types). */
#ifndef MB_PLATFORM_COMPILER_H
#define MB_PLATFORM_COMPILER_H

/* Keeps a function out of its callers, so that its locals do not add to their stack frame. */
#if defined(__GNUC__) || defined(__clang__)
#define MB_NOINLINE __attribute__((noinline))
#else
#define MB_NOINLINE
#endif

/* Asks for memory that will be read once, soon; `address` need not be valid. */
#if defined(__GNUC__) || defined(__clang__)
#define MB_PREFETCH(address) __builtin_prefetch((address), 0, 3)
#else
#define MB_PREFETCH(address) ((void)0)
#endif

/* Puts a function into each of its callers, so that arguments that are constants there shape its
 * code. Compilers decline to at -O2 where the function is long. */
#if defined(__GNUC__) || defined(__clang__)
#define MB_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define MB_ALWAYS_INLINE inline
#endif

#endif
