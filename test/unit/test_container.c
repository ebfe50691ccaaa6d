/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Memory for secrets, encrypted keys and the forms of key files, as programs other than the tool use them. */
#include <container/key.h>
#include <container/memory.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Memory --------------------------------------------------------------------------------- */

#ifndef MB_CONTAINER_SANITIZED /* where memory comes from the sanitizer's heap */

/* Does the mapping of this address carry a flag of /proc/self/smaps? */
static int mapping_has_flag(const void *address, const char *flag)
{
    FILE *smaps = fopen("/proc/self/smaps", "r");
    char line[512];
    uintptr_t start = 0, end = 0;
    int found = -1;
    assert_non_null(smaps);
    while (fgets(line, sizeof line, smaps)) {
        uintptr_t from, to;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2) {
            start = from;
            end = to;
        } else if (strncmp(line, "VmFlags:", 8) == 0 && (uintptr_t)address >= start &&
                   (uintptr_t)address < end) {
            found = strstr(line, flag) != NULL;
        }
    }
    fclose(smaps);
    assert_int_not_equal(found, -1);
    return found;
}

#endif

static const size_t sizes[] = {0, 1, 63, 64, 65, 4032, 4033, 4096, 4097, 100000};
enum { SIZES_LEN = sizeof sizes / sizeof sizes[0] };

static void test_memory_is_zero_and_aligned(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIZES_LEN; i++) {
        uint8_t *memory = moonbow_memory_new_secret(sizes[i]);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % MOONBOW_SCRATCH_ALIGNMENT, 0);
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(memory[j], 0);
        memset(memory, 0xa5, sizes[i]);
        moonbow_memory_free(memory, sizes[i]);
    }
    moonbow_memory_free(NULL, 100);
#ifndef MB_CONTAINER_SANITIZED /* which ends the program at such a size */
    assert_null(moonbow_memory_new(SIZE_MAX - 10));
#endif
}

#ifndef MB_CONTAINER_SANITIZED

static void test_memory_is_left_out_of_core_dumps(void **state)
{
    (void)state;
    void *ordinary = malloc(100), *ours = moonbow_memory_new(100), *secret = moonbow_memory_new_secret(100);
    assert_false(mapping_has_flag(ordinary, " dd"));
    assert_true(mapping_has_flag(ours, " dd"));
    assert_true(mapping_has_flag(secret, " dd"));
    assert_true(mapping_has_flag(secret, " lo"));
    moonbow_memory_free(ours, 100);
    moonbow_memory_free(secret, 100);
    free(ordinary);
}

/* In a process of its own: does writing `offset` bytes behind a block of `bytes` end it? */
static int write_behind_faults(size_t bytes, size_t offset)
{
    const pid_t child = fork();
    assert_int_not_equal(child, -1);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGSEGV, SIG_DFL); /* cmocka catches it */
        volatile uint8_t *memory = moonbow_memory_new(bytes);
        memory[bytes + offset] = 1;
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status);
}

static void test_overruns_fault(void **state)
{
    (void)state;
    assert_true(write_behind_faults(64, 0));
    assert_true(write_behind_faults(4096, 0));
    assert_true(write_behind_faults(100, 28)); /* the next multiple of the alignment */
    assert_false(write_behind_faults(100, 27));
}

/* Where memory may not be locked, it is ordinary memory. */
static void test_no_locked_memory(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_MEMLOCK, &none);
        uint8_t *memory = moonbow_memory_new_secret(100000);
        if (!memory)
            _exit(1);
        memset(memory, 1, 100000);
        moonbow_memory_free(memory, 100000);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

#endif

/* ---- Encrypted keys ------------------------------------------------------------------------- */

static const moonbow_passphrase right = {(const uint8_t *)"moonlight", 9};
static const moonbow_passphrase wrong = {(const uint8_t *)"moonlighT", 9};

