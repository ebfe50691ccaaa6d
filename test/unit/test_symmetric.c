/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Tests of src/platform and of the hashes, AES and its key streams in src/symmetric: published
 * examples, and libcrypto on random inputs. The generator has test_drbg.c. */
#include "platform/barrier.h"
#include "platform/bytes.h"
#include "platform/cpu.h"
#include "platform/declassify.h"
#include "platform/random.h"
#include "platform/wipe.h"
#include "symmetric/aes.h"
#include "symmetric/aes_backend.h"
#include "symmetric/counter.h"
#include "symmetric/ctr.h"
#include "symmetric/hash.h"
#include "symmetric/sha256.h"
#include "symmetric/sha256_backend.h"
#include "symmetric/sha3_256.h"
#include "symmetric/sha512.h"
#include "symmetric/shake256.h"
#include "xorshift.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/evp.h>

static xorshift randomness;

enum { LONGEST = 1000, ROUNDS = 400 };

/* ---- Helpers --------------------------------------------------------------------------------- */

static size_t from_hex(uint8_t *out, const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    const size_t bytes = strlen(hex) / 2;
    for (size_t i = 0; i < bytes; i++) {
        const size_t high = (size_t)(strchr(digits, hex[2 * i]) - digits);
        const size_t low = (size_t)(strchr(digits, hex[2 * i + 1]) - digits);
        out[i] = (uint8_t)(16 * high + low);
    }
    return bytes;
}

static void assert_hex(const uint8_t *got, const char *hex)
{
    uint8_t expected[64];
    const size_t bytes = from_hex(expected, hex);
    assert_memory_equal(got, expected, bytes);
}

/* SHA3-256 as an mb_hash, so that one set of tests serves all four hashes. */
static void sha3_256_init(void *context)
{
    mb_sha3_256_init(context);
}

static void sha3_256_update(void *context, const void *data, size_t bytes)
{
    mb_sha3_256_update(context, data, bytes);
}

static void sha3_256_finish(void *context, uint8_t *digest)
{
    mb_sha3_256_finish(context, digest);
}

static const mb_hash hash_sha3_256 = {
    "SHA3-256",    MB_SHA3_256_DIGEST_BYTES, sizeof(mb_sha3_256),
    sha3_256_init, sha3_256_update,          sha3_256_finish,
};

/* Names that libcrypto knows as well. */
static const mb_hash *const hashes[] = {&mb_hash_sha256, &mb_hash_sha384, &mb_hash_sha512, &hash_sha3_256};
enum { HASHES = 4 };

typedef union hash_context {
    mb_sha256 sha256;
    mb_sha512 sha512;
    mb_sha3_256 sha3_256;
} hash_context;

static const mb_hash *hash_by_name(const char *name)
{
    for (size_t i = 0; i < HASHES; i++) {
        if (strcmp(hashes[i]->name, name) == 0) {
            return hashes[i];
        }
    }
    fail_msg("no hash %s", name);
    return NULL;
}

/* Hashes `repeats` copies of a string. */
static void hash_string(uint8_t *digest, const mb_hash *hash, const char *text, size_t repeats)
{
    hash_context context;
    hash->init(&context);
    for (size_t i = 0; i < repeats; i++) {
        hash->update(&context, text, strlen(text));
    }
    hash->finish(&context, digest);
}

/* ---- Platform -------------------------------------------------------------------------------- */

static void wipe_clears_exactly_its_bytes(void **state)
{
    (void)state;
    uint8_t memory[40];
    memset(memory, 0xa5, sizeof memory);
    mb_wipe(memory + 3, 30);
    mb_wipe(memory, 0);
    mb_wipe(NULL, 0);
    for (size_t i = 0; i < sizeof memory; i++) {
        assert_int_equal(memory[i], i >= 3 && i < 33 ? 0 : 0xa5);
    }
}

