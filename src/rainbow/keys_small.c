/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Key generation in little memory [RB3 §5]: keys leave row by row, made by quadratic/slabs.h from blocks that are drawn again, or
 * read from a stored key, whenever they are needed; fast mode keeps them. The new map is never held. SECRET but what goes to the public sink.
 *
 * Q, the seeded blocks of P with S undone, and F are transforms of each other: with T4 in T2's place, the change of variables
 * takes Q to F. Of the public blocks that are not seeded, those of layer 1 are the ones that make F's forbidden blocks 0:
 * 3 and 5 are what the change of variables makes of Q without them, 6 is what mb_slabs_o1_rows_undone makes, and 9, of
 * either layer, is block 9 of the transform. */
#include "rainbow/keys_small.h"

#include "platform/declassify.h"
#include "quadratic/slabs.h"
#include "rainbow/expand.h"
#include "rainbow/secret.h"
#include "scheme/sink.h"

#include <string.h>

/* For rows of the old map and of the new one, and for coefficients on their way: in small mode, with which a seeded key of level I
 * needs less than 48 KiB, stack and all; in fast mode, where the old map is kept as well; in either. */
enum { ROWS_BYTES = 10752, SUMS_BYTES = 16896, ROWS_BYTES_FAST = 24576, SUMS_BYTES_FAST = 33792, BUFFER_BYTES = 512 };

/* Which layers' coefficients a vector of the slabs holds. */
typedef enum layers { LAYER_1 = 1, LAYER_2 = 2, BOTH = 3 } layers;

/* Where the rows go. */
typedef enum destination {
    AS_THEY_ARE,  /* F, to the secret key */
    PUBLIC,       /* layer 2 of P */
    MIXED,        /* both layers of P, after layer 1 has gained S1·(layer 2) */
    MIXED_SEEDED  /* layer 1 of P, layer 2 being drawn */
} destination;

/* One of the seven drawn sections, readable anywhere. */
typedef struct source {
    const uint8_t *stored; /* or NULL */
    mb_ctr stream;
    size_t at; /* the stream's place */
} source;

typedef struct generation {
    const mb_rainbow_set *set;
    mb_rainbow_shapes is;
    mb_workspace work;
    mb_slabs slabs;
    mb_rainbow_linear_memory memory;
    mb_rainbow_linear linear;
    void *hash_context;
    uint8_t *buffer;
    uint8_t *blocks; /* fast mode: the sections, drawn once, S undone where that is to be done */
    uint8_t *q5; /* seeded keys: block 5 of layer 1 of Q, once it is made */
    int has_q5;
    int is_seeded; /* the sources are blocks of P */
    int is_mixed;  /* and layer 1 still holds S1·(layer 2) */
    layers layers;
    destination to;
    mb_key_writer writer;
    source sources[MB_RAINBOW_DRAWN_LEN];
} generation;

/* ---- Memory ------------------------------------------------------------------------------------ */

static size_t triangle_len(size_t n)
{
    return n * (n + 1) / 2;
}

/* All drawn sections. */
static size_t blocks_bytes(const mb_rainbow_set *set)
{
    size_t bytes = 0;
    for (size_t i = 0; i < MB_RAINBOW_DRAWN_LEN; i++) {
        bytes += mb_rainbow_section_size(set, mb_rainbow_drawn[i]);
    }
    return bytes;
}

