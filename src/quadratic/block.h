/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Blocks of a quadratic map: which monomials, in which order their coefficient vectors are stored.
 * A coefficient vector holds, packed, the coefficients of one monomial in all polynomials [RB3 §4] [UOV3 §3]. */
#ifndef MB_QUADRATIC_BLOCK_H
#define MB_QUADRATIC_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/* The monomials x_i·x_j with i in [row, row + rows) and j in [column, column + columns), row by row.
 * Where both ranges are the same it is the upper triangle, i ≤ j. No other overlap occurs. */
typedef struct mb_block {
    uint16_t row, rows;
    uint16_t column, columns;
} mb_block;

static inline mb_block mb_block_triangle(size_t first, size_t count)
{
    return (mb_block){(uint16_t)first, (uint16_t)count, (uint16_t)first, (uint16_t)count};
}

static inline mb_block mb_block_rectangle(size_t row, size_t rows, size_t column, size_t columns)
{
    return (mb_block){(uint16_t)row, (uint16_t)rows, (uint16_t)column, (uint16_t)columns};
}

/* The first column of row i of the block. */
static inline size_t mb_block_row_start(mb_block block, size_t i)
{
    return block.row == block.column ? i : block.column;
}

static inline size_t mb_block_row_end(mb_block block)
{
    return (size_t)block.column + block.columns;
}

static inline size_t mb_block_monomials(mb_block block)
{
    return block.row == block.column ? (size_t)block.rows * (block.rows + 1u) / 2
                                     : (size_t)block.rows * block.columns;
}

/* The place of monomial (i, j), i ≤ j, in the triangle of n variables. */
static inline size_t mb_triangle_index(size_t n, size_t i, size_t j)
{
    return i * n - i * (i - 1) / 2 + (j - i);
}

#endif
