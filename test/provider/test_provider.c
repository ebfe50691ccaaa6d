/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The provider from inside: EVP's functions, what errors say, copies of contexts, threads. It is linked in, so that sanitizers and
 * valgrind see it; test_openssl.py loads the module. Usage: test_provider [quick], which is for valgrind. */
#include <moonbow/signature.h>
#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

extern OSSL_provider_init_fn OSSL_provider_init;

enum { THREADS = 4, THREAD_ROUNDS = 6, MESSAGE_BYTES = 3000, NAMES_MOST = 64 };

static const uint8_t message[MESSAGE_BYTES] = "Moonbow";
static OSSL_LIB_CTX *context; /* candidates alone */
static OSSL_LIB_CTX *all;     /* with enable-broken */
static const char *names[NAMES_MOST];
static size_t names_len;
static int is_quick;

/* ---- Contexts ------------------------------------------------------------------------------------ */

/* A library context with the default provider and ours, by a configuration file. */
static OSSL_LIB_CTX *new_context(const char *section)
{
    char path[] = "/tmp/moonbow-provider-XXXXXX";
    const int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    OSSL_LIB_CTX *made = OSSL_LIB_CTX_new();
    assert_true(descriptor >= 0 && file != NULL && made != NULL);
    fprintf(
        file,
        "openssl_conf = main\n[main]\nproviders = providers\n[providers]\ndefault = default_section\n"
        "moonbow = moonbow_section\n[default_section]\nactivate = 1\n[moonbow_section]\nactivate = 1\n%s\n",
        section);
    fclose(file);
    assert_int_equal(OSSL_PROVIDER_add_builtin(made, "moonbow", OSSL_provider_init), 1);
    assert_int_equal(OSSL_LIB_CTX_load_config(made, path), 1);
    assert_int_equal(OSSL_PROVIDER_available(made, "moonbow"), 1);
    unlink(path);
    return made;
}

static int set_up(void **state)
{
    (void)state;
    context = new_context("");
    all = new_context("enable-broken = yes");
    for (size_t i = 0; moonbow_algorithm_at(i) != NULL; i++) {
        const moonbow_parameters *p = moonbow_algorithm_at(i)->parameters;
        assert_true(names_len < NAMES_MOST);
        if (!is_quick || (p->secret_key_bytes <= 64 && p->public_key_bytes < 70000)) {
            names[names_len++] = p->name;
        }
    }
    assert_true(names_len >= 3);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    OSSL_LIB_CTX_free(context);
    OSSL_LIB_CTX_free(all);
    return 0;
}

/* ---- Errors -------------------------------------------------------------------------------------- */

/* Empties the queue; one of the errors in it must say this. */
static void assert_error(const char *fragment)
{
    const char *data, *file, *function;
    int line, flags, found = 0;
    unsigned long code;
    char last[400] = "nothing";
    while ((code = ERR_get_error_all(&file, &line, &function, &data, &flags)) != 0) {
        const char *reason = ERR_reason_error_string(code);
        snprintf(last, sizeof last, "%s: %s", reason ? reason : "?", data ? data : "");
        found |= strstr(last, fragment) != NULL;
    }
    if (!found) {
        print_message("expected an error with \"%s\"; the last one was: %s\n", fragment, last);
    }
    assert_true(found);
}

static void assert_no_error(void)
{
    assert_int_equal(ERR_peek_error(), 0);
}

/* ---- Keys ---------------------------------------------------------------------------------------- */

static EVP_PKEY *generate(OSSL_LIB_CTX *in, const char *name)
{
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(in, name, NULL);
    EVP_PKEY *key = NULL;
    assert_non_null(c);
    assert_int_equal(EVP_PKEY_keygen_init(c), 1);
    assert_int_equal(EVP_PKEY_generate(c, &key), 1);
    EVP_PKEY_CTX_free(c);
    return key;
}

typedef struct key_part {
    uint8_t *start;
    size_t len;
} key_part;