static void lay_out(generation *g, mb_arena *arena, const mb_rainbow_set *set, int seeded, moonbow_mode mode)
{
    const int fast = mode == MOONBOW_FAST;
    const size_t most = set->v1 > mb_rainbow_m(set) ? set->v1 : mb_rainbow_m(set);
    mb_arena_take(arena, sizeof *g);
    memset(g, 0, sizeof *g);
    g->set = set;
    g->is = mb_rainbow_measure(set);
    mb_workspace_init(&g->work, arena, set->field, most, set->o2);
    g->slabs.v = set->v1;
    g->slabs.o1 = set->o1;
    g->slabs.o2 = set->o2;
    g->slabs.work = &g->work;
    mb_slabs_take(&g->slabs, arena, g->is.m_bytes, fast ? ROWS_BYTES_FAST : ROWS_BYTES, fast ? SUMS_BYTES_FAST : SUMS_BYTES);
    mb_rainbow_linear_take(&g->memory, arena, set);
    g->hash_context = mb_arena_take(arena, set->hash->context_bytes);
    g->buffer = mb_arena_take(arena, BUFFER_BYTES);
    g->blocks = fast ? mb_arena_take(arena, blocks_bytes(set)) : NULL;
    g->q5 = seeded ? mb_arena_take(arena, triangle_len(set->o1) * g->is.o1_bytes) : NULL;
}

size_t mb_rainbow_keys_small_scratch_bytes(const mb_rainbow_set *set, int seeded, moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    generation measured;
    lay_out(&measured, &arena, set, seeded, mode);
    return arena.used;
}

/* ---- Coefficients of the old map --------------------------------------------------------------- */

static source *source_of(generation *g, unsigned layer, unsigned block)
{
    size_t i = 0;
    while (mb_rainbow_drawn[i].layer != layer || mb_rainbow_drawn[i].block != block) {
        i++;
    }
    return &g->sources[i];
}

static void read_source(source *from, uint8_t *out, size_t offset, size_t bytes)
{
    if (from->stored != NULL) {
        memcpy(out, from->stored + offset, bytes);
        return;
    }
    if (from->at != offset) {
        mb_ctr_seek(&from->stream, offset);
    }
    mb_ctr_read(&from->stream, out, bytes);
    from->at = offset + bytes;
}


static void open_stored(generation *g, const uint8_t *blocks)
{
    for (size_t i = 0; i < MB_RAINBOW_DRAWN_LEN; i++) {
        g->sources[i].stored = blocks;
        blocks += mb_rainbow_section_size(g->set, mb_rainbow_drawn[i]);
    }
}

/* Calls `visit` for `count` vectors of layer 2 of a drawn block, from `index` on, beside those of the caller. */
static void visit_layer_2(generation *g, uint8_t *vectors, unsigned block, size_t index, size_t count,
                          void (*visit)(generation *g, uint8_t *vector, const uint8_t *layer_2))
{
    const size_t bytes = g->is.o2_bytes, most = BUFFER_BYTES / bytes;
    while (count != 0) {
        const size_t part = count < most ? count : most;
        read_source(source_of(g, 2, block), g->buffer, index * bytes, part * bytes);
        for (size_t k = 0; k < part; k++) {
            visit(g, vectors, g->buffer + k * bytes);
            vectors += g->slabs.bytes;
        }
        index += part;
        count -= part;
    }
}

/* Layer 1 of a vector ^= S1·(its layer 2). S is its own inverse. */
static void mix_vector(generation *g, uint8_t *vector, const uint8_t *layer_2)
{
    mb_workspace_matrix_packed(&g->work, vector, g->is.o1_bytes, g->linear.s1, layer_2, g->set->o2);
}

static void put_layer_2(generation *g, uint8_t *vector, const uint8_t *layer_2)
{
    memcpy(vector + g->is.o1_bytes, layer_2, g->is.o2_bytes);
}

static int is_of_layer_1(unsigned block)
{
    return block == 1 || block == 2;
}

/* Fast mode: all sections to memory, of the seeded blocks of P those of layer 1 with S undone. */
static void keep_blocks(generation *g)
{
    uint8_t *at = g->blocks;
    for (size_t i = 0; i < MB_RAINBOW_DRAWN_LEN; i++) {
        const size_t bytes = mb_rainbow_section_size(g->set, mb_rainbow_drawn[i]);
        mb_ctr_read(&g->sources[i].stream, at, bytes);
        g->sources[i].stored = at;
        at += bytes;
    }
    g->slabs.bytes = g->is.o1_bytes;
    at = g->blocks;
    for (unsigned block = 1; block <= 2 && g->is_mixed; block++) {
        const size_t len = mb_rainbow_section_size(g->set, mb_rainbow_drawn[block - 1]) / g->is.o1_bytes;
        visit_layer_2(g, at, block, 0, len, mix_vector);
        at += len * g->is.o1_bytes;
    }
    g->is_mixed = 0;
}

