/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For Frama-C (tools/prove_memory.sh): the portable solver on every field, the sizes below and any matrix and right-hand side. */
#include "abstract.h"
#include "linear/portable/portable.h"

#include "linear/portable/solver.c"

static void solve_size(const mb_field *field, size_t n)
{
    const size_t bytes = mb_field_bytes(field, n);
    uint8_t *matrix = any_bytes(n * bytes);
    uint8_t *right = any_bytes(bytes);
    uint8_t *x = unset_bytes(n);
    void *factors = unset_bytes(mb_portable_solver.factors_bytes(field, n));
    if (mb_portable_solver.factor(field, matrix, factors, n) == 0) {
        mb_portable_solver.solve(field, x, right, matrix, factors, n);
    }
}

int main(void)
{
    for (size_t f = 0; f < FIELDS; f++) {
        solve_size(any_field(f), 2);
        solve_size(any_field(f), 10);
    }
    return 0;
}
