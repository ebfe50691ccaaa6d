/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For builds without AES instructions or assembly: there is no accelerated AES. See aes_backend.h. */
#include "symmetric/aes_backend.h"

const mb_aes_backend *mb_aes_accelerated(unsigned features)
{
    (void)features;
    return &mb_aes_portable_backend;
}

const mb_aes_backend *mb_aes_accelerated_vartime(unsigned features)
{
    (void)features;
    return NULL;
}
