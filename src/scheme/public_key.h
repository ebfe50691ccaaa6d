/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Evaluates a public key at a signature while the key streams in: a seed, whose blocks are expanded as they are needed, and
 * stored blocks. A scheme says which blocks there are; everything is public and runs in variable time. */
#ifndef MB_SCHEME_PUBLIC_KEY_H
#define MB_SCHEME_PUBLIC_KEY_H

#include "quadratic/public_map.h"
#include "symmetric/ctr.h"

/* One block of the map: the monomials, the part of the value that they concern, and where the
 * coefficients come from. Seeded sections precede stored ones. */
typedef struct mb_key_section {
    mb_block block;
    size_t first, bytes;
    int seeded;
} mb_key_section;

static inline size_t mb_key_section_size(const mb_key_section *section)
{
    return mb_block_monomials(section->block) * section->bytes;
}

struct mb_public_key;
struct mb_key_expansion;
struct mb_key_shape;

/* How keys begin with a seed. */
typedef struct mb_seed_steps {
    /* Takes the memory of the expansion from the arena; NULL where that only measures. */
    struct mb_key_expansion *(*init)(const struct mb_key_shape *shape, mb_arena *arena, moonbow_mode mode);
    /* Takes what the piece has of the seed; returns how many bytes. With the last one it generates and absorbs the seeded sections. */
    size_t (*absorb)(struct mb_public_key *key, const uint8_t *piece, size_t bytes);
} mb_seed_steps;

extern const mb_seed_steps mb_key_with_seed;

/* What a scheme provides for its public keys. */
typedef struct mb_key_kind {
    /* Section `index` of a key: 0, or -1 from the number of sections on. */
    int (*section)(const void *set, const void *format, size_t index, mb_key_section *section);
    /* Bytes that expanding a seed needs beside the stream; may be 0. */
    size_t (*expander_bytes)(const void *set);
    /* Makes the stream yield the coefficients of seeded section `index`; called with 0, 1, 2, … */
    void (*open)(const void *set, void *expander, mb_ctr *stream, const uint8_t *seed, size_t index,
                 size_t section_bytes);
    /* &mb_key_with_seed; or NULL for keys without one, which then do not link a generator, and which leave the two functions
     * above NULL as well. */
    const mb_seed_steps *seed;
} mb_key_kind;

/* What is known of a key before it comes. */
typedef struct mb_key_shape {
    const mb_key_kind *kind;
    const void *set, *format;
    mb_gatherer_choice *gatherer;
    mb_gathering map; /* without memory */
    size_t seed_bytes;
} mb_key_shape;

enum { MB_KEY_SEED_MOST_BYTES = 32 };

/* What a key with a seed needs besides. */
typedef struct mb_key_expansion {
    mb_key_section section; /* the open one */
    uint8_t seed[MB_KEY_SEED_MOST_BYTES];
    size_t seed_bytes, seed_used; /* of the key; those that have come */
    uint8_t *chunk;               /* key stream on its way into the map */
    size_t chunk_bytes;
    uint8_t *wanted;              /* for the monomials of a chunk, which are not zero */
    void *expander;
    mb_ctr *stream;
    void *shortcut; /* memory for the stream, or NULL */
} mb_key_expansion;

typedef struct mb_public_key {
    const mb_key_kind *kind;
    const void *set, *format;
    mb_public_map map;
    size_t index; /* of the open section */
    int complete; /* no section is left */
    mb_key_expansion *expansion; /* or NULL */
} mb_public_key;

/* Takes the memory from the arena. Where that only measures, the key may be NULL. */
void mb_public_key_init(mb_public_key *key, mb_arena *arena, const mb_key_shape *shape, moonbow_mode mode);

/* Begins the evaluation at n packed elements. */
void mb_public_key_begin(mb_public_key *key, const uint8_t *packed);

/* The next piece of the key; never more in all than its length. */
void mb_public_key_absorb(mb_public_key *key, const uint8_t *piece, size_t bytes);

/* Opens section `index`; past the last one the key is complete. */
void mb_public_key_open(mb_public_key *key, size_t index);

/* After the whole key: the map's value, packed, which lies in the key's memory. */
const uint8_t *mb_public_key_collect(mb_public_key *key);

#endif
