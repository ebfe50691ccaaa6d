/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The backends for AArch64: one source (kernels.h), compiled for every such processor and for those with the SHA-3 instructions. */
#ifndef MB_LINEAR_AARCH64_AARCH64_H
#define MB_LINEAR_AARCH64_AARCH64_H

#include "linear/contract.h"

extern const mb_multiplier mb_neon_sha3_multiplier, mb_neon_multiplier;
extern const mb_solver mb_neon_sha3_solver, mb_neon_solver;
extern const mb_gatherer mb_neon_sha3_gatherer, mb_neon_gatherer;

#endif