static void barriers_keep_values(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ROUNDS; i++) {
        const uint64_t x = xorshift_next(&randomness);
        assert_true(mb_barrier_u64(x) == x);
        assert_true(mb_barrier_u32((uint32_t)x) == (uint32_t)x);
    }
    assert_true(mb_mask_u64(0) == 0);
    assert_true(mb_mask_u64(1) == UINT64_MAX);
    assert_true(mb_mask_u32(0) == 0);
    assert_true(mb_mask_u32(1) == UINT32_MAX);
}

static void bytes_have_their_order(void **state)
{
    (void)state;
    const uint8_t in[9] = {0xff, 0x81, 0x02, 0x03, 0x84, 0x05, 0x06, 0x07, 0x88};
    assert_true(mb_load32_le(in + 1) == 0x84030281);
    assert_true(mb_load32_be(in + 1) == 0x81020384);
    assert_true(mb_load64_le(in + 1) == 0x8807060584030281);
    assert_true(mb_load64_be(in + 1) == 0x8102038405060788);

    uint8_t out[9];
    mb_store32_le(out + 1, 0x84030281);
    assert_memory_equal(out + 1, in + 1, 4);
    mb_store32_be(out + 1, 0x81020384);
    assert_memory_equal(out + 1, in + 1, 4);
    mb_store64_le(out + 1, 0x8807060584030281);
    assert_memory_equal(out + 1, in + 1, 8);
    memset(out, 0, sizeof out);
    mb_store64_be(out + 1, 0x8102038405060788);
    assert_memory_equal(out + 1, in + 1, 8);
}

static void cpu_features_imply_what_they_promise(void **state)
{
    (void)state;
    static const struct {
        unsigned feature, implied;
    } rules[] = {
        {MB_CPU_SSE41, MB_CPU_SSSE3}, {MB_CPU_AESNI, MB_CPU_SSE41},  {MB_CPU_SHANI, MB_CPU_SSE41},
        {MB_CPU_GFNI, MB_CPU_SSE41},  {MB_CPU_PCLMUL, MB_CPU_SSE41}, {MB_CPU_AVX2, MB_CPU_SSE41},
        {MB_CPU_AVX512, MB_CPU_AVX2}, {MB_CPU_VAES, MB_CPU_AVX2},
    };
    const unsigned features = mb_cpu_features();
    assert_int_equal(features, mb_cpu_features());
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if ((features & rules[i].feature) != 0) {
            assert_true((features & rules[i].implied) != 0);
        }
    }
}

static void system_random_fills(void **state)
{
    (void)state;
    static uint8_t first[70000], second[70000];
    assert_int_equal(mb_system_random(NULL, first, sizeof first), 0);
    assert_int_equal(mb_system_random(NULL, second, sizeof second), 0);
    for (size_t i = 0; i + 16 <= sizeof first; i += 16) {
        assert_memory_not_equal(first + i, second + i, 16);
    }
    assert_int_equal(mb_system_random(NULL, NULL, 0), 0);
}

/* ---- Hashes ---------------------------------------------------------------------------------- */

