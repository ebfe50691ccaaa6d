/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Tests of what src/symmetric has in more than one implementation, without other libraries, so that they run on boards too:
 * published examples, and each implementation against the portable one on random lengths, counters and addresses. */
#include "platform/cpu.h"
#include "symmetric/aes_backend.h"
#include "symmetric/ctr.h"
#include "symmetric/drbg.h"
#include "symmetric/keccak_backend.h"
#include "symmetric/sha512_backend.h"
#include "symmetric/sha256.h"
#include "symmetric/sha256_backend.h"
#include "symmetric/sha3_256.h"
#include "xorshift.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static xorshift randomness;

enum { ROUNDS = 60, MOST_BLOCKS = 600, MARGIN = 24 };

static uint8_t expected[16 * MOST_BLOCKS], got[16 * MOST_BLOCKS + MARGIN];

static void fill(uint8_t *out, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (uint8_t)xorshift_next(&randomness);
    }
}

/* Everything but the portable code, if there is more: constant time first. For public keys it may be NULL. */
static const mb_aes_backend *other(unsigned index)
{
    return index == 0   ? mb_aes_accelerated(mb_cpu_features())
           : index == 1 ? mb_aes_accelerated_vartime(mb_cpu_features())
                        : &mb_aes_portable_vartime_backend;
}

enum { OTHERS = 3 };

static void init(const mb_aes_backend *backend, mb_aes *aes, const uint8_t *key, unsigned rounds)
{
    (rounds == 10 ? backend->init_128 : backend->init_256)(aes, key);
}

/* [FIPS 197 §C.1, §C.3]: the block 00112233... as a counter. */
static void aes_encrypts_the_examples_of_fips_197(void **state)
{
    static const uint8_t ciphertexts[2][16] = {
        {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a},
        {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89}};
    uint8_t key[32];
    (void)state;
    for (unsigned i = 0; i < 32; i++) {
        key[i] = (uint8_t)i;
    }
    for (unsigned b = 0; b <= OTHERS; b++) {
        const mb_aes_backend *backend = b == OTHERS ? &mb_aes_portable_backend : other(b);
        for (unsigned i = 0; i < 2 && backend != NULL; i++) {
            uint8_t counter[16], out[16];
            mb_aes aes;
            for (unsigned k = 0; k < 16; k++) {
                counter[k] = (uint8_t)(0x11 * k);
            }
            init(backend, &aes, key, i == 0 ? 10 : 14);
            backend->ctr(&aes, counter, out, 1);
            assert_memory_equal(out, ciphertexts[i], 16);
            assert_int_equal(counter[15], 0x00); /* 0xff + 1 */
            assert_int_equal(counter[14], 0xef);
        }
    }
}

/* Counters that carry through one byte, through all of them, or not at all. */
static void choose_counter(uint8_t counter[16], unsigned round)
{
    fill(counter, 16);
    if (round % 3 != 0) {
        memset(counter + round % 16, 0xff, 15 - round % 16);
    }
    if (round % 5 == 0) {
        counter[15] = 0xff;
    }
}

static void aes_backends_agree(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned rounds = round % 2 == 0 ? 14 : 10;
        const size_t blocks = round < 40 ? round : (size_t)(xorshift_next(&randomness) % MOST_BLOCKS);
        uint8_t key[32], start[16], end[16];
        mb_aes reference;
        fill(key, sizeof key);
        choose_counter(start, round);
        memcpy(end, start, 16);
        init(&mb_aes_portable_backend, &reference, key, rounds);
        mb_aes_portable_backend.ctr(&reference, end, expected, blocks);
        for (unsigned b = 0; b < OTHERS; b++) {
            const mb_aes_backend *backend = other(b);
            uint8_t *out = got + 4 + xorshift_next(&randomness) % 8;
            uint8_t counter[16];
            mb_aes aes;
            if (backend == NULL) {
                continue;
            }
            memcpy(counter, start, 16);
            memset(got, 0xa5, sizeof got);
            init(backend, &aes, key, rounds);
            assert_int_equal(aes.rounds, rounds);
            assert_memory_equal(aes.round_keys, reference.round_keys, 16 * (rounds + 1));
            backend->ctr(&aes, counter, out, blocks);
            assert_memory_equal(counter, end, 16);
            assert_memory_equal(out, expected, 16 * blocks);
            assert_int_equal(out[-1], 0xa5);
            assert_int_equal(out[16 * blocks], 0xa5);
        }
    }
}

