/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Key generation [RB3 §5]. The quadratic map is held whole, as the triangle of n variables with m coefficients each: filled
 * with F or P, changed by T, mixed by S, and written out in the order of the key. SECRET but what goes to the public sink. */
#include "rainbow/keys.h"

#include "platform/declassify.h"
#include "platform/machine_word.h"
#include "rainbow/expand.h"
#include "rainbow/keys_small.h"
#include "rainbow/secret.h"
#include "scheme/form_part.h"

#include <string.h>

const mb_rainbow_key_format mb_rainbow_classic = {&mb_rainbow_public_classic, 0};
const mb_rainbow_key_format mb_rainbow_circumzenithal = {&mb_rainbow_public_seeded, 0};
const mb_rainbow_key_format mb_rainbow_compressed = {&mb_rainbow_public_seeded, 1};

/* Whether keys are made without holding the map (keys_small.h). In fast mode that is quicker where vectors are short and the secret
 * key is a seed, so that F is not wanted; it is slower for others [docs/decisions/0018, 0019]. */
static int makes_by_rows(int seeded_secret, moonbow_mode mode)
{
    return mode == MOONBOW_SMALL || (seeded_secret && MB_MACHINE_WORD_BITS == 32);
}

static int has_seeded_secret(const moonbow_generator *generator)
{
    return ((const mb_rainbow_key_format *)generator->format)->secret_is_seeded;
}

/* Key material generated or written at a time. */
enum { BUFFER_BYTES = 4096 };

typedef struct generation {
    const mb_rainbow_set *set;
    mb_rainbow_shapes is;
    mb_workspace work;
    mb_substitution substitution;
    mb_form form;
    mb_rainbow_linear_memory memory;
    mb_rainbow_linear linear;
    uint8_t *s_prepared; /* where the multiplier has a way for many vectors */
    uint8_t *t_v; /* [T1 T2] or [T1 T4], packed column by column */
    void *hash_context;
    mb_form_buffer buffer;
    mb_drbg drbg;
    mb_ctr stream;
} generation;

/* Places everything behind the state itself, which is the arena's first piece. */
static void lay_out(generation *g, mb_arena *arena, const mb_rainbow_set *set)
{
    const size_t most = set->v1 > mb_rainbow_m(set) ? set->v1 : mb_rainbow_m(set);
    mb_arena_take(arena, sizeof *g);
    memset(g, 0, sizeof *g);
    g->set = set;
    g->is = mb_rainbow_measure(set);
    g->form.n = mb_rainbow_n(set);
    mb_workspace_init(&g->work, arena, set->field, most, most);
    g->form.bytes = mb_substitution_vector_bytes(&g->work, g->is.m_bytes);
    mb_substitution_take(&g->substitution, arena, &g->work, most, mb_rainbow_m(set), g->form.bytes);
    mb_rainbow_linear_take(&g->memory, arena, set);
    if (g->work.multiplier->transformation != NULL) {
        g->s_prepared = mb_arena_take(arena, g->work.multiplier->transformation->prepared_bytes(set->field, set->o1, set->o2));
    }
    g->t_v = mb_arena_take(arena, g->is.t1_bytes + g->is.t2_bytes);
    g->hash_context = mb_arena_take(arena, set->hash->context_bytes);
    g->buffer.bytes = BUFFER_BYTES;
    g->buffer.start = mb_arena_take(arena, BUFFER_BYTES);
    g->form.coefficients = mb_arena_take(arena, mb_form_bytes(&g->form));
}

/* NULL if the memory does not do. */
static generation *begin(const mb_rainbow_set *set, const moonbow_scratch *scratch)
{
    mb_arena arena = mb_arena_over(scratch);
    generation *g = scratch->start;
    lay_out(g, &arena, set);
    if (mb_arena_check(&arena, scratch) != MOONBOW_OK) {
        return NULL;
    }
    memset(g->form.coefficients, 0, mb_form_bytes(&g->form));
    return g;
}

static int is_seeded(const moonbow_generator *generator)
{
    const mb_rainbow_key_format *format = generator->format;
    return format->public_key->seed_bytes != 0;
}

size_t mb_rainbow_keys_scratch_bytes(const moonbow_generator *generator, moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    generation measured;
    if (makes_by_rows(has_seeded_secret(generator), mode)) {
        return mb_rainbow_keys_small_scratch_bytes(generator->set, is_seeded(generator), mode);
    }
    lay_out(&measured, &arena, generator->set);
    return arena.used;
}