/* Published by NIST as examples with FIPS 180-4 and FIPS 202, and in the CAVP's byte test vectors. */
static void hashes_match_published_examples(void **state)
{
    (void)state;
    static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static const char long_blocks[] =
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        "lmnopqrsmnopqrstnopqrstu";
    static const struct {
        const char *hash, *text;
        size_t repeats;
        const char *digest;
    } examples[] = {
        {"SHA-256", "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"SHA-256", "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"SHA-256", two_blocks, 1, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"SHA-256", "a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
        {"SHA-384", "", 1,
         "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da"
         "274edebfe76f65fbd51ad2f14898b95b"},
        {"SHA-384", "abc", 1,
         "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
         "8086072ba1e7cc2358baeca134c825a7"},
        {"SHA-384", long_blocks, 1,
         "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712"
         "fcc7c71a557e2db966c3e9fa91746039"},
        {"SHA-384", "a", 1000000,
         "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b"
         "07b8b3dc38ecc4ebae97ddd87f3d8985"},
        {"SHA-512", "", 1,
         "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
         "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"},
        {"SHA-512", "abc", 1,
         "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
         "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
        {"SHA-512", long_blocks, 1,
         "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
         "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"},
        {"SHA-512", "a", 1000000,
         "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
         "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"},
        {"SHA3-256", "", 1, "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"},
        {"SHA3-256", "abc", 1, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
        {"SHA3-256", two_blocks, 1, "41c0dba2a9d6240849100376a8235e2c82e1b9998a999e21db32dd97496d3376"},
        {"SHA3-256", "\xa3", 200, "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787"},
        {"SHA3-256", "a", 1000000, "5c8875ae474a3634ba4fd55ec85bffd661f32aca75c6d699d0cdcb6c115891c1"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const mb_hash *hash = hash_by_name(examples[i].hash);
        uint8_t digest[64];
        hash_string(digest, hash, examples[i].text, examples[i].repeats);
        assert_int_equal(strlen(examples[i].digest), 2 * hash->digest_bytes);
        assert_hex(digest, examples[i].digest);
    }
}

/* Every length, in pieces of random sizes, from addresses of every alignment. */
static void hashes_match_libcrypto(void **state)
{
    (void)state;
    static uint8_t data[LONGEST + 8];
    for (size_t h = 0; h < HASHES; h++) {
        EVP_MD *reference = EVP_MD_fetch(NULL, hashes[h]->name, NULL);
        assert_non_null(reference);
        for (size_t bytes = 0; bytes <= LONGEST; bytes++) {
            uint8_t *message = data + xorshift_below(&randomness, 8);
            xorshift_fill(&randomness, message, bytes);
            hash_context context;
            hashes[h]->init(&context);
            const size_t piece_bound = 1 + xorshift_below(&randomness, 300);
            for (size_t done = 0; done < bytes;) {
                size_t piece = xorshift_below(&randomness, piece_bound + 1);
                piece = piece < bytes - done ? piece : bytes - done;
                hashes[h]->update(&context, message + done, piece);
                done += piece;
            }
            hashes[h]->update(&context, NULL, 0);
            uint8_t digest[65], expected[64];
            unsigned expected_bytes;
            digest[hashes[h]->digest_bytes] = 0x5a;
            hashes[h]->finish(&context, digest);
            assert_int_equal(EVP_Digest(message, bytes, expected, &expected_bytes, reference, NULL), 1);
            assert_int_equal(expected_bytes, hashes[h]->digest_bytes);
            assert_memory_equal(digest, expected, expected_bytes);
            assert_int_equal(digest[expected_bytes], 0x5a);
        }
        EVP_MD_free(reference);
    }
}

static void finished_hashes_are_wiped(void **state)
{
    (void)state;
    static const uint8_t zero[sizeof(hash_context)];
    for (size_t h = 0; h < HASHES; h++) {
        hash_context context;
        uint8_t digest[64];
        hashes[h]->init(&context);
        hashes[h]->update(&context, "secret", 6);
        hashes[h]->finish(&context, digest);
        assert_memory_equal(&context, zero, hashes[h]->context_bytes);
    }
}

/* Any state, number of blocks and alignment; and blocks in one call as one by one. */
static void sha256_compressions_agree(void **state)
{
    (void)state;
    enum { MOST_BLOCKS = 9 };
    const mb_sha256_compress accelerated = mb_sha256_accelerated();
    uint8_t data[64 * MOST_BLOCKS + 16];
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint8_t *blocks = data + xorshift_below(&randomness, 16);
        const size_t count = xorshift_below(&randomness, MOST_BLOCKS + 1);
        uint32_t expected[8], singly[8], got[8];
        xorshift_fill(&randomness, data, sizeof data);
        for (size_t i = 0; i < 8; i++) {
            expected[i] = (uint32_t)xorshift_next(&randomness);
        }
        memcpy(got, expected, sizeof got);
        memcpy(singly, expected, sizeof singly);
        mb_sha256_portable(expected, blocks, count);
        for (size_t i = 0; i < count; i++) {
            mb_sha256_portable(singly, blocks + 64 * i, 1);
        }
        assert_memory_equal(singly, expected, sizeof singly);
        accelerated(got, blocks, count);
        assert_memory_equal(got, expected, sizeof got);
    }
}

/* ---- SHAKE256 -------------------------------------------------------------------------------- */

static void shake256_matches_published_examples(void **state)
{
    (void)state;
    uint8_t out[512];
    mb_shake256 shake;
    mb_shake256_init(&shake);
    mb_shake256_finish_absorb(&shake);
    mb_shake256_squeeze(&shake, out, 64);
    assert_hex(out, "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"
                    "d75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be");

    /* NIST's example of 1600 bits: the first and the last 32 of 512 bytes. */
    uint8_t message[200];
    memset(message, 0xa3, sizeof message);
    mb_shake256_init(&shake);
    mb_shake256_absorb(&shake, message, sizeof message);
    mb_shake256_finish_absorb(&shake);
    mb_shake256_squeeze(&shake, out, 512);
    assert_hex(out, "cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d");
    assert_hex(out + 480, "6a1a9d7846436e4dca5728b6f760eef0ca92bf0be5615e96959d767197a0beeb");
}

static void shake256_matches_libcrypto(void **state)
{
    (void)state;
    static uint8_t data[LONGEST + 8], out[LONGEST + 8], expected[LONGEST + 1];
    EVP_MD_CTX *reference = EVP_MD_CTX_new();
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t *message = data + xorshift_below(&randomness, 8);
        uint8_t *output = out + xorshift_below(&randomness, 8);
        const size_t bytes = xorshift_below(&randomness, LONGEST + 1);
        const size_t output_bytes = xorshift_below(&randomness, LONGEST) + 1;
        xorshift_fill(&randomness, message, bytes);

        mb_shake256 shake, fork;
        mb_shake256_init(&shake);
        for (size_t done = 0; done < bytes;) {
            size_t piece = xorshift_below(&randomness, 300);
            piece = piece < bytes - done ? piece : bytes - done;
            mb_shake256_absorb(&shake, message + done, piece);
            done += piece;
        }
        mb_shake256_absorb(&shake, NULL, 0);
        mb_shake256_finish_absorb(&shake);
        fork = shake;
        for (size_t done = 0; done < output_bytes;) {
            size_t piece = xorshift_below(&randomness, 300);
            piece = piece < output_bytes - done ? piece : output_bytes - done;
            mb_shake256_squeeze(&shake, output + done, piece);
            done += piece;
        }

        assert_int_equal(EVP_DigestInit_ex(reference, EVP_shake256(), NULL), 1);
        assert_int_equal(EVP_DigestUpdate(reference, message, bytes), 1);
        assert_int_equal(EVP_DigestFinalXOF(reference, expected, output_bytes), 1);
        assert_memory_equal(output, expected, output_bytes);
        mb_shake256_squeeze(&fork, output, output_bytes);
        assert_memory_equal(output, expected, output_bytes);
    }
    EVP_MD_CTX_free(reference);
}

static void shake256_prefixes_fork(void **state)
{
    (void)state;
    uint8_t out[32], expected[32];
    mb_shake256 prefix, fork, whole;
    mb_shake256_init(&prefix);
    mb_shake256_absorb(&prefix, "moon", 4);
    for (unsigned i = 0; i < 2; i++) {
        const char *rest = i == 0 ? "bow" : "shine";
        fork = prefix;
        mb_shake256_absorb(&fork, rest, strlen(rest));
        mb_shake256_finish_absorb(&fork);
        mb_shake256_squeeze(&fork, out, 32);

        mb_shake256_init(&whole);
        mb_shake256_absorb(&whole, i == 0 ? "moonbow" : "moonshine", 4 + strlen(rest));
        mb_shake256_finish_absorb(&whole);
        mb_shake256_squeeze(&whole, expected, 32);
        assert_memory_equal(out, expected, 32);
    }
}

/* ---- AES ------------------------------------------------------------------------------------- */

enum { MOST_BACKENDS = 3 };

/* The portable backend, the one that this machine would use, and the one that it would use without VAES, where these are others. Returns
 * how many. */
static size_t all_backends(const mb_aes_backend *backends[MOST_BACKENDS])
{
    const unsigned features = mb_cpu_features();
    const mb_aes_backend *best = mb_aes_accelerated(features);
    const mb_aes_backend *narrow = mb_aes_accelerated(features & ~(unsigned)MB_CPU_VAES);
    size_t len = 0;
    backends[len++] = &mb_aes_portable_backend;
    if (best != backends[0]) {
        backends[len++] = best;
    }
    if (narrow != backends[0] && narrow != best) {
        backends[len++] = narrow;
    }
    return len;
}

static void aes_init(const mb_aes_backend *backend, mb_aes *aes, const uint8_t *key, size_t key_bytes)
{
    if (key_bytes == 16) {
        backend->init_128(aes, key);
    } else {
        backend->init_256(aes, key);
    }
}

/* Key stream by libcrypto: zeros in counter mode. */
static void reference_ctr(uint8_t *out, size_t bytes, const uint8_t *key, size_t key_bytes,
                          const uint8_t counter[16])
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    const EVP_CIPHER *cipher = key_bytes == 16 ? EVP_aes_128_ctr() : EVP_aes_256_ctr();
    int written = 0;
    memset(out, 0, bytes);
    assert_int_equal(EVP_EncryptInit_ex(context, cipher, NULL, key, counter), 1);
    if (bytes != 0) {
        assert_int_equal(EVP_EncryptUpdate(context, out, &written, out, (int)bytes), 1);
    }
    assert_int_equal(written, bytes);
    EVP_CIPHER_CTX_free(context);
}

/* FIPS 197 appendices A.1, A.3 (last round keys), C.1, C.3 and SP 800-38A F.5.1, F.5.5. */
static void aes_matches_published_examples(void **state)
{
    (void)state;
    static const struct {
        const char *key, *last_round_key;
    } schedules[] = {
        {"2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6"},
        {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
         "fe4890d1e6188d0b046df344706c631e"},
    };
    static const struct {
        const char *key, *counter, *stream;
    } streams[] = {
        {"000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
         "69c4e0d86a7b0430d8cdb78070b4c55a"},
        {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
         "00112233445566778899aabbccddeeff", "8ea2b7ca516745bfeafc49904b496089"},
        {"2b7e151628aed2a6abf7158809cf4f3c", "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
         "ec8cdf7398607cb0f2d21675ea9ea1e4362b7c3c6773516318a077d7fc5073ae"
         "6a2cc3787889374fbeb4c81b17ba6c44e89c399ff0f198c6d40a31db156cabfe"},
        {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
         "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
         "0bdf7df1591716335e9a8b15c860c5025a6e699d536119065433863c8f657b94"
         "1bc12c9c01610d5d0d8bd6a3378eca622956e1c8693536b1bee99c73a31576b6"},
    };
    const mb_aes_backend *backends[MOST_BACKENDS];
    const size_t len = all_backends(backends);
    for (size_t b = 0; b < len; b++) {
        mb_aes aes;
        uint8_t key[32], counter[16], out[64];
        for (size_t i = 0; i < sizeof schedules / sizeof schedules[0]; i++) {
            aes_init(backends[b], &aes, key, from_hex(key, schedules[i].key));
            assert_hex(aes.round_keys + 16 * aes.rounds, schedules[i].last_round_key);
        }
        for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
            aes_init(backends[b], &aes, key, from_hex(key, streams[i].key));
            from_hex(counter, streams[i].counter);
            backends[b]->ctr(&aes, counter, out, strlen(streams[i].stream) / 32);
            assert_hex(out, streams[i].stream);
        }
    }
}

