/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Evaluates a public quadratic map while its coefficients stream in, block after block, in pieces of any length.
 * Everything is public, so this runs in variable time. Each byte is read once. */
#ifndef MB_QUADRATIC_PUBLIC_MAP_H
#define MB_QUADRATIC_PUBLIC_MAP_H

#include "linear/contract.h"
#include "platform/arena.h"
#include "quadratic/block.h"

typedef struct mb_public_map {
    mb_gathering gathering;
    const mb_gatherer *gatherer;
    uint8_t *x;       /* the point: one element a byte */
    uint8_t *partial; /* a coefficient vector of which only the beginning has come; at the end, the value */
    size_t partial_bytes;
    mb_block block;
    size_t first, bytes; /* the part of the value that the block's vectors concern */
    size_t i, j;         /* the next monomial; i past the last row: the block is complete */
    /* Of a batch: the next map, evaluated at its own point with the bytes that come here; and the backend's way for several
     * points, which takes the gatherer's place and memory, or NULL. Set by public_map_batch.c. */
    struct mb_public_map *next;
    const mb_many_gatherer *many;
    void (*gather_batch)(const struct mb_public_map *leader, const uint8_t *vectors, const mb_monomials *monomials);
} mb_public_map;

/* Takes the memory for such a gathering, which has none yet, from the arena. Where that only measures, the map may be NULL. */
void mb_public_map_init(mb_public_map *map, mb_arena *arena, mb_gatherer_choice *choose, const mb_gathering *shape, moonbow_mode mode);

/* Begins the evaluation at n packed elements. */
void mb_public_map_begin(mb_public_map *map, const uint8_t *packed);

/* Both began, in MOONBOW_BATCH mode and for maps of one shape: the leader's bytes serve the follower too, which gets none itself
 * and ends after the leader; or leaves it. */
void mb_public_map_join(mb_public_map *leader, mb_public_map *follower);
void mb_public_map_leave(mb_public_map *leader, mb_public_map *follower);

/* Next come the coefficient vectors of this block, which concern the `bytes` bytes from `first` on. */
void mb_public_map_open(mb_public_map *map, mb_block block, size_t first, size_t bytes);

/* The bytes, at most `most`, of as many rows from the current one on as the gatherer likes to have together, or a multiple, or of all;
 * 0 where it does not mind, the row has begun, or there is no such number. */
size_t mb_public_map_rows(const mb_public_map *map, size_t most);

/* Takes bytes of the open block; returns how many: fewer than given when the block ends before. */
size_t mb_public_map_absorb(mb_public_map *map, const uint8_t *in, size_t bytes);

/* 1 when no byte of the open block is missing. */
int mb_public_map_complete(const mb_public_map *map);

/* The map's value, `width` packed bytes in the map's memory; ends the evaluation. */
const uint8_t *mb_public_map_collect(mb_public_map *map);

#endif
