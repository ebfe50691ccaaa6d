/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Chooses the backend for this machine. The one place outside platform/ that may know about architectures. */
#include "linear/contract.h"
#include "linear/portable/portable.h"

const mb_multiplier *mb_linear_multiplier(void)
{
    return &mb_portable_multiplier;
}

const mb_solver *mb_linear_solver(void)
{
    return &mb_portable_solver;
}

const mb_gatherer *mb_linear_gatherer(void)
{
    return &mb_portable_gatherer;
}
