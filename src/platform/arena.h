/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Lays out scratch memory. The same function runs twice: over no memory, to learn the size, and over the caller's memory.
 * Pieces are aligned like the scratch memory itself. */
#ifndef MB_PLATFORM_ARENA_H
#define MB_PLATFORM_ARENA_H

#include <moonbow/signature.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mb_arena {
    uint8_t *start; /* NULL: only measure */
    size_t used;
} mb_arena;

/* The next `bytes` bytes, uninitialised; NULL when only measuring. */
static inline void *mb_arena_take(mb_arena *arena, size_t bytes)
{
    void *piece = arena->start == NULL ? NULL : arena->start + arena->used;
    const size_t unit = MOONBOW_SCRATCH_ALIGNMENT;
    arena->used += (bytes + unit - 1) / unit * unit;
    return piece;
}

#endif
