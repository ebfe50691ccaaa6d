/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Memory for keys and scratch on hosts: aligned, left out of core dumps, and wiped when it is given back. */
#ifndef MOONBOW_CONTAINER_MEMORY_H
#define MOONBOW_CONTAINER_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `bytes` zero bytes at a multiple of MOONBOW_SCRATCH_ALIGNMENT, or NULL. May be asked for 0. The memory has
 * pages of its own that no core dump shows, and ends (up to the alignment) where an access faults. */
void *moonbow_memory_new(size_t bytes);

/* The same for what is SECRET: the pages are also kept out of swap, as far as the process's limit on locked
 * memory (RLIMIT_MEMLOCK) goes; beyond it they are ordinary pages, and this is no error. */
void *moonbow_memory_new_secret(size_t bytes);

/* Wipes and frees memory of either; `bytes` as asked then. NULL is allowed. */
void moonbow_memory_free(void *start, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
