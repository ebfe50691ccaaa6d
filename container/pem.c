/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Keys in PEM (RFC 7468). The DER inside is the business of der.c and encrypted.c. */
#include "der.h"
#include "explain.h"
#include "memory.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <string.h>

/* ---- Writing -------------------------------------------------------------------------------- */

/* Puts DER into a PEM block. */
static int pem_of_der(moonbow_encoding *pem, const moonbow_encoding *der, const char *label, int secret)
{
    ERR_set_mark();
    BIO *bio = BIO_new(BIO_s_secmem()); /* wipes what it frees */
    char *text = NULL;
    int status = MOONBOW_CONTAINER_LIBCRYPTO;
    if (bio && PEM_write_bio(bio, label, "", der->bytes, (long)der->bytes_len) > 0) {
        const long text_bytes = BIO_get_mem_data(bio, &text);
        status = MOONBOW_CONTAINER_NO_MEMORY;
        if (text_bytes > 0) {
            const size_t bytes = (size_t)text_bytes;
            pem->bytes = secret ? moonbow_memory_new_secret(bytes) : moonbow_memory_new(bytes);
        }
        if (pem->bytes) {
            pem->bytes_len = (size_t)text_bytes;
            memcpy(pem->bytes, text, pem->bytes_len);
            status = MOONBOW_OK;
        }
    }
    BIO_free(bio);
    ERR_pop_to_mark();
    return status;
}

int moonbow_key_to_pem(moonbow_encoding *pem, const moonbow_key *key)
{
    moonbow_encoding der;
    pem->bytes = NULL;
    pem->bytes_len = 0;
    int status = moonbow_key_to_der(&der, key);
    if (status == MOONBOW_OK)
        status = pem_of_der(pem, &der, mb_container_label(key->kind), key->kind == MOONBOW_SECRET_KEY);
    moonbow_encoding_free(&der);
    return status;
}