static key_part part(const EVP_PKEY *key, const char *name)
{
    key_part out = {NULL, 0};
    assert_int_equal(EVP_PKEY_get_octet_string_param(key, name, NULL, 0, &out.len), 1);
    out.start = malloc(out.len);
    assert_int_equal(EVP_PKEY_get_octet_string_param(key, name, out.start, out.len, &out.len), 1);
    return out;
}

/* A key from its parts, of which either may be NULL; NULL if it is refused. */
static EVP_PKEY *import(const char *name, const key_part *public_part, const key_part *secret_part)
{
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(all, name, NULL);
    OSSL_PARAM params[3];
    size_t len = 0;
    EVP_PKEY *key = NULL;
    if (public_part) {
        params[len++] = OSSL_PARAM_construct_octet_string("pub", public_part->start, public_part->len);
    }
    if (secret_part) {
        params[len++] = OSSL_PARAM_construct_octet_string("priv", secret_part->start, secret_part->len);
    }
    params[len] = OSSL_PARAM_construct_end();
    assert_int_equal(EVP_PKEY_fromdata_init(c), 1);
    const int selection = secret_part ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    if (EVP_PKEY_fromdata(c, &key, selection, params) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(c);
    return key;
}

static int check(EVP_PKEY *key, int (*how)(EVP_PKEY_CTX *c))
{
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(all, key, NULL);
    const int status = how(c);
    EVP_PKEY_CTX_free(c);
    return status;
}

static int expected_security_bits(const char *name)
{
    static const struct {
        const char *prefix;
        int bits;
    } rows[] = {{"uov-Ip", 128},      {"uov-Is", 128},    {"uov-III", 192}, {"uov-V", 256},
                {"rainbow-III", 157}, {"rainbow-V", 206}, {"rainbow-I-", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strncmp(name, rows[i].prefix, strlen(rows[i].prefix)) == 0) {
            return rows[i].bits;
        }
    }
    fail_msg("no row for %s", name);
    return -1;
}

static void keys(void **state)
{
    (void)state;
    for (size_t i = 0; i < names_len; i++) {
        const moonbow_parameters *p = moonbow_algorithm_by_name(names[i])->parameters;
        EVP_PKEY *key = generate(all, names[i]), *other = generate(all, names[i]);
        key_part public_part = part(key, "pub"), secret_part = part(key, "priv"),
                 other_public = part(other, "pub");
        char digest[80] = "";
        assert_int_equal(public_part.len, p->public_key_bytes);
        assert_int_equal(secret_part.len, p->secret_key_bytes + p->public_seed_bytes);
        assert_int_equal(EVP_PKEY_get_bits(key), 8 * p->public_key_bytes);
        assert_int_equal(EVP_PKEY_get_size(key), p->signature_bytes);
        assert_int_equal(EVP_PKEY_get_security_bits(key), expected_security_bits(names[i]));
        assert_int_equal(EVP_PKEY_get_default_digest_name(key, digest, sizeof digest), 2);
        assert_string_equal(digest, "UNDEF");
        assert_true(EVP_PKEY_is_a(key, names[i]));

        EVP_PKEY *copy = EVP_PKEY_dup(key), *both = import(names[i], &public_part, &secret_part),
                 *secret = import(names[i], NULL, &secret_part), *half = import(names[i], &public_part, NULL),
                 *crossed = import(names[i], &other_public, &secret_part);
        EVP_PKEY *const same[] = {copy, both, secret, half};
        for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
            assert_non_null(same[k]);
            assert_int_equal(EVP_PKEY_eq(key, same[k]), 1);
            assert_int_equal(EVP_PKEY_eq(same[k], key), 1);
            assert_int_not_equal(EVP_PKEY_eq(other, same[k]), 1);
            assert_int_equal(check(same[k], EVP_PKEY_public_check), 1);
            assert_int_equal(check(same[k], EVP_PKEY_check) == 1, same[k] != half);
        }
        EVP_PKEY *raw_public =
            EVP_PKEY_new_raw_public_key_ex(all, names[i], NULL, public_part.start, public_part.len);
        EVP_PKEY *raw_secret =
            EVP_PKEY_new_raw_private_key_ex(all, names[i], NULL, secret_part.start, secret_part.len);
        assert_int_equal(EVP_PKEY_eq(raw_public, raw_secret), 1);
        assert_int_equal(EVP_PKEY_eq(raw_public, key), 1);
        EVP_PKEY_free(raw_public);
        EVP_PKEY_free(raw_secret);
        key_part derived = part(secret, "pub");
        assert_int_equal(derived.len, public_part.len);
        assert_memory_equal(derived.start, public_part.start, derived.len);
        ERR_clear_error();
        assert_int_not_equal(check(crossed, EVP_PKEY_pairwise_check), 1);
        assert_error("keys are not a pair");

        EVP_PKEY *const made[] = {key, other, copy, both, secret, half, crossed};
        for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
            EVP_PKEY_free(made[k]);
        }
        free(public_part.start);
        free(secret_part.start);
        free(other_public.start);
        free(derived.start);
    }
}