/* One shortcut for several reads of a key, which carry into any byte of the counter or begin elsewhere. */
static void aes_shortcuts_agree(void **state)
{
    const mb_aes_cipher *const cipher = &mb_aes_vartime;
    (void)state;
    for (unsigned round = 0; round < 2 * ROUNDS && cipher->shortcut_bytes() != 0; round++) {
        mb_aes_shortcut shortcut;
        uint8_t key[32], end[16], counter[16];
        mb_aes aes;
        fill(key, sizeof key);
        fill((uint8_t *)&shortcut, sizeof shortcut);
        cipher->begin_shortcut(&shortcut);
        (round % 2 == 0 ? cipher->init_256 : cipher->init_128)(&aes, key);
        choose_counter(counter, round);
        for (unsigned read = 0; read < 6; read++) {
            const size_t blocks = xorshift_below(&randomness, read % 2 == 0 ? MOST_BLOCKS : 40);
            uint8_t *out = got + 4 + xorshift_next(&randomness) % 8;
            if (read == 4) {
                counter[round % 16] ^= 0x80;
            }
            memcpy(end, counter, 16);
            mb_aes_portable_backend.ctr(&aes, end, expected, blocks);
            memset(got, 0xa5, sizeof got);
            cipher->ctr_by_shortcut(&aes, &shortcut, counter, out, blocks);
            assert_memory_equal(counter, end, 16);
            assert_memory_equal(out, expected, 16 * blocks);
            assert_int_equal(out[-1], 0xa5);
            assert_int_equal(out[16 * blocks], 0xa5);
        }
    }
}

/* Pieces that are not wanted are left out, and nothing else changes. */
static void aes_leaves_pieces_out(void **state)
{
    uint8_t wanted[64];
    (void)state;
    for (unsigned round = 0; round < 4 * ROUNDS; round++) {
        const unsigned rounds = round % 2 == 0 ? 14 : 10;
        const size_t blocks = 1 + xorshift_below(&randomness, 4);
        const size_t count = xorshift_below(&randomness, sizeof wanted);
        uint8_t key[32], start[16], end[16];
        fill(key, sizeof key);
        fill(wanted, sizeof wanted);
        choose_counter(start, round);
        for (size_t piece = 0; piece < count; piece++) {
            wanted[piece] = wanted[piece] % (2 + round % 5) == 0 ? 0 : wanted[piece];
        }
        for (unsigned b = 0; b < OTHERS; b++) {
            const mb_aes_backend *backend = other(b);
            uint8_t counter[16];
            mb_aes aes;
            if (backend == NULL || backend->ctr_some == NULL) {
                continue;
            }
            init(backend, &aes, key, rounds);
            memcpy(end, start, 16);
            memcpy(counter, start, 16);
            backend->ctr(&aes, end, expected, blocks * count);
            memset(got, 0xa5, sizeof got);
            for (size_t piece = 0; piece < count; piece++) {
                if (wanted[piece] == 0) {
                    memset(expected + 16 * blocks * piece, 0xa5, 16 * blocks);
                }
            }
            backend->ctr_some(&aes, counter, got, blocks, wanted, count);
            assert_memory_equal(counter, end, 16);
            assert_memory_equal(got, expected, 16 * blocks * count);
            assert_int_equal(got[16 * blocks * count], 0xa5);
        }
    }
}

/* A generator from a public seed draws the same bytes, also through the streams that it opens. */
static void public_generators_draw_the_same(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 10; round++) {
        uint8_t seed[MB_DRBG_SEED_BYTES];
        mb_drbg secret, public;
        mb_ctr stream;
        fill(seed, sizeof seed);
        mb_drbg_init(&secret, seed);
        mb_drbg_init_vartime(&public, seed);
        mb_drbg_draw(&secret, expected, 1000 + round);
        mb_drbg_draw(&public, got, 1000 + round);
        assert_memory_equal(got, expected, 1000 + round);
        mb_drbg_draw(&secret, expected, 3000 + round);
        mb_drbg_open(&stream, &public, 3000 + round);
        mb_ctr_seek(&stream, 700);
        mb_ctr_read(&stream, got, 2300 + round);
        assert_memory_equal(got, expected + 700, 2300 + round);
        mb_ctr_seek(&stream, 0);
        mb_ctr_read(&stream, got, 3000 + round);
        assert_memory_equal(got, expected, 3000 + round);
        mb_drbg_draw(&secret, expected, 48);
        mb_drbg_skip(&public, 48);
        mb_drbg_draw(&secret, expected, 48);
        mb_drbg_draw(&public, got, 48);
        assert_memory_equal(got, expected, 48);
    }
}