/* The draws of `drbg` in order; those of pk_seed are blocks of P. */
static void open_draws(generation *g, mb_drbg *drbg, int seeded)
{
    g->is_seeded = g->is_mixed = seeded;
    for (size_t i = 0; i < MB_RAINBOW_DRAWN_LEN; i++) {
        g->sources[i].stored = NULL;
        g->sources[i].at = 0;
        mb_drbg_open(&g->sources[i].stream, drbg, mb_rainbow_section_size(g->set, mb_rainbow_drawn[i]));
    }
    if (g->blocks != NULL) {
        keep_blocks(g);
    }
}

/* Vectors with both layers. */
static void load_both(generation *g, uint8_t *out, unsigned block, size_t index, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (is_of_layer_1(block)) {
            read_source(source_of(g, 1, block), out + k * g->is.m_bytes, (index + k) * g->is.o1_bytes, g->is.o1_bytes);
        } else {
            memset(out + k * g->is.m_bytes, 0, g->is.o1_bytes);
        }
    }
    visit_layer_2(g, out, block, index, count, put_layer_2);
}

static int load_layer_1(generation *g, uint8_t *out, unsigned block, size_t index, size_t count)
{
    if (block == 5 && g->has_q5) {
        memcpy(out, g->q5 + index * g->is.o1_bytes, count * g->is.o1_bytes);
        return 1;
    }
    if (!is_of_layer_1(block)) {
        return 0;
    }
    read_source(source_of(g, 1, block), out, index * g->is.o1_bytes, count * g->is.o1_bytes);
    if (g->is_mixed) {
        visit_layer_2(g, out, block, index, count, mix_vector);
    }
    return 1;
}

static int load(void *context, uint8_t *out, unsigned block, size_t index, size_t count)
{
    generation *g = context;
    if (g->layers == LAYER_1) {
        return load_layer_1(g, out, block, index, count);
    }
    if (g->layers == LAYER_2) {
        read_source(source_of(g, 2, block), out, index * g->is.o2_bytes, count * g->is.o2_bytes);
    } else {
        load_both(g, out, block, index, count);
    }
    return 1;
}

/* ---- Rows of the new map ----------------------------------------------------------------------- */

/* The number of a row's first vector in its block. */
static size_t index_of(const mb_rainbow_set *set, unsigned block, size_t row)
{
    return block == 5 ? mb_triangle_index(set->o1, row, row) : row * set->o2;
}

static void write_public(generation *g, const uint8_t *vectors, size_t bytes)
{
    mb_declassify(vectors, bytes); /* [RB3 §5]: P is the public key */
    mb_key_write(&g->writer, vectors, bytes);
}

static void emit(void *context, unsigned block, size_t row, uint8_t *vectors, size_t count)
{
    generation *g = context;
    const size_t bytes = g->slabs.bytes;
    if (g->to == AS_THEY_ARE) {
        mb_key_write(&g->writer, vectors, count * bytes);
        return;
    }
    if (g->to == MIXED) {
        for (size_t k = 0; k < count; k++) {
            mix_vector(g, vectors + k * bytes, vectors + k * bytes + g->is.o1_bytes);
        }
    } else if (g->to == MIXED_SEEDED) {
        if (block == 5) {
            memcpy(g->q5 + index_of(g->set, block, row) * bytes, vectors, count * bytes);
        }
        visit_layer_2(g, vectors, block, index_of(g->set, block, row), count, mix_vector);
    }
    write_public(g, vectors, count * bytes);
}

static void choose(generation *g, layers of, destination to)
{
    g->layers = of;
    g->to = to;
    g->slabs.bytes = of == BOTH ? g->is.m_bytes : of == LAYER_1 ? g->is.o1_bytes : g->is.o2_bytes;
}

