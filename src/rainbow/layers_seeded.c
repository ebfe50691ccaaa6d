/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The layers of a compressed secret key, without expanding it: F = UT(T⁻ᵗ·Q·T⁻¹), Q being the seeded public blocks with S
 * undone, so the layers are Q evaluated at points moved by T⁻¹ while Q streams out of its generator. SECRET, constant time. */
#include "rainbow/expand.h"
#include "rainbow/layers.h"

#include <string.h>

/* How much of a block is generated at a time: in fast mode two rows of the longest block, and at least so much. */
enum { ROW_BYTES_FAST = 4096, ROW_BYTES_SMALL = 1024 };

static size_t longest(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void take(mb_rainbow_signing *s, mb_arena *arena, moonbow_mode mode)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    const size_t layer_bytes = longest(is.o1_bytes, is.o2_bytes);
    mb_rainbow_linear_take(&s->memory, arena, s->set);
    s->by_o1 = mb_arena_take(arena, s->set->o1 * is.o2_bytes);
    s->by_v1 = mb_arena_take(arena, s->set->v1 * layer_bytes);
    s->moved = mb_arena_take(arena, s->set->v1);
    s->mixed = mb_arena_take(arena, is.o2_bytes);
    s->rows.buffer_bytes = mode == MOONBOW_SMALL
                               ? ROW_BYTES_SMALL
                               : longest(ROW_BYTES_FAST, 2 * longest(s->set->v1, s->set->o2) * layer_bytes);
    s->rows.buffer = mb_arena_take(arena, s->rows.buffer_bytes);
    s->rows.stream = &s->stream;
}

static void load(mb_rainbow_signing *s, const uint8_t *secret_key)
{
    const uint8_t *pk_seed = secret_key;
    mb_drbg drbg;
    s->sk_seed = secret_key + MB_RAINBOW_SEED_BYTES;
    mb_rainbow_prng(s->set, &drbg, s->sk_seed, MB_RAINBOW_SEED_BYTES, s->hash_context);
    s->linear = mb_rainbow_linear_draw(&s->memory, &s->work, s->set, &drbg);
    mb_drbg_wipe(&drbg);
    mb_rainbow_prng_vartime(s->set, &s->start, pk_seed, s->hash_context);
}

/* Makes the next block of the draws the stream. */
static void open_block(mb_rainbow_signing *s, mb_drbg *drbg, size_t index)
{
    mb_drbg_open(&s->stream, drbg, mb_rainbow_section_size(s->set, mb_rainbow_drawn[index]));
}

/* Q1(x_v), and x_vᵗ·Q2 + [x_vᵗ·(Q1 + Q1ᵗ)]·T1, of one layer's public blocks. */
static void vinegar_part(mb_rainbow_signing *s, mb_drbg *drbg, size_t index, uint8_t *constant,
                         uint8_t *matrix, size_t bytes)
{
    const size_t v1 = s->set->v1, o1 = s->set->o1;
    memset(s->by_v1, 0, v1 * bytes);
    open_block(s, drbg, index);
    mb_evaluate_polar(&s->work, constant, s->by_v1, bytes, &s->rows, s->x, v1);
    open_block(s, drbg, index + 1);
    mb_evaluate_rectangle(&s->work, matrix, NULL, bytes, &s->rows, s->x, v1, NULL, o1);
    mb_workspace_matrix_matrix(&s->work, matrix, bytes, o1, s->by_v1, v1, s->linear.t1);
}

/* Both layers' parts at the vinegars, then S undone: layer 1 of Q = layer 1 of P + S1·(layer 2 of P). */
static void layer_1(mb_rainbow_signing *s)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    const size_t o1 = s->set->o1, o2 = s->set->o2;
    uint8_t *constant = s->layer[0].constant, *matrix = s->layer[0].matrix;
    mb_drbg drbg = s->start;
    memset(s->mixed, 0, is.o2_bytes);
    memset(s->by_o1, 0, o1 * is.o2_bytes);
    vinegar_part(s, &drbg, 0, constant, matrix, is.o1_bytes);
    vinegar_part(s, &drbg, 2, s->mixed, s->by_o1, is.o2_bytes);
    mb_workspace_matrix_packed(&s->work, constant, is.o1_bytes, s->linear.s1, s->mixed, o2);
    for (size_t j = 0; j < o1; j++) {
        mb_workspace_matrix_packed(&s->work, matrix + j * is.o1_bytes, is.o1_bytes, s->linear.s1,
                                   s->by_o1 + j * is.o2_bytes, o2);
    }
    mb_drbg_wipe(&drbg);
}

/* moved = x_v + T1·x_o1 */
static void move_vinegars(mb_rainbow_signing *s)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    const size_t v1 = s->set->v1;
    mb_field_pack(s->set->field, s->w, s->x, v1);
    mb_workspace_matrix_vector(&s->work, s->w, is.v1_bytes, s->linear.t1, s->x + v1, s->set->o1);
    mb_field_unpack(s->set->field, s->moved, s->w, v1);
}

/* With a_v = x_v + T1·x_o1 and a_o = x_o1: Q1(a_v) + Q2(a_v, a_o) + Q5(a_o), and as the matrix
 * a_vᵗQ3 + a_oᵗQ6 + [a_vᵗ(Q1 + Q1ᵗ) + (Q2·a_o)ᵗ]·T4 + [a_vᵗQ2 + a_oᵗ(Q5 + Q5ᵗ)]·T3. */
static void layer_2(mb_rainbow_signing *s)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    const size_t v1 = s->set->v1, o1 = s->set->o1, o2 = s->set->o2, bytes = is.o2_bytes;
    uint8_t *constant = s->layer[1].constant, *matrix = s->layer[1].matrix;
    const uint8_t *a_v = s->moved, *a_o = s->x + v1;
    mb_drbg drbg = s->start;
    mb_drbg_skip(&drbg, mb_rainbow_section_size(s->set, mb_rainbow_drawn[0]));
    mb_drbg_skip(&drbg, mb_rainbow_section_size(s->set, mb_rainbow_drawn[1]));
    move_vinegars(s);
    memset(s->by_v1, 0, v1 * bytes);
    memset(s->by_o1, 0, o1 * bytes);
    open_block(s, &drbg, 2);
    mb_evaluate_polar(&s->work, constant, s->by_v1, bytes, &s->rows, a_v, v1);
    open_block(s, &drbg, 3);
    mb_evaluate_rectangle(&s->work, s->by_o1, s->by_v1, bytes, &s->rows, a_v, v1, a_o, o1);
    open_block(s, &drbg, 4);
    mb_evaluate_rectangle(&s->work, matrix, NULL, bytes, &s->rows, a_v, v1, NULL, o2);
    open_block(s, &drbg, 5);
    mb_evaluate_polar(&s->work, constant, s->by_o1, bytes, &s->rows, a_o, o1);
    open_block(s, &drbg, 6);
    mb_evaluate_rectangle(&s->work, matrix, NULL, bytes, &s->rows, a_o, o1, NULL, o2);
    mb_workspace_matrix_matrix(&s->work, matrix, bytes, o2, s->by_v1, v1, s->linear.t4);
    mb_workspace_matrix_matrix(&s->work, matrix, bytes, o2, s->by_o1, o1, s->linear.t3);
    mb_drbg_wipe(&drbg);
}

const mb_rainbow_secret_format mb_rainbow_secret_seeded = {take, load, layer_1, NULL, layer_2, NULL};
