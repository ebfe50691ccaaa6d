/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The station with the constant-time AES where the library expands public seeds by table. UOV's public seed follows from the secret one, so
 * with the table the addresses of key generation and of compressed keys follow it too, and traces over secret seeds could not be compared. All
 * other code is the station's. */
#include "symmetric/aes_backend.h"

const mb_aes_backend *mb_aes_accelerated_vartime(unsigned features)
{
    return mb_aes_accelerated(features);
}
