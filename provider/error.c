/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Errors: a reason, and what exactly was expected and found, on OpenSSL's error queue. */
#include "provider.h"

#include <stdarg.h>

const OSSL_ITEM mb_reason_strings[] = {
    {MB_REASON_STATUS, "operation failed"},
    {MB_REASON_OFF, "algorithm is off"},
    {MB_REASON_CONFIGURATION, "bad configuration"},
    {MB_REASON_NO_MEMORY, "out of memory"},
    {MB_REASON_NO_PUBLIC_KEY, "no public key"},
    {MB_REASON_NO_SECRET_KEY, "no private key"},
    {MB_REASON_WRONG_LENGTH, "wrong length"},
    {MB_REASON_WRONG_PARAMETER, "wrong parameter"},
    {MB_REASON_DAMAGED_SECRET_KEY, "damaged private key"},
    {MB_REASON_NOT_A_PAIR, "keys are not a pair"},
    {MB_REASON_NO_DIGEST, "no digest allowed"},
    {MB_REASON_BUFFER_TOO_SMALL, "buffer too small"},
    {MB_REASON_ORDER, "called out of order"},
    {MB_REASON_ONE_SHOT_ONLY, "message must come in one piece"},
    {MB_REASON_BAD_KEY_ENCODING, "bad key encoding"},
    {MB_REASON_CIPHER, "cipher not available"},
    {MB_REASON_PASSPHRASE, "no usable passphrase"},
    {MB_REASON_FAULT, "fault while signing"},
    {MB_REASON_LIBCRYPTO, "libcrypto failed unexpectedly"},
    {0, NULL},
};

int mb_fail_at(const mb_provider *provider, const char *file, int line, const char *function,
               mb_reason reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    provider->new_error(provider->handle);
    provider->set_error_debug(provider->handle, file, line, function);
    provider->vset_error(provider->handle, (uint32_t)reason, format, arguments);
    va_end(arguments);
    return 0;
}

int mb_fail_off_at(const mb_offer *offer, const char *file, int line, const char *function)
{
    const char *misspelt = offer->provider->misspelt;
    return mb_fail_at(
        offer->provider, file, line, function, MB_REASON_OFF,
        "%s is %s and off; enable-broken = yes in this provider's section of openssl.cnf turns it on%s%s. %s",
        offer->p->name, moonbow_security_text(offer->p->security),
        misspelt ? ", and there is enable-broken = " : "", misspelt ? misspelt : "", offer->p->caution);
}
