/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For builds without SHA instructions: there is no accelerated SHA-256. See sha256_backend.h. */
#include "symmetric/sha256_backend.h"

mb_sha256_compress mb_sha256_accelerated(void)
{
    return NULL;
}
