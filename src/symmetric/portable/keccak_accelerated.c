/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For builds without SHA-3 instructions: there is no accelerated Keccak. See keccak_backend.h. */
#include "symmetric/keccak_backend.h"

mb_keccak_permutation mb_keccak_accelerated(void)
{
    return NULL;
}
