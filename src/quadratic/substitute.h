/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A linear change of variables in a stored quadratic map: how keys are made. Everything is SECRET; constant time.
 * The map is the whole triangle of n variables, row by row, one coefficient vector a monomial. */
#ifndef MB_QUADRATIC_SUBSTITUTE_H
#define MB_QUADRATIC_SUBSTITUTE_H

#include "quadratic/block.h"
#include "quadratic/workspace.h"

typedef struct mb_form {
    uint8_t *coefficients;
    size_t n;
    size_t bytes; /* of a coefficient vector */
} mb_form;

/* All coefficients together. */
static inline size_t mb_form_bytes(const mb_form *form)
{
    return form->n * (form->n + 1) / 2 * form->bytes;
}

/* The variables [first, first + count). */
typedef struct mb_range {
    size_t first, count;
} mb_range;

/* Work memory of mb_substitute. */
typedef struct mb_substitution {
    uint8_t *column;   /* gathered coefficient vectors */
    uint8_t *sums;     /* what goes to a column of the map */
    uint8_t *prepared; /* columns of M, prepared */
    size_t columns_at_once;
    int in_strips;     /* whether coefficient vectors go side by side: `column` and `sums` then hold strips */
} mb_substitution;

/* For coefficient vectors of so many bytes, how many bytes they had better have in the form: no kernel for short vectors works on less
 * than 16 at its full speed. */
size_t mb_substitution_vector_bytes(const mb_workspace *work, size_t bytes);

/* Takes the memory from the arena, for up to `count` variables replaced and `columns` variables added. */
void mb_substitution_take(mb_substitution *memory, mb_arena *arena, const mb_workspace *work,
                          size_t count, size_t columns, size_t bytes);

/* x_a → x_a + Σ_b M[a, b]·x_b for a in `from`, b in `to`, which lies after `from`. Changed are the `bytes` bytes from `first` on
 * of the coefficient vectors of the monomials that a variable of `to` is in, and of these
 * - those with a variable before `from`, all;
 * - x_a·x_b: for the last `cross` variables b of `to`; for the others they are left undefined;
 * - x_b·x_b': if one of the two is among the first `square` variables of `to`; the others are left as they were.
 * Monomials of x_b with variables elsewhere, between the two ranges or after them, are left as they were too: whoever wants them
 * makes `to` longer. */
typedef struct mb_change {
    mb_range from, to;
    const uint8_t *m; /* packed column by column: to.count columns */
    size_t first, bytes;
    int linear; /* promises that in these bytes the monomials x_a·x_a' and x_a·x_b are 0, and leaves them and all x_b·x_b' so */
    size_t square, cross;
} mb_change;

/* [RB3 §5.3]: Q = UT(Tᵗ·F·T), one block column of T at a time. */
void mb_substitute(const mb_workspace *work, const mb_substitution *memory, const mb_form *form, const mb_change *change);

/* The coefficient vector of monomial (i, j), i ≤ j. */
static inline uint8_t *mb_form_at(const mb_form *form, size_t i, size_t j)
{
    return form->coefficients + form->bytes * mb_triangle_index(form->n, i, j);
}

#endif