/* Every number of blocks up to 70, counters about to carry into any byte, unaligned output. */
static void aes_ctr_matches_libcrypto(void **state)
{
    (void)state;
    static uint8_t memory[16 * 70 + 16], expected[16 * 70 + 16];
    const mb_aes_backend *backends[MOST_BACKENDS];
    const size_t len = all_backends(backends);
    for (size_t blocks = 0; blocks <= 70; blocks++) {
        for (size_t carry = 0; carry <= 16; carry++) {
            const size_t key_bytes = xorshift_below(&randomness, 2) == 0 ? 16 : 32;
            uint8_t key[32], start[16];
            xorshift_fill(&randomness, key, sizeof key);
            xorshift_fill(&randomness, start, sizeof start);
            memset(start + 16 - carry, 0xff, carry);
            if (carry != 0) {
                start[15] = (uint8_t)(0xff - xorshift_below(&randomness, 12));
            }
            reference_ctr(expected, 16 * blocks + 16, key, key_bytes, start);
            for (size_t b = 0; b < len; b++) {
                uint8_t *out = memory + xorshift_below(&randomness, 16);
                uint8_t counter[16], next[16];
                mb_aes aes;
                memcpy(counter, start, 16);
                aes_init(backends[b], &aes, key, key_bytes);
                backends[b]->ctr(&aes, counter, out, blocks);
                assert_memory_equal(out, expected, 16 * blocks);
                /* The counter that is left makes the next block. */
                backends[b]->ctr(&aes, counter, next, 1);
                assert_memory_equal(next, expected + 16 * blocks, 16);
            }
        }
    }
}