static mb_form_part part_of(const generation *g, mb_rainbow_section section)
{
    return (mb_form_part){&g->form, mb_rainbow_section_block(g->set, section),
                          mb_rainbow_section_first(g->set, section), mb_rainbow_section_bytes(g->set, section)};
}

/* The next draw, which is drawn section `index`: into the map, or left out. */
static void fill_or_skip(generation *g, mb_drbg *drbg, size_t index, int fill)
{
    const size_t size = mb_rainbow_section_size(g->set, mb_rainbow_drawn[index]);
    if (fill) {
        mb_drbg_open(&g->stream, drbg, size);
        mb_form_fill(part_of(g, mb_rainbow_drawn[index]), &g->stream, g->buffer);
    } else {
        mb_drbg_skip(drbg, size);
    }
}

/* The seven drawn sections from the generator's next seven draws [RB3 §5.3, §5.4]. */
static void fill_from_draws(generation *g, mb_drbg *drbg)
{
    for (size_t i = 0; i < MB_RAINBOW_DRAWN_LEN; i++) {
        fill_or_skip(g, drbg, i, 1);
    }
}

static void fill_from_stored(generation *g, const uint8_t *blocks)
{
    for (size_t i = 0; i < MB_RAINBOW_DRAWN_LEN; i++) {
        blocks = mb_form_load(part_of(g, mb_rainbow_drawn[i]), blocks);
    }
}

/* Layer 1 ^= S1·(layer 2), for `count` monomials that follow one another. S is its own inverse. */
static void mix_vectors(generation *g, uint8_t *vectors, size_t count)
{
    const mb_multiplier *multiplier = g->work.multiplier;
    const size_t o1 = g->set->o1, o2 = g->set->o2;
    if (multiplier->transformation != NULL) {
        multiplier->transformation->add_products(g->work.field, vectors, vectors + g->is.o1_bytes, g->form.bytes, count,
                                                 g->s_prepared, o1, o2);
        return;
    }
    for (; count != 0; count--, vectors += g->form.bytes) {
        mb_workspace_prepare_packed(&g->work, g->work.prepared, vectors + g->is.o1_bytes, o2);
        multiplier->combine(g->work.field, vectors, g->is.o1_bytes, g->linear.s1, g->is.o1_bytes, g->work.prepared, o2);
    }
}

/* All monomials of x_i with x_j, i ≤ j, from ≤ j < end, in rows i < rows. */
static void mix_columns(generation *g, size_t rows, size_t from, size_t end)
{
    for (size_t i = 0; i < rows; i++) {
        const size_t j = i < from ? from : i;
        mix_vectors(g, mb_form_at(&g->form, i, j), end - j);
    }
}

/* S1 once more in the form in which it multiplies many vectors. */
static void prepare_s(generation *g)
{
    const mb_transformation *transformation = g->work.multiplier->transformation;
    if (transformation != NULL) {
        transformation->prepare(g->work.field, g->s_prepared, g->linear.s1, g->set->o1, g->set->o2);
    }
}

/* The change of variables by T = [I T1 T2; 0 I T3; 0 0 I], which makes Q = UT(Tᵗ·F·T), and by its inverse, which has T4 for T2 and
 * makes F of Q. Step 1: the o1 variables gain T3 times the o2 ones; step 2: the vinegars gain [T1 T2] times both. The layers
 * need different parts of it, so each is changed alone where the backend's time follows the length of a vector; in
 * strips it does, but the gain is worth more strips only where most blocks of a layer are known from a seed. */
static int layers_alone(const generation *g, int seeded)
{
    const size_t grain = g->work.multiplier->grain;
    const size_t o1 = (g->is.o1_bytes + grain - 1) / grain, o2 = (g->is.o2_bytes + grain - 1) / grain;
    return (seeded && g->substitution.in_strips) || o1 + o2 <= (g->is.m_bytes + grain - 1) / grain;
}

static void set_layer(const generation *g, mb_change *change, int layer)
{
    change->first = layer == 2 ? g->is.o1_bytes : 0;
    change->bytes = layer == 0 ? g->form.bytes : layer == 1 ? g->is.o1_bytes : g->is.o2_bytes;
}

/* Step 1 of a layer (0: both at once), for all monomials. */
static mb_change step_1(const generation *g, int layer)
{
    const size_t v1 = g->set->v1, o1 = g->set->o1, o2 = g->set->o2;
    mb_change change = {.from = {v1, o1}, .to = {v1 + o1, o2}, .m = g->linear.t3, .square = o2, .cross = o2};
    set_layer(g, &change, layer);
    return change;
}

