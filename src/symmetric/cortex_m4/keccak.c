/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Keccak-f[1600] on the Cortex-M4: keccak_permute.S. See keccak_backend.h. */
#include "symmetric/keccak_backend.h"

void mb_m4_keccak_permute(uint64_t lanes[25]);

mb_keccak_permutation mb_keccak_accelerated(void)
{
    return mb_m4_keccak_permute;
}