/* Every number of blocks up to 100, which takes each backend through three of its longest groups and
 * any rest, with the low 64 bits about to carry at each block of the output, just behind it, and never. */
static void aes_backends_agree(void **state)
{
    (void)state;
    enum { MOST_BLOCKS = 100 };
    static uint8_t expected[16 * MOST_BLOCKS], out[16 * MOST_BLOCKS];
    const mb_aes_backend *backends[MOST_BACKENDS];
    const size_t len = all_backends(backends);
    if (len == 1) {
        skip();
    }
    uint8_t key[32];
    mb_aes aes[MOST_BACKENDS];
    xorshift_fill(&randomness, key, sizeof key);
    for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 16) {
        for (size_t b = 0; b < len; b++) {
            aes_init(backends[b], &aes[b], key, key_bytes);
            assert_int_equal(aes[b].rounds, aes[0].rounds);
            assert_memory_equal(aes[b].round_keys, aes[0].round_keys, 16 * (aes[0].rounds + 1));
        }
        for (size_t blocks = 0; blocks <= MOST_BLOCKS; blocks++) {
            for (size_t carry = 0; carry <= blocks + 1; carry++) {
                /* Block number `carry` is the first with low half 0; for every fourth the high half wraps
                 * as well. carry = 0: the low half starts at 0 and never carries. */
                const mb_counter start = {carry % 4 == 3 ? UINT64_MAX : xorshift_next(&randomness),
                                          0 - (uint64_t)carry};
                uint8_t left[16], counter[16];
                mb_counter_store(left, start);
                backends[0]->ctr(&aes[0], left, expected, blocks);
                for (size_t b = 1; b < len; b++) {
                    mb_counter_store(counter, start);
                    /* With the key that another one expanded. */
                    backends[b]->ctr(&aes[b - 1], counter, out, blocks);
                    assert_memory_equal(out, expected, 16 * blocks);
                    assert_memory_equal(counter, left, 16);
                }
            }
        }
    }
}

