/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The backend for Cortex-M4 (ARMv7E-M): what its C files and its assembly files share. Chosen when the library is built. */
#ifndef MB_LINEAR_CORTEX_M4_CORTEX_M4_H
#define MB_LINEAR_CORTEX_M4_CORTEX_M4_H

#include "linear/contract.h"

/* Whether the library is built for little code: then verification has small mode's code alone, whatever the mode. */
#ifdef MOONBOW_SMALL_CODE
enum { MB_M4_SMALL_CODE = 1 };
#else
enum { MB_M4_SMALL_CODE = 0 };
#endif

extern const mb_multiplier mb_m4_multiplier;
extern const mb_solver mb_m4_solver_16, mb_m4_solver_256; /* by the bits of the field: 4, 8 */
extern const mb_gatherer mb_m4_gatherer_16, mb_m4_gatherer_16_small, mb_m4_gatherer_256; /* by the bits of the field: 4, 8 */

/* combine_*.S: the 8·blocks > 0 bytes at out ^= Σ_j scalars[j]·(the bytes at vectors + j·stride). */
typedef void mb_m4_combine(uint8_t *out, const uint8_t *vectors, size_t stride, const uint8_t *scalars, size_t count,
                           size_t blocks);
mb_m4_combine mb_m4_combine_gf16_tower, mb_m4_combine_gf16_polynomial;
mb_m4_combine mb_m4_combine_gf256_tower, mb_m4_combine_gf256_aes;

/* combine_rows_gf16_tower.S: the same for 32 or 36 rows that lie 512 bytes apart; rows and scalars aligned to 4 bytes. */
void mb_m4_combine_rows_gf16_tower(uint8_t *out, const uint8_t *rows, const uint8_t *scalars, size_t count, size_t blocks);

/* combine_packed_*.S: the same for count > 0 packed scalars, eight a word, and the strides that they say. */
typedef void mb_m4_combine_packed(uint8_t *out, const uint8_t *vectors, size_t stride, const uint32_t *scalars, size_t count,
                                  size_t blocks);
mb_m4_combine_packed mb_m4_combine_packed_gf16_tower;

/* 1 for the fields of all algorithms; 0 for others, which go to the portable backend. That is linked only where something else
 * names it, as the tests do: a signer has no use for its 25 kB, so here the references to it are weak. */
static inline int mb_m4_has_kernels(const mb_field *field)
{
    return field->basis == MB_BASIS_TOWER || field->modulus == (field->bits == 4 ? 0x3 : 0x1b);
}

/* The one for this field, NULL if there is none. */
static inline mb_m4_combine *mb_m4_combine_for(const mb_field *field)
{
    if (field->basis == MB_BASIS_TOWER) {
        return field->bits == 4 ? mb_m4_combine_gf16_tower : mb_m4_combine_gf256_tower;
    }
    if (field->bits == 4) {
        return field->modulus == 0x3 ? mb_m4_combine_gf16_polynomial : NULL;
    }
    return field->modulus == 0x1b ? mb_m4_combine_gf256_aes : NULL;
}

/* add_until_nonzero.S: for j = 1, …, count, unless word `word` of the 16 bytes at rows has a one where the mask has, these ^= the
 * 16 bytes at rows + j·stride. Returns how many were added. */
uint32_t mb_m4_add_until_nonzero(uint8_t *rows, size_t stride, uint32_t mask, size_t count, size_t word);

/* add_first.S: for j = 1, …, count, if j ≤ first, the 16 bytes at rows ^= those at rows + j·stride. */
void mb_m4_add_first(uint8_t *rows, size_t stride, uint32_t first, size_t count);

/* eliminate.S: for j < count, the 8 bytes at columns + j·stride ^= Σ_k (bit 28 + k of entries[j])·(multiple[4 + k], multiple[k]). */
void mb_m4_eliminate(uint8_t *columns, size_t stride, const uint32_t multiple[8], const uint32_t *entries, size_t count);

/* eliminate_by_row.S: for j < count, the same to the 8 bytes at rows + 16·j, by their own four bits from bit `place` on; these go to
 * the highest bits of entries[j], unless entries is NULL. */
void mb_m4_eliminate_by_row(uint8_t *rows, unsigned place, const uint32_t multiple[8], uint32_t *entries, size_t count);