static void refused_parts(void **state)
{
    static const char name[] = "uov-Is-pkc-skc";
    EVP_PKEY *key = generate(context, name);
    key_part public_part = part(key, "pub"), secret_part = part(key, "priv");
    (void)state;
    const key_part short_public = {public_part.start, public_part.len - 1},
                   long_secret = {public_part.start, 33};
    assert_null(import(name, &short_public, NULL));
    assert_error("expected a uov-Is-pkc-skc public key of 66576 bytes, found 66575");
    assert_null(import(name, &public_part, &long_secret));
    assert_error("expected a uov-Is-pkc-skc private key of 32 bytes, found 33");
    assert_null(import(name, NULL, NULL));
    assert_error("expected \"pub\" or \"priv\"");
    EVP_PKEY_free(key);
    free(public_part.start);
    free(secret_part.start);
}

/* ---- Decoders ------------------------------------------------------------------------------------ */

/* Decodes exactly these bytes, in memory of their own, so that a sanitizer sees what lies beyond. */
static EVP_PKEY *decode(const uint8_t *der, size_t der_bytes, const char *structure, int selection)
{
    EVP_PKEY *key = NULL;
    uint8_t *copy = malloc(der_bytes ? der_bytes : 1);
    const uint8_t *next = copy;
    memcpy(copy, der, der_bytes);
    OSSL_DECODER_CTX *c =
        OSSL_DECODER_CTX_new_for_pkey(&key, "DER", structure, NULL, selection, context, NULL);
    assert_non_null(c);
    if (OSSL_DECODER_from_data(c, &next, &der_bytes) != 1) {
        key = NULL;
    }
    OSSL_DECODER_CTX_free(c);
    free(copy);
    return key;
}

static EVP_PKEY *decode_public(const uint8_t *der, size_t der_bytes)
{
    return decode(der, der_bytes, "SubjectPublicKeyInfo", EVP_PKEY_PUBLIC_KEY);
}

static EVP_PKEY *decode_secret(const uint8_t *der, size_t der_bytes)
{
    return decode(der, der_bytes, "PrivateKeyInfo", EVP_PKEY_KEYPAIR);
}

static void check_cuts(const uint8_t *der, size_t der_bytes, EVP_PKEY *(*decode_it)(const uint8_t *, size_t))
{
    EVP_PKEY *key = decode_it(der, der_bytes);
    assert_non_null(key);
    EVP_PKEY_free(key);
    ERR_clear_error();
    for (size_t cut = 0; cut < der_bytes; cut += cut < 80 ? 1 : der_bytes / 7) {
        assert_null(decode_it(der, cut));
        if (cut >= 80) {
            assert_error("cut off or damaged");
        }
        ERR_clear_error();
    }
}