static mb_change step_2(const generation *g, int layer)
{
    const size_t v1 = g->set->v1, m = mb_rainbow_m(g->set);
    mb_change change = {.from = {0, v1}, .to = {v1, m}, .m = g->t_v, .square = m, .cross = m};
    set_layer(g, &change, layer);
    return change;
}

static void run(generation *g, mb_change change)
{
    mb_substitute(&g->work, &g->substitution, &g->form, &change);
}

static void set_t_v(generation *g, const uint8_t *t_v_o2)
{
    memcpy(g->t_v, g->linear.t1, g->is.t1_bytes);
    memcpy(g->t_v + g->is.t1_bytes, t_v_o2, g->is.t2_bytes);
}

/* From Q to F: block 2 of layer 1, and all of layer 2 but block 9. */
static void undo_t(generation *g)
{
    const int alone = layers_alone(g, 1);
    mb_change first = step_1(g, alone ? 2 : 0), second = step_2(g, alone ? 2 : 0), layer_1 = step_2(g, 1);
    set_t_v(g, g->linear.t4);
    first.square = 0;
    second.square = g->set->o1;
    run(g, first);
    run(g, second);
    if (alone) {
        layer_1.to.count = layer_1.cross = g->set->o1;
        layer_1.square = 0;
        run(g, layer_1);
    }
}

/* From F to Q: all blocks. */
static void apply_t(generation *g)
{
    const int alone = layers_alone(g, 0);
    mb_change layer_1 = step_1(g, 1);
    set_t_v(g, g->linear.t2);
    run(g, step_1(g, alone ? 2 : 0));
    run(g, step_2(g, alone ? 2 : 0));
    if (alone) {
        layer_1.linear = 1; /* blocks 5, 6 and 9 of layer 1 are 0 in F */
        run(g, layer_1);
        run(g, step_2(g, 1));
    }
}

/* From F to Q where the blocks of pk_seed are known: of layer 1 all but blocks 1 and 2, of layer 2 block 9; the others of layer 2
 * come out of the generator again. */
static void apply_t_alone(generation *g, const uint8_t *pk_seed)
{
    const size_t o2 = g->set->o2;
    mb_change first = step_1(g, 1), second = step_2(g, 1);
    mb_drbg drbg;
    set_t_v(g, g->linear.t2);
    first.linear = 1;
    second.cross = o2;
    run(g, first);
    run(g, second);
    first = step_1(g, 2);
    second = step_2(g, 2);
    first.cross = second.cross = 0;
    second.to = first.to;
    second.m = g->linear.t2;
    second.square = o2;
    run(g, first);
    run(g, second);
    mb_rainbow_prng_vartime(g->set, &drbg, pk_seed, g->hash_context);
    for (size_t i = 0; i < MB_RAINBOW_DRAWN_LEN; i++) {
        fill_or_skip(g, &drbg, i, mb_rainbow_drawn[i].layer == 2 && mb_rainbow_drawn[i].block > 2);
    }
}

/* [RB3 §5.4]: from the seeded blocks of P to F, the allowed blocks of UT(T⁻ᵗ·Q·T⁻¹). */
static void recover_central(generation *g, const uint8_t *pk_seed)
{
    static const mb_rainbow_section forbidden[] = {
        {1, 3, MB_RAINBOW_FROM_KEY}, {1, 5, MB_RAINBOW_FROM_KEY}, {1, 6, MB_RAINBOW_FROM_KEY},
        {1, 9, MB_RAINBOW_FROM_KEY}, {2, 9, MB_RAINBOW_FROM_KEY}};
    mb_drbg drbg;
    mb_rainbow_prng_vartime(g->set, &drbg, pk_seed, g->hash_context);
    fill_from_draws(g, &drbg);
    prepare_s(g);
    mix_columns(g, g->set->v1, 0, g->set->v1 + g->set->o1); /* blocks 1 and 2 */
    undo_t(g);
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        mb_form_clear(part_of(g, forbidden[i]));
    }
}

/* From F to P. With a seeded key, whose pk_seed is given, blocks 1 and 2 of layer 1 stay those of Q: it does not store them. */
static void make_public(generation *g, const uint8_t *pk_seed)
{
    const size_t v1 = g->set->v1, n = mb_rainbow_n(g->set);
    if (pk_seed != NULL && layers_alone(g, 1)) {
        apply_t_alone(g, pk_seed);
    } else {
        apply_t(g);
    }
    prepare_s(g);
    if (pk_seed == NULL) {
        mix_vectors(g, g->form.coefficients, n * (n + 1) / 2);
        return;
    }
    mix_columns(g, v1, v1 + g->set->o1, n);                              /* block 3 */
    mix_vectors(g, mb_form_at(&g->form, v1, v1), (n - v1) * (n - v1 + 1) / 2); /* blocks 5, 6 and 9 */
}