static void make_pair(moonbow_key **public_key, moonbow_key **secret_key)
{
    const moonbow_algorithm *algorithm = moonbow_algorithm_by_name("uov-Is-pkc-skc");
    assert_int_equal(moonbow_key_generate(public_key, secret_key, algorithm, NULL, NULL, 0, MOONBOW_FAST), 0);
}

typedef int (*encrypt)(moonbow_encoding *, const moonbow_key *, const moonbow_passphrase *);

static void check_encrypted(encrypt to_form, const moonbow_key *key)
{
    moonbow_encoding encoding;
    moonbow_detail detail;
    moonbow_key *again = NULL;
    assert_int_equal(to_form(&encoding, key, &right), MOONBOW_OK);
    const uint8_t *bytes = encoding.bytes;
    const size_t len = encoding.bytes_len;
    assert_null(memmem(bytes, len, key->bytes, key->bytes_len));
    assert_int_equal(moonbow_key_from_bytes(&again, bytes, len, MOONBOW_SECRET_KEY, NULL, &detail),
                     MOONBOW_CONTAINER_ENCRYPTED);
    assert_null(again);
    assert_int_equal(moonbow_key_from_bytes(&again, bytes, len, MOONBOW_ANY_KEY, &wrong, &detail),
                     MOONBOW_CONTAINER_WRONG_PASSPHRASE);
    assert_null(again);
    assert_int_equal(moonbow_key_from_bytes(&again, bytes, len, MOONBOW_PUBLIC_KEY, &right, &detail),
                     MOONBOW_CONTAINER_WRONG_KIND);
    assert_null(again);
    assert_int_equal(moonbow_key_from_bytes(&again, bytes, len, MOONBOW_ANY_KEY, &right, &detail),
                     MOONBOW_OK);
    assert_ptr_equal(again->algorithm, key->algorithm);
    assert_memory_equal(again->bytes, key->bytes, key->bytes_len);
    moonbow_key_free(again);
    moonbow_encoding_free(&encoding);
}

static void test_encrypted_keys(void **state)
{
    (void)state;
    moonbow_key *public_key, *secret_key;
    moonbow_encoding encoding;
    make_pair(&public_key, &secret_key);
    check_encrypted(moonbow_key_to_encrypted_der, secret_key);
    check_encrypted(moonbow_key_to_encrypted_pem, secret_key);

    const moonbow_passphrase empty = {right.bytes, 0},
                             long_one = {right.bytes, MOONBOW_PASSPHRASE_BYTES_MAX + 1};
    assert_int_equal(moonbow_key_to_encrypted_der(&encoding, public_key, &right),
                     MOONBOW_CONTAINER_WRONG_KIND);
    assert_int_equal(moonbow_key_to_encrypted_pem(&encoding, secret_key, &empty), MOONBOW_WRONG_LENGTH);
    assert_int_equal(moonbow_key_to_encrypted_pem(&encoding, secret_key, &long_one), MOONBOW_WRONG_LENGTH);
    assert_null(encoding.bytes);
    moonbow_key_free(public_key);
    moonbow_key_free(secret_key);
}

/* Every beginning of an encrypted key, and every byte of it changed: an error, a reason and no key; nothing worse. */
static void test_damaged_encrypted_keys(void **state)
{
    (void)state;
    moonbow_key *public_key, *secret_key, *key;
    moonbow_encoding der;
    make_pair(&public_key, &secret_key);
    assert_int_equal(moonbow_key_to_encrypted_der(&der, secret_key, &right), MOONBOW_OK);
    for (size_t len = 0; len < der.bytes_len; len++) {
        moonbow_detail detail = {""};
        assert_int_not_equal(moonbow_key_from_bytes(&key, der.bytes, len, MOONBOW_ANY_KEY, &right, &detail),
                             0);
        assert_null(key);
        assert_string_not_equal(detail.text, "");
    }
    for (size_t i = 0; i < der.bytes_len; i++) {
        moonbow_detail detail = {""};
        der.bytes[i] ^= 0x81;
        const int status =
            moonbow_key_from_bytes(&key, der.bytes, der.bytes_len, MOONBOW_ANY_KEY, NULL, &detail);
        assert_int_not_equal(status, MOONBOW_OK);
        assert_null(key);
        assert_string_not_equal(detail.text, "");
        der.bytes[i] ^= 0x81;
    }
    moonbow_encoding_free(&der);
    moonbow_key_free(public_key);
    moonbow_key_free(secret_key);
}

