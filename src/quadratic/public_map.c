/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The streaming evaluation of a public map. The arithmetic is the backend's (mb_gatherer); here the bytes find their monomials. */
#include "quadratic/public_map.h"

#include "platform/compiler.h"

#include <string.h>

void mb_public_map_init(mb_public_map *map, mb_arena *arena, mb_gatherer_choice *choose, const mb_gathering *shape, moonbow_mode mode)
{
    const mb_gatherer *gatherer = choose(shape->small);
    size_t bytes = gatherer->memory_bytes(shape);
    if (mode == MOONBOW_BATCH && gatherer->many_bytes != NULL) {
        const size_t joined = gatherer->many_bytes(shape);
        bytes = joined > bytes ? joined : bytes;
    }
    void *const memory = mb_arena_take(arena, bytes);
    uint8_t *const x = mb_arena_take(arena, shape->n), *const partial = mb_arena_take(arena, shape->width);
    if (map != NULL) {
        map->gathering = *shape;
        map->gathering.memory = memory;
        map->gatherer = gatherer;
        map->x = x;
        map->partial = partial;
        map->next = NULL;
        map->many = NULL;
        map->gather_batch = NULL;
    }
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
static MB_NOINLINE size_t next_monomials(const mb_public_map *map, mb_monomials *next, size_t count)
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

/* The beginning of a vector, or what was missing; returns how many bytes. */
static size_t take_partial(mb_public_map *map, const uint8_t *in, size_t bytes)
{
    const size_t missing = map->bytes - map->partial_bytes, taken = bytes < missing ? bytes : missing;
    memcpy(map->partial + map->partial_bytes, in, taken);
    map->partial_bytes += taken;
    if (taken == missing) {
        map->partial_bytes = 0;
        gather(map, map->partial, 1);
    }
    return taken;
}

size_t mb_public_map_absorb(mb_public_map *map, const uint8_t *in, size_t bytes)
{
    const uint8_t *const end = in + bytes, *at = in;
    while (at != end && !mb_public_map_complete(map)) {
        const size_t left = (size_t)(end - at), whole = map->partial_bytes != 0 ? 0 : left / map->bytes;
        if (whole != 0) {
            at += map->bytes * gather(map, at, whole);
        } else {
            at += take_partial(map, at, left);
        }
    }
    return (size_t)(at - in);
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
