/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification: P(s) = SHAKE256(M ‖ salt) [UOV3 §9]. Public data only, variable time. */
#include "uov/verify.h"

#include "scheme/public_key.h"
#include "uov/expand.h"

#include <string.h>

typedef struct state {
    const mb_uov_set *set;
    mb_public_key key;
    mb_shake256 message;
    uint8_t *target; /* m packed elements */
    uint8_t salt[MB_UOV_SALT_BYTES];
} state;

/* Places everything behind the state itself, which is the arena's first piece, or NULL where the arena only measures. */
static void lay_out(state *s, mb_arena *arena, const moonbow_verifier *verifier, moonbow_mode mode)
{
    const mb_uov_set *set = verifier->set;
    const mb_uov_public_format *format = verifier->format;
    const mb_uov_shapes is = mb_uov_measure(set);
    const mb_key_shape shape = {format->kind, set, format, verifier->gatherer, {set->field, set->n, is.m_bytes, mode == MOONBOW_SMALL, NULL},
                                format->seed_bytes};
    mb_arena_take(arena, sizeof *s);
    mb_public_key_init(s == NULL ? NULL : &s->key, arena, &shape, mode);
    if (s != NULL) {
        s->set = set;
        s->target = s->key.map.x; /* one element a byte, more than m: not needed when the map's value is there */
    }
}

size_t mb_uov_verify_state_bytes(const moonbow_verifier *verifier, moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    lay_out(NULL, &arena, verifier, mode);
    return arena.used;
}

int mb_uov_verify_begin(const moonbow_verifier *verifier, const moonbow_scratch *scratch)
{
    mb_arena arena = mb_arena_over(scratch);
    state *s = scratch->start;
    lay_out(s, &arena, verifier, scratch->mode);
    if (mb_arena_check(&arena, scratch) != MOONBOW_OK) {
        return MOONBOW_BAD_SCRATCH;
    }
    mb_shake256_init(&s->message);
    return MOONBOW_OK;
}

void mb_uov_verify_signature(void *memory, const uint8_t *signature)
{
    state *s = memory;
    memcpy(s->salt, signature + mb_uov_measure(s->set).n_bytes, sizeof s->salt);
    mb_public_key_begin(&s->key, signature);
}

void mb_uov_verify_message(void *memory, const uint8_t *piece, size_t bytes)
{
    state *s = memory;
    mb_shake256_absorb(&s->message, piece, bytes);
}

void mb_uov_verify_copy_message(void *memory, const void *from)
{
    state *s = memory;
    s->message = ((const state *)from)->message;
}

void mb_uov_verify_key(void *memory, const uint8_t *piece, size_t bytes)
{
    state *s = memory;
    mb_public_key_absorb(&s->key, piece, bytes);
}

mb_public_map *mb_uov_verify_map(void *memory)
{
    state *s = memory;
    return &s->key.map;
}

int mb_uov_verify_finish(void *memory)
{
    state *s = memory;
    const uint8_t *value = mb_public_key_collect(&s->key);
    mb_uov_target(s->set, s->target, &s->message, s->salt);
    return memcmp(value, s->target, mb_field_bytes(s->set->field, s->set->m)) == 0 ? MOONBOW_OK : MOONBOW_BAD_SIGNATURE;
}
