/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Key files of any form: reads them whole, and finds out whether they are PEM or DER, and of which structure. */
#include "der.h"
#include "explain.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/asn1.h>
#include <openssl/err.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Contents ------------------------------------------------------------------------------- */

/* Reads to the end of the file or until the buffer is full. */
static int read_all(int descriptor, uint8_t *out, size_t capacity, size_t *bytes)
{
    while (*bytes < capacity) {
        const ssize_t got = read(descriptor, out + *bytes, capacity - *bytes);
        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        *bytes += (size_t)got;
    }
    return 0;
}

/* One byte more than a regular file has, so that its end is seen at once; of others something to begin with. */
static size_t first_capacity(int descriptor)
{
    struct stat entry;
    if (fstat(descriptor, &entry) != 0 || !S_ISREG(entry.st_mode) || entry.st_size <= 0)
        return 65536;
    if ((uintmax_t)entry.st_size > MOONBOW_KEY_FILE_BYTES_MAX)
        return MOONBOW_KEY_FILE_BYTES_MAX + 1;
    return (size_t)entry.st_size + 1;
}

/* Moves the contents into larger memory. */
static uint8_t *grow(uint8_t *old, size_t bytes, size_t *capacity)
{
    const size_t limit = MOONBOW_KEY_FILE_BYTES_MAX + 1;
    const size_t larger = *capacity < limit / 2 ? 2 * *capacity : limit;
    uint8_t *memory = moonbow_memory_new_secret(larger);
    if (memory)
        memcpy(memory, old, bytes);
    moonbow_memory_free(old, *capacity);
    *capacity = larger;
    return memory;
}

/* Leaves the contents in memory of exactly their size. */
static int shrink(moonbow_encoding *contents, uint8_t *memory, size_t bytes, size_t capacity,
                  moonbow_detail *detail)
{
    contents->bytes = moonbow_memory_new_secret(bytes);
    if (contents->bytes) {
        memcpy(contents->bytes, memory, bytes);
        contents->bytes_len = bytes;
    }
    moonbow_memory_free(memory, capacity);
    return contents->bytes ? MOONBOW_OK : mb_container_fail(detail, MOONBOW_CONTAINER_NO_MEMORY);
}

int moonbow_contents_of_descriptor(moonbow_encoding *contents, int descriptor, moonbow_detail *detail)
{
    size_t bytes = 0, capacity = first_capacity(descriptor);
    uint8_t *memory = moonbow_memory_new_secret(capacity);
    int error = 0;
    contents->bytes = NULL;
    contents->bytes_len = 0;
    while (memory) {
        error = read_all(descriptor, memory, capacity, &bytes);
        if (error || bytes < capacity || capacity > MOONBOW_KEY_FILE_BYTES_MAX)
            break;
        memory = grow(memory, bytes, &capacity);
    }
    if (!memory)
        return mb_container_fail(detail, MOONBOW_CONTAINER_NO_MEMORY);
    if (!error && bytes <= MOONBOW_KEY_FILE_BYTES_MAX)
        return shrink(contents, memory, bytes, capacity, detail);
    moonbow_memory_free(memory, capacity);
    if (error)
        return mb_container_explain(detail, MOONBOW_CONTAINER_UNREADABLE, "cannot read: %s", strerror(error));
    return mb_container_explain(detail, MOONBOW_CONTAINER_TOO_LARGE,
                                "expected a key file of at most %zu bytes, found a longer file",
                                MOONBOW_KEY_FILE_BYTES_MAX);
}

int moonbow_contents_of_file(moonbow_encoding *contents, const char *path, moonbow_detail *detail)
{
    contents->bytes = NULL;
    contents->bytes_len = 0;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return mb_container_explain(detail, MOONBOW_CONTAINER_UNREADABLE, "cannot open: %s", strerror(errno));
    const int status = moonbow_contents_of_descriptor(contents, descriptor, detail);
    close(descriptor);
    return status;
}

/* ---- Forms ---------------------------------------------------------------------------------- */

/* The three structures, by the tags that they begin with. */
typedef enum structure { PUBLIC_INFO, PRIVATE_INFO, ENCRYPTED_INFO, UNKNOWN_STRUCTURE } structure;

/* Tag of the element that begins at *next, which is moved past its header; -1 if there is none. The element's
 * length and whether it ends within `end` are found too. */
