/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The streaming evaluation of public keys; see public_key.h. Each byte of the key is read once. */
#include "scheme/public_key.h"

void mb_public_key_init(mb_public_key *key, mb_arena *arena, const mb_key_shape *shape, moonbow_mode mode)
{
    const mb_seed_steps *seed = shape->kind->seed;
    mb_public_map_init(key == NULL ? NULL : &key->map, arena, shape->gatherer, &shape->map, mode);
    mb_key_expansion *const expansion = seed == NULL ? NULL : seed->init(shape, arena, mode);
    if (key != NULL) {
        key->kind = shape->kind;
        key->set = shape->set;
        key->format = shape->format;
        key->index = 0;
        key->complete = 0;
        key->expansion = expansion;
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
