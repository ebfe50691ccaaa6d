/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The OpenSSL provider: what its files share. It stands on moonbow/signature.h and container/, and on libcrypto as any program does.
 * Start at provider.c; how to use it is in docs/guide/openssl.md, why it is so in docs/decisions/0024-openssl-provider.md. */
#ifndef MOONBOW_PROVIDER_PROVIDER_H
#define MOONBOW_PROVIDER_PROVIDER_H

#include "pool.h"

#include <moonbow/signature.h>
#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>

/* OpenSSL's table of a key type's functions does not say of which type they are, so that each algorithm has functions of its
 * own: a slot's, numbered as in the registry. There are more slots than algorithms; a registry that outgrows them is refused. */
enum { MB_SLOTS = 32 };
#define MB_EACH_SLOT(X)                                                                                      \
    X(0)                                                                                                     \
    X(1)                                                                                                     \
    X(2)                                                                                                     \
    X(3)                                                                                                     \
    X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21)    \
        X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)

struct mb_provider;

/* One algorithm as this provider offers it. */
typedef struct mb_offer {
    struct mb_provider *provider;
    const moonbow_algorithm *algorithm;
    const moonbow_parameters *p; /* the algorithm's */
    const char *oid;             /* dotted */
    char names[160];             /* "uov-Is:2.25…" */
    char description[200];
    int is_on; /* else its keys can be read and shown, and everything else is refused with the reason */
    int security_bits; /* against what is known */
    unsigned char algorithm_id[64];
    size_t algorithm_id_bytes;
    mb_pool signing, verifying; /* scratch memory for any form of a key */
} mb_offer;

typedef struct mb_provider {
    const OSSL_CORE_HANDLE *handle;
    OSSL_LIB_CTX *context; /* a child of the application's: its ciphers, its randomness */
    int enable_broken;
    char *misspelt;        /* what the switch says, if that is neither yes nor no */
    moonbow_random random; /* of `context` */
    size_t offers_len;
    mb_offer offers[MB_SLOTS];
    OSSL_ALGORITHM *key_managers, *signatures, *encoders, *decoders;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;
} mb_provider;

/* ---- Errors --------------------------------------------------------------------------------- */

/* Reasons; their sentences are in error.c. */
typedef enum mb_reason {
    MB_REASON_STATUS = 1, /* a status of the library or of container/, told in the error's data */
    MB_REASON_OFF,
    MB_REASON_CONFIGURATION,
    MB_REASON_NO_MEMORY,
    MB_REASON_NO_PUBLIC_KEY,
    MB_REASON_NO_SECRET_KEY,
    MB_REASON_WRONG_LENGTH,
    MB_REASON_WRONG_PARAMETER,
    MB_REASON_DAMAGED_SECRET_KEY,
    MB_REASON_NOT_A_PAIR,
    MB_REASON_NO_DIGEST,
    MB_REASON_BUFFER_TOO_SMALL,
    MB_REASON_ORDER,
    MB_REASON_ONE_SHOT_ONLY,
    MB_REASON_BAD_KEY_ENCODING,
    MB_REASON_CIPHER,
    MB_REASON_PASSPHRASE,
    MB_REASON_FAULT,
    MB_REASON_LIBCRYPTO
} mb_reason;

extern const OSSL_ITEM mb_reason_strings[];

/* Raises an error through OpenSSL's core, with a printf-style sentence; returns 0, as a failing function does. */
int mb_fail_at(const mb_provider *provider, const char *file, int line, const char *function,
               mb_reason reason, const char *format, ...) __attribute__((format(printf, 6, 7)));
#define MB_FAIL(provider, reason, ...) mb_fail_at(provider, __FILE__, __LINE__, __func__, reason, __VA_ARGS__)
/* The same for a status of container/ or of the library, with its own sentence. */
#define MB_FAIL_STATUS(provider, name, status)                                                               \
    mb_fail_at(provider, __FILE__, __LINE__, __func__, MB_REASON_STATUS, "%s: %s", name,                     \
               moonbow_container_text(status))
/* The algorithm is off: says why, and what turns it on. */
int mb_fail_off_at(const mb_offer *offer, const char *file, int line, const char *function);
#define mb_fail_off(offer) mb_fail_off_at(offer, __FILE__, __LINE__, __func__)

/* ---- The operations ------------------------------------------------------------------------- */

/* A slot's offer, or NULL. */
static inline mb_offer *mb_offer_of_slot(void *provider, size_t slot)
{
    mb_provider *p = provider;
    return slot < p->offers_len ? &p->offers[slot] : NULL;
}

/* The functions of a slot's key type, and of its decoders. */
extern const OSSL_DISPATCH *const mb_key_manager_of_slot[MB_SLOTS];
extern const OSSL_DISPATCH *const mb_secret_decoder_of_slot[MB_SLOTS];
extern const OSSL_DISPATCH *const mb_public_decoder_of_slot[MB_SLOTS];

/* The same functions for all key types. */
extern const OSSL_DISPATCH mb_signature_functions[];
typedef struct mb_encoder {
    const char *properties;
    const OSSL_DISPATCH *functions;
} mb_encoder;
extern const mb_encoder mb_encoders[]; /* ends with NULL */

/* TLS: tells OpenSSL 3.2 and newer of each signature algorithm that is on; 1 and nothing said before. */
OSSL_FUNC_provider_get_capabilities_fn mb_provider_get_capabilities;

#define MB_FUNCTION(id, function)                                                                            \
    {                                                                                                        \
        id, (void (*)(void))(function)                                                                       \
    }

#endif
