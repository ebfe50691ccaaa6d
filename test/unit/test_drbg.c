/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Tests of the generator in src/symmetric/drbg.h against a plain transcription of the specification
 * over libcrypto's AES, and against the seeds that open every NIST known-answer file. */
#include "platform/declassify.h"
#include "symmetric/drbg.h"
#include "xorshift.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/evp.h>

static xorshift randomness;

enum { LONGEST = 1000 };

/* ---- The reference: [RB3 §3] word by word ---------------------------------------------------- */

typedef struct reference {
    uint8_t key[32];
    uint8_t v[16];
} reference;

/* Increment V and output AES(Key, V). */
static void reference_block(uint8_t out[16], reference *generator)
{
    for (size_t i = 16; i-- > 0;) {
        generator->v[i]++;
        if (generator->v[i] != 0) {
            break;
        }
    }
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0;
    assert_int_equal(EVP_EncryptInit_ex(context, EVP_aes_256_ecb(), NULL, generator->key, NULL), 1);
    assert_int_equal(EVP_EncryptUpdate(context, out, &written, generator->v, 16), 1);
    assert_int_equal(written, 16);
    EVP_CIPHER_CTX_free(context);
}

/* data may be NULL. */
static void reference_update(reference *generator, const uint8_t *data)
{
    uint8_t fresh[48];
    for (size_t i = 0; i < 48; i += 16) {
        reference_block(fresh + i, generator);
    }
    for (size_t i = 0; i < 48 && data != NULL; i++) {
        fresh[i] ^= data[i];
    }
    memcpy(generator->key, fresh, 32);
    memcpy(generator->v, fresh + 32, 16);
}

static void reference_init(reference *generator, const uint8_t seed[48])
{
    memset(generator, 0, sizeof *generator);
    reference_update(generator, seed);
}

static void reference_draw(reference *generator, uint8_t *out, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += 16) {
        uint8_t block[16];
        reference_block(block, generator);
        memcpy(out + done, block, bytes - done < 16 ? bytes - done : 16);
    }
    reference_update(generator, NULL);
}

static void assert_same_state(const mb_drbg *drbg, const reference *expected)
{
    assert_memory_equal(drbg->key, expected->key, 32);
    assert_memory_equal(drbg->v, expected->v, 16);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* Entropy 00 01 ... 2f, then per count a seed of 48 bytes and a message of 33 (count + 1): what every
 * known-answer file of NIST's competitions begins with. */
static void known_answer_seeds(void **state)
{
    (void)state;
    static const uint8_t seeds[2][48] = {
        {0x06, 0x15, 0x50, 0x23, 0x4d, 0x15, 0x8c, 0x5e, 0xc9, 0x55, 0x95, 0xfe, 0x04, 0xef, 0x7a, 0x25,
         0x76, 0x7f, 0x2e, 0x24, 0xcc, 0x2b, 0xc4, 0x79, 0xd0, 0x9d, 0x86, 0xdc, 0x9a, 0xbc, 0xfd, 0xe7,
         0x05, 0x6a, 0x8c, 0x26, 0x6f, 0x9e, 0xf9, 0x7e, 0xd0, 0x85, 0x41, 0xdb, 0xd2, 0xe1, 0xff, 0xa1},
        {0x64, 0x33, 0x5b, 0xf2, 0x9e, 0x5d, 0xe6, 0x28, 0x42, 0xc9, 0x41, 0x76, 0x6b, 0xa1, 0x29, 0xb0,
         0x64, 0x3b, 0x5e, 0x71, 0x21, 0xca, 0x26, 0xcf, 0xc1, 0x90, 0xec, 0x7d, 0xc3, 0x54, 0x38, 0x30,
         0x55, 0x7f, 0xdd, 0x5c, 0x03, 0xcf, 0x12, 0x3a, 0x45, 0x6d, 0x48, 0xef, 0xea, 0x43, 0xc8, 0x68}};
    static const uint8_t first_message[33] = {
        0xd8, 0x1c, 0x4d, 0x8d, 0x73, 0x4f, 0xcb, 0xfb, 0xea, 0xde, 0x3d, 0x3f, 0x8a, 0x03, 0x9f, 0xaa, 0x2a,
        0x2c, 0x99, 0x57, 0xe8, 0x35, 0xad, 0x55, 0xb2, 0x2e, 0x75, 0xbf, 0x57, 0xbb, 0x55, 0x6a, 0xc8};
    uint8_t entropy[48], out[48];
    for (size_t i = 0; i < sizeof entropy; i++) {
        entropy[i] = (uint8_t)i;
    }
    mb_drbg drbg;
    mb_drbg_init(&drbg, entropy);
    mb_drbg_draw(&drbg, out, 48);
    assert_memory_equal(out, seeds[0], 48);
    mb_drbg_draw(&drbg, out, 33);
    assert_memory_equal(out, first_message, 33);
    mb_drbg_draw(&drbg, out, 48);
    assert_memory_equal(out, seeds[1], 48);
}

/* A generator per length, and one that runs on through all of them. */
static void draws_match_the_reference(void **state)
{
    (void)state;
    uint8_t seed[48], out[LONGEST + 9], expected[LONGEST];
    mb_drbg drbg, running;
    reference generator, running_reference;
    xorshift_fill(&randomness, seed, sizeof seed);
    mb_drbg_init(&running, seed);
    reference_init(&running_reference, seed);
    assert_same_state(&running, &running_reference);
    for (size_t bytes = 0; bytes <= LONGEST; bytes += bytes < 200 ? 1 : 7) {
        uint8_t *const place = out + xorshift_below(&randomness, 8);
        xorshift_fill(&randomness, seed, sizeof seed);
        mb_drbg_init(&drbg, seed);
        reference_init(&generator, seed);
        place[bytes] = 0x5a;
        mb_drbg_draw(&drbg, place, bytes);
        reference_draw(&generator, expected, bytes);
        assert_memory_equal(place, expected, bytes);
        assert_int_equal(place[bytes], 0x5a);
        assert_same_state(&drbg, &generator);

        mb_drbg_draw(&running, out, bytes);
        reference_draw(&running_reference, expected, bytes);
        assert_memory_equal(out, expected, bytes);
        assert_same_state(&running, &running_reference);
    }
}

static void open_and_skip_equal_draw(void **state)
{
    (void)state;
    static uint8_t drawn[LONGEST], read[LONGEST];
    for (size_t bytes = 0; bytes <= LONGEST; bytes++) {
        mb_drbg drawing, opening, skipping;
        mb_ctr stream;
        uint8_t seed[48];
        xorshift_fill(&randomness, seed, sizeof seed);
        mb_drbg_init(&drawing, seed);
        if (bytes % 3 == 0) { /* V about to carry into any of its bytes */
            const size_t carry = 1 + bytes / 3 % 16;
            memset(drawing.v + 16 - carry, 0xff, carry);
            drawing.v[15] = (uint8_t)(0xff - xorshift_below(&randomness, 5));
        }
        opening = drawing;
        skipping = drawing;
        mb_drbg_draw(&drawing, drawn, bytes);
        mb_drbg_skip(&skipping, bytes);
        mb_drbg_open(&stream, &opening, bytes);
        assert_memory_equal(&skipping, &drawing, sizeof drawing);
        assert_memory_equal(&opening, &drawing, sizeof drawing);

        /* The second half, then all of it. */
        mb_ctr_seek(&stream, bytes / 2);
        mb_ctr_read(&stream, read, bytes - bytes / 2);
        assert_memory_equal(read, drawn + bytes / 2, bytes - bytes / 2);
        mb_ctr_seek(&stream, 0);
        mb_ctr_read(&stream, read, bytes / 3);
        mb_ctr_read(&stream, read + bytes / 3, bytes - bytes / 3);
        assert_memory_equal(read, drawn, bytes);
    }
}

/* Lengths beyond 32 bits only move the counter. */
static void skips_of_any_length(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes, blocks;
    } cases[] = {
        {UINT64_C(0x100000000), UINT64_C(0x10000000)},
        {UINT64_C(0x100000001), UINT64_C(0x10000001)},
        {UINT64_MAX, UINT64_C(1) << 60},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t seed[48];
        mb_drbg drbg;
        reference generator;
        xorshift_fill(&randomness, seed, sizeof seed);
        mb_drbg_init(&drbg, seed);
        reference_init(&generator, seed);
        mb_drbg_skip(&drbg, cases[i].bytes);
        uint64_t carry = cases[i].blocks; /* added byte by byte, from the last one up */
        for (size_t j = 16; j-- > 0;) {
            carry += generator.v[j];
            generator.v[j] = (uint8_t)carry;
            carry >>= 8;
        }
        reference_update(&generator, NULL);
        assert_same_state(&drbg, &generator);
    }
}

