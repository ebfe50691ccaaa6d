/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The backend for AArch64 processors with the SHA-3 instructions: EOR3 adds three registers, BCAX adds under a mask. Build with
 * -march=armv8.2-a+sha3; entered only where they exist. See kernels.h. */
#include <arm_neon.h>

typedef uint8x16_t vec;

static inline vec vec_xor3(vec a, vec b, vec c)
{
    return veor3q_u8(a, b, c);
}

/* a + (b where `without` is clear) */
static inline vec vec_xor_without(vec a, vec b, vec without)
{
    return vbcaxq_u8(a, b, without);
}

#include "linear/aarch64/pairs.h"

#include "linear/aarch64/kernels.h"

static const mb_arrangement arrangement = {ARRANGED_BYTES, arrange, combine_arranged};
static const mb_transformation transformation = {transformation_bytes, prepare_transformation, add_products};
const mb_multiplier mb_neon_sha3_multiplier = {"neon-sha3", VEC_BYTES, prepared_bytes, prepare, &arrangement, combine, combine_many, NULL,
                                                &transformation, combine_triangles};
const mb_solver mb_neon_sha3_solver = {"neon-sha3", factors_bytes, factor, solve};
const mb_gatherer mb_neon_sha3_gatherer = {"neon-sha3", 0, gather_memory_bytes, gather_begin_vartime, gather_vartime,
                                           gather_collect_vartime, NULL};