int moonbow_key_to_encrypted_pem(moonbow_encoding *pem, const moonbow_key *key,
                                 const moonbow_passphrase *passphrase)
{
    moonbow_encoding der;
    pem->bytes = NULL;
    pem->bytes_len = 0;
    int status = moonbow_key_to_encrypted_der(&der, key, passphrase);
    if (status == MOONBOW_OK)
        status = pem_of_der(pem, &der, MB_CONTAINER_LABEL_ENCRYPTED, 0);
    moonbow_encoding_free(&der);
    return status;
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* One PEM block; data is SECRET unless the label says otherwise. */
typedef struct pem_block {
    char *label;
    char *header;
    unsigned char *data;
    long data_bytes;
} pem_block;

static void free_block(pem_block *block)
{
    OPENSSL_secure_free(block->label);
    OPENSSL_secure_free(block->header);
    OPENSSL_secure_clear_free(block->data, (size_t)block->data_bytes);
}

static int is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Is the label a key of ours, and of the kind that is wanted? Finds the kind it is, and whether it is encrypted. */
static int judge_label(moonbow_key_kind *kind, int *encrypted, const pem_block *block,
                       moonbow_key_kind wanted, moonbow_detail *detail)
{
    const char *label = block->label;
    const char *expected =
        wanted == MOONBOW_ANY_KEY ? "PUBLIC KEY or PRIVATE KEY" : mb_container_label(wanted);
    *encrypted = strcmp(label, MB_CONTAINER_LABEL_ENCRYPTED) == 0;
    const int secret = *encrypted || strcmp(label, mb_container_label(MOONBOW_SECRET_KEY)) == 0;
    if (!secret && strcmp(label, mb_container_label(MOONBOW_PUBLIC_KEY)) != 0) {
        return mb_container_explain(detail, MOONBOW_CONTAINER_OTHER_LABEL,
                                    "expected a PEM block %s, found %.60s", expected, label);
    }
    if (strlen(block->header) != 0) {
        return mb_container_explain(
            detail, MOONBOW_CONTAINER_OTHER_LABEL,
            "expected a plain PEM block %s, found one with headers (perhaps encrypted as long ago)",
            expected);
    }
    *kind = secret ? MOONBOW_SECRET_KEY : MOONBOW_PUBLIC_KEY;
    if (wanted != MOONBOW_ANY_KEY && wanted != *kind) {
        return mb_container_explain(detail, MOONBOW_CONTAINER_WRONG_KIND, "expected a %s, found a %s",
                                    mb_container_kind_text(wanted), mb_container_kind_text(*kind));
    }
    return MOONBOW_OK;
}

/* Why libcrypto found no block, from the error it left. */
static int no_block(size_t pem_bytes, moonbow_key_kind wanted, moonbow_detail *detail)
{
    const unsigned long error = ERR_peek_last_error();
    if (ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE) {
        return mb_container_explain(
            detail, MOONBOW_CONTAINER_NOT_PEM,
            "expected a %s in PEM, found %zu bytes without a line -----BEGIN ...-----",
            mb_container_kind_text(wanted), pem_bytes);
    }
    return mb_container_explain(detail, MOONBOW_CONTAINER_DAMAGED,
                                "expected a whole PEM block, found one that is cut off or damaged (%s)",
                                ERR_GET_REASON(error) == PEM_R_BAD_END_LINE
                                    ? "its -----END ...----- line is missing or not its own"
                                    : "it is not base64 between its first and last line");
}

/* Everything but blanks after the block is one thing too many. */
static int check_rest(BIO *bio, moonbow_detail *detail)
{
    char *rest = NULL;
    const long rest_bytes = BIO_get_mem_data(bio, &rest);
    for (long i = 0; i < rest_bytes; i++) {
        if (!is_blank((uint8_t)rest[i])) {
            return mb_container_explain(detail, MOONBOW_CONTAINER_TRAILING,
                                        "expected the file to end after its PEM block, found %ld more bytes",
                                        rest_bytes - i);
        }
    }
    return MOONBOW_OK;
}

static int key_from_bio(moonbow_key **key, BIO *bio, size_t pem_bytes, moonbow_key_kind wanted,
                        const moonbow_passphrase *passphrase, moonbow_detail *detail)
{
    pem_block block = {0};
    moonbow_key_kind kind = wanted;
    int encrypted = 0;
    if (!PEM_read_bio_ex(bio, &block.label, &block.header, &block.data, &block.data_bytes, PEM_FLAG_SECURE)) {
        return no_block(pem_bytes, wanted, detail);
    }
    int status = judge_label(&kind, &encrypted, &block, wanted, detail);
    if (status == MOONBOW_OK)
        status = check_rest(bio, detail);
    const size_t bytes = (size_t)block.data_bytes;
    if (status == MOONBOW_OK) {
        status = encrypted ? mb_container_key_from_encrypted(key, block.data, bytes, passphrase, detail)
                           : moonbow_key_from_der(key, block.data, bytes, kind, detail);
    }
    free_block(&block);
    return status;
}

int mb_container_key_from_pem(moonbow_key **key, const uint8_t *pem, size_t pem_bytes, moonbow_key_kind kind,
                              const moonbow_passphrase *passphrase, moonbow_detail *detail)
{
    *key = NULL;
    if (pem_bytes == 0)
        return mb_container_fail(detail, MOONBOW_CONTAINER_EMPTY);
    if (pem_bytes > MOONBOW_KEY_FILE_BYTES_MAX)
        return mb_container_fail(detail, MOONBOW_CONTAINER_TOO_LARGE);
    ERR_set_mark();
    BIO *bio = BIO_new_mem_buf(pem, (int)pem_bytes);
    const int status = bio ? key_from_bio(key, bio, pem_bytes, kind, passphrase, detail)
                           : mb_container_fail(detail, MOONBOW_CONTAINER_NO_MEMORY);
    BIO_free(bio);
    ERR_pop_to_mark();
    return status;
}

int moonbow_key_from_pem(moonbow_key **key, const uint8_t *pem, size_t pem_bytes, moonbow_key_kind kind,
                         moonbow_detail *detail)
{
    return mb_container_key_from_pem(key, pem, pem_bytes, kind, NULL, detail);
}
