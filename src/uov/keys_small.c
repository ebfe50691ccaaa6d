/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Key generation in little memory [UOV3 §4, §7]: keys leave row by row, made by quadratic/slabs.h from P1 and P2, which are
 * expanded again whenever they are needed. The oils are its first group after the vinegars: S is block 2 of the transform and
 * P3 is block 5. SECRET but P1, P2, P3. */
#include "uov/keys_small.h"

#include "platform/declassify.h"
#include "quadratic/slabs.h"
#include "scheme/sink.h"
#include "uov/expand.h"

#include <string.h>

/* For rows of P1, P2 and S; rows of P3: so much, and at least such a part of it that not too many passes are needed. */
enum { ROWS_BYTES = 15360, SUMS_BYTES = 16384, P3_PARTS = 6, BUFFER_BYTES = 1024 };

typedef struct generation {
    const mb_uov_set *set;
    mb_uov_shapes is;
    mb_workspace work;
    mb_slabs slabs;
    uint8_t *o, *buffer;
    const uint8_t *secret_seed;
    uint8_t public_seed[MB_UOV_PUBLIC_SEED_BYTES];
    mb_shake256 shake;
    mb_ctr stream;
    uint64_t at; /* the stream's place */
    int is_public; /* the rows go to the public key */
    mb_key_writer writer;
} generation;

static void lay_out(generation *g, mb_arena *arena, const mb_uov_set *set)
{
    const mb_uov_shapes is = mb_uov_measure(set);
    const size_t part = is.p3_bytes / P3_PARTS;
    mb_arena_take(arena, sizeof *g);
    memset(g, 0, sizeof *g);
    g->set = set;
    g->is = is;
    mb_workspace_init(&g->work, arena, set->field, is.v, 1);
    g->slabs.work = &g->work;
    g->slabs.v = is.v;
    g->slabs.o1 = set->m;
    g->slabs.o2 = 0;
    g->slabs.bytes = is.m_bytes;
    mb_slabs_take(&g->slabs, arena, is.m_bytes, ROWS_BYTES, part > SUMS_BYTES ? part : SUMS_BYTES);
    g->o = mb_arena_take(arena, is.o_bytes);
    g->buffer = mb_arena_take(arena, BUFFER_BYTES);
}

size_t mb_uov_keys_small_scratch_bytes(const mb_uov_set *set)
{
    mb_arena arena = {NULL, 0};
    generation measured;
    lay_out(&measured, &arena, set);
    return arena.used;
}

/* P1 is block 1, and P2 follows it in the stream. */
static int load(void *context, uint8_t *out, unsigned block, size_t index, size_t count)
{
    generation *g = context;
    const uint64_t offset = (block == 1 ? 0 : g->is.p1_bytes) + (uint64_t)index * g->is.m_bytes;
    if (block > 2) {
        return 0;
    }
    if (offset != g->at) {
        mb_ctr_seek(&g->stream, offset);
    }
    mb_ctr_read(&g->stream, out, count * g->is.m_bytes);
    g->at = offset + count * g->is.m_bytes;
    return 1;
}

static void emit(void *context, unsigned block, size_t row, uint8_t *vectors, size_t count)
{
    generation *g = context;
    (void)block;
    (void)row;
    if (g->is_public) {
        mb_declassify(vectors, count * g->is.m_bytes); /* [UOV3 §5]: P3 is the public key */
    }
    mb_key_write(&g->writer, vectors, count * g->is.m_bytes);
}

/* [UOV3 §4] seed_pk and O; NULL if the memory does not do. */
static generation *begin(const mb_uov_set *set, const uint8_t *secret_seed, const moonbow_scratch *scratch)
{
    mb_arena arena = mb_arena_over(scratch);
    generation *g = scratch->start;
    lay_out(g, &arena, set);
    if (mb_arena_check(&arena, scratch) != MOONBOW_OK) {
        return NULL;
    }
    g->secret_seed = secret_seed;
    mb_uov_expand_secret(g->public_seed, &g->shake, secret_seed);
    mb_shake256_squeeze(&g->shake, g->o, g->is.o_bytes);
    mb_uov_expand_public(&g->stream, g->public_seed);
    g->slabs.t1 = g->o;
    g->slabs.load = load;
    g->slabs.emit = emit;
    g->slabs.context = g;
    return g;
}