static int open_element(const unsigned char **next, const unsigned char *end, long *length, int *whole)
{
    int tag = -1, class = 0;
    if (*next >= end || end - *next > LONG_MAX)
        return -1;
    const int result = ASN1_get_object(next, length, &tag, &class, (long)(end - *next));
    *whole = (result & 0x80) == 0;
    return class == V_ASN1_UNIVERSAL ? tag : -1;
}

/* fills: does the outermost element fill the bytes exactly? */
static structure structure_of(const uint8_t *der, size_t der_bytes, int *fills)
{
    const unsigned char *next = der, *end = der + der_bytes;
    long length = 0;
    int whole = 0;
    structure found = UNKNOWN_STRUCTURE;
    *fills = 0;
    ERR_set_mark();
    if (open_element(&next, end, &length, &whole) == V_ASN1_SEQUENCE) {
        *fills = whole && length == end - next;
        const int first = open_element(&next, end, &length, &whole);
        if (first == V_ASN1_INTEGER) {
            found = PRIVATE_INFO;
        } else if (first == V_ASN1_SEQUENCE && whole) {
            next += length;
            const int second = open_element(&next, end, &length, &whole);
            found = second == V_ASN1_BIT_STRING     ? PUBLIC_INFO
                    : second == V_ASN1_OCTET_STRING ? ENCRYPTED_INFO
                                                    : UNKNOWN_STRUCTURE;
        }
    }
    ERR_pop_to_mark();
    return found;
}

/* libcrypto looks for the same beginning. */
static int has_pem_block(const uint8_t *bytes, size_t bytes_len)
{
    static const char begin[] = "-----BEGIN ";
    return memmem(bytes, bytes_len, begin, sizeof begin - 1) != NULL;
}

moonbow_key_form moonbow_key_form_of(const uint8_t *bytes, size_t bytes_len)
{
    int fills = 0;
    if (bytes_len == 0) /* then there may be no bytes to point to */
        return MOONBOW_KEY_NEITHER;
    if (has_pem_block(bytes, bytes_len))
        return MOONBOW_KEY_PEM;
    const structure found = structure_of(bytes, bytes_len, &fills);
    return found != UNKNOWN_STRUCTURE && fills ? MOONBOW_KEY_DER : MOONBOW_KEY_NEITHER;
}

/* ---- Keys ----------------------------------------------------------------------------------- */

static int key_from_der_file(moonbow_key **key, const uint8_t *der, size_t der_bytes, moonbow_key_kind wanted,
                             const moonbow_passphrase *passphrase, moonbow_detail *detail)
{
    int fills = 0;
    const structure found = structure_of(der, der_bytes, &fills);
    const moonbow_key_kind unknown = wanted == MOONBOW_ANY_KEY ? MOONBOW_PUBLIC_KEY : wanted;
    const moonbow_key_kind kind = found == PUBLIC_INFO         ? MOONBOW_PUBLIC_KEY
                                  : found == UNKNOWN_STRUCTURE ? unknown
                                                               : MOONBOW_SECRET_KEY;
    if (wanted != MOONBOW_ANY_KEY && wanted != kind) {
        return mb_container_explain(detail, MOONBOW_CONTAINER_WRONG_KIND, "expected a %s, found a %s",
                                    mb_container_kind_text(wanted), mb_container_kind_text(kind));
    }
    if (found == ENCRYPTED_INFO)
        return mb_container_key_from_encrypted(key, der, der_bytes, passphrase, detail);
    return moonbow_key_from_der(key, der, der_bytes, kind, detail);
}

int moonbow_key_from_bytes(moonbow_key **key, const uint8_t *bytes, size_t bytes_len, moonbow_key_kind kind,
                           const moonbow_passphrase *passphrase, moonbow_detail *detail)
{
    static const uint8_t sequence = 0x30;
    *key = NULL;
    if (bytes_len == 0)
        return mb_container_fail(detail, MOONBOW_CONTAINER_EMPTY);
    if (bytes_len > MOONBOW_KEY_FILE_BYTES_MAX)
        return mb_container_fail(detail, MOONBOW_CONTAINER_TOO_LARGE);
    if (has_pem_block(bytes, bytes_len))
        return mb_container_key_from_pem(key, bytes, bytes_len, kind, passphrase, detail);
    if (bytes[0] == sequence)
        return key_from_der_file(key, bytes, bytes_len, kind, passphrase, detail);
    return mb_container_explain(detail, MOONBOW_CONTAINER_NOT_PEM,
                                "expected a %s in PEM or DER, found %zu bytes that are neither",
                                mb_container_kind_text(kind), bytes_len);
}
