/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Key generation [UOV3 §4, §7]. The map is held whole, as the triangle of n variables: filled with P1 and P2, changed by
 * x_v → x_v + O·x_o, which leaves S where P2 stood and P3 in the triangle of the oils. SECRET but P1, P2, P3. */
#include "uov/keys.h"

#include "platform/declassify.h"
#include "scheme/form_part.h"
#include "uov/expand.h"
#include "uov/keys_small.h"

#include <string.h>

/* Key material generated or written at a time. */
enum { BUFFER_BYTES = 4096 };

typedef struct generation {
    const mb_uov_set *set;
    mb_uov_shapes is;
    mb_workspace work;
    mb_substitution substitution;
    mb_form form;
    mb_form_part p1, p2, p3;
    mb_form_buffer buffer;
    uint8_t *o;
    uint8_t public_seed[MB_UOV_PUBLIC_SEED_BYTES];
    mb_shake256 shake;
    mb_ctr stream;
} generation;

/* Places everything behind the state itself, which is the arena's first piece. */
static void lay_out(generation *g, mb_arena *arena, const mb_uov_set *set)
{
    const mb_uov_shapes is = mb_uov_measure(set);
    mb_arena_take(arena, sizeof *g);
    memset(g, 0, sizeof *g);
    g->set = set;
    g->is = is;
    g->form.n = set->n;
    mb_workspace_init(&g->work, arena, set->field, is.v, 1);
    g->form.bytes = mb_substitution_vector_bytes(&g->work, is.m_bytes);
    mb_substitution_take(&g->substitution, arena, &g->work, is.v, set->m, g->form.bytes);
    g->buffer.bytes = BUFFER_BYTES;
    g->buffer.start = mb_arena_take(arena, BUFFER_BYTES);
    g->o = mb_arena_take(arena, is.o_bytes);
    g->form.coefficients = mb_arena_take(arena, mb_form_bytes(&g->form));
    g->p1 = (mb_form_part){&g->form, mb_block_triangle(0, is.v), 0, is.m_bytes};
    g->p2 = (mb_form_part){&g->form, mb_block_rectangle(0, is.v, is.v, set->m), 0, is.m_bytes};
    g->p3 = (mb_form_part){&g->form, mb_block_triangle(is.v, set->m), 0, is.m_bytes};
}

size_t mb_uov_keys_scratch_bytes(const moonbow_generator *generator, moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    generation measured;
    if (mode == MOONBOW_SMALL) {
        return mb_uov_keys_small_scratch_bytes(generator->set);
    }
    lay_out(&measured, &arena, generator->set);
    return arena.used;
}

/* [UOV3 §4] seed_pk, O; then P1, P2 into the map; then S and P3. Without `with_s` S is left undefined.
 * NULL if the memory does not do. */
static generation *expand(const mb_uov_set *set, const uint8_t *secret_seed, const moonbow_scratch *scratch, int with_s)
{
    mb_arena arena = mb_arena_over(scratch);
    generation *g = scratch->start;
    lay_out(g, &arena, set);
    if (mb_arena_check(&arena, scratch) != MOONBOW_OK) {
        return NULL;
    }
    memset(mb_form_at(&g->form, g->is.v, g->is.v), 0, set->m * (set->m + 1u) / 2 * g->form.bytes); /* P3 */
    mb_uov_expand_secret(g->public_seed, &g->shake, secret_seed);
    mb_shake256_squeeze(&g->shake, g->o, g->is.o_bytes);
    mb_uov_expand_public(&g->stream, g->public_seed);
    mb_form_fill(g->p1, &g->stream, g->buffer);
    mb_form_fill(g->p2, &g->stream, g->buffer);
    const mb_change change = {.from = {0, g->is.v}, .to = {g->is.v, set->m}, .m = g->o, .bytes = g->form.bytes,
                              .square = set->m, .cross = with_s ? set->m : 0};
    mb_substitute(&g->work, &g->substitution, &g->form, &change);
    return g;
}

/* P1 ‖ P2; the latter out of the generator a second time: in the map S stands where it was. */
static void write_expanded(generation *g, mb_key_writer *writer)
{
    size_t left = g->is.p2_bytes;
    mb_form_write(g->p1, writer, g->buffer);
    mb_uov_expand_public(&g->stream, g->public_seed);
    mb_ctr_seek(&g->stream, g->is.p1_bytes);
    while (left != 0) {
        const size_t bytes = left < g->buffer.bytes ? left : g->buffer.bytes;
        mb_ctr_read(&g->stream, g->buffer.start, bytes);
        mb_key_write(writer, g->buffer.start, bytes);
        left -= bytes;
    }
}

static void declassify_vector(void *context, uint8_t *vector, size_t bytes)
{
    (void)context;
    mb_declassify(vector, bytes); /* [UOV3 §5]: P3 is the public key */
}