static void decoders(void **state)
{
    static const uint8_t head_of_another[] = {0x30, 0x80, 0x02, 0x01, 0x00, 0x30};
    EVP_PKEY *key = generate(context, "uov-Is-pkc-skc"), *damaged;
    unsigned char *public_der = NULL, *secret_der = NULL;
    (void)state;
    const int public_bytes = i2d_PUBKEY(key, &public_der);
    PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
    const int secret_bytes = i2d_PKCS8_PRIV_KEY_INFO(info, &secret_der);
    assert_true(public_bytes > 66576 && secret_bytes > 32);
    check_cuts(public_der, (size_t)public_bytes, decode_public);
    check_cuts(secret_der, (size_t)secret_bytes, decode_secret);
    assert_null(decode_secret(head_of_another, sizeof head_of_another));
    assert_null(decode_secret(public_der, (size_t)public_bytes));
    assert_null(decode_public(secret_der, (size_t)secret_bytes));

    public_der[0] ^= 1;
    assert_null(decode_public(public_der, (size_t)public_bytes));
    public_der[0] ^= 1;
    public_der[6] ^= 0x20; /* in the identifier */
    assert_null(decode_public(public_der, (size_t)public_bytes));
    public_der[6] ^= 0x20;
    ERR_clear_error();

    EVP_PKEY *ed25519 = generate(context, "ED25519"); /* others are read as before */
    unsigned char *ed_der = NULL;
    const int ed_bytes = i2d_PUBKEY(ed25519, &ed_der);
    damaged = decode_public(ed_der, (size_t)ed_bytes);
    assert_int_equal(EVP_PKEY_eq(damaged, ed25519), 1);
    EVP_PKEY_free(damaged);
    EVP_PKEY_free(ed25519);
    OPENSSL_free(ed_der);

    PKCS8_PRIV_KEY_INFO_free(info);
    OPENSSL_free(public_der);
    OPENSSL_free(secret_der);
    EVP_PKEY_free(key);
}

/* ---- Encoders ------------------------------------------------------------------------------------ */

/* Encodes in the structure that OpenSSL takes when none is named, and compares the beginning. */
static void check_encoding(EVP_PKEY *key, int selection, const char *form, const char *structure,
                           const char *passphrase, const char *begins)
{
    unsigned char *encoded = NULL;
    size_t encoded_bytes = 0;
    OSSL_ENCODER_CTX *c = OSSL_ENCODER_CTX_new_for_pkey(key, selection, form, structure, NULL);
    assert_non_null(c);
    if (passphrase) {
        assert_int_equal(OSSL_ENCODER_CTX_set_cipher(c, "AES-256-CBC", NULL), 1);
        assert_int_equal(
            OSSL_ENCODER_CTX_set_passphrase(c, (const unsigned char *)passphrase, strlen(passphrase)), 1);
    }
    const int status = OSSL_ENCODER_to_data(c, &encoded, &encoded_bytes);
    assert_int_equal(status, begins != NULL);
    if (begins) {
        assert_true(encoded_bytes > strlen(begins));
        assert_memory_equal(encoded, begins, strlen(begins));
        assert_no_error();
    }
    OPENSSL_free(encoded);
    OSSL_ENCODER_CTX_free(c);
}

static void encoders(void **state)
{
    EVP_PKEY *key = generate(context, "uov-Is-pkc-skc");
    (void)state;
    check_encoding(key, EVP_PKEY_KEYPAIR, "PEM", NULL, NULL, "-----BEGIN PRIVATE KEY-----");
    check_encoding(key, EVP_PKEY_KEYPAIR, "PEM", NULL, "passphrase", "-----BEGIN ENCRYPTED PRIVATE KEY-----");
    check_encoding(key, EVP_PKEY_KEYPAIR, "PEM", "PrivateKeyInfo", "passphrase",
                   "-----BEGIN ENCRYPTED PRIVATE KEY-----");
    check_encoding(key, EVP_PKEY_KEYPAIR, "PEM", "EncryptedPrivateKeyInfo", NULL, NULL);
    assert_error("wants the name of a cipher");
    check_encoding(key, EVP_PKEY_PUBLIC_KEY, "PEM", NULL, NULL, "-----BEGIN PUBLIC KEY-----");
    check_encoding(key, EVP_PKEY_KEYPAIR, "DER", NULL, NULL, "\x30\x40\x02\x01");
    check_encoding(key, EVP_PKEY_KEYPAIR, "TEXT", NULL, NULL, "uov-Is-pkc-skc Private-Key: (");
    check_encoding(key, EVP_PKEY_PUBLIC_KEY, "TEXT", NULL, NULL, "uov-Is-pkc-skc Public-Key: (");
    ERR_clear_error();
    check_encoding(key, EVP_PKEY_KEYPAIR, "PEM", NULL, "", NULL);
    assert_error("expected a passphrase of 1 to 1024 bytes");
    EVP_PKEY_free(key);
}

