/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Rainbow's secret linear maps: S1, T1, T2 or T4, T3, from a seed or a stored key [RB3 §4, §5]. Everything is SECRET.
 * Matrices are packed column by column, as they are serialised. */
#ifndef MB_RAINBOW_SECRET_H
#define MB_RAINBOW_SECRET_H

#include "platform/arena.h"
#include "quadratic/workspace.h"
#include "rainbow/parameters.h"

/* Lengths of the packed columns and of the matrices. */
typedef struct mb_rainbow_shapes {
    size_t v1_bytes, o1_bytes, o2_bytes, m_bytes, n_bytes;
    size_t s1_bytes, t1_bytes, t2_bytes, t3_bytes; /* T4 has the shape of T2 */
} mb_rainbow_shapes;

mb_rainbow_shapes mb_rainbow_measure(const mb_rainbow_set *set);

typedef struct mb_rainbow_linear {
    const uint8_t *s1, *t1, *t2, *t4, *t3; /* t2 is NULL where only a stored key was read */
} mb_rainbow_linear;

/* Memory for maps drawn from a seed: all five matrices. */
typedef struct mb_rainbow_linear_memory {
    uint8_t *s1, *t1, *t2, *t4, *t3;
} mb_rainbow_linear_memory;

void mb_rainbow_linear_take(mb_rainbow_linear_memory *memory, mb_arena *arena, const mb_rainbow_set *set);

/* Draws S1, T1, T2, T3 from `drbg` = PRNG(sk_seed) [RB3 §5.2] and computes T4 = T1·T3 + T2. */
mb_rainbow_linear mb_rainbow_linear_draw(const mb_rainbow_linear_memory *memory,
                                         const mb_workspace *work, const mb_rainbow_set *set,
                                         mb_drbg *drbg);

/* out ^= T1·T3, column by column, turning T2 into T4 and back. */
void mb_rainbow_linear_add_t1_t3(uint8_t *out, const mb_workspace *work, const mb_rainbow_set *set,
                                 const uint8_t *t1, const uint8_t *t3);

/* The maps of a stored key sk_seed ‖ S1 ‖ T1 ‖ T4 ‖ T3 ‖ …, by reference. */
mb_rainbow_linear mb_rainbow_linear_stored(const mb_rainbow_set *set, const uint8_t *secret_key);

/* Bytes of a stored key before F. */
size_t mb_rainbow_linear_stored_bytes(const mb_rainbow_set *set);

#endif