static int write_public(generation *g, const mb_uov_public_format *format, const moonbow_sink *sink)
{
    mb_key_writer writer = {sink, MOONBOW_OK};
    if (sink == NULL) {
        return MOONBOW_OK;
    }
    if (format->seed_bytes == 0) {
        write_expanded(g, &writer);
    } else {
        mb_key_write(&writer, g->public_seed, sizeof g->public_seed);
    }
    mb_form_visit(g->p3, declassify_vector, NULL);
    mb_form_write(g->p3, &writer, g->buffer);
    return writer.status;
}

static int write_secret(generation *g, mb_uov_secret_format format, const uint8_t *secret_seed,
                        const moonbow_sink *sink)
{
    mb_key_writer writer = {sink, MOONBOW_OK};
    mb_key_write(&writer, secret_seed, MB_UOV_SECRET_SEED_BYTES);
    if (format == MB_UOV_SECRET_STORED) {
        mb_key_write(&writer, g->o, g->is.o_bytes);
        mb_form_write(g->p1, &writer, g->buffer);
        mb_form_write(g->p2, &writer, g->buffer); /* S */
    }
    return writer.status;
}

int mb_uov_keys_generate(const moonbow_generator *generator, const moonbow_sink *public_key,
                         const moonbow_sink *secret_key, const uint8_t *seed, const moonbow_scratch *scratch)
{
    const mb_uov_key_format *format = generator->format;
    generation *g;
    int status;
    if (scratch->mode == MOONBOW_SMALL) {
        return mb_uov_keys_small_generate(generator, public_key, secret_key, seed, scratch);
    }
    g = expand(generator->set, seed, scratch, format->secret_key == MB_UOV_SECRET_STORED);
    if (g == NULL) {
        return MOONBOW_BAD_SCRATCH;
    }
    status = write_secret(g, format->secret_key, seed, secret_key);
    return status != MOONBOW_OK ? status : write_public(g, format->public_key, public_key);
}

int mb_uov_keys_derive(const moonbow_generator *generator, const moonbow_sink *public_key, const uint8_t *secret_key,
                       const uint8_t *public_seed, const moonbow_scratch *scratch)
{
    const mb_uov_key_format *format = generator->format;
    generation *g;
    mb_sink_comparison with = {secret_key, 0};
    const moonbow_sink sink = {mb_sink_compare, &with};
    int damaged;
    (void)public_seed;
    if (scratch->mode == MOONBOW_SMALL) {
        return mb_uov_keys_small_derive(generator, public_key, secret_key, scratch);
    }
    g = expand(generator->set, secret_key, scratch, format->secret_key == MB_UOV_SECRET_STORED);
    if (g == NULL) {
        return MOONBOW_BAD_SCRATCH;
    }
    write_secret(g, format->secret_key, secret_key, &sink);
    damaged = (int)((0u - (unsigned)with.difference) >> 31);
    mb_declassify(&damaged, sizeof damaged); /* this is the status */
    return damaged ? MOONBOW_WRONG_KEY : write_public(g, format->public_key, public_key);
}

size_t mb_uov_prepare_scratch_bytes(const moonbow_preparer *preparer, moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    generation measured;
    if (mode == MOONBOW_SMALL) {
        return mb_uov_keys_small_scratch_bytes(preparer->from_verifier->set);
    }
    lay_out(&measured, &arena, preparer->from_verifier->set);
    return arena.used;
}

int mb_uov_prepare_public(const moonbow_preparer *preparer, uint8_t *prepared, const uint8_t *public_key,
                          const moonbow_scratch *scratch)
{
    const mb_uov_shapes is = mb_uov_measure(preparer->from_verifier->set);
    mb_ctr *stream = scratch->start;
    mb_uov_expand_public(stream, public_key);
    mb_ctr_read(stream, prepared, is.p1_bytes + is.p2_bytes);
    memcpy(prepared + is.p1_bytes + is.p2_bytes, public_key + MB_UOV_PUBLIC_SEED_BYTES, is.p3_bytes);
    return MOONBOW_OK;
}

int mb_uov_prepare_secret(const moonbow_preparer *preparer, uint8_t *prepared, const uint8_t *secret_key,
                          const moonbow_scratch *scratch)
{
    const moonbow_sink sink = {mb_sink_append, &prepared};
    generation *g;
    if (scratch->mode == MOONBOW_SMALL) {
        return mb_uov_keys_small_prepare_secret(preparer, prepared, secret_key, scratch);
    }
    g = expand(preparer->from_signer->set, secret_key, scratch, 1);
    if (g == NULL) {
        return MOONBOW_BAD_SCRATCH;
    }
    return write_secret(g, MB_UOV_SECRET_STORED, secret_key, &sink);
}
