/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For builds that have portable code alone. See sha256_backend.h. */
#include "symmetric/sha256_backend.h"

mb_sha256_compress mb_sha256_accelerated(void)
{
    return mb_sha256_portable;
}