static void declassify_vector(void *context, uint8_t *vector, size_t bytes)
{
    (void)context;
    mb_declassify(vector, bytes); /* [RB3 §5]: P is the public key */
}

/* The stored sections of P, after pk_seed if there is one. */
static int write_public(generation *g, const mb_rainbow_public_format *format, const uint8_t *pk_seed,
                        const moonbow_sink *sink)
{
    mb_key_writer writer = {sink, MOONBOW_OK};
    if (format->seed_bytes != 0) {
        mb_key_write(&writer, pk_seed, format->seed_bytes);
    }
    for (size_t i = 0; i < format->sections_len; i++) {
        if (format->sections[i].source == MB_RAINBOW_FROM_KEY) {
            mb_form_visit(part_of(g, format->sections[i]), declassify_vector, NULL);
            mb_form_write(part_of(g, format->sections[i]), &writer, g->buffer);
        }
    }
    return writer.status;
}

/* OK if the seeded blocks of P are those of pk_seed, else WRONG_KEY. Public. */
static int check_public_seed(generation *g, const uint8_t *pk_seed)
{
    mb_drbg drbg;
    mb_rainbow_prng_vartime(g->set, &drbg, pk_seed, g->hash_context);
    for (size_t i = 0; i < MB_RAINBOW_DRAWN_LEN; i++) {
        mb_drbg_open(&g->stream, &drbg, mb_rainbow_section_size(g->set, mb_rainbow_drawn[i]));
        const mb_form_part part = part_of(g, mb_rainbow_drawn[i]);
        mb_form_visit(part, declassify_vector, NULL); /* of the public key as its seed gives it */
        if (mb_form_compare(part, &g->stream, g->buffer) != 0) {
            return MOONBOW_WRONG_KEY;
        }
    }
    return MOONBOW_OK;
}

/* sk_seed ‖ S1 ‖ T1 ‖ T4 ‖ T3 ‖ F */
static int write_stored_secret(generation *g, const uint8_t *sk_seed, const moonbow_sink *sink)
{
    mb_key_writer writer = {sink, MOONBOW_OK};
    mb_key_write(&writer, sk_seed, MB_RAINBOW_SEED_BYTES);
    mb_key_write(&writer, g->linear.s1, g->is.s1_bytes);
    mb_key_write(&writer, g->linear.t1, g->is.t1_bytes);
    mb_key_write(&writer, g->linear.t4, g->is.t2_bytes);
    mb_key_write(&writer, g->linear.t3, g->is.t3_bytes);
    for (size_t i = 0; i < MB_RAINBOW_DRAWN_LEN; i++) {
        mb_form_write(part_of(g, mb_rainbow_drawn[i]), &writer, g->buffer);
    }
    return writer.status;
}

static int write_seeded_secret(const uint8_t *sk_seed, const uint8_t *pk_seed, const moonbow_sink *sink)
{
    mb_key_writer writer = {sink, MOONBOW_OK};
    mb_key_write(&writer, pk_seed, MB_RAINBOW_SEED_BYTES);
    mb_key_write(&writer, sk_seed, MB_RAINBOW_SEED_BYTES);
    return writer.status;
}

/* S, T and F of the key pair that belongs to the seeds; pk_seed is NULL for classic keys. */
static void make_secret(generation *g, const uint8_t *sk_seed, const uint8_t *pk_seed)
{
    mb_rainbow_prng(g->set, &g->drbg, sk_seed, MB_RAINBOW_SEED_BYTES, g->hash_context);
    g->linear = mb_rainbow_linear_draw(&g->memory, &g->work, g->set, &g->drbg);
    if (pk_seed == NULL) {
        fill_from_draws(g, &g->drbg);
    } else {
        recover_central(g, pk_seed);
    }
}

