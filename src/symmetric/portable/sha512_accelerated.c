/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For builds without SHA-512 instructions: there is no accelerated SHA-512. See sha512_backend.h. */
#include "symmetric/sha512_backend.h"

mb_sha512_compress mb_sha512_accelerated(void)
{
    return NULL;
}