/* Writes nothing beyond the blocks asked for. */
static void aes_ctr_stays_in_bounds(void **state)
{
    (void)state;
    const mb_aes_backend *backends[MOST_BACKENDS];
    const size_t len = all_backends(backends);
    const uint8_t key[16] = {1};
    for (size_t b = 0; b < len; b++) {
        for (size_t blocks = 0; blocks <= 70; blocks++) {
            uint8_t out[16 * 71 + 1], counter[16] = {0};
            mb_aes aes;
            memset(out, 0x5a, sizeof out);
            backends[b]->init_128(&aes, key);
            backends[b]->ctr(&aes, counter, out, blocks);
            for (size_t i = 16 * blocks; i < sizeof out; i++) {
                assert_int_equal(out[i], 0x5a);
            }
        }
    }
}

static void counter_adds_with_carry(void **state)
{
    (void)state;
    const struct {
        mb_counter start;
        uint64_t n;
        mb_counter sum;
    } examples[] = {
        {{0, 0}, 0, {0, 0}},
        {{5, UINT64_MAX}, 1, {6, 0}},
        {{5, UINT64_MAX}, UINT64_MAX, {6, UINT64_MAX - 1}},
        {{UINT64_MAX, UINT64_MAX}, 2, {0, 1}},
        {{7, UINT64_C(1) << 63}, UINT64_C(1) << 63, {8, 0}},
        {{7, 1}, UINT64_MAX - 1, {7, UINT64_MAX}},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const mb_counter sum = mb_counter_add(examples[i].start, examples[i].n);
        assert_true(sum.high == examples[i].sum.high && sum.low == examples[i].sum.low);
    }
}

