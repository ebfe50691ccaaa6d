/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The secret linear maps of a key; see secret.h. */
#include "rainbow/secret.h"

#include <string.h>

mb_rainbow_shapes mb_rainbow_measure(const mb_rainbow_set *set)
{
    mb_rainbow_shapes is;
    is.v1_bytes = mb_field_bytes(set->field, set->v1);
    is.o1_bytes = mb_field_bytes(set->field, set->o1);
    is.o2_bytes = mb_field_bytes(set->field, set->o2);
    is.m_bytes = is.o1_bytes + is.o2_bytes;
    is.n_bytes = is.v1_bytes + is.m_bytes;
    is.s1_bytes = is.o1_bytes * set->o2;
    is.t1_bytes = is.v1_bytes * set->o1;
    is.t2_bytes = is.v1_bytes * set->o2;
    is.t3_bytes = is.o1_bytes * set->o2;
    return is;
}

void mb_rainbow_linear_take(mb_rainbow_linear_memory *memory, mb_arena *arena, const mb_rainbow_set *set)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(set);
    memory->s1 = mb_arena_take(arena, is.s1_bytes);
    memory->t1 = mb_arena_take(arena, is.t1_bytes);
    memory->t2 = mb_arena_take(arena, is.t2_bytes);
    memory->t4 = mb_arena_take(arena, is.t2_bytes);
    memory->t3 = mb_arena_take(arena, is.t3_bytes);
}

void mb_rainbow_linear_add_t1_t3(uint8_t *out, const mb_workspace *work, const mb_rainbow_set *set,
                                 const uint8_t *t1, const uint8_t *t3)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(set);
    for (size_t j = 0; j < set->o2; j++) {
        mb_workspace_matrix_packed(work, out + j * is.v1_bytes, is.v1_bytes, t1,
                                   t3 + j * is.o1_bytes, set->o1);
    }
}

mb_rainbow_linear mb_rainbow_linear_draw(const mb_rainbow_linear_memory *memory,
                                         const mb_workspace *work, const mb_rainbow_set *set,
                                         mb_drbg *drbg)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(set);
    mb_drbg_draw(drbg, memory->s1, is.s1_bytes);
    mb_drbg_draw(drbg, memory->t1, is.t1_bytes);
    mb_drbg_draw(drbg, memory->t2, is.t2_bytes);
    mb_drbg_draw(drbg, memory->t3, is.t3_bytes);
    memcpy(memory->t4, memory->t2, is.t2_bytes);
    mb_rainbow_linear_add_t1_t3(memory->t4, work, set, memory->t1, memory->t3);
    return (mb_rainbow_linear){memory->s1, memory->t1, memory->t2, memory->t4, memory->t3};
}

size_t mb_rainbow_linear_stored_bytes(const mb_rainbow_set *set)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(set);
    return MB_RAINBOW_SEED_BYTES + is.s1_bytes + is.t1_bytes + is.t2_bytes + is.t3_bytes;
}

mb_rainbow_linear mb_rainbow_linear_stored(const mb_rainbow_set *set, const uint8_t *secret_key)
{
    const mb_rainbow_shapes is = mb_rainbow_measure(set);
    mb_rainbow_linear linear = {0};
    linear.s1 = secret_key + MB_RAINBOW_SEED_BYTES;
    linear.t1 = linear.s1 + is.s1_bytes;
    linear.t4 = linear.t1 + is.t1_bytes;
    linear.t3 = linear.t4 + is.t2_bytes;
    return linear;
}
