/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The layers of a stored secret key: its blocks of F are read where they lie [RB3 §5, §6]. SECRET, constant time. */
#include "rainbow/layers.h"

#include <string.h>

static void take(mb_rainbow_signing *s, mb_arena *arena, moonbow_mode mode)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    mb_workspace_take_point(&s->work, arena, s->set->v1 > s->set->o1 ? s->set->v1 : s->set->o1);
    s->by_o1 = mb_arena_take(arena, s->set->o1 * is.o2_bytes);
    s->by_o2 = mode == MOONBOW_SMALL ? NULL : mb_arena_take(arena, s->set->o2 * is.o2_bytes);
    s->mixed = mb_arena_take(arena, is.o2_bytes);
}

static void load(mb_rainbow_signing *s, const uint8_t *secret_key)
{
    s->sk_seed = secret_key;
    s->linear = mb_rainbow_linear_stored(s->set, secret_key);
    s->block[0] = secret_key + mb_rainbow_linear_stored_bytes(s->set);
    for (size_t i = 1; i < MB_RAINBOW_DRAWN_LEN; i++) {
        s->block[i] = s->block[i - 1] + mb_rainbow_section_size(s->set, mb_rainbow_drawn[i - 1]);
    }
}

/* x_vᵗ·F2 as the matrix. */
static void layer_1(mb_rainbow_signing *s)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    mb_workspace_matrix_vector(&s->work, s->layer[0].matrix, s->set->o1 * is.o1_bytes, s->block[1], s->x,
                               s->set->v1);
}

/* F1(x_v); and what layer 2 has of the vinegars alone, which all salts share. */
static void constant_1(mb_rainbow_signing *s)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    const size_t v1 = s->set->v1, o1 = s->set->o1, o2 = s->set->o2;
    const mb_triangle triangles[2] = {{s->layer[0].constant, is.o1_bytes, s->block[0]},
                                      {s->mixed, is.o2_bytes, s->block[2]}};
    memset(s->mixed, 0, is.o2_bytes);
    mb_evaluate_triangles(&s->work, triangles, 2, s->x, v1);
    memset(s->by_o1, 0, o1 * is.o2_bytes);
    mb_workspace_matrix_vector(&s->work, s->by_o1, o1 * is.o2_bytes, s->block[3], s->x, v1);
    if (s->by_o2 != NULL) {
        memset(s->by_o2, 0, o2 * is.o2_bytes);
        mb_workspace_matrix_vector(&s->work, s->by_o2, o2 * is.o2_bytes, s->block[4], s->x, v1);
    }
}

/* x_vᵗ·F3 + x_o1ᵗ·F6 as the matrix. */
static void layer_2(mb_rainbow_signing *s)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    const size_t bytes = s->set->o2 * is.o2_bytes;
    uint8_t *matrix = s->layer[1].matrix;
    if (s->by_o2 != NULL) {
        memcpy(matrix, s->by_o2, bytes);
    } else {
        mb_workspace_matrix_vector(&s->work, matrix, bytes, s->block[4], s->x, s->set->v1);
    }
    mb_workspace_matrix_vector(&s->work, matrix, bytes, s->block[6], s->x + s->set->v1, s->set->o1);
}

/* F1(x_v) + F2(x_v, x_o1) + F5(x_o1) */
static void constant_2(mb_rainbow_signing *s)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(s->set);
    const uint8_t *x_o1 = s->x + s->set->v1;
    uint8_t *constant = s->layer[1].constant;
    const mb_triangle f5 = {constant, is.o2_bytes, s->block[5]};
    memcpy(constant, s->mixed, is.o2_bytes);
    mb_workspace_matrix_vector(&s->work, constant, is.o2_bytes, s->by_o1, x_o1, s->set->o1);
    mb_evaluate_triangles(&s->work, &f5, 1, x_o1, s->set->o1);
}

const mb_rainbow_secret_format mb_rainbow_secret_stored = {take, load, layer_1, constant_1, layer_2, constant_2};