/* ---- The byte stream ------------------------------------------------------------------------- */

static void ctr_init(mb_ctr *ctr, const uint8_t *key, size_t key_bytes, const uint8_t counter[16])
{
    if (key_bytes == 16) {
        mb_ctr_init_128(ctr, key, counter);
    } else {
        mb_ctr_init_256(ctr, key, counter);
    }
}

static void ctr_reads_in_any_pieces(void **state)
{
    (void)state;
    static uint8_t out[LONGEST + 8], expected[LONGEST];
    for (unsigned round = 0; round < ROUNDS; round++) {
        const size_t key_bytes = round % 2 == 0 ? 16 : 32;
        const size_t bytes = xorshift_below(&randomness, LONGEST + 1);
        const size_t piece_bound = 1 + xorshift_below(&randomness, 200);
        uint8_t key[32], counter[16];
        uint8_t *stream = out + xorshift_below(&randomness, 8);
        mb_ctr ctr;
        xorshift_fill(&randomness, key, sizeof key);
        xorshift_fill(&randomness, counter, sizeof counter);
        if (round % 3 == 0) {
            memset(counter, 0xff, sizeof counter); /* wraps at once */
        }
        ctr_init(&ctr, key, key_bytes, counter);
        for (size_t done = 0; done < bytes;) {
            size_t piece = xorshift_below(&randomness, piece_bound + 1);
            piece = piece < bytes - done ? piece : bytes - done;
            mb_ctr_read(&ctr, stream + done, piece);
            done += piece;
        }
        mb_ctr_read(&ctr, NULL, 0);
        reference_ctr(expected, bytes, key, key_bytes, counter);
        assert_memory_equal(stream, expected, bytes);
    }
}

static void ctr_seeks_anywhere(void **state)
{
    (void)state;
    static uint8_t expected[5 * LONGEST];
    uint8_t key[16], counter[16], out[LONGEST];
    mb_ctr ctr;
    xorshift_fill(&randomness, key, sizeof key);
    xorshift_fill(&randomness, counter, sizeof counter);
    counter[15] = 0xf0; /* a carry on the way */
    reference_ctr(expected, sizeof expected, key, sizeof key, counter);
    mb_ctr_init_128(&ctr, key, counter);
    for (unsigned round = 0; round < 2 * ROUNDS; round++) {
        size_t offset = xorshift_below(&randomness, 4 * LONGEST);
        const size_t bytes = xorshift_below(&randomness, 300);
        if (round % 4 == 0) {
            offset -= offset % 16;
        }
        mb_ctr_seek(&ctr, offset);
        mb_ctr_read(&ctr, out, bytes);
        assert_memory_equal(out, expected + offset, bytes);
        mb_ctr_read(&ctr, out, 40); /* goes on from there */
        assert_memory_equal(out, expected + offset + bytes, 40);
    }
    mb_ctr_seek(&ctr, 0);
    mb_ctr_read(&ctr, out, LONGEST);
    assert_memory_equal(out, expected, LONGEST);

    /* Offsets beyond 32 bits: block 2^40 + 1. */
    const uint64_t far_block = (UINT64_C(1) << 40) + 1;
    uint8_t far_counter[16];
    mb_counter_store(far_counter, mb_counter_add(mb_counter_load(counter), far_block));
    reference_ctr(expected, 64, key, sizeof key, far_counter);
    mb_ctr_seek(&ctr, 16 * far_block + 5);
    mb_ctr_read(&ctr, out, 59);
    assert_memory_equal(out, expected + 5, 59);

    static const uint8_t zero[sizeof(mb_ctr)];
    mb_ctr_wipe(&ctr);
    assert_memory_equal(&ctr, zero, sizeof ctr);
}

