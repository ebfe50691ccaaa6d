/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Seeds to generators, messages to targets. XH chains digests: h0 = H(x), h1 = H(h0), … [RB3 §3] */
#include "rainbow/expand.h"

#include "platform/compiler.h"
#include "platform/wipe.h"

#include <string.h>

enum { LONGEST_DIGEST = 64 };

/* The beginning of a digest. By itself, because others need no stack for a whole one. */
static MB_NOINLINE void finish_part(const mb_hash *hash, void *context, uint8_t *out, size_t bytes)
{
    uint8_t digest[LONGEST_DIGEST];
    hash->finish(context, digest);
    memcpy(out, digest, bytes);
    mb_wipe(digest, sizeof digest);
}

/* Continues an absorbed hash as XH: writes `bytes` bytes. */
static void finish_chain(const mb_hash *hash, void *context, uint8_t *out, size_t bytes)
{
    const size_t digest_bytes = hash->digest_bytes;
    while (bytes >= digest_bytes) {
        hash->finish(context, out);
        bytes -= digest_bytes;
        if (bytes == 0) {
            return;
        }
        hash->init(context);
        hash->update(context, out, digest_bytes);
        out += digest_bytes;
    }
    finish_part(hash, context, out, bytes);
}

/* The 48 bytes that seed the generator. */
static void make_entropy(uint8_t entropy[MB_DRBG_SEED_BYTES], const mb_rainbow_set *set, const uint8_t *seed,
                         size_t seed_bytes, void *context)
{
    if (seed_bytes >= MB_DRBG_SEED_BYTES) {
        memcpy(entropy, seed, MB_DRBG_SEED_BYTES);
        return;
    }
    memcpy(entropy, seed, seed_bytes);
    set->hash->init(context);
    set->hash->update(context, seed, seed_bytes);
    finish_chain(set->hash, context, entropy + seed_bytes, MB_DRBG_SEED_BYTES - seed_bytes);
}

void mb_rainbow_prng(const mb_rainbow_set *set, mb_drbg *drbg, const uint8_t *seed,
                          size_t seed_bytes, void *context)
{
    uint8_t entropy[MB_DRBG_SEED_BYTES];
    make_entropy(entropy, set, seed, seed_bytes, context);
    mb_drbg_init(drbg, entropy);
    mb_wipe(entropy, sizeof entropy);
}

void mb_rainbow_prng_vartime(const mb_rainbow_set *set, mb_drbg *drbg, const uint8_t pk_seed[MB_RAINBOW_SEED_BYTES],
                             void *context)
{
    uint8_t entropy[MB_DRBG_SEED_BYTES];
    make_entropy(entropy, set, pk_seed, MB_RAINBOW_SEED_BYTES, context);
    mb_drbg_init_vartime(drbg, entropy);
}

void mb_rainbow_target(const mb_rainbow_set *set, uint8_t *target, const uint8_t *digest,
                       const uint8_t salt[MB_RAINBOW_SALT_BYTES], void *context)
{
    set->hash->init(context);
    set->hash->update(context, digest, set->hash->digest_bytes);
    set->hash->update(context, salt, MB_RAINBOW_SALT_BYTES);
    finish_chain(set->hash, context, target, mb_field_bytes(set->field, mb_rainbow_m(set)));
}