/* ---- Signatures ---------------------------------------------------------------------------------- */

static size_t sign_at_once(EVP_PKEY *key, OSSL_LIB_CTX *in, uint8_t *signature, size_t room,
                           const uint8_t *text, size_t bytes)
{
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    assert_int_equal(EVP_DigestSignInit_ex(c, NULL, NULL, in, NULL, key, NULL), 1);
    const int status = EVP_DigestSign(c, signature, &room, text, bytes);
    EVP_MD_CTX_free(c);
    return status == 1 ? room : 0;
}

static int verify_at_once(EVP_PKEY *key, OSSL_LIB_CTX *in, const uint8_t *signature, size_t signature_bytes,
                          const uint8_t *text, size_t bytes)
{
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    assert_int_equal(EVP_DigestVerifyInit_ex(c, NULL, NULL, in, NULL, key, NULL), 1);
    const int status = EVP_DigestVerify(c, signature, signature_bytes, text, bytes);
    EVP_MD_CTX_free(c);
    return status;
}

static void check_one_shot(EVP_PKEY *key, uint8_t *signature, size_t signature_bytes)
{
    size_t room = 0;
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    assert_int_equal(EVP_DigestSignInit_ex(c, NULL, NULL, all, NULL, key, NULL), 1);
    assert_int_equal(EVP_DigestSign(c, NULL, &room, message, sizeof message), 1);
    assert_int_equal(room, signature_bytes);
    room = signature_bytes - 1;
    assert_int_not_equal(EVP_DigestSign(c, signature, &room, message, sizeof message), 1);
    assert_error("buffer too small");
    EVP_MD_CTX_free(c);
    for (int use = 0; use < 5; use++) { /* from the third on by the key's quicker form */
        assert_int_equal(sign_at_once(key, all, signature, signature_bytes, message, sizeof message),
                         signature_bytes);
        assert_int_equal(verify_at_once(key, all, signature, signature_bytes, message, sizeof message), 1);
        signature[use] ^= 1;
        assert_int_equal(verify_at_once(key, all, signature, signature_bytes, message, sizeof message), 0);
        signature[use] ^= 1;
        assert_int_equal(verify_at_once(key, all, signature, signature_bytes, message, sizeof message - 1),
                         0);
    }
#if OPENSSL_VERSION_NUMBER < 0x30400000L
    assert_no_error(); /* a wrong signature is an answer; newer EVP adds an error of its own */
#endif
    ERR_clear_error();
    assert_int_not_equal(verify_at_once(key, all, signature, signature_bytes - 1, message, sizeof message),
                         1);
    assert_error("expected a signature of ");
}

