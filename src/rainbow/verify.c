/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification: P(w) = XH(H(message) ‖ salt) [RB3 §7]. Public data only, variable time. */
#include "rainbow/verify.h"

#include "rainbow/expand.h"
#include "rainbow/parameters.h"
#include "scheme/public_key.h"

#include <string.h>

typedef struct state {
    mb_public_key key; /* of an mb_rainbow_set */
    void *hash_context;
    uint8_t *target; /* m packed elements; before, the digest */
    uint8_t salt[MB_RAINBOW_SALT_BYTES];
} state;

static const mb_rainbow_set *set_of(const state *s)
{
    return s->key.set;
}

/* Places everything behind the state itself, which is the arena's first piece, or NULL where the arena only measures. */
static void lay_out(state *s, mb_arena *arena, const moonbow_verifier *verifier, moonbow_mode mode)
{
    const mb_rainbow_set *set = verifier->set;
    const mb_rainbow_public_format *format = verifier->format;
    const size_t n = mb_rainbow_n(set), value_bytes = mb_field_bytes(set->field, mb_rainbow_m(set)), digest_bytes = set->hash->digest_bytes;
    const size_t target_bytes = digest_bytes > value_bytes ? digest_bytes : value_bytes;
    const mb_key_shape shape = {format->kind, set, format, verifier->gatherer, {set->field, n, value_bytes, mode == MOONBOW_SMALL, NULL},
                                format->seed_bytes};
    mb_arena_take(arena, sizeof *s);
    void *const hash_context = mb_arena_take(arena, set->hash->context_bytes);
    uint8_t *target = n < target_bytes ? mb_arena_take(arena, target_bytes) : NULL;
    mb_public_key_init(s == NULL ? NULL : &s->key, arena, &shape, mode);
    if (s != NULL) {
        s->hash_context = hash_context;
        s->target = target != NULL ? target : s->key.map.x; /* which is not needed when the map's value is there */
    }
}

size_t mb_rainbow_verify_state_bytes(const moonbow_verifier *verifier, moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    lay_out(NULL, &arena, verifier, mode);
    return arena.used;
}

int mb_rainbow_verify_begin(const moonbow_verifier *verifier, const moonbow_scratch *scratch)
{
    mb_arena arena = mb_arena_over(scratch);
    state *s = scratch->start;
    lay_out(s, &arena, verifier, scratch->mode);
    if (mb_arena_check(&arena, scratch) != MOONBOW_OK) {
        return MOONBOW_BAD_SCRATCH;
    }
    set_of(s)->hash->init(s->hash_context);
    return MOONBOW_OK;
}

void mb_rainbow_verify_signature(void *memory, const uint8_t *signature)
{
    state *s = memory;
    memcpy(s->salt, signature + mb_field_bytes(set_of(s)->field, mb_rainbow_n(set_of(s))), sizeof s->salt);
    mb_public_key_begin(&s->key, signature);
}

void mb_rainbow_verify_message(void *memory, const uint8_t *piece, size_t bytes)
{
    state *s = memory;
    set_of(s)->hash->update(s->hash_context, piece, bytes);
}

void mb_rainbow_verify_copy_message(void *memory, const void *from)
{
    state *s = memory;
    memcpy(s->hash_context, ((const state *)from)->hash_context, set_of(s)->hash->context_bytes);
}

void mb_rainbow_verify_key(void *memory, const uint8_t *piece, size_t bytes)
{
    state *s = memory;
    mb_public_key_absorb(&s->key, piece, bytes);
}

mb_public_map *mb_rainbow_verify_map(void *memory)
{
    state *s = memory;
    return &s->key.map;
}

int mb_rainbow_verify_finish(void *memory)
{
    state *s = memory;
    const size_t value_bytes = mb_field_bytes(set_of(s)->field, mb_rainbow_m(set_of(s)));
    const uint8_t *value = mb_public_key_collect(&s->key);
    set_of(s)->hash->finish(s->hash_context, s->target);
    mb_rainbow_target(set_of(s), s->target, s->target, s->salt, s->hash_context);
    return memcmp(value, s->target, value_bytes) == 0 ? MOONBOW_OK : MOONBOW_BAD_SIGNATURE;
}
