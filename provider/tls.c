/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The capability TLS-SIGALG (provider-base(7)), which OpenSSL asks for from 3.2 on: signature algorithms of TLS 1.3 beyond those
 * that it knows itself. Candidates alone: nobody needs a broken one in a handshake. */
#include "provider.h"

#include <openssl/core_names.h>

#if OPENSSL_VERSION_NUMBER >= 0x30200000L

#include <openssl/params.h>
#include <openssl/prov_ssl.h>
#include <openssl/ssl3.h>
#include <openssl/tls1.h>
#include <stdlib.h>
#include <string.h>

/* Of the range that RFC 8446 §4.2.3 leaves to private use, 0xfe00 to 0xffff; the last two arcs of the object identifier. */
enum { CODE_POINT_BASE = 0xfe40 };

static unsigned code_point(const mb_offer *offer)
{
    const char *format = strrchr(offer->oid, '.'), *set = format;
    while (set[-1] != '.')
        set--;
    return CODE_POINT_BASE + 8 * (unsigned)strtoul(set, NULL, 10) + (unsigned)strtoul(format + 1, NULL, 10);
}

static char *text(const char *constant)
{
    return (char *)(uintptr_t)constant; /* parameters are not const; the callee reads */
}

int mb_provider_get_capabilities(void *context, const char *capability, OSSL_CALLBACK *callback,
                                 void *argument)
{
    const mb_provider *provider = context;
    int first_tls = TLS1_3_VERSION, last_tls = 0, no_dtls = -1;
    if (OPENSSL_strcasecmp(capability, "TLS-SIGALG") != 0)
        return 1; /* asked for key exchange too: none, and no failure, which would be one of SSL_CTX_new */
    for (size_t i = 0; i < provider->offers_len; i++) {
        const mb_offer *offer = &provider->offers[i];
        unsigned point = code_point(offer), bits = (unsigned)offer->security_bits;
        if (offer->p->security != MOONBOW_CANDIDATE)
            continue;
        const OSSL_PARAM params[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_CAPABILITY_TLS_SIGALG_IANA_NAME, text(offer->p->name), 0),
            OSSL_PARAM_construct_utf8_string(OSSL_CAPABILITY_TLS_SIGALG_NAME, text(offer->p->name), 0),
            OSSL_PARAM_construct_utf8_string(OSSL_CAPABILITY_TLS_SIGALG_OID, text(offer->oid), 0),
            OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_SIGALG_CODE_POINT, &point),
            OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_SIGALG_SECURITY_BITS, &bits),
            OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_SIGALG_MIN_TLS, &first_tls),
            OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_SIGALG_MAX_TLS, &last_tls),
            OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_SIGALG_MIN_DTLS, &no_dtls),
            OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_SIGALG_MAX_DTLS, &no_dtls),
            OSSL_PARAM_construct_end(),
        };
        if (!callback(params, argument))
            return 0;
    }
    return 1;
}

#else

int mb_provider_get_capabilities(void *context, const char *capability, OSSL_CALLBACK *callback,
                                 void *argument)
{
    (void)context;
    (void)capability;
    (void)callback;
    (void)argument;
    return 1; /* none; a failure would be one of SSL_CTX_new */
}

#endif
