/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The seeded sections of a public key. A file of its own: verifiers of keys without a seed do not link a generator. */
#include "scheme/public_key.h"

#include <string.h>

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

void mb_public_key_expand(mb_public_key *key)
{
    mb_key_expansion *const from = key->expansion;
    memset(from->chunk, 0, from->chunk_bytes); /* so that what read_nonzero leaves is never undefined */
    while (!key->complete && from->section.seeded) {
        size_t left = mb_key_section_size(&from->section);
        key->kind->open(key->set, from->expander, from->stream, from->seed, key->index, left);
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
