/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The backend for every AArch64 processor: what each of them has. See kernels.h. */
#include <arm_neon.h>

typedef uint8x16_t vec;

static inline vec vec_xor3(vec a, vec b, vec c)
{
    return veorq_u8(veorq_u8(a, b), c);
}

/* a + (b where `without` is clear) */
static inline vec vec_xor_without(vec a, vec b, vec without)
{
    return veorq_u8(a, vbicq_u8(b, without));
}

#include "linear/aarch64/pairs.h"

#include "linear/aarch64/kernels.h"

static const mb_arrangement arrangement = {ARRANGED_BYTES, arrange, combine_arranged};
static const mb_transformation transformation = {transformation_bytes, prepare_transformation, add_products};
const mb_multiplier mb_neon_multiplier = {"neon", VEC_BYTES, prepared_bytes, prepare, &arrangement, combine, combine_many, NULL,
                                           &transformation, combine_triangles};
const mb_solver mb_neon_solver = {"neon", factors_bytes, factor, solve};
const mb_gatherer mb_neon_gatherer = {"neon", 0, gather_memory_bytes, gather_begin_vartime, gather_vartime,
                                      gather_collect_vartime, NULL};