int mb_rainbow_keys_generate(const moonbow_generator *generator, const moonbow_sink *public_key,
                             const moonbow_sink *secret_key, const uint8_t *seed, const moonbow_scratch *scratch)
{
    const mb_rainbow_key_format *format = generator->format;
    const uint8_t *pk_seed = is_seeded(generator) ? seed + MB_RAINBOW_SEED_BYTES : NULL;
    generation *g;
    int status;
    if (makes_by_rows(has_seeded_secret(generator), scratch->mode)) {
        return mb_rainbow_keys_small_generate(generator, public_key, secret_key, seed, scratch);
    }
    g = begin(generator->set, scratch);
    if (g == NULL) {
        return MOONBOW_BAD_SCRATCH;
    }
    make_secret(g, seed, pk_seed);
    status = format->secret_is_seeded ? write_seeded_secret(seed, pk_seed, secret_key)
                                      : write_stored_secret(g, seed, secret_key);
    if (status != MOONBOW_OK) {
        return status;
    }
    make_public(g, pk_seed);
    return write_public(g, format->public_key, pk_seed, public_key);
}

/* S, T and F of a stored key; T2 = T4 + T1·T3. */
static void load_stored(generation *g, const uint8_t *secret_key)
{
    g->linear = mb_rainbow_linear_stored(g->set, secret_key);
    memcpy(g->memory.t2, g->linear.t4, g->is.t2_bytes);
    mb_rainbow_linear_add_t1_t3(g->memory.t2, &g->work, g->set, g->linear.t1, g->linear.t3);
    g->linear.t2 = g->memory.t2;
    fill_from_stored(g, secret_key + mb_rainbow_linear_stored_bytes(g->set));
}

int mb_rainbow_keys_derive(const moonbow_generator *generator, const moonbow_sink *public_key,
                           const uint8_t *secret_key, const uint8_t *public_seed, const moonbow_scratch *scratch)
{
    const mb_rainbow_key_format *format = generator->format;
    generation *g;
    int status = MOONBOW_OK;
    if (makes_by_rows(has_seeded_secret(generator), scratch->mode)) {
        return mb_rainbow_keys_small_derive(generator, public_key, secret_key, public_seed, scratch);
    }
    g = begin(generator->set, scratch);
    if (g == NULL) {
        return MOONBOW_BAD_SCRATCH;
    }
    if (format->secret_is_seeded) {
        public_seed = secret_key;
        make_secret(g, secret_key + MB_RAINBOW_SEED_BYTES, public_seed);
        make_public(g, public_seed);
    } else {
        load_stored(g, secret_key);
        make_public(g, NULL);
        status = format->public_key->seed_bytes == 0 ? MOONBOW_OK : check_public_seed(g, public_seed);
    }
    return status != MOONBOW_OK ? status : write_public(g, format->public_key, public_seed, public_key);
}

size_t mb_rainbow_prepare_scratch_bytes(const moonbow_preparer *preparer, moonbow_mode mode)
{
    mb_arena arena = {NULL, 0};
    generation measured;
    if (makes_by_rows(1, mode)) {
        return mb_rainbow_keys_small_scratch_bytes(preparer->from_verifier->set, 1, mode);
    }
    lay_out(&measured, &arena, preparer->from_verifier->set);
    return arena.used;
}

int mb_rainbow_prepare_public(const moonbow_preparer *preparer, uint8_t *prepared,
                              const uint8_t *public_key, const moonbow_scratch *scratch)
{
    const mb_rainbow_set *set = preparer->from_verifier->set;
    mb_drbg drbg;
    mb_rainbow_prng_vartime(set, &drbg, public_key, scratch->start);
    for (size_t i = 0; i < MB_RAINBOW_DRAWN_LEN; i++) {
        const size_t size = mb_rainbow_section_size(set, mb_rainbow_drawn[i]);
        mb_drbg_draw(&drbg, prepared, size);
        prepared += size;
    }
    memcpy(prepared, public_key + MB_RAINBOW_SEED_BYTES,
           preparer->from_verifier->parameters->public_key_bytes - MB_RAINBOW_SEED_BYTES);
    return MOONBOW_OK;
}

int mb_rainbow_prepare_secret(const moonbow_preparer *preparer, uint8_t *prepared,
                              const uint8_t *secret_key, const moonbow_scratch *scratch)
{
    const uint8_t *pk_seed = secret_key, *sk_seed = secret_key + MB_RAINBOW_SEED_BYTES;
    const moonbow_sink sink = {mb_sink_append, &prepared};
    generation *g;
    if (makes_by_rows(1, scratch->mode)) {
        return mb_rainbow_keys_small_prepare_secret(preparer, prepared, secret_key, scratch);
    }
    g = begin(preparer->from_signer->set, scratch);
    if (g == NULL) {
        return MOONBOW_BAD_SCRATCH;
    }
    make_secret(g, sk_seed, pk_seed);
    return write_stored_secret(g, sk_seed, &sink);
}
