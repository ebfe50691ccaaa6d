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

/* An arena over the caller's memory. */
static inline mb_arena mb_arena_over(const moonbow_scratch *scratch)
{
    return (mb_arena){scratch->start, 0};
}

/* OK if what was taken is there. The size asked before may have been that of another backend, if the
 * environment has changed in between: compare before anything is written to what was taken. */
static inline int mb_arena_check(const mb_arena *arena, const moonbow_scratch *scratch)
{
    return arena->used <= scratch->bytes ? MOONBOW_OK : MOONBOW_BAD_SCRATCH;
}

#endif