/* ---- Constant time --------------------------------------------------------------------------- */

/* Means something in a build with MOONBOW_CONSTANT_TIME_TEST under valgrind: there a branch on a
 * classified byte is an error. */
static void secrets_do_not_steer(void **state)
{
    (void)state;
    uint8_t secret[300], key[32], counter[16], out[16 * 39];
    const mb_aes_backend *backends[MOST_BACKENDS];
    const size_t len = all_backends(backends);
    xorshift_fill(&randomness, secret, sizeof secret);
    mb_classify(secret, sizeof secret);

    for (size_t h = 0; h < HASHES; h++) {
        hash_context context;
        hashes[h]->init(&context);
        hashes[h]->update(&context, secret, sizeof secret);
        hashes[h]->finish(&context, out);
        mb_declassify(out, sizeof out);
    }
    mb_shake256 shake;
    mb_shake256_init(&shake);
    mb_shake256_absorb(&shake, secret, sizeof secret);
    mb_shake256_finish_absorb(&shake);
    mb_shake256_squeeze(&shake, out, sizeof out);
    mb_declassify(out, sizeof out);

    for (size_t b = 0; b < len; b++) {
        for (size_t key_bytes = 16; key_bytes <= 32; key_bytes += 16) {
            mb_aes aes;
            memcpy(key, secret, sizeof key);
            memcpy(counter, secret + 32, sizeof counter);
            aes_init(backends[b], &aes, key, key_bytes);
            backends[b]->ctr(&aes, counter, out, 39);
            mb_declassify(out, sizeof out);
        }
    }
    mb_ctr ctr;
    mb_ctr_init_256(&ctr, secret, secret + 32);
    mb_ctr_read(&ctr, out, 77);
    mb_ctr_seek(&ctr, 35);
    mb_ctr_read(&ctr, out + 77, 200);
    mb_declassify(out, sizeof out);
    assert_memory_equal(out + 35, out + 77, 42);
}

int main(int argc, char **argv)
{
    randomness = xorshift_start(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wipe_clears_exactly_its_bytes),
        cmocka_unit_test(barriers_keep_values),
        cmocka_unit_test(bytes_have_their_order),
        cmocka_unit_test(cpu_features_imply_what_they_promise),
        cmocka_unit_test(system_random_fills),
        cmocka_unit_test(hashes_match_published_examples),
        cmocka_unit_test(hashes_match_libcrypto),
        cmocka_unit_test(finished_hashes_are_wiped),
        cmocka_unit_test(sha256_compressions_agree),
        cmocka_unit_test(shake256_matches_published_examples),
        cmocka_unit_test(shake256_matches_libcrypto),
        cmocka_unit_test(shake256_prefixes_fork),
        cmocka_unit_test(aes_matches_published_examples),
        cmocka_unit_test(aes_ctr_matches_libcrypto),
        cmocka_unit_test(aes_backends_agree),
        cmocka_unit_test(aes_ctr_stays_in_bounds),
        cmocka_unit_test(counter_adds_with_carry),
        cmocka_unit_test(ctr_reads_in_any_pieces),
        cmocka_unit_test(ctr_seeks_anywhere),
        cmocka_unit_test(secrets_do_not_steer),
    };
    return cmocka_run_group_tests_name("symmetric", tests, NULL, NULL);
}
