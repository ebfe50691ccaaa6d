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

/* Tells the compiler, and its analyser, what always holds. Undefined if it does not. */
#if defined(__GNUC__) || defined(__clang__)
#define MB_ASSUME(condition) ((condition) ? (void)0 : __builtin_unreachable())
#else
#define MB_ASSUME(condition) ((void)0)
#endif

/* Before a loop over registers: as many copies of its body as it has rounds (at most 20), early enough that an array of registers
 * becomes registers. */
#if defined(__clang__)
#define MB_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define MB_UNROLL _Pragma("GCC unroll 20")
#else
#define MB_UNROLL
#endif

/* The same for loops of which some copies have one round or none, which clang would complain of: it unrolls them by itself. */
#if defined(__clang__)
#define MB_UNROLL_ANY
#else
#define MB_UNROLL_ANY MB_UNROLL
#endif

#endif