static void init_allows_a_seed_inside_the_state(void **state)
{
    (void)state;
    union {
        mb_drbg drbg;
        uint8_t seed[48];
    } shared;
    uint8_t seed[48];
    mb_drbg expected;
    xorshift_fill(&randomness, seed, sizeof seed);
    memcpy(shared.seed, seed, sizeof seed);
    mb_drbg_init(&expected, seed);
    mb_drbg_init(&shared.drbg, shared.seed);
    assert_memory_equal(&shared.drbg, &expected, sizeof expected);
}

static void wipe_clears(void **state)
{
    (void)state;
    static const uint8_t zero[sizeof(mb_drbg)];
    mb_drbg drbg;
    memset(&drbg, 0x5a, sizeof drbg);
    mb_drbg_wipe(&drbg);
    assert_memory_equal(&drbg, zero, sizeof drbg);
}

/* Means something in a build with MOONBOW_CONSTANT_TIME_TEST under valgrind. */
static void secrets_do_not_steer(void **state)
{
    (void)state;
    uint8_t seed[48], out[100];
    mb_drbg drbg;
    mb_ctr stream;
    xorshift_fill(&randomness, seed, sizeof seed);
    mb_classify(seed, sizeof seed);
    mb_drbg_init(&drbg, seed);
    mb_drbg_draw(&drbg, out, 100);
    mb_drbg_skip(&drbg, 1000);
    mb_drbg_open(&stream, &drbg, 50);
    mb_ctr_read(&stream, out, 50);
    mb_drbg_draw(&drbg, out + 50, 16);
    mb_ctr_wipe(&stream);
    mb_drbg_wipe(&drbg);
    mb_declassify(out, sizeof out);
}

int main(int argc, char **argv)
{
    randomness = xorshift_start(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answer_seeds),
        cmocka_unit_test(draws_match_the_reference),
        cmocka_unit_test(open_and_skip_equal_draw),
        cmocka_unit_test(skips_of_any_length),
        cmocka_unit_test(init_allows_a_seed_inside_the_state),
        cmocka_unit_test(wipe_clears),
        cmocka_unit_test(secrets_do_not_steer),
    };
    return cmocka_run_group_tests_name("drbg", tests, NULL, NULL);
}
