/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA-512 as a value. The adapters exist because a function that takes `mb_sha512 *` may not be called
 * through a pointer to one that takes `void *`. See hash.h. */
#include "symmetric/hash.h"
#include "symmetric/sha512.h"

static void init(void *context)
{
    mb_sha512_init(context);
}

static void update(void *context, const void *data, size_t bytes)
{
    mb_sha512_update(context, data, bytes);
}

static void finish(void *context, uint8_t *digest)
{
    mb_sha512_finish(context, digest);
}

const mb_hash mb_hash_sha512 = {
    .name = "SHA-512",
    .digest_bytes = MB_SHA512_DIGEST_BYTES,
    .context_bytes = sizeof(mb_sha512),
    .init = init,
    .update = update,
    .finish = finish,
};