/* ---- The keys ---------------------------------------------------------------------------------- */

/* The sources are what `linear` makes F of, or P of F, with t2 in T2's place. */
static void begin_transform(generation *g, const uint8_t *t2)
{
    g->slabs.t1 = g->linear.t1;
    g->slabs.t2 = t2;
    g->slabs.t3 = g->linear.t3;
    g->slabs.load = load;
    g->slabs.emit = emit;
    g->slabs.context = g;
}

/* A section that the change of variables leaves as it is, or any drawn one of F. */
static void write_section(generation *g, unsigned block, size_t len)
{
    const size_t bytes = g->slabs.bytes, most = g->slabs.rows_bytes / bytes;
    size_t count;
    for (size_t index = 0; index < len; index += count) {
        count = len - index < most ? len - index : most;
        load(g, g->slabs.rows, block, index, count);
        mb_key_write(&g->writer, g->slabs.rows, count * bytes);
    }
}

/* F as it was drawn. */
static void write_drawn_central(generation *g)
{
    for (size_t i = 0; i < MB_RAINBOW_DRAWN_LEN; i++) {
        const mb_rainbow_section section = mb_rainbow_drawn[i];
        choose(g, section.layer == 1 ? LAYER_1 : LAYER_2, AS_THEY_ARE);
        write_section(g, section.block, mb_block_monomials(mb_rainbow_section_block(g->set, section)));
    }
}

/* F, the allowed blocks of UT(T⁻ᵗ·Q·T⁻¹) [RB3 §5.4]. */
static void write_recovered_central(generation *g)
{
    begin_transform(g, g->linear.t4);
    choose(g, LAYER_1, AS_THEY_ARE);
    write_section(g, 1, triangle_len(g->set->v1));
    mb_slabs_vinegar_rows(&g->slabs, MB_SLABS_BLOCK(2));
    choose(g, LAYER_2, AS_THEY_ARE);
    write_section(g, 1, triangle_len(g->set->v1));
    mb_slabs_vinegar_rows(&g->slabs, MB_SLABS_BLOCK(2));
    if (!mb_slabs_blocks_3_5_6(&g->slabs)) {
        mb_slabs_vinegar_rows(&g->slabs, MB_SLABS_BLOCK(3));
        mb_slabs_o1_rows(&g->slabs, MB_SLABS_BLOCK(5));
        mb_slabs_o1_rows(&g->slabs, MB_SLABS_BLOCK(6));
    }
}

/* sk_seed ‖ S1 ‖ T1 ‖ T4 ‖ T3 ‖ F */
static int write_stored_secret(generation *g, const uint8_t *sk_seed, const moonbow_sink *sink)
{
    g->writer = (mb_key_writer){sink, MOONBOW_OK};
    mb_key_write(&g->writer, sk_seed, MB_RAINBOW_SEED_BYTES);
    mb_key_write(&g->writer, g->linear.s1, g->is.s1_bytes);
    mb_key_write(&g->writer, g->linear.t1, g->is.t1_bytes);
    mb_key_write(&g->writer, g->linear.t4, g->is.t2_bytes);
    mb_key_write(&g->writer, g->linear.t3, g->is.t3_bytes);
    if (g->is_seeded) {
        write_recovered_central(g);
    } else {
        write_drawn_central(g);
    }
    return g->writer.status;
}

/* Block 9 of layer 1 and then of layer 2. Rows of both are made together, for S; those of layer 2 wait if there is room for
 * all of them, and are made a second time if not. */
