/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Heap memory for keys and scratch on hosts: aligned, and wiped when it is given back. */
#ifndef MOONBOW_CONTAINER_MEMORY_H
#define MOONBOW_CONTAINER_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `bytes` zero bytes at a multiple of MOONBOW_SCRATCH_ALIGNMENT, or NULL. May be asked for 0. */
void *moonbow_memory_new(size_t bytes);

/* Wipes and frees memory of moonbow_memory_new; `bytes` as asked then. NULL is allowed. */
void moonbow_memory_free(void *start, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