static void check_pieces(EVP_PKEY *key, uint8_t *signature, size_t signature_bytes)
{
    EVP_MD_CTX *c = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();
    size_t room = signature_bytes;
    assert_int_equal(EVP_DigestSignInit_ex(c, NULL, NULL, all, NULL, key, NULL), 1);
    assert_int_equal(EVP_DigestSignUpdate(c, message, 100), 1);
    assert_int_equal(EVP_MD_CTX_copy_ex(copy, c), 1);
    assert_int_equal(EVP_DigestSignUpdate(c, message + 100, 0), 1);
    assert_int_equal(EVP_DigestSignUpdate(c, message + 100, sizeof message - 100), 1);
    assert_int_equal(EVP_DigestSignFinal(c, NULL, &room), 1);
    assert_int_equal(room, signature_bytes);
    assert_int_equal(EVP_DigestSignFinal(c, signature, &room), 1);
    assert_int_equal(verify_at_once(key, all, signature, room, message, sizeof message), 1);
    assert_int_equal(EVP_DigestSignUpdate(c, message, 10), 1); /* goes on, as the end was a copy's */
    assert_int_equal(EVP_DigestSignFinal(c, signature, &room), 1);
    assert_int_equal(verify_at_once(key, all, signature, room, message, sizeof message), 0);
    assert_int_equal(EVP_DigestSignFinal(copy, signature, &room), 1);
    assert_int_equal(verify_at_once(key, all, signature, room, message, 100), 1);

    EVP_MD_CTX_reset(c);
    assert_int_equal(EVP_DigestVerifyInit_ex(c, NULL, NULL, all, NULL, key, NULL), 1);
    assert_int_equal(EVP_DigestVerifyUpdate(c, message, 60), 1);
    assert_int_equal(EVP_MD_CTX_copy_ex(copy, c), 1);
    assert_int_equal(EVP_DigestVerifyUpdate(c, message + 60, 40), 1);
    assert_int_equal(EVP_DigestVerifyFinal(c, signature, room), 1);
    assert_int_equal(EVP_DigestVerifyUpdate(copy, message + 60, 41), 1);
    assert_int_equal(EVP_DigestVerifyFinal(copy, signature, room), 0);
    EVP_MD_CTX_free(c);
    EVP_MD_CTX_free(copy);
}

static void check_plain(EVP_PKEY *key, uint8_t *signature, size_t signature_bytes)
{
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(all, key, NULL);
    size_t room = signature_bytes;
    assert_int_equal(EVP_PKEY_sign_init(c), 1);
    assert_int_equal(EVP_PKEY_sign(c, signature, &room, message, 32), 1);
    assert_int_equal(verify_at_once(key, all, signature, room, message, 32), 1);
    assert_int_equal(EVP_PKEY_verify_init(c), 1);
    assert_int_equal(EVP_PKEY_verify(c, signature, room, message, 32), 1);
    assert_int_equal(EVP_PKEY_verify(c, signature, room, message, 31), 0);
    EVP_PKEY_CTX_free(c);
}

#if OPENSSL_VERSION_NUMBER >= 0x30400000L
/* The same by the functions that OpenSSL 3.4 brought, where the signature comes before the message again. */
static void check_messages(EVP_PKEY *key, const char *name, uint8_t *signature, size_t signature_bytes)
{
    EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_pkey(all, key, NULL);
    EVP_SIGNATURE *how = EVP_SIGNATURE_fetch(all, name, NULL);
    size_t room = signature_bytes;
    assert_int_equal(EVP_PKEY_sign_message_init(c, how, NULL), 1);
    assert_int_equal(EVP_PKEY_sign_message_update(c, message, 1000), 1);
    assert_int_equal(EVP_PKEY_sign_message_update(c, message + 1000, sizeof message - 1000), 1);
    assert_int_equal(EVP_PKEY_sign_message_final(c, signature, &room), 1);
    assert_int_equal(room, signature_bytes);
    assert_int_equal(verify_at_once(key, all, signature, room, message, sizeof message), 1);
    for (size_t wrong = 0; wrong < 2; wrong++) {
        assert_int_equal(EVP_PKEY_verify_message_init(c, how, NULL), 1);
        assert_int_equal(EVP_PKEY_CTX_set_signature(c, signature, room), 1);
        assert_int_equal(EVP_PKEY_verify_message_update(c, message, sizeof message - wrong), 1);
        assert_int_equal(EVP_PKEY_verify_message_final(c), !wrong);
    }
    assert_int_equal(EVP_PKEY_verify_message_init(c, how, NULL), 1);
    assert_int_equal(EVP_PKEY_verify_message_update(c, message, 10), 1);
    assert_int_not_equal(EVP_PKEY_verify_message_final(c), 1);
    assert_error("no signature was given to verify");
    assert_int_equal(EVP_PKEY_sign_message_init(c, how, NULL), 1);
    assert_int_equal(EVP_PKEY_sign(c, signature, &room, message, 50), 1);
    assert_int_equal(EVP_PKEY_verify_message_init(c, how, NULL), 1);
    assert_int_equal(EVP_PKEY_verify(c, signature, room, message, 50), 1);
    EVP_SIGNATURE_free(how);
    EVP_PKEY_CTX_free(c);
}
#endif