/* The first `bytes` bytes of P1 ‖ P2. */
static void write_expanded(generation *g, size_t bytes)
{
    mb_ctr_seek(&g->stream, 0);
    g->at = bytes;
    while (bytes != 0) {
        const size_t piece = bytes < BUFFER_BYTES ? bytes : BUFFER_BYTES;
        mb_ctr_read(&g->stream, g->buffer, piece);
        mb_key_write(&g->writer, g->buffer, piece);
        bytes -= piece;
    }
}

static int write_public(generation *g, const mb_uov_public_format *format, const moonbow_sink *sink)
{
    g->writer = (mb_key_writer){sink, MOONBOW_OK};
    g->is_public = 1;
    if (sink == NULL) {
        return MOONBOW_OK;
    }
    if (format->seed_bytes == 0) {
        write_expanded(g, g->is.p1_bytes + g->is.p2_bytes);
    } else {
        mb_key_write(&g->writer, g->public_seed, sizeof g->public_seed);
    }
    mb_slabs_o1_rows(&g->slabs, MB_SLABS_BLOCK(5));
    return g->writer.status;
}

static int write_secret(generation *g, mb_uov_secret_format format, const moonbow_sink *sink)
{
    g->writer = (mb_key_writer){sink, MOONBOW_OK};
    g->is_public = 0;
    mb_key_write(&g->writer, g->secret_seed, MB_UOV_SECRET_SEED_BYTES);
    if (format == MB_UOV_SECRET_STORED) {
        mb_key_write(&g->writer, g->o, g->is.o_bytes);
        write_expanded(g, g->is.p1_bytes);
        mb_slabs_vinegar_rows(&g->slabs, MB_SLABS_BLOCK(2));
    }
    return g->writer.status;
}

int mb_uov_keys_small_generate(const moonbow_generator *generator, const moonbow_sink *public_key,
                               const moonbow_sink *secret_key, const uint8_t *seed, const moonbow_scratch *scratch)
{
    const mb_uov_key_format *format = generator->format;
    generation *g = begin(generator->set, seed, scratch);
    int status;
    if (g == NULL) {
        return MOONBOW_BAD_SCRATCH;
    }
    status = write_secret(g, format->secret_key, secret_key);
    return status != MOONBOW_OK ? status : write_public(g, format->public_key, public_key);
}

int mb_uov_keys_small_derive(const moonbow_generator *generator, const moonbow_sink *public_key, const uint8_t *secret_key,
                             const moonbow_scratch *scratch)
{
    const mb_uov_key_format *format = generator->format;
    generation *g = begin(generator->set, secret_key, scratch);
    mb_sink_comparison with = {secret_key, 0};
    const moonbow_sink sink = {mb_sink_compare, &with};
    int damaged;
    if (g == NULL) {
        return MOONBOW_BAD_SCRATCH;
    }
    write_secret(g, format->secret_key, &sink);
    damaged = (int)((0u - (unsigned)with.difference) >> 31);
    mb_declassify(&damaged, sizeof damaged); /* this is the status */
    return damaged ? MOONBOW_WRONG_KEY : write_public(g, format->public_key, public_key);
}

int mb_uov_keys_small_prepare_secret(const moonbow_preparer *preparer, uint8_t *prepared, const uint8_t *secret_key,
                                     const moonbow_scratch *scratch)
{
    const moonbow_sink sink = {mb_sink_append, &prepared};
    generation *g = begin(preparer->from_signer->set, secret_key, scratch);
    return g == NULL ? MOONBOW_BAD_SCRATCH : write_secret(g, MB_UOV_SECRET_STORED, &sink);
}
