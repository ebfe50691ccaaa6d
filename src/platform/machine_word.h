/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The widest word on which this machine's plain registers compute: what bitsliced code is written
 * over. Assumes a 32- or 64-bit machine; a test may force one of them with -DMB_MACHINE_WORD_BITS=32. */
#ifndef MB_PLATFORM_MACHINE_WORD_H
#define MB_PLATFORM_MACHINE_WORD_H

#include <stdint.h>

#ifndef MB_MACHINE_WORD_BITS
#if UINTPTR_MAX > 0xffffffffu
#define MB_MACHINE_WORD_BITS 64
#else
#define MB_MACHINE_WORD_BITS 32
#endif
#endif

#if MB_MACHINE_WORD_BITS == 64
typedef uint64_t mb_machine_word;
#else
typedef uint32_t mb_machine_word;
#endif

#endif
