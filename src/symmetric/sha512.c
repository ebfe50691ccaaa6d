/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * SHA-512 and SHA-384 in portable C. Each line names what it performs in FIPS 180-4. See sha512.h. */
#include "symmetric/sha512.h"

#include "platform/bytes.h"
#include "platform/wipe.h"
#include "symmetric/sha512_backend.h"

#include <string.h>

/* [FIPS 180-4 §4.2.3] */
const uint64_t mb_sha512_round_constants[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

static uint64_t rotate_right(uint64_t x, unsigned n)
{
    return x >> n | x << (64 - n);
}

/* The message schedule [§6.4.2 step 1] in a ring of 16 words: W_t for t ≥ 16 replaces W_(t-16). */
static void extend_schedule(uint64_t w[16])
{
    for (unsigned t = 0; t < 16; t++) {
        const uint64_t a = w[(t + 1) % 16];
        const uint64_t b = w[(t + 14) % 16];
        const uint64_t sigma0 = rotate_right(a, 1) ^ rotate_right(a, 8) ^ a >> 7;
        const uint64_t sigma1 = rotate_right(b, 19) ^ rotate_right(b, 61) ^ b >> 6;
        w[t] += sigma0 + w[(t + 9) % 16] + sigma1;
    }
}

/* One block into the state [§6.4.2]. */
static void compress_block(uint64_t state[8], const uint8_t block[128])
{
    uint64_t w[16];
    for (unsigned t = 0; t < 16; t++) {
        w[t] = mb_load64_be(block + 8 * t);
    }

    uint64_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint64_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (unsigned t = 0; t < 80; t++) {
        if (t % 16 == 0 && t != 0) {
            extend_schedule(w);
        }
        const uint64_t sum1 = rotate_right(e, 14) ^ rotate_right(e, 18) ^ rotate_right(e, 41);
        const uint64_t choice = g ^ (e & (f ^ g));
        const uint64_t t1 = h + sum1 + choice + mb_sha512_round_constants[t] + w[t % 16];
        const uint64_t sum0 = rotate_right(a, 28) ^ rotate_right(a, 34) ^ rotate_right(a, 39);
        const uint64_t majority = (a & b) | (c & (a | b));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + sum0 + majority;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
    mb_wipe(w, sizeof w);
}

void mb_sha512_portable(uint64_t state[8], const uint8_t *blocks, size_t count)
{
    for (; count != 0; count--, blocks += 128) {
        compress_block(state, blocks);
    }
}

/* Through whichever compression function suits this machine, asked anew in each call: there is no state. */
static void compress(uint64_t state[8], const uint8_t *blocks, size_t count)
{
    const mb_sha512_compress accelerated = mb_sha512_accelerated();
    (accelerated != NULL ? accelerated : mb_sha512_portable)(state, blocks, count);
}

/* What both hashes do with message bytes. */
static void update(mb_sha512 *sha, const void *data, size_t bytes)
{
    const uint8_t *in = data;
    const size_t filled = (size_t)(sha->message_bytes % 128);
    sha->message_bytes += bytes;

    if (filled != 0) {
        const size_t room = 128 - filled;
        const size_t taken = bytes < room ? bytes : room;
        if (taken != 0) {
            memcpy(sha->block + filled, in, taken);
            in += taken;
            bytes -= taken;
        }
        if (taken < room) {
            return;
        }
        compress(sha->state, sha->block, 1);
    }
    compress(sha->state, in, bytes / 128);
    if (bytes % 128 != 0) {
        memcpy(sha->block, in + (bytes - bytes % 128), bytes % 128);
    }
}

/* Pads, and writes the first `words` words of the state. */
static void finish(mb_sha512 *sha, uint8_t *out, unsigned words)
{
    /* [§5.1.2]: a one bit, zeros, and the length in bits as the last 128 bits of a block, of which
     * the upper 64 are zero for a message shorter than 2^61 bytes. */
    size_t filled = (size_t)(sha->message_bytes % 128);
    sha->block[filled++] = 0x80;
    if (filled > 112) {
        memset(sha->block + filled, 0, 128 - filled);
        compress(sha->state, sha->block, 1);
        filled = 0;
    }
    memset(sha->block + filled, 0, 120 - filled);
    mb_store64_be(sha->block + 120, sha->message_bytes * 8);
    compress(sha->state, sha->block, 1);

    for (unsigned i = 0; i < words; i++) {
        mb_store64_be(out + 8 * i, sha->state[i]);
    }
    mb_wipe(sha, sizeof *sha);
}

void mb_sha512_init(mb_sha512 *sha)
{
    /* [§5.3.5] */
    static const uint64_t start[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                      0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                      0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
    memcpy(sha->state, start, sizeof start);
    sha->message_bytes = 0;
}

void mb_sha384_init(mb_sha384 *sha)
{
    /* [§5.3.4] */
    static const uint64_t start[8] = {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17,
                                      0x152fecd8f70e5939, 0x67332667ffc00b31, 0x8eb44a8768581511,
                                      0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4};
    memcpy(sha->state, start, sizeof start);
    sha->message_bytes = 0;
}

void mb_sha512_update(mb_sha512 *sha, const void *data, size_t bytes)
{
    update(sha, data, bytes);
}

void mb_sha384_update(mb_sha384 *sha, const void *data, size_t bytes)
{
    update(sha, data, bytes);
}

void mb_sha512_finish(mb_sha512 *sha, uint8_t out[64])
{
    finish(sha, out, 8);
}

void mb_sha384_finish(mb_sha384 *sha, uint8_t out[48])
{
    finish(sha, out, 6);
}