static void write_last_blocks(generation *g)
{
    const size_t o1_bytes = g->is.o1_bytes, o2_bytes = g->is.o2_bytes, o2 = g->set->o2;
    const size_t all_bytes = g->slabs.sums_bytes, vectors = all_bytes / g->is.m_bytes;
    uint8_t *const sums_1 = g->slabs.sums, *const sums_2 = sums_1 + vectors * o1_bytes;
    size_t count = 0;
    for (size_t first = 0; first < o2; first += count) {
        g->slabs.sums = sums_2;
        g->slabs.sums_bytes = vectors * o2_bytes;
        choose(g, LAYER_2, AS_THEY_ARE);
        count = mb_slabs_o2_rows_at_once(&g->slabs, first);
        mb_slabs_o2_sums(&g->slabs, first, count);
        g->slabs.sums = sums_1;
        choose(g, LAYER_1, AS_THEY_ARE);
        mb_slabs_o2_sums(&g->slabs, first, count);
        const size_t len = triangle_len(o2 - first) - triangle_len(o2 - first - count);
        for (size_t k = 0; k < len; k++) {
            mix_vector(g, sums_1 + k * o1_bytes, sums_2 + k * o2_bytes);
        }
        write_public(g, sums_1, len * o1_bytes);
    }
    if (count == o2) {
        write_public(g, sums_2, triangle_len(o2) * o2_bytes);
        return;
    }
    g->slabs.sums_bytes = all_bytes;
    choose(g, LAYER_2, PUBLIC);
    mb_slabs_o2_rows(&g->slabs);
}

/* pk_seed, and the blocks that are not seeded. */
static int write_seeded_public(generation *g, const uint8_t *pk_seed, const moonbow_sink *sink)
{
    g->writer = (mb_key_writer){sink, MOONBOW_OK};
    mb_key_write(&g->writer, pk_seed, MB_RAINBOW_SEED_BYTES);
    begin_transform(g, g->linear.t4);
    choose(g, LAYER_1, MIXED_SEEDED);
    mb_slabs_vinegar_rows(&g->slabs, MB_SLABS_BLOCK(3));
    mb_slabs_o1_rows(&g->slabs, MB_SLABS_BLOCK(5));
    g->has_q5 = 1;
    mb_slabs_o1_rows_undone(&g->slabs);
    write_last_blocks(g);
    return g->writer.status;
}

/* P, the whole triangle, from F. */
static int write_classic_public(generation *g, const moonbow_sink *sink)
{
    g->writer = (mb_key_writer){sink, MOONBOW_OK};
    begin_transform(g, g->linear.t2);
    choose(g, BOTH, MIXED);
    mb_slabs_vinegar_rows(&g->slabs, MB_SLABS_BLOCK(1) | MB_SLABS_BLOCK(2) | MB_SLABS_BLOCK(3));
    mb_slabs_o1_rows(&g->slabs, MB_SLABS_BLOCK(5) | MB_SLABS_BLOCK(6));
    mb_slabs_o2_rows(&g->slabs);
    return g->writer.status;
}

/* ---- Entrances --------------------------------------------------------------------------------- */

/* NULL if the memory does not do. */
static generation *begin(const mb_rainbow_set *set, int seeded, const moonbow_scratch *scratch)
{
    mb_arena arena = mb_arena_over(scratch);
    generation *g = scratch->start;
    lay_out(g, &arena, set, seeded, scratch->mode);
    return mb_arena_check(&arena, scratch) == MOONBOW_OK ? g : NULL;
}

/* S and T from their seed; then the sources: of pk_seed if there is one, else of the same generator. */
static void draw(generation *g, const uint8_t *sk_seed, const uint8_t *pk_seed)
{
    mb_drbg drbg;
    mb_rainbow_prng(g->set, &drbg, sk_seed, MB_RAINBOW_SEED_BYTES, g->hash_context);
    g->linear = mb_rainbow_linear_draw(&g->memory, &g->work, g->set, &drbg);
    if (pk_seed != NULL) {
        mb_rainbow_prng_vartime(g->set, &drbg, pk_seed, g->hash_context);
    }
    open_draws(g, &drbg, pk_seed != NULL);
    mb_drbg_wipe(&drbg);
}

