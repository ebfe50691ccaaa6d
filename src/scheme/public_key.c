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

void mb_public_key_init(mb_public_key *key, mb_arena *arena, mb_gatherer_choice *gatherer, const mb_key_kind *kind, const void *set,
                        const void *format, const mb_field *field, size_t n, size_t value_bytes, size_t seed_bytes,
                        moonbow_mode mode)
{
    memset(key, 0, sizeof *key);
    key->kind = kind;
    key->set = set;
    key->format = format;
    key->seed_bytes = seed_bytes;
    mb_public_map_init(&key->map, arena, gatherer, field, n, value_bytes, mode);
    if (seed_bytes != 0) {
        key->chunk_bytes = chunk_bytes(key, mode);
        key->chunk = mb_arena_take(arena, key->chunk_bytes);
        key->wanted = mb_arena_take(arena, key->chunk_bytes / MB_AES_BLOCK_BYTES);
        key->expander = mb_arena_take(arena, kind->expander_bytes(set));
        key->stream = mb_arena_take(arena, sizeof *key->stream);
    }
}

void mb_public_key_open(mb_public_key *key, size_t index)
{
    key->index = index;
    key->complete = key->kind->section(key->set, key->format, index, &key->section) != 0;
    if (!key->complete) {
        mb_public_map_open(&key->map, key->section.block, key->section.first, key->section.bytes);
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
    const size_t missing = key->seed_bytes - key->seed_used;
    const size_t taken = bytes < missing ? bytes : missing;
    if (taken != 0) {
        memcpy(key->seed + key->seed_used, piece, taken);
        key->seed_used += taken;
        if (key->seed_used == key->seed_bytes) {
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

void mb_public_key_collect(mb_public_key *key, uint8_t *value)
{
    mb_public_map_collect(&key->map, value);
}
