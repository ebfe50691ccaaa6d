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
    uint8_t *target, *value; /* m packed elements */
    uint8_t salt[MB_UOV_SALT_BYTES];
} state;

/* P1, P2, P3: the triangle of the vinegars, vinegars by oils, the triangle of the oils [UOV3 §3]. */
static int section_at(const void *set_, const void *format_, size_t index, mb_key_section *out)
{
    const mb_uov_set *set = set_;
    const mb_uov_public_format *format = format_;
    const mb_uov_shapes is = mb_uov_measure(set);
    const mb_block blocks[3] = {mb_block_triangle(0, is.v), mb_block_rectangle(0, is.v, is.v, set->m),
                                mb_block_triangle(is.v, set->m)};
    if (index >= 3) {
        return -1;
    }
    *out = (mb_key_section){blocks[index], 0, is.m_bytes, *format == MB_UOV_PUBLIC_SEEDED && index < 2};
    return 0;
}

static size_t expander_bytes(const void *set)
{
    (void)set;
    return 0;
}

/* P1 ‖ P2 is one stream [UOV3 §4]: P2 goes on where P1 ended. */
static void open_stream(const void *set, void *expander, mb_ctr *stream, const uint8_t *seed, size_t index,
                        size_t section_bytes)
{
    (void)set;
    (void)expander;
    (void)section_bytes;
    if (index == 0) {
        mb_uov_expand_public(stream, seed);
    }
}

static const mb_key_kind public_keys = {section_at, expander_bytes, open_stream};

/* Places everything behind the state itself, which is the arena's first piece. */
static void lay_out(state *s, mb_arena *arena, const moonbow_verifier *verifier, moonbow_mode mode)
{
    const mb_uov_set *set = verifier->set;
    const mb_uov_public_format *format = verifier->format;
    const mb_uov_shapes is = mb_uov_measure(set);
    mb_arena_take(arena, sizeof *s);
    s->set = set;
    s->target = mb_arena_take(arena, is.m_bytes);
    s->value = mb_arena_take(arena, is.m_bytes);
    mb_public_key_init(&s->key, arena, &public_keys, set, format, set->field, set->n, is.m_bytes,
                       *format == MB_UOV_PUBLIC_SEEDED ? MB_UOV_PUBLIC_SEED_BYTES : 0, mode);
}

size_t mb_uov_verify_state_bytes(const moonbow_verifier *verifier, moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    state measured;
    lay_out(&measured, &arena, verifier, mode);
    return arena.used;
}

void mb_uov_verify_begin(const moonbow_verifier *verifier, void *memory, const uint8_t *signature, moonbow_mode mode)
{
    mb_arena arena = {memory, 0};
    state *s = memory;
    lay_out(s, &arena, verifier, mode);
    memcpy(s->salt, signature + mb_uov_measure(s->set).n_bytes, sizeof s->salt);
    mb_shake256_init(&s->message);
    mb_public_key_begin(&s->key, signature);
}

void mb_uov_verify_message(void *memory, const uint8_t *piece, size_t bytes)
{
    state *s = memory;
    mb_shake256_absorb(&s->message, piece, bytes);
}

void mb_uov_verify_key(void *memory, const uint8_t *piece, size_t bytes)
{
    state *s = memory;
    mb_public_key_absorb(&s->key, piece, bytes);
}

int mb_uov_verify_finish(void *memory)
{
    state *s = memory;
    mb_public_key_collect(&s->key, s->value);
    mb_uov_target(s->set, s->target, &s->message, s->salt);
    return memcmp(s->value, s->target, mb_field_bytes(s->set->field, s->set->m)) == 0 ? MOONBOW_OK
                                                                                     : MOONBOW_BAD_SIGNATURE;
}