/* gather_row.S: for c < count, the 16·quarters > 0 bytes at bucket[x[c]], unless that is NULL, ^= vector c, which is as long.
 * Buckets and vectors are aligned to 4 bytes. */
void mb_m4_gather_row_vartime(uint8_t *const bucket[16], const uint8_t *vectors, size_t quarters, const uint8_t *x,
                              size_t count);

/* For gather_values.S and gather_nibbles.S, over GF(256): a row of the map. */
typedef struct mb_m4_values {
    uint8_t low[16], high[16]; /* x_i times each low nibble, times each high one */
    uint8_t *buckets;          /* aligned to 4 bytes */
    size_t stride;             /* of the buckets */
    size_t bytes;              /* of a vector: 0 < bytes < 16·(MB_M4_GROUPS_MOST + 1), modulo 4 it is 0 or 1 */
} mb_m4_values;

enum { MB_M4_GROUPS_MOST = 8 };

/* For c < count, with p = x_i·x[c], unless that is 0: bucket p, or the buckets p mod 16 and 16 + p / 16, ^= vector c. */
void mb_m4_gather_values_vartime(const mb_m4_values *to, const uint8_t *vectors, const uint8_t *x, size_t count);
void mb_m4_gather_nibbles_vartime(const mb_m4_values *to, const uint8_t *vectors, const uint8_t *x, size_t count);

/* gather_planes.S: for c < count and k < 4, if coordinates[x[c]] has bit k, the 16·quarters bytes, 16 or 32, at planes + 32·k ^= vector c,
 * which is as long. Planes and vectors are aligned to 4 bytes. */
void mb_m4_gather_planes_vartime(uint8_t *planes, const uint8_t *vectors, size_t quarters, const uint8_t coordinates[16], const uint8_t *x,
                                 size_t count);

/* gather_sorted.S: planes of 32 bytes, and behind them columns by the power of g that their variable is, where g⁴ = g + 1: those of power w begin
 * at number starts[w] = starts[w + 15] and end with MB_M4_NO_COLUMN. The variable of the row is power u; its 32-byte vector of column j would lie
 * at row + 32·j. Plane k ^= the vectors whose product has coordinate k. Planes and vectors are aligned to 4 bytes. */
enum { MB_M4_NO_COLUMN = 255 };
void mb_m4_gather_sorted_vartime(uint8_t *planes, unsigned u, const uint8_t *row, const uint8_t starts[30]);

/* For gather_classes.S: the row of a variable. */
typedef struct mb_m4_row {
    int8_t entry[16]; /* by class: how many columns it has there, as a jump */
    uintptr_t base;   /* to which column offsets are added */
    const struct mb_m4_row *next; /* of its class, ascending; after the last one a row without columns */
} mb_m4_row;

enum { MB_M4_COLUMNS_MOST = 20 }; /* of one class */

/* A class that is being sorted: what belongs to it from one variable on. */
typedef struct mb_m4_place {
    const mb_m4_row *rows;
    uint32_t *column; /* the next one to be filled */
} mb_m4_place;

typedef struct mb_m4_classes {
    int8_t entry[16];       /* what the next row sees of the columns */
    mb_m4_place place[16];  /* after the last class rows are NULL */
    uint32_t columns[15][MB_M4_COLUMNS_MOST]; /* of each class, descending: offsets of their vectors in each row */
} mb_m4_classes;

/* sort_square.S: for j = count - 1, …, 0 variable j joins the columns of its class, and is given the row at rows + count - 1 - j: at `offset`
 * and `base`, for the last one; the next ones lie as in a triangle of 32-byte vectors. 0, or -1 where a class is full. */
int mb_m4_sort_square_vartime(mb_m4_classes *classes, mb_m4_row *rows, const uint8_t *x, size_t count, const uint8_t logarithm[16], uint32_t offset,
                              uintptr_t base);

/* gather_classes.S: for all pairs of a row in class u and a column in class w, with p = g^(u + w), where g⁴ = g + 1: plane k ^= their 32-byte
 * vector, where p has coordinate k. The four planes lie one after the other. */
void mb_m4_gather_classes_vartime(const mb_m4_classes *classes, uint32_t *planes);

#endif