int mb_rainbow_keys_small_generate(const moonbow_generator *generator, const moonbow_sink *public_key,
                                   const moonbow_sink *secret_key, const uint8_t *seed, const moonbow_scratch *scratch)
{
    const mb_rainbow_key_format *format = generator->format;
    const int seeded = format->public_key->seed_bytes != 0;
    const uint8_t *pk_seed = seeded ? seed + MB_RAINBOW_SEED_BYTES : NULL;
    generation *g = begin(generator->set, seeded, scratch);
    int status;
    if (g == NULL) {
        return MOONBOW_BAD_SCRATCH;
    }
    draw(g, seed, pk_seed);
    if (format->secret_is_seeded) {
        g->writer = (mb_key_writer){secret_key, MOONBOW_OK};
        mb_key_write(&g->writer, pk_seed, MB_RAINBOW_SEED_BYTES);
        mb_key_write(&g->writer, seed, MB_RAINBOW_SEED_BYTES);
        status = g->writer.status;
    } else {
        status = write_stored_secret(g, seed, secret_key);
    }
    if (status != MOONBOW_OK) {
        return status;
    }
    return seeded ? write_seeded_public(g, pk_seed, public_key) : write_classic_public(g, public_key);
}

/* S, T and F of a stored key; T2 = T4 + T1·T3. */
static void load_stored(generation *g, const uint8_t *secret_key)
{
    g->linear = mb_rainbow_linear_stored(g->set, secret_key);
    memcpy(g->memory.t2, g->linear.t4, g->is.t2_bytes);
    mb_rainbow_linear_add_t1_t3(g->memory.t2, &g->work, g->set, g->linear.t1, g->linear.t3);
    g->linear.t2 = g->memory.t2;
    open_stored(g, secret_key + mb_rainbow_linear_stored_bytes(g->set));
}

/* A stored key with pk_seed: OK if its F is the one that pk_seed gives. The sources are those of pk_seed then. */
static int load_seeded(generation *g, const uint8_t *secret_key, const uint8_t *pk_seed)
{
    mb_sink_comparison with = {secret_key, 0};
    const moonbow_sink sink = {mb_sink_compare, &with};
    mb_drbg drbg;
    int damaged;
    g->linear = mb_rainbow_linear_stored(g->set, secret_key);
    mb_rainbow_prng_vartime(g->set, &drbg, pk_seed, g->hash_context);
    open_draws(g, &drbg, 1);
    write_stored_secret(g, secret_key, &sink);
    damaged = (int)((0u - (unsigned)with.difference) >> 31);
    mb_declassify(&damaged, sizeof damaged); /* this is the status */
    return damaged ? MOONBOW_WRONG_KEY : MOONBOW_OK;
}

int mb_rainbow_keys_small_derive(const moonbow_generator *generator, const moonbow_sink *public_key, const uint8_t *secret_key,
                                 const uint8_t *public_seed, const moonbow_scratch *scratch)
{
    const mb_rainbow_key_format *format = generator->format;
    const int seeded = format->public_key->seed_bytes != 0;
    generation *g = begin(generator->set, seeded, scratch);
    int status = MOONBOW_OK;
    if (g == NULL) {
        return MOONBOW_BAD_SCRATCH;
    }
    if (!seeded) {
        load_stored(g, secret_key);
        return write_classic_public(g, public_key);
    }
    if (format->secret_is_seeded) {
        public_seed = secret_key;
        draw(g, secret_key + MB_RAINBOW_SEED_BYTES, public_seed);
    } else {
        status = load_seeded(g, secret_key, public_seed);
    }
    return status != MOONBOW_OK ? status : write_seeded_public(g, public_seed, public_key);
}

int mb_rainbow_keys_small_prepare_secret(const moonbow_preparer *preparer, uint8_t *prepared, const uint8_t *secret_key,
                                         const moonbow_scratch *scratch)
{
    const uint8_t *pk_seed = secret_key, *sk_seed = secret_key + MB_RAINBOW_SEED_BYTES;
    const moonbow_sink sink = {mb_sink_append, &prepared};
    generation *g = begin(preparer->from_signer->set, 1, scratch);
    if (g == NULL) {
        return MOONBOW_BAD_SCRATCH;
    }
    draw(g, sk_seed, pk_seed);
    return write_stored_secret(g, sk_seed, &sink);
}
