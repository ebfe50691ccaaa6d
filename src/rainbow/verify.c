/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification: P(w) = XH(H(message) ‖ salt) [RB3 §7], the key read once and in order, seeded blocks expanded as they are
 * needed. Public data only, variable time. */
#include "rainbow/verify.h"

#include "quadratic/public_map.h"
#include "rainbow/expand.h"
#include "rainbow/parameters.h"

#include <string.h>

/* Key stream generated at a time. */
enum { CHUNK_BYTES_FAST = 4096, CHUNK_BYTES_SMALL = 512 };

typedef struct state {
    const mb_rainbow_set *set;
    const mb_rainbow_public_format *format;
    mb_public_map map;
    uint8_t *target; /* m packed elements; later the difference */
    uint8_t *value;
    uint8_t *digest;
    uint8_t *chunk;
    size_t chunk_bytes;
    void *hash_context;
    uint8_t salt[MB_RAINBOW_SALT_BYTES];
    uint8_t seed[MB_RAINBOW_SEED_BYTES];
    size_t seed_bytes; /* that have come */
    size_t section;    /* the open one */
    void *seed_context;
    mb_ctr stream;
} state;

/* Places everything behind the state itself, which is the arena's first piece. */
static void lay_out(state *s, mb_arena *arena, const moonbow_verifier *verifier, moonbow_mode mode)
{
    const mb_rainbow_set *set = verifier->set;
    const mb_rainbow_public_format *format = verifier->format;
    const size_t n = mb_rainbow_n(set);
    const size_t value_bytes = mb_field_bytes(set->field, mb_rainbow_m(set));
    mb_arena_take(arena, sizeof *s);
    memset(s, 0, sizeof *s);
    s->set = set;
    s->format = format;
    s->target = mb_arena_take(arena, value_bytes);
    s->value = mb_arena_take(arena, value_bytes);
    s->digest = mb_arena_take(arena, set->hash->digest_bytes);
    s->hash_context = mb_arena_take(arena, set->hash->context_bytes);
    if (format->seed_bytes != 0) {
        s->chunk_bytes = mode == MOONBOW_SMALL ? CHUNK_BYTES_SMALL : CHUNK_BYTES_FAST;
        s->chunk = mb_arena_take(arena, s->chunk_bytes);
        s->seed_context = mb_arena_take(arena, set->hash->context_bytes);
    }
    mb_public_map_init(&s->map, arena, set->field, n, value_bytes, mode);
}

size_t mb_rainbow_verify_state_bytes(const moonbow_verifier *verifier, moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    state measured;
    lay_out(&measured, &arena, verifier, mode);
    return arena.used;
}

static void open_section(state *s)
{
    if (s->section < s->format->sections_len) {
        const mb_rainbow_section section = s->format->sections[s->section];
        mb_public_map_open(&s->map, mb_rainbow_section_block(s->set, section),
                           mb_rainbow_section_first(s->set, section),
                           mb_rainbow_section_bytes(s->set, section));
    }
}

void mb_rainbow_verify_begin(const moonbow_verifier *verifier, void *memory, const uint8_t *signature,
                             moonbow_mode mode)
{
    mb_arena arena = {memory, 0};
    state *s = memory;
    const mb_rainbow_set *set = verifier->set;
    const size_t n = mb_rainbow_n(set);
    lay_out(s, &arena, verifier, mode);
    mb_public_map_begin(&s->map, signature);
    memcpy(s->salt, signature + mb_field_bytes(set->field, n), sizeof s->salt);
    set->hash->init(s->hash_context);
    open_section(s);
}

void mb_rainbow_verify_message(void *memory, const uint8_t *piece, size_t bytes)
{
    state *s = memory;
    s->set->hash->update(s->hash_context, piece, bytes);
}

/* The sections that come from the seed: each is one draw of the generator [RB3 §5.4]. */
static void absorb_seeded(state *s)
{
    mb_drbg drbg;
    mb_rainbow_generator(s->set, &drbg, s->seed, sizeof s->seed, s->seed_context);
    while (s->format->sections[s->section].source == MB_RAINBOW_FROM_SEED) {
        size_t left = mb_rainbow_section_size(s->set, s->format->sections[s->section]);
        mb_drbg_open(&s->stream, &drbg, left);
        while (left != 0) {
            const size_t bytes = left < s->chunk_bytes ? left : s->chunk_bytes;
            mb_ctr_read(&s->stream, s->chunk, bytes);
            mb_public_map_absorb(&s->map, s->chunk, bytes);
            left -= bytes;
        }
        s->section++;
        open_section(s);
    }
}

/* Takes up to `bytes` bytes of pk_seed; returns how many. */
static size_t take_seed(state *s, const uint8_t *piece, size_t bytes)
{
    const size_t missing = s->format->seed_bytes - s->seed_bytes;
    const size_t taken = bytes < missing ? bytes : missing;
    if (taken != 0) {
        memcpy(s->seed + s->seed_bytes, piece, taken);
        s->seed_bytes += taken;
        if (s->seed_bytes == s->format->seed_bytes) {
            absorb_seeded(s);
        }
    }
    return taken;
}

void mb_rainbow_verify_key(void *memory, const uint8_t *piece, size_t bytes)
{
    state *s = memory;
    size_t used = take_seed(s, piece, bytes);
    while (used < bytes && s->section < s->format->sections_len) {
        used += mb_public_map_absorb(&s->map, piece + used, bytes - used);
        if (mb_public_map_complete(&s->map)) {
            s->section++;
            open_section(s);
        }
    }
}

int mb_rainbow_verify_finish(void *memory)
{
    state *s = memory;
    const size_t value_bytes = mb_field_bytes(s->set->field, mb_rainbow_m(s->set));
    mb_public_map_collect(&s->map, s->value);
    s->set->hash->finish(s->hash_context, s->digest);
    mb_rainbow_target(s->set, s->target, s->digest, s->salt, s->hash_context);
    return memcmp(s->value, s->target, value_bytes) == 0 ? MOONBOW_OK : MOONBOW_BAD_SIGNATURE;
}
