/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * UOV's expansions; see expand.h. */
#include "uov/expand.h"

#include "platform/declassify.h"

void mb_uov_expand_secret(uint8_t public_seed[MB_UOV_PUBLIC_SEED_BYTES], mb_shake256 *stream,
                          const uint8_t secret_seed[MB_UOV_SECRET_SEED_BYTES])
{
    mb_shake256_init(stream);
    mb_shake256_absorb(stream, secret_seed, MB_UOV_SECRET_SEED_BYTES);
    mb_shake256_finish_absorb(stream);
    mb_shake256_squeeze(stream, public_seed, MB_UOV_PUBLIC_SEED_BYTES);
    mb_declassify(public_seed, MB_UOV_PUBLIC_SEED_BYTES); /* [UOV3 §5]: part of the public key */
}

void mb_uov_expand_public(mb_ctr *stream, const uint8_t public_seed[MB_UOV_PUBLIC_SEED_BYTES])
{
    static const uint8_t zero[16] = {0};
    mb_ctr_init_128_vartime(stream, public_seed, zero);
}

void mb_uov_target(const mb_uov_set *set, uint8_t *target, const mb_shake256 *message,
                   const uint8_t salt[MB_UOV_SALT_BYTES])
{
    mb_shake256 fork = *message;
    mb_shake256_absorb(&fork, salt, MB_UOV_SALT_BYTES);
    mb_shake256_finish_absorb(&fork);
    mb_shake256_squeeze(&fork, target, mb_field_bytes(set->field, set->m));
}
