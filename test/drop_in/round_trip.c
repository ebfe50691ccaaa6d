/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * One key, one signature and a forgery through api.h, for machines without libcrypto. Its random bytes are a counter's. */
#include "api.h"

#include <string.h>

int randombytes(unsigned char *out, unsigned long long bytes);

int randombytes(unsigned char *out, unsigned long long bytes)
{
    static unsigned state = 1;
    for (unsigned long long i = 0; i < bytes; i++) {
        state = state * 1103515245 + 12345;
        out[i] = (unsigned char)(state >> 16);
    }
    return 0;
}

static unsigned char pk[CRYPTO_PUBLICKEYBYTES], sk[CRYPTO_SECRETKEYBYTES];

int main(void)
{
    unsigned char sm[7 + CRYPTO_BYTES], m[7 + CRYPTO_BYTES];
    unsigned long long smlen, mlen;
    if (crypto_sign_keypair(pk, sk) != 0 || crypto_sign(sm, &smlen, (const unsigned char *)"message", 7, sk) != 0 ||
        crypto_sign_open(m, &mlen, sm, smlen, pk) != 0 || mlen != 7 || memcmp(m, "message", 7) != 0)
        return 1;
    sm[0] ^= 1;
    return crypto_sign_open(m, &mlen, sm, smlen, pk) == -1 ? 0 : 2;
}
