/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The streaming evaluation of a public map. The arithmetic is the backend's (mb_gatherer); here the bytes find their monomials. */
#include "quadratic/public_map.h"

#include <string.h>

void mb_public_map_init(mb_public_map *map, mb_arena *arena, mb_gatherer_choice *choose, const mb_field *field, size_t n,
                        size_t width, moonbow_mode mode)
{
    memset(map, 0, sizeof *map);
    map->gatherer = choose(mode == MOONBOW_SMALL);
    map->gathering = (mb_gathering){field, n, width, mode == MOONBOW_SMALL, NULL};
    const size_t alone = map->gatherer->memory_bytes(&map->gathering);
    const int joins = mode == MOONBOW_BATCH && map->gatherer->many_bytes != NULL;
    const size_t joined = joins ? map->gatherer->many_bytes(&map->gathering) : 0;
    map->gathering.memory = mb_arena_take(arena, joined > alone ? joined : alone);
    map->x = mb_arena_take(arena, n);
    map->partial = mb_arena_take(arena, width);
}

void mb_public_map_begin(mb_public_map *map, const uint8_t *packed)
{
    mb_field_unpack(map->gathering.field, map->x, packed, map->gathering.n);
    map->gatherer->begin_vartime(&map->gathering, map->x);
}

static void begin_row(mb_public_map *map, size_t i)
{
    map->i = i;
    map->j = mb_block_row_start(map->block, i);
}

void mb_public_map_open(mb_public_map *map, mb_block block, size_t first, size_t bytes)
{
    map->block = block;
    map->first = first;
    map->bytes = bytes;
    map->partial_bytes = 0;
    begin_row(map, block.row);
}

int mb_public_map_complete(const mb_public_map *map)
{
    return map->i == (size_t)map->block.row + map->block.rows;
}

size_t mb_public_map_rows(const mb_public_map *map, size_t most)
{
    const size_t end = mb_block_row_end(map->block), row_end = (size_t)map->block.row + map->block.rows;
    const size_t together = map->gatherer->rows;
    size_t bytes = 0, taken = 0;
    if (together == 0 || map->partial_bytes != 0 || map->j != mb_block_row_start(map->block, map->i)) {
        return 0;
    }
    for (size_t i = map->i; i < row_end; i++) {
        bytes += (end - mb_block_row_start(map->block, i)) * map->bytes;
        if (bytes > most) {
            break;
        }
        taken = (i + 1 - map->i) % together == 0 || i + 1 == row_end ? bytes : taken;
    }
    return taken;
}

/* The monomials from the current one on whose coefficient vectors, `count` of them, are there: the rest of a
 * row, or as many whole rows as possible, or else the beginning of one. Returns how many. */
static size_t next_monomials(const mb_public_map *map, mb_monomials *next, size_t count)
{
    const size_t end = mb_block_row_end(map->block), row_end = (size_t)map->block.row + map->block.rows;
    size_t taken = 0;
    *next = (mb_monomials){map->i, 0, map->j, end, map->block.row == map->block.column};
    if (map->j != mb_block_row_start(map->block, map->i) || count < end - map->j) {
        next->rows = 1;
        next->end = count < end - map->j ? map->j + count : end;
        return next->end - map->j;
    }
    if (map->i == map->block.row && count >= mb_block_monomials(map->block)) {
        next->rows = map->block.rows;
        return mb_block_monomials(map->block);
    }
    for (size_t i = map->i; i < row_end; i++) {
        const size_t columns = end - mb_block_row_start(map->block, i);
        if (count - taken < columns) {
            break;
        }
        taken += columns;
        next->rows++;
    }
    return taken;
}

/* Whole coefficient vectors, `count` ≥ 1 of them at hand; returns how many were used. */
static size_t gather(mb_public_map *map, const uint8_t *vectors, size_t count)
{
    mb_monomials next;
    const size_t taken = next_monomials(map, &next, count);
    if (map->gather_batch != NULL) {
        map->gather_batch(map, vectors, &next);
    } else {
        map->gatherer->gather_vartime(&map->gathering, map->first, map->bytes, vectors, &next);
    }
    if (next.end == mb_block_row_end(map->block)) {
        begin_row(map, map->i + next.rows);
    } else {
        map->j = next.end;
    }
    return taken;
}

size_t mb_public_map_absorb(mb_public_map *map, const uint8_t *in, size_t bytes)
{
    size_t used = 0;
    while (used < bytes && !mb_public_map_complete(map)) {
        const size_t left = bytes - used;
        if (map->partial_bytes == 0 && left >= map->bytes) {
            used += map->bytes * gather(map, in + used, left / map->bytes);
            continue;
        }
        size_t missing = map->bytes - map->partial_bytes;
        if (missing > left) {
            missing = left;
        }
        memcpy(map->partial + map->partial_bytes, in + used, missing);
        map->partial_bytes += missing;
        used += missing;
        if (map->partial_bytes == map->bytes) {
            map->partial_bytes = 0;
            gather(map, map->partial, 1);
        }
    }
    return used;
}

const uint8_t *mb_public_map_collect(mb_public_map *map)
{
    if (map->many != NULL) {
        map->many->collect_vartime(&map->gathering, map->partial);
    } else {
        map->gatherer->collect_vartime(&map->gathering, map->partial);
    }
    return map->partial;
}
