/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification: P(w) = XH(H(message) ‖ salt) [RB3 §7]. Public data only, variable time. */
#include "rainbow/verify.h"

#include "rainbow/expand.h"
#include "rainbow/parameters.h"
#include "scheme/public_key.h"

#include <string.h>

typedef struct state {
    const mb_rainbow_set *set;
    mb_public_key key;
    void *hash_context;
    uint8_t *digest;
    uint8_t *target, *value; /* m packed elements */
    uint8_t salt[MB_RAINBOW_SALT_BYTES];
} state;

static int section_at(const void *set, const void *format, size_t index, mb_key_section *out)
{
    const mb_rainbow_public_format *sections = format;
    if (index >= sections->sections_len) {
        return -1;
    }
    const mb_rainbow_section section = sections->sections[index];
    *out = (mb_key_section){mb_rainbow_section_block(set, section), mb_rainbow_section_first(set, section),
                            mb_rainbow_section_bytes(set, section), section.source == MB_RAINBOW_FROM_SEED};
    return 0;
}

/* The expander: the generator PRNG(pk_seed), then work memory for the hash. */
static size_t expander_bytes(const void *set)
{
    return sizeof(mb_drbg) + ((const mb_rainbow_set *)set)->hash->context_bytes;
}

/* Each seeded section is one draw [RB3 §5.4]. */
static void open_draw(const void *set, void *expander, mb_ctr *stream, const uint8_t *seed, size_t index,
                      size_t section_bytes)
{
    mb_drbg *drbg = expander;
    if (index == 0) {
        mb_rainbow_generator(set, drbg, seed, MB_RAINBOW_SEED_BYTES, drbg + 1);
    }
    mb_drbg_open(stream, drbg, section_bytes);
}

static const mb_key_kind public_keys = {section_at, expander_bytes, open_draw};

/* Places everything behind the state itself, which is the arena's first piece. */
static void lay_out(state *s, mb_arena *arena, const moonbow_verifier *verifier, moonbow_mode mode)
{
    const mb_rainbow_set *set = verifier->set;
    const mb_rainbow_public_format *format = verifier->format;
    const size_t value_bytes = mb_field_bytes(set->field, mb_rainbow_m(set));
    mb_arena_take(arena, sizeof *s);
    s->set = set;
    s->hash_context = mb_arena_take(arena, set->hash->context_bytes);
    s->digest = mb_arena_take(arena, set->hash->digest_bytes);
    s->target = mb_arena_take(arena, value_bytes);
    s->value = mb_arena_take(arena, value_bytes);
    mb_public_key_init(&s->key, arena, &public_keys, set, format, set->field, mb_rainbow_n(set), value_bytes,
                       format->seed_bytes, mode);
}

size_t mb_rainbow_verify_state_bytes(const moonbow_verifier *verifier, moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    state measured;
    lay_out(&measured, &arena, verifier, mode);
    return arena.used;
}

void mb_rainbow_verify_begin(const moonbow_verifier *verifier, void *memory, const uint8_t *signature,
                             moonbow_mode mode)
{
    mb_arena arena = {memory, 0};
    state *s = memory;
    const mb_rainbow_set *set = verifier->set;
    lay_out(s, &arena, verifier, mode);
    memcpy(s->salt, signature + mb_field_bytes(set->field, mb_rainbow_n(set)), sizeof s->salt);
    set->hash->init(s->hash_context);
    mb_public_key_begin(&s->key, signature);
}

void mb_rainbow_verify_message(void *memory, const uint8_t *piece, size_t bytes)
{
    state *s = memory;
    s->set->hash->update(s->hash_context, piece, bytes);
}

void mb_rainbow_verify_key(void *memory, const uint8_t *piece, size_t bytes)
{
    state *s = memory;
    mb_public_key_absorb(&s->key, piece, bytes);
}

int mb_rainbow_verify_finish(void *memory)
{
    state *s = memory;
    const size_t value_bytes = mb_field_bytes(s->set->field, mb_rainbow_m(s->set));
    mb_public_key_collect(&s->key, s->value);
    s->set->hash->finish(s->hash_context, s->digest);
    mb_rainbow_target(s->set, s->target, s->digest, s->salt, s->hash_context);
    return memcmp(s->value, s->target, value_bytes) == 0 ? MOONBOW_OK : MOONBOW_BAD_SIGNATURE;
}