static void public_streams_read_the_same(void **state)
{
    uint8_t key[16], counter[16];
    mb_ctr secret, public;
    (void)state;
    fill(key, sizeof key);
    fill(counter, sizeof counter);
    mb_ctr_init_128(&secret, key, counter);
    mb_ctr_init_128_vartime(&public, key, counter);
    for (size_t bytes = 0; bytes < 400; bytes += 1 + bytes / 5) {
        mb_ctr_read(&secret, expected, bytes);
        mb_ctr_read(&public, got, bytes);
        assert_memory_equal(got, expected, bytes);
    }
}

/* [FIPS 180-4], "abc" and its two-block example. */
static void sha256_hashes_the_examples(void **state)
{
    static const struct {
        const char *message;
        uint8_t digest[32];
    } examples[2] = {
        {"abc", {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
                 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad}},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         {0x24, 0x8d, 0x6a, 0x61, 0xd2, 0x06, 0x38, 0xb8, 0xe5, 0xc0, 0x26, 0x93, 0x0c, 0x3e, 0x60, 0x39,
          0xa3, 0x3c, 0xe4, 0x59, 0x64, 0xff, 0x21, 0x67, 0xf6, 0xec, 0xed, 0xd4, 0x19, 0xdb, 0x06, 0xc1}}};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        mb_sha256 sha;
        uint8_t digest[32];
        mb_sha256_init(&sha);
        mb_sha256_update(&sha, examples[i].message, strlen(examples[i].message));
        mb_sha256_finish(&sha, digest);
        assert_memory_equal(digest, examples[i].digest, 32);
    }
}

static void sha256_compressions_agree(void **state)
{
    const mb_sha256_compress accelerated = mb_sha256_accelerated();
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const size_t count = round % 10;
        const uint8_t *blocks = expected + round % 7;
        uint32_t reference[8], words[8];
        fill(expected, 64 * count + 7);
        fill((uint8_t *)reference, sizeof reference);
        memcpy(words, reference, sizeof words);
        mb_sha256_portable(reference, blocks, count);
        accelerated(words, blocks, count);
        assert_memory_equal(words, reference, sizeof words);
    }
}

/* [FIPS 202], "abc". */
static void sha3_256_hashes_the_example(void **state)
{
    static const uint8_t expected_digest[32] = {
        0x3a, 0x98, 0x5d, 0xa7, 0x4f, 0xe2, 0x25, 0xb2, 0x04, 0x5c, 0x17, 0x2d, 0x6b, 0xd3, 0x90, 0xbd,
        0x85, 0x5f, 0x08, 0x6e, 0x3e, 0x9d, 0x52, 0x5b, 0x46, 0xbf, 0xe2, 0x45, 0x11, 0x43, 0x15, 0x32};
    uint8_t digest[32];
    mb_sha3_256 sha;
    (void)state;
    mb_sha3_256_init(&sha);
    mb_sha3_256_update(&sha, "abc", 3);
    mb_sha3_256_finish(&sha, digest);
    assert_memory_equal(digest, expected_digest, 32);
}

static void sha512_and_keccak_agree(void **state)
{
    const mb_sha512_compress sha512 = mb_sha512_accelerated();
    const mb_keccak_permutation keccak = mb_keccak_accelerated();
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t first[25], second[25];
        const size_t blocks = xorshift_below(&randomness, 6), offset = xorshift_below(&randomness, MARGIN);
        fill(expected, sizeof expected);
        fill((uint8_t *)first, sizeof first);
        memcpy(second, first, sizeof first);
        if (sha512 != NULL) {
            mb_sha512_portable(first, expected + offset, blocks);
            sha512(second, expected + offset, blocks);
            assert_memory_equal(first, second, sizeof first);
        }
        if (keccak != NULL) {
            mb_keccak_portable(first);
            keccak(second);
            assert_memory_equal(first, second, sizeof first);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aes_encrypts_the_examples_of_fips_197),
        cmocka_unit_test(aes_backends_agree),
        cmocka_unit_test(aes_leaves_pieces_out),
        cmocka_unit_test(aes_shortcuts_agree),
        cmocka_unit_test(sha256_hashes_the_examples),
        cmocka_unit_test(sha256_compressions_agree),
        cmocka_unit_test(sha512_and_keccak_agree),
        cmocka_unit_test(sha3_256_hashes_the_example),
        cmocka_unit_test(public_generators_draw_the_same),
        cmocka_unit_test(public_streams_read_the_same),
    };
    randomness = xorshift_start(argc, argv);
    return cmocka_run_group_tests_name("symmetric backends", tests, NULL, NULL);
}