static void signatures(void **state)
{
    uint8_t signature[512];
    (void)state;
    for (size_t i = 0; i < names_len; i++) {
        EVP_PKEY *key = generate(all, names[i]);
        const size_t signature_bytes = (size_t)EVP_PKEY_get_size(key);
        check_one_shot(key, signature, signature_bytes);
        check_pieces(key, signature, signature_bytes);
        check_plain(key, signature, signature_bytes);
#if OPENSSL_VERSION_NUMBER >= 0x30400000L
        check_messages(key, names[i], signature, signature_bytes);
#endif
        EVP_PKEY_free(key);
    }
}

/* The two halves of a pair do not fit: what is signed does not verify, and does not leave. */
static void faults(void **state)
{
    static const char name[] = "uov-Is-pkc-skc";
    EVP_PKEY *key = generate(context, name), *other = generate(context, name);
    key_part secret_part = part(key, "priv"), other_public = part(other, "pub");
    EVP_PKEY *crossed = import(name, &other_public, &secret_part);
    uint8_t signature[96];
    size_t room = sizeof signature;
    static const uint8_t zeros[96];
    (void)state;
    memset(signature, 1, sizeof signature);
    assert_int_equal(sign_at_once(crossed, all, signature, sizeof signature, message, sizeof message), 0);
    assert_error("fault while signing");
    assert_memory_equal(signature, zeros, sizeof zeros);

    EVP_MD_CTX *c = EVP_MD_CTX_new();
    memset(signature, 1, sizeof signature);
    assert_int_equal(EVP_DigestSignInit_ex(c, NULL, NULL, all, NULL, crossed, NULL), 1);
    assert_int_equal(EVP_DigestSignUpdate(c, message, 10), 1);
    assert_int_not_equal(EVP_DigestSignFinal(c, signature, &room), 1);
    assert_error("fault while signing");
    assert_memory_equal(signature, zeros, sizeof zeros);
    EVP_MD_CTX_free(c);
    EVP_PKEY_free(key);
    EVP_PKEY_free(other);
    EVP_PKEY_free(crossed);
    free(secret_part.start);
    free(other_public.start);
}

static void misuse(void **state)
{
    EVP_PKEY *key = generate(context, "uov-Is-pkc-skc");
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    uint8_t signature[96];
    size_t room = sizeof signature;
    (void)state;
    assert_int_not_equal(EVP_DigestSignInit_ex(c, NULL, "SHA2-256", context, NULL, key, NULL), 1);
    assert_error("expected no digest, found SHA2-256");
    EVP_MD_CTX_reset(c);
    assert_int_equal(EVP_DigestSignInit_ex(c, NULL, NULL, context, NULL, key, NULL), 1);
    assert_int_equal(EVP_DigestSignUpdate(c, message, 1), 1);
    assert_int_not_equal(EVP_DigestSign(c, signature, &room, message, 1), 1);
    assert_error("pieces of a message have come");
    EVP_MD_CTX_free(c); /* in the middle of a message */

    EVP_PKEY_CTX *broken = EVP_PKEY_CTX_new_from_name(context, "rainbow-I-classic", NULL);
    assert_int_not_equal(EVP_PKEY_keygen_init(broken), 1);
    assert_error("rainbow-I-classic is broken and off");
    EVP_PKEY_CTX_free(broken);

    EVP_PKEY_CTX *seeded = EVP_PKEY_CTX_new_from_name(context, "uov-Is", NULL);
    assert_int_equal(EVP_PKEY_keygen_init(seeded), 1);
    assert_int_not_equal(EVP_PKEY_CTX_ctrl_str(seeded, "hexseed", "0011"), 1);
    assert_error("expected a seed of 32 bytes for uov-Is (hexseed:…), found 2");
    EVP_PKEY_CTX_free(seeded);
    EVP_PKEY_free(key);
}

