/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Test helper: a library with NIST's interface and rainbow-I-classic's sizes that signs nothing.
 * With OVERRUN defined it writes one byte behind the secret key. */
#include <string.h>

enum { PUBLIC_KEY_BYTES = 161600, SECRET_KEY_BYTES = 103648, SIGNATURE_BYTES = 66 };

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    memset(pk, 1, PUBLIC_KEY_BYTES);
    memset(sk, 2, SECRET_KEY_BYTES);
#ifdef OVERRUN
    sk[SECRET_KEY_BYTES] = 3;
#endif
    return 0;
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    memcpy(sm, m, mlen);
    memset(sm + mlen, sk[0], SIGNATURE_BYTES);
    *smlen = mlen + SIGNATURE_BYTES;
    return 0;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                     unsigned long long smlen, const unsigned char *pk)
{
    if (smlen < SIGNATURE_BYTES || pk[0] != 1)
        return -1;
    *mlen = smlen - SIGNATURE_BYTES;
    memcpy(m, sm, *mlen);
    return 0;
}
