/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The streaming evaluation of a public map. The arithmetic is the backend's (mb_gatherer); here the bytes find their monomials. */
#include "quadratic/public_map.h"

#include <string.h>

void mb_public_map_init(mb_public_map *map, mb_arena *arena, const mb_field *field, size_t n, size_t width,
                        moonbow_mode mode)
{
    memset(map, 0, sizeof *map);
    map->gatherer = mb_linear_gatherer(mode == MOONBOW_SMALL);
    map->gathering = (mb_gathering){field, n, width, mode == MOONBOW_SMALL, NULL};
    map->gathering.memory = mb_arena_take(arena, map->gatherer->memory_bytes(&map->gathering));
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

/* Whole coefficient vectors of the current row, at most up to its end; returns how many. */
static size_t gather_row(mb_public_map *map, const uint8_t *vectors, size_t count)
{
    const size_t left = mb_block_row_end(map->block) - map->j;
    if (count > left) {
        count = left;
    }
    map->gatherer->gather_vartime(&map->gathering, map->first, map->bytes, vectors, map->i, map->j, count);
    map->j += count;
    if (count == left) {
        begin_row(map, map->i + 1);
    }
    return count;
}

/* All of the open block, if `in` begins with it and the backend has a way for it; returns the bytes used. */
static size_t gather_whole(mb_public_map *map, const uint8_t *in, size_t bytes)
{
    const mb_gathering_block block = {map->block.row, map->block.rows, map->block.column, map->block.columns};
    const size_t block_bytes = map->bytes * mb_block_monomials(map->block);
    const int begun = map->partial_bytes != 0 || map->i != block.row || map->j != mb_block_row_start(map->block, block.row);
    if (map->gatherer->gather_block_vartime == NULL || begun || bytes < block_bytes ||
        map->gatherer->gather_block_vartime(&map->gathering, map->first, map->bytes, in, &block) != 0) {
        return 0;
    }
    map->i = block.row + block.rows;
    return block_bytes;
}

size_t mb_public_map_absorb(mb_public_map *map, const uint8_t *in, size_t bytes)
{
    size_t used = gather_whole(map, in, bytes);
    while (used < bytes && !mb_public_map_complete(map)) {
        const size_t left = bytes - used;
        if (map->partial_bytes == 0 && left >= map->bytes) {
            used += map->bytes * gather_row(map, in + used, left / map->bytes);
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
            gather_row(map, map->partial, 1);
        }
    }
    return used;
}

void mb_public_map_collect(mb_public_map *map, uint8_t *value)
{
    map->gatherer->collect_vartime(&map->gathering, value);
}
