/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The streaming evaluation of a public map. The arithmetic is the backend's (mb_gatherer); here the bytes find their monomials. */
#include "quadratic/public_map.h"

#include <string.h>

void mb_public_map_init(mb_public_map *map, mb_arena *arena, const mb_field *field, const uint8_t *x,
                        size_t n, size_t width, moonbow_mode mode)
{
    const mb_gatherer *gatherer = mb_linear_gatherer();
    const int small = mode == MOONBOW_SMALL;
    const size_t accumulator_bytes = gatherer->accumulator_bytes(field, width, small);
    void *accumulators = mb_arena_take(arena, accumulator_bytes);
    uint8_t *products = mb_arena_take(arena, n);
    uint8_t *partial = mb_arena_take(arena, width);
    if (accumulators == NULL) {
        return;
    }
    memset(accumulators, 0, accumulator_bytes);
    *map = (mb_public_map){.field = field,
                           .gatherer = gatherer,
                           .x = x,
                           .width = width,
                           .small = small,
                           .accumulators = accumulators,
                           .products = products,
                           .partial = partial};
}

/* The products of row i, by two look-ups in tables of the multiples of x_i. */
static void begin_row(mb_public_map *map, size_t i)
{
    const size_t start = mb_block_row_start(map->block, i);
    const size_t end = mb_block_row_end(map->block);
    uint8_t low[16], high[16];
    map->i = i;
    map->j = start;
    if (i == (size_t)map->block.row + map->block.rows) {
        return;
    }
    mb_field_nibble_products(map->field, low, high, map->x[i]);
    if (map->field->bits == 4) {
        for (size_t j = start; j < end; j++) {
            map->products[j - start] = low[map->x[j] & 15];
        }
    } else {
        for (size_t j = start; j < end; j++) {
            map->products[j - start] = (uint8_t)(low[map->x[j] & 15] ^ high[map->x[j] >> 4]);
        }
    }
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
    const size_t start = mb_block_row_start(map->block, map->i);
    const size_t end = mb_block_row_end(map->block);
    if (count > end - map->j) {
        count = end - map->j;
    }
    if (map->x[map->i] != 0) {
        map->gatherer->gather_vartime(map->field, map->accumulators, map->width, map->small,
                                      map->first, map->bytes, vectors,
                                      map->products + (map->j - start), count);
    }
    map->j += count;
    if (map->j == end) {
        begin_row(map, map->i + 1);
    }
    return count;
}

size_t mb_public_map_absorb(mb_public_map *map, const uint8_t *in, size_t bytes)
{
    size_t used = 0;
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
    map->gatherer->collect_vartime(map->field, value, map->accumulators, map->width, map->small);
}
