/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The streaming evaluation of a public map. The arithmetic is the backend's (mb_gatherer); here the bytes find their monomials. */
#include "quadratic/public_map.h"

#include "field/word.h"
#include "platform/lanes.h"

#include <string.h>

void mb_public_map_init(mb_public_map *map, mb_arena *arena, const mb_field *field, size_t n, size_t width,
                        moonbow_mode mode)
{
    memset(map, 0, sizeof *map);
    map->field = field;
    map->gatherer = mb_linear_gatherer();
    map->n = n;
    map->width = width;
    map->small = mode == MOONBOW_SMALL;
    /* A row of products is computed in whole lanes from any place: room for one lane more. */
    map->stride = (n / MB_LANES_BYTES + 2) * MB_LANES_BYTES;
    map->x = mb_arena_take(arena, n);
    map->multiples = map->small ? NULL : mb_arena_take(arena, field->bits * map->stride);
    map->products = mb_arena_take(arena, map->stride);
    map->partial = mb_arena_take(arena, width);
    map->accumulators = mb_arena_take(arena, map->gatherer->accumulator_bytes(field, width, map->small));
}

void mb_public_map_begin(mb_public_map *map, const uint8_t *packed)
{
    memset(map->accumulators, 0, map->gatherer->accumulator_bytes(map->field, map->width, map->small));
    mb_field_unpack(map->field, map->x, packed, map->n);
    if (map->small) {
        return;
    }
    memset(map->multiples, 0, map->stride);
    memcpy(map->multiples, map->x, map->n);
    for (size_t j = 0; j < map->stride; j += 8) {
        uint64_t word, plane[8];
        memcpy(&word, map->multiples + j, 8);
        mb_word_spread(*map->field, plane, word);
        for (unsigned k = 0; k < map->field->bits; k++) {
            memcpy(map->multiples + k * map->stride + j, &plane[k], 8);
        }
    }
}

/* products[j] = s·x[start + j] in fast mode: the sum of the multiples of x for which s has bits. */
static void multiply_by_multiples(mb_public_map *map, uint8_t s, size_t start, size_t count)
{
    const uint8_t *chosen[8];
    unsigned chosen_len = 0;
    for (unsigned k = 0; k < map->field->bits; k++) {
        if ((s >> k) & 1) {
            chosen[chosen_len++] = map->multiples + k * map->stride + start;
        }
    }
    for (size_t j = 0; j < count; j += MB_LANES_BYTES) {
        mb_lanes sum = mb_lanes_load(chosen[0] + j);
        for (unsigned k = 1; k < chosen_len; k++) {
            sum ^= mb_lanes_load(chosen[k] + j);
        }
        mb_lanes_store(map->products + j, sum);
    }
}

/* The same in small mode, by tables of the products of s with nibbles. */
static void multiply_by_nibbles(mb_public_map *map, uint8_t s, size_t start, size_t count)
{
    uint8_t low[16], high[16] = {0};
    mb_field_nibble_products(map->field, low, high, s);
    for (size_t j = 0; j < count; j++) {
        const uint8_t x = map->x[start + j];
        map->products[j] = (uint8_t)(low[x & 15] ^ high[x >> 4]);
    }
}

/* Makes row i the current one and computes its products x_i·x_j; a row of zeros needs none. */
static void begin_row(mb_public_map *map, size_t i)
{
    const size_t start = mb_block_row_start(map->block, i);
    const size_t count = mb_block_row_end(map->block) - start;
    map->i = i;
    map->j = start;
    if (i == (size_t)map->block.row + map->block.rows || map->x[i] == 0) {
        return;
    }
    if (map->small) {
        multiply_by_nibbles(map, map->x[i], start, count);
    } else {
        multiply_by_multiples(map, map->x[i], start, count);
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
