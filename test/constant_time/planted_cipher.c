/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A secret seed with the cipher for public ones, which looks up tables. The constant-time test must fail with it. */
#include "symmetric/drbg.h"

void __wrap_mb_drbg_init(mb_drbg *drbg, const uint8_t seed[48]);

void __wrap_mb_drbg_init(mb_drbg *drbg, const uint8_t seed[48])
{
    mb_drbg_init_vartime(drbg, seed);
}
