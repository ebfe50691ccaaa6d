/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The streaming evaluation of public keys; see public_key.h. Each byte of the key is read once. */
#include "scheme/public_key.h"

#include <string.h>

void mb_public_key_init(mb_public_key *key, mb_arena *arena, mb_gatherer_choice *gatherer, const mb_key_kind *kind, const void *set,
                        const void *format, const mb_field *field, size_t n, size_t value_bytes, size_t seed_bytes,
                        moonbow_mode mode)
{
    memset(key, 0, sizeof *key);
    key->kind = kind;
    key->set = set;
    key->format = format;
    mb_public_map_init(&key->map, arena, gatherer, field, n, value_bytes, mode);
    if (kind->seed != NULL) {
        kind->seed->init(key, arena, seed_bytes, mode);
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

void mb_public_key_absorb(mb_public_key *key, const uint8_t *piece, size_t bytes)
{
    size_t used = key->kind->seed == NULL ? 0 : key->kind->seed->absorb(key, piece, bytes);
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