/* ---- Threads ------------------------------------------------------------------------------------- */

/* Keys that have only their secret halves: who comes first derives, and prepares, for all. */
static void *use_keys(void *argument)
{
    EVP_PKEY *const *shared = argument;
    uint8_t signature[512];
    for (size_t round = 0; round < THREAD_ROUNDS; round++) {
        for (EVP_PKEY *const *key = shared; *key; key++) {
            const size_t signature_bytes = (size_t)EVP_PKEY_get_size(*key);
            if (sign_at_once(*key, all, signature, sizeof signature, message, 100 + round) !=
                    signature_bytes ||
                verify_at_once(*key, all, signature, signature_bytes, message, 100 + round) != 1 ||
                verify_at_once(*key, all, signature, signature_bytes, message, 99 + round) != 0) {
                return "a wrong verdict";
            }
        }
        EVP_PKEY *own = generate(all, "uov-Is-pkc-skc");
        EVP_PKEY_free(own);
    }
    return NULL;
}

static void threads(void **state)
{
    static const char *const used[] = {"uov-Is", "uov-Is-pkc", "uov-Ip-pkc-skc", "rainbow-I-compressed"};
    enum { USED_LEN = sizeof used / sizeof *used };
    EVP_PKEY *shared[USED_LEN + 1] = {NULL};
    pthread_t running[THREADS];
    size_t len = 0;
    (void)state;
    for (size_t i = is_quick ? 2 : 0; i < USED_LEN; i++) {
        EVP_PKEY *key = generate(all, used[i]);
        key_part secret_part = part(key, "priv");
        shared[len++] = import(used[i], NULL, &secret_part);
        EVP_PKEY_free(key);
        free(secret_part.start);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&running[i], NULL, use_keys, shared), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *result = NULL;
        assert_int_equal(pthread_join(running[i], &result), 0);
        assert_null(result);
    }
    for (size_t i = 0; i < len; i++) {
        EVP_PKEY_free(shared[i]);
    }
}

/* Each thread loads and unloads the provider in a library context of its own. */
static void *load_and_unload(void *argument)
{
    (void)argument;
    for (int round = 0; round < 3; round++) {
        OSSL_LIB_CTX *own = OSSL_LIB_CTX_new();
        OSSL_PROVIDER_add_builtin(own, "moonbow", OSSL_provider_init);
        OSSL_PROVIDER *ours = OSSL_PROVIDER_load(own, "moonbow"),
                      *others = OSSL_PROVIDER_load(own, "default");
        if (!ours || !others) {
            return "not loaded";
        }
        EVP_PKEY_free(generate(own, "uov-Is-pkc-skc"));
        OSSL_PROVIDER_unload(ours);
        OSSL_PROVIDER_unload(others);
        OSSL_LIB_CTX_free(own);
    }
    return NULL;
}

static void loading(void **state)
{
    pthread_t running[THREADS];
    (void)state;
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&running[i], NULL, load_and_unload, NULL), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *result = NULL;
        assert_int_equal(pthread_join(running[i], &result), 0);
        assert_null(result);
    }
}

int main(int argc, char **argv)
{
    is_quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys),     cmocka_unit_test(refused_parts), cmocka_unit_test(decoders),
        cmocka_unit_test(encoders), cmocka_unit_test(signatures),    cmocka_unit_test(faults),
        cmocka_unit_test(misuse),   cmocka_unit_test(threads),       cmocka_unit_test(loading),
    };
    return cmocka_run_group_tests_name("provider", tests, set_up, tear_down);
}
