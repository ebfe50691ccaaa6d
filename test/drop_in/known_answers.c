/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A generator of NIST's known answers for a folder that tools/drop_in.py wrote: it sees api.h alone, and brings the randombytes() that
 * the answers are defined by (AES-256 CTR-DRBG without derivation function), on libcrypto. Usage: known_answers COUNT. */
#include "api.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int randombytes(unsigned char *out, unsigned long long bytes);

/* ---- The generator of random bytes ----------------------------------------------------------- */

typedef struct drbg {
    unsigned char key[32], v[16];
} drbg;

static drbg current; /* what randombytes() draws from */

static void next_block(drbg *g, unsigned char out[16])
{
    EVP_CIPHER_CTX *aes = EVP_CIPHER_CTX_new();
    int bytes = 0;
    for (int i = 15; i >= 0 && ++g->v[i] == 0; i--) {
    }
    if (aes == NULL || !EVP_EncryptInit_ex(aes, EVP_aes_256_ecb(), NULL, g->key, NULL) ||
        !EVP_EncryptUpdate(aes, out, &bytes, g->v, 16))
        abort();
    EVP_CIPHER_CTX_free(aes);
}

static void update(drbg *g, const unsigned char *data)
{
    unsigned char next[48];
    for (int i = 0; i < 48; i += 16)
        next_block(g, next + i);
    for (int i = 0; data != NULL && i < 48; i++)
        next[i] ^= data[i];
    memcpy(g->key, next, 32);
    memcpy(g->v, next + 32, 16);
}

static void seed(drbg *g, const unsigned char entropy[48])
{
    memset(g, 0, sizeof *g);
    update(g, entropy);
}

int randombytes(unsigned char *out, unsigned long long bytes)
{
    unsigned char block[16];
    for (unsigned long long done = 0; done < bytes; done += 16) {
        next_block(&current, block);
        memcpy(out + done, block, bytes - done < 16 ? (size_t)(bytes - done) : 16);
    }
    update(&current, NULL);
    return 0;
}

/* ---- The answers ----------------------------------------------------------------------------- */

static void line(const char *name, const unsigned char *bytes, size_t bytes_len)
{
    printf("%s = ", name);
    for (size_t i = 0; i < bytes_len; i++)
        printf("%02X", bytes[i]);
    printf("\n");
}

static void require(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "known_answers: not so: %s\n", what);
        exit(1);
    }
}

static unsigned char pk[CRYPTO_PUBLICKEYBYTES], sk[CRYPTO_SECRETKEYBYTES];

/* Opening, in all the ways that it can go, and the detached functions. */
static void check(const unsigned char *m, size_t mlen, unsigned char *sm, unsigned long long smlen)
{
    unsigned char *opened = malloc(smlen);
    unsigned long long opened_len = 77;
    require(opened != NULL && smlen == mlen + CRYPTO_BYTES, "the length of a signed message");
    require(crypto_sign_open(opened, &opened_len, sm, smlen, pk) == 0 && opened_len == mlen && memcmp(opened, m, mlen) == 0,
            "a signed message opens");
    memcpy(opened, sm, smlen);
    require(crypto_sign_open(opened, &opened_len, opened, smlen, pk) == 0 && memcmp(opened, m, mlen) == 0, "it opens in place");
    memset(opened, 0x55, smlen);
    for (size_t at = 0; at < smlen; at += smlen - 1) {
        sm[at] ^= 1;
        require(crypto_sign_open(opened, &opened_len, sm, smlen, pk) == -1 && opened_len == 0 && opened[0] == 0x55,
                "a changed one does not, and nothing is written");
        require(crypto_sign_verify(sm + mlen, CRYPTO_BYTES, sm, mlen, pk) == -1, "nor does a changed signature verify");
        sm[at] ^= 1;
    }
    require(crypto_sign_open(opened, &opened_len, sm, CRYPTO_BYTES - 1, pk) == -1, "nor a short one");
    require(crypto_sign_verify(sm + mlen, CRYPTO_BYTES, m, mlen, pk) == 0, "the detached signature verifies");
    require(crypto_sign_verify(sm + mlen, CRYPTO_BYTES - 1, m, mlen, pk) == -1, "a short one does not");
    free(opened);
}

static void answer(int count, const unsigned char entropy[48], const unsigned char *m, size_t mlen)
{
    unsigned char *sm = malloc(mlen + CRYPTO_BYTES), detached[CRYPTO_BYTES];
    unsigned long long smlen;
    size_t detached_len;
    require(sm != NULL, "there is memory");
    seed(&current, entropy);
    require(crypto_sign_keypair(pk, sk) == 0, "a key pair");
    const drbg before = current;
    require(crypto_sign(sm, &smlen, m, mlen, sk) == 0, "a signature");
    printf("count = %d\n", count);
    line("seed", entropy, 48);
    printf("mlen = %zu\n", mlen);
    line("msg", m, mlen);
    line("pk", pk, sizeof pk);
    line("sk", sk, sizeof sk);
    printf("smlen = %llu\n", smlen);
    line("sm", sm, (size_t)smlen);
    printf("\n");
    current = before;
    require(crypto_sign_signature(detached, &detached_len, m, mlen, sk) == 0 && detached_len == CRYPTO_BYTES &&
                memcmp(detached, sm + mlen, CRYPTO_BYTES) == 0,
            "the detached signature is the same");
    current = before;
    memcpy(sm, m, mlen);
    require(crypto_sign(sm, &smlen, sm, mlen, sk) == 0 && memcmp(detached, sm + mlen, CRYPTO_BYTES) == 0, "so is one made in place");
    check(m, mlen, sm, smlen);
    free(sm);
}

int main(int argc, char **argv)
{
    unsigned char entropy[48], m[33 * 100];
    drbg outer;
    for (int i = 0; i < 48; i++)
        entropy[i] = (unsigned char)i;
    seed(&outer, entropy);
    printf("# %s\n\n", CRYPTO_ALGNAME);
    for (int count = 0; count < (argc > 1 ? atoi(argv[1]) : 1) && count < 100; count++) {
        current = outer;
        randombytes(entropy, 48);
        randombytes(m, 33 * (unsigned long long)(count + 1));
        outer = current;
        answer(count, entropy, m, 33 * (size_t)(count + 1));
    }
    return 0;
}
