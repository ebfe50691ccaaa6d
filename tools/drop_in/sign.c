/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The functions of NIST's and SUPERCOP's interface over Moonbow's own. Randomness comes from randombytes() alone. Scratch memory
 * comes from the heap once in each thread, and is kept for its next call; what was secret in it is wiped by then. */
#if defined(__has_include)
#if __has_include("crypto_sign.h")
#include "crypto_sign.h" /* SUPERCOP's names for the functions below */
#endif
#if __has_include("randombytes.h")
#include "randombytes.h"
#define HAS_RANDOMBYTES 1
#elif __has_include("rng.h")
#include "rng.h"
#define HAS_RANDOMBYTES 1
#endif
#endif
#include "api.h"

#include "moonbow_signature.h"

#include <stdlib.h>
#include <string.h>

#ifndef HAS_RANDOMBYTES
int randombytes(unsigned char *out, unsigned long long bytes);
#endif

/* moonbow_<name>_<role> of DROP_IN_ALGORITHM (namespace.h). */
#define JOIN_(algorithm, role) algorithm##role
#define JOIN(algorithm, role) JOIN_(algorithm, role)
#define GENERATOR (&JOIN(DROP_IN_ALGORITHM, _generator))
#define SIGNER (&JOIN(DROP_IN_ALGORITHM, _signer))
#define VERIFIER (&JOIN(DROP_IN_ALGORITHM, _verifier))

/* What a NULL moonbow_random means. */
int mb_system_random(void *context, uint8_t *out, size_t bytes);

int mb_system_random(void *context, uint8_t *out, size_t bytes)
{
    (void)context;
    randombytes(out, bytes); /* has no result in some frameworks */
    return 0;
}

/* Memory of at least so many bytes, this thread's own; start is NULL if there is none. */
static moonbow_scratch lend(size_t bytes)
{
    static _Thread_local moonbow_scratch kept;
    if (kept.bytes < bytes) {
        free(kept.start);
        kept.start = aligned_alloc(MOONBOW_SCRATCH_ALIGNMENT, bytes);
        kept.bytes = kept.start == NULL ? 0 : bytes;
    }
    kept.mode = MOONBOW_FAST;
    return kept;
}

/* 0, or -1. */
static int result(int status)
{
    return status == MOONBOW_OK ? 0 : -1;
}

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    const moonbow_scratch scratch = lend(moonbow_generate_scratch_bytes(GENERATOR, MOONBOW_FAST));
    return result(moonbow_generate(GENERATOR, pk, CRYPTO_PUBLICKEYBYTES, sk, CRYPTO_SECRETKEYBYTES, NULL, &scratch));
}

int crypto_sign_signature(unsigned char *sig, size_t *siglen, const unsigned char *m, size_t mlen, const unsigned char *sk)
{
    const moonbow_scratch scratch = lend(moonbow_sign_scratch_bytes(SIGNER, MOONBOW_FAST));
    const int status = moonbow_sign(SIGNER, sig, CRYPTO_BYTES, m, mlen, sk, CRYPTO_SECRETKEYBYTES, NULL, &scratch);
    *siglen = status == MOONBOW_OK ? CRYPTO_BYTES : 0;
    return result(status);
}

int crypto_sign_verify(const unsigned char *sig, size_t siglen, const unsigned char *m, size_t mlen, const unsigned char *pk)
{
    const moonbow_scratch scratch = lend(moonbow_verify_scratch_bytes(VERIFIER, MOONBOW_FAST));
    return result(moonbow_verify(VERIFIER, sig, siglen, m, mlen, pk, CRYPTO_PUBLICKEYBYTES, &scratch));
}

/* sm is the message, then the signature. The two may overlap in any way, as frameworks try. */
int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    unsigned char signature[CRYPTO_BYTES];
    size_t signature_bytes;
    if (crypto_sign_signature(signature, &signature_bytes, m, (size_t)mlen, sk) != 0) {
        *smlen = 0;
        return -1;
    }
    memmove(sm, m, (size_t)mlen);
    memcpy(sm + mlen, signature, CRYPTO_BYTES);
    *smlen = mlen + CRYPTO_BYTES;
    return 0;
}

/* m and sm may overlap in any way. Nothing is written to m unless the signature is good. */
int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    *mlen = 0;
    if (smlen < CRYPTO_BYTES) {
        return -1;
    }
    const size_t bytes = (size_t)smlen - CRYPTO_BYTES;
    if (crypto_sign_verify(sm + bytes, CRYPTO_BYTES, sm, bytes, pk) != 0) {
        return -1;
    }
    memmove(m, sm, bytes);
    *mlen = bytes;
    return 0;
}
