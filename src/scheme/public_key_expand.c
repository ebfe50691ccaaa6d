/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The seeded sections of a public key. A file of its own: verifiers of keys without a seed do not link a generator. */
#include "scheme/public_key.h"

#include <string.h>

/* Key stream generated at a time: at least. */
enum { CHUNK_BYTES_FAST = 16384, CHUNK_BYTES_SMALL = 512 };

/* In fast mode as many rows as the gatherer likes to have together. */
static size_t chunk_bytes(const mb_key_shape *shape, moonbow_mode mode)
{
    const size_t rows = shape->gatherer(shape->map.small)->rows;
    size_t most = CHUNK_BYTES_FAST;
    mb_key_section section;
    if (mode == MOONBOW_SMALL) {
        return CHUNK_BYTES_SMALL;
    }
    for (size_t index = 0; rows != 0 && shape->kind->section(shape->set, shape->format, index, &section) == 0; index++) {
        const size_t bytes = rows * section.block.columns * section.bytes;
        most = section.seeded && bytes > most ? bytes : most;
    }
    return most;
}

static mb_key_expansion *init(const mb_key_shape *shape, mb_arena *arena, moonbow_mode mode)
{
    const size_t bytes = chunk_bytes(shape, mode);
    mb_key_expansion *expansion = mb_arena_take(arena, sizeof *expansion);
    uint8_t *const chunk = mb_arena_take(arena, bytes), *const wanted = mb_arena_take(arena, bytes / MB_AES_BLOCK_BYTES);
    void *const expander = mb_arena_take(arena, shape->kind->expander_bytes(shape->set));
    mb_ctr *const stream = mb_arena_take(arena, sizeof *stream);
    const size_t shortcut_bytes = mode == MOONBOW_SMALL ? 0 : mb_ctr_shortcut_bytes_vartime();
    void *const shortcut = shortcut_bytes == 0 ? NULL : mb_arena_take(arena, shortcut_bytes);
    if (expansion != NULL) {
        memset(expansion, 0, sizeof *expansion);
        expansion->seed_bytes = shape->seed_bytes;
        expansion->chunk = chunk;
        expansion->chunk_bytes = bytes;
        expansion->wanted = wanted;
        expansion->expander = expander;
        expansion->stream = stream;
        expansion->shortcut = shortcut;
    }
    return expansion;
}

/* What is generated at a time: whole rows, as the gatherer likes them; else whole vectors, and what a stream gives without a rest,
 * if there is room for that. */
static size_t part_bytes(const mb_public_key *key)
{
    const size_t chunk_bytes = key->expansion->chunk_bytes;
    const size_t rows = mb_public_map_rows(&key->map, chunk_bytes), least = key->expansion->section.bytes * MB_CTR_BUFFER_BYTES;
    if (rows != 0) {
        return rows;
    }
    return least > chunk_bytes ? chunk_bytes : chunk_bytes - chunk_bytes % least;
}

/* For each of the next `count` monomials of the map, whether it is not zero where the map is evaluated. */
static void find_wanted(const mb_public_map *map, uint8_t *wanted, size_t count)
{
    const size_t end = mb_block_row_end(map->block);
    size_t i = map->i, j = map->j;
    while (count != 0) {
        const size_t columns = count < end - j ? count : end - j;
        if (map->x[i] != 0) {
            memcpy(wanted, map->x + j, columns);
        } else {
            memset(wanted, 0, columns);
        }
        wanted += columns;
        count -= columns;
        j = mb_block_row_start(map->block, ++i);
    }
}

/* The next `bytes` bytes of the stream to the chunk, but for the coefficients of monomials that are zero: their bytes are left as they are. 0, or
 * -1 if nothing was done: where all may as well be generated, and for several points. */
static int read_nonzero(mb_public_key *key, size_t bytes)
{
    const mb_key_expansion *const from = key->expansion;
    const size_t vector_bytes = from->section.bytes, count = bytes / vector_bytes;
    if (key->map.next != NULL || vector_bytes % MB_AES_BLOCK_BYTES != 0 || bytes % vector_bytes != 0 || key->map.partial_bytes != 0) {
        return -1;
    }
    find_wanted(&key->map, from->wanted, count);
    return mb_ctr_read_some(from->stream, from->chunk, vector_bytes, from->wanted, count);
}

/* Generates and absorbs the seeded sections. */
static void expand(mb_public_key *key)
{
    mb_key_expansion *const from = key->expansion;
    memset(from->chunk, 0, from->chunk_bytes); /* so that what read_nonzero leaves is never undefined */
    while (!key->complete && from->section.seeded) {
        size_t left = mb_key_section_size(&from->section);
        key->kind->open(key->set, from->expander, from->stream, from->seed, key->index, left);
        if (from->stream->shortcut == NULL) { /* begun anew */
            mb_ctr_take_shortcut_vartime(from->stream, from->shortcut);
        }
        while (left != 0) {
            const size_t most = part_bytes(key), bytes = left < most ? left : most;
            if (read_nonzero(key, bytes) != 0) {
                mb_ctr_read(from->stream, from->chunk, bytes);
            }
            mb_public_map_absorb(&key->map, from->chunk, bytes);
            left -= bytes;
        }
        mb_public_key_open(key, key->index + 1);
    }
}

static size_t absorb(mb_public_key *key, const uint8_t *piece, size_t bytes)
{
    mb_key_expansion *const to = key->expansion;
    const size_t missing = to->seed_bytes - to->seed_used;
    const size_t taken = bytes < missing ? bytes : missing;
    if (taken != 0) {
        memcpy(to->seed + to->seed_used, piece, taken);
        to->seed_used += taken;
        if (to->seed_used == to->seed_bytes) {
            expand(key);
        }
    }
    return taken;
}

const mb_seed_steps mb_key_with_seed = {init, absorb};
