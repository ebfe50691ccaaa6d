/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The seeded sections of a public key. A file of its own: verifiers of keys without a seed do not link a generator. */
#include "scheme/public_key.h"

/* What is generated at a time: whole vectors, and what a stream gives without a rest, if there is room for that. */
static size_t part_bytes(const mb_public_key *key)
{
    const size_t least = key->section.bytes * MB_CTR_BUFFER_BYTES;
    return least > key->chunk_bytes ? key->chunk_bytes : key->chunk_bytes - key->chunk_bytes % least;
}

void mb_public_key_expand(mb_public_key *key)
{
    while (!key->complete && key->section.seeded) {
        const size_t most = part_bytes(key);
        size_t left = mb_key_section_size(&key->section);
        key->kind->open(key->set, key->expander, key->stream, key->seed, key->index, left);
        while (left != 0) {
            const size_t bytes = left < most ? left : most;
            mb_ctr_read(key->stream, key->chunk, bytes);
            mb_public_map_absorb(&key->map, key->chunk, bytes);
            left -= bytes;
        }
        mb_public_key_open(key, key->index + 1);
    }
}