/* ---- Forms and contents --------------------------------------------------------------------- */

static void test_forms(void **state)
{
    (void)state;
    moonbow_key *keys[2], *again;
    moonbow_detail detail;
    make_pair(&keys[0], &keys[1]);
    for (int i = 0; i < 2; i++) {
        moonbow_encoding der, pem;
        assert_int_equal(moonbow_key_to_der(&der, keys[i]), MOONBOW_OK);
        assert_int_equal(moonbow_key_to_pem(&pem, keys[i]), MOONBOW_OK);
        assert_int_equal(moonbow_key_form_of(der.bytes, der.bytes_len), MOONBOW_KEY_DER);
        assert_int_equal(moonbow_key_form_of(der.bytes, der.bytes_len - 1), MOONBOW_KEY_NEITHER);
        assert_int_equal(moonbow_key_form_of(pem.bytes, pem.bytes_len), MOONBOW_KEY_PEM);
        assert_int_equal(
            moonbow_key_from_bytes(&again, der.bytes, der.bytes_len, MOONBOW_ANY_KEY, NULL, &detail), 0);
        assert_int_equal(again->kind, keys[i]->kind);
        moonbow_key_free(again);
        moonbow_encoding_free(&der);
        moonbow_encoding_free(&pem);
    }
    assert_int_equal(moonbow_key_form_of(NULL, 0), MOONBOW_KEY_NEITHER);
    moonbow_key_free(keys[0]);
    moonbow_key_free(keys[1]);
}

/* A pipe gives its bytes in pieces and has no length. */
static void test_contents_of_a_pipe(void **state)
{
    (void)state;
    const size_t lengths[] = {
        0, 1, 65535, 65536, 65537, 300000, MOONBOW_KEY_FILE_BYTES_MAX, MOONBOW_KEY_FILE_BYTES_MAX + 1};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            for (size_t done = 0, bytes; done < lengths[i]; done += bytes) {
                static uint8_t piece[4096];
                bytes = lengths[i] - done < sizeof piece ? lengths[i] - done : sizeof piece;
                memset(piece, (int)(done / sizeof piece), bytes);
                if (write(ends[1], piece, bytes) != (ssize_t)bytes)
                    break;
            }
            _exit(0);
        }
        close(ends[1]);
        moonbow_encoding contents;
        moonbow_detail detail;
        const int status = moonbow_contents_of_descriptor(&contents, ends[0], &detail);
        close(ends[0]);
        waitpid(child, NULL, 0);
        if (lengths[i] > MOONBOW_KEY_FILE_BYTES_MAX) {
            assert_int_equal(status, MOONBOW_CONTAINER_TOO_LARGE);
            continue;
        }
        assert_int_equal(status, MOONBOW_OK);
        assert_int_equal(contents.bytes_len, lengths[i]);
        for (size_t j = 0; j < lengths[i]; j++)
            assert_int_equal(contents.bytes[j], (uint8_t)(j / 4096));
        moonbow_encoding_free(&contents);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_is_zero_and_aligned),
        cmocka_unit_test(test_encrypted_keys),
        cmocka_unit_test(test_damaged_encrypted_keys),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_contents_of_a_pipe),
#ifndef MB_CONTAINER_SANITIZED
        cmocka_unit_test(test_memory_is_left_out_of_core_dumps),
        cmocka_unit_test(test_overruns_fault),
        cmocka_unit_test(test_no_locked_memory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
