/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The streaming evaluation of public keys; see public_key.h. Each byte of the key is read once. */
#include "scheme/public_key.h"

#include <string.h>

/* Key stream generated at a time: at least. */
enum { CHUNK_BYTES_FAST = 16384, CHUNK_BYTES_SMALL = 512 };

/* In fast mode as many rows as the gatherer likes to have together. */
static size_t chunk_bytes(const mb_public_key *key, moonbow_mode mode)
{
    const size_t rows = key->map.gatherer->rows;
    size_t most = CHUNK_BYTES_FAST;
    mb_key_section section;
    if (mode == MOONBOW_SMALL) {
        return CHUNK_BYTES_SMALL;
    }
    for (size_t index = 0; rows != 0 && key->kind->section(key->set, key->format, index, &section) == 0; index++) {
        const size_t bytes = rows * section.block.columns * section.bytes;
        most = section.seeded && bytes > most ? bytes : most;
    }
    return most;
}

static void take_expansion(mb_public_key *key, mb_arena *arena, size_t seed_bytes, moonbow_mode mode)
{
    const size_t chunk = chunk_bytes(key, mode);
    mb_key_expansion *expansion = mb_arena_take(arena, sizeof *expansion);
    uint8_t *const memory = mb_arena_take(arena, chunk), *const wanted = mb_arena_take(arena, chunk / MB_AES_BLOCK_BYTES);
    void *const expander = mb_arena_take(arena, key->kind->expander_bytes(key->set));
    mb_ctr *const stream = mb_arena_take(arena, sizeof *stream);
    if (expansion != NULL) {
        memset(expansion, 0, sizeof *expansion);
        expansion->seed_bytes = seed_bytes;
        expansion->chunk = memory;
        expansion->chunk_bytes = chunk;
        expansion->wanted = wanted;
        expansion->expander = expander;
        expansion->stream = stream;
    }
    key->expansion = expansion;
}

void mb_public_key_init(mb_public_key *key, mb_arena *arena, mb_gatherer_choice *gatherer, const mb_key_kind *kind, const void *set,
                        const void *format, const mb_field *field, size_t n, size_t value_bytes, size_t seed_bytes,
                        moonbow_mode mode)
{
    memset(key, 0, sizeof *key);
    key->kind = kind;
    key->set = set;
    key->format = format;
    mb_public_map_init(&key->map, arena, gatherer, field, n, value_bytes, mode);
    if (seed_bytes != 0) {
        take_expansion(key, arena, seed_bytes, mode);
    }
}

void mb_public_key_open(mb_public_key *key, size_t index)
{
    mb_key_section section;
    key->index = index;
    key->complete = key->kind->section(key->set, key->format, index, &section) != 0;
    if (key->complete) {
        return;
    }
    mb_public_map_open(&key->map, section.block, section.first, section.bytes);
    if (key->expansion != NULL) {
        key->expansion->section = section;
    }
}

void mb_public_key_begin(mb_public_key *key, const uint8_t *packed)
{
    mb_public_map_begin(&key->map, packed);
    mb_public_key_open(key, 0);
}

/* Takes up to `bytes` bytes of the seed; returns how many. With the last one the seeded blocks follow. */
static size_t take_seed(mb_public_key *key, const uint8_t *piece, size_t bytes)
{
    mb_key_expansion *const to = key->expansion;
    const size_t missing = to == NULL ? 0 : to->seed_bytes - to->seed_used;
    const size_t taken = bytes < missing ? bytes : missing;
    if (taken != 0) {
        memcpy(to->seed + to->seed_used, piece, taken);
        to->seed_used += taken;
        if (to->seed_used == to->seed_bytes) {
            key->kind->expand(key);
        }
    }
    return taken;
}

void mb_public_key_absorb(mb_public_key *key, const uint8_t *piece, size_t bytes)
{
    size_t used = take_seed(key, piece, bytes);
    while (used < bytes && !key->complete) {
        used += mb_public_map_absorb(&key->map, piece + used, bytes - used);
        if (mb_public_map_complete(&key->map)) {
            mb_public_key_open(key, key->index + 1);
        }
    }
}

const uint8_t *mb_public_key_collect(mb_public_key *key)
{
    return mb_public_map_collect(&key->map);
}
