/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The change of variables of substitute.h for machines that cannot hold the map: rows of the new map are made some at a time,
 * in order, out of coefficients of the old one that are read as often as needed. Everything is SECRET; constant time. */
#ifndef MB_QUADRATIC_SLABS_H
#define MB_QUADRATIC_SLABS_H

#include "quadratic/block.h"
#include "quadratic/workspace.h"

/* Three groups of variables: v vinegars, then o1, then o2, which may be 0. Blocks of monomials have the numbers of [RB3 §4]:
 *   1 vinegars × vinegars   2 vinegars × o1   3 vinegars × o2   5 o1 × o1   6 o1 × o2   9 o2 × o2
 * In the new variables x_v → x_v + T1·x_o1 + T2·x_o2 and x_o1 → x_o1 + T3·x_o2 these blocks are, q1 ... q6 being the old ones and
 * q9 = 0:
 *   1: q1
 *   2: (q1 + q1ᵗ)·T1 + q2
 *   3: (q1 + q1ᵗ)·T2 + q2·T3 + q3
 *   5: UT(T1ᵗ·g1) + q5                                   where g1 = q1·T1 + q2
 *   6: T1ᵗ·g2 + g1ᵗ·T2 + (q5 + q5ᵗ)·T3 + q6              where g2 = q1·T2 + q2·T3 + q3
 *   9: UT(T2ᵗ·g2 + T3ᵗ·(q5·T3 + q6))
 * Block 1 is upper triangular, so that g1 and g2 need its rows alone, in order; blocks 2 and 3 need its columns too. */
typedef struct mb_slabs {
    const mb_workspace *work;
    size_t v, o1, o2;
    size_t bytes;                 /* of a coefficient vector */
    const uint8_t *t1, *t2, *t3; /* packed, column by column */

    /* out = `count` coefficient vectors of an old block (1, 2, 3, 5, 6), from number `index` in its order on. 1, or 0 if the
     * whole block is 0: then `out` is left as it was. */
    int (*load)(void *context, uint8_t *out, unsigned block, size_t index, size_t count);
    /* Takes `count` coefficient vectors, all of row `row` (counted in its group) of a new block; may overwrite them. */
    void (*emit)(void *context, unsigned block, size_t row, uint8_t *vectors, size_t count);
    void *context;

    /* Memory, from mb_slabs_take. */
    size_t rows_bytes, sums_bytes, prepared_bytes;
    uint8_t *rows, *sums, *prepared;
} mb_slabs;

/* Takes the memory from the arena, also when that only measures: for coefficient vectors of up to `bytes_most` bytes and the
 * groups of variables that are set. About `rows_bytes` for rows of the old map and `sums_bytes` for rows of the new one: whatever
 * they are, at least what a row needs is taken, and more makes fewer passes over the old map. */
void mb_slabs_take(mb_slabs *slabs, mb_arena *arena, size_t bytes_most, size_t rows_bytes, size_t sums_bytes);

/* A set of blocks. */
#define MB_SLABS_BLOCK(number) (1u << (number))

/* Emits those of the blocks 1, 2, 3 that are in `blocks`: row after row, of each row block after block. */
void mb_slabs_vinegar_rows(const mb_slabs *slabs, unsigned blocks);

/* The same with the blocks 5 and 6. */
void mb_slabs_o1_rows(const mb_slabs *slabs, unsigned blocks);

/* The same as mb_slabs_vinegar_rows of block 3 and then mb_slabs_o1_rows of block 5 and of block 6, with less work: T1ᵗ·(the new block
 * 3) is summed up while block 3 is made. 0 if sums_bytes do not hold the blocks 5 and 6: then nothing is done. */
int mb_slabs_blocks_3_5_6(const mb_slabs *slabs);

/* Emits, as block 6, the q6 for which the new block 6 is 0, if q3 is such that the new block 3 is 0, and q5 such that block 5 is:
 * q2ᵗ·T2 + (q5 + q5ᵗ)·T3. */
void mb_slabs_o1_rows_undone(const mb_slabs *slabs);

/* Block 9. */
void mb_slabs_o2_rows(const mb_slabs *slabs);

/* Only the rows [first, first + count) of block 9, which must fit: see mb_slabs_o2_rows_at_once. They are left in slabs->sums, one
 * after the other. */
void mb_slabs_o2_sums(const mb_slabs *slabs, size_t first, size_t count);

/* How many rows of block 9 from `first` on fit into sums_bytes; at least 1. */
size_t mb_slabs_o2_rows_at_once(const mb_slabs *slabs, size_t first);

#endif
