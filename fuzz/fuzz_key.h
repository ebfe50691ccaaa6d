/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For the fuzz targets of key containers: what must hold of a key that was read, and of one that was refused. */
#ifndef FUZZ_KEY_H
#define FUZZ_KEY_H

#include "require.h"

#include <container/key.h>
#include <string.h>

/* A key has its algorithm's length; a refusal says why and leaves no key. */
static inline void check_outcome(int status, const moonbow_key *key, const moonbow_detail *detail,
                                 moonbow_key_kind kind)
{
    if (status != MOONBOW_OK) {
        require(key == NULL, "a key in spite of an error");
        require(memchr(detail->text, '\0', sizeof detail->text) != NULL && detail->text[0] != '\0',
                "no explanation");
        return;
    }
    const moonbow_parameters *p = key->algorithm->parameters;
    require(key->kind != MOONBOW_ANY_KEY && (kind == MOONBOW_ANY_KEY || kind == key->kind),
            "the other kind of key");
    require(key->bytes_len == (key->kind == MOONBOW_SECRET_KEY ? p->secret_key_bytes : p->public_key_bytes),
            "a key of the wrong length");
}

/* What was read can be written, and read again as the same key. */
static inline void check_round_trip(const moonbow_key *key)
{
    moonbow_encoding der;
    moonbow_key *again;
    moonbow_detail detail;
    require(moonbow_key_to_der(&der, key) == MOONBOW_OK, "cannot be written");
    require(moonbow_key_from_bytes(&again, der.bytes, der.bytes_len, key->kind, NULL, &detail) == MOONBOW_OK,
            "cannot be read again");
    require(again->algorithm == key->algorithm && memcmp(again->bytes, key->bytes, key->bytes_len) == 0,
            "another key");
    moonbow_key_free(again);
    moonbow_encoding_free(&der);
}

#endif
