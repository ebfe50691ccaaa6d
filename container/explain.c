/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Sentences for the statuses of container/. */
#include "explain.h"

#include <stdarg.h>
#include <stdio.h>

const char *moonbow_container_text(int status)
{
    switch (status) {
    case MOONBOW_CONTAINER_UNREADABLE:
        return "the file cannot be read";
    case MOONBOW_CONTAINER_EMPTY:
        return "the file is empty";
    case MOONBOW_CONTAINER_TOO_LARGE:
        return "the file is longer than any key file";
    case MOONBOW_CONTAINER_NOT_PEM:
        return "this is not a PEM file";
    case MOONBOW_CONTAINER_DAMAGED:
        return "the key is cut off or damaged";
    case MOONBOW_CONTAINER_OTHER_LABEL:
        return "the PEM block does not hold a key of ours";
    case MOONBOW_CONTAINER_WRONG_KIND:
        return "the key is of the other kind (secret or public)";
    case MOONBOW_CONTAINER_UNKNOWN_OID:
        return "the key belongs to an unknown algorithm";
    case MOONBOW_CONTAINER_TRAILING:
        return "there are bytes after the end of the key";
    case MOONBOW_CONTAINER_PARAMETERS:
        return "the key has algorithm parameters where none belong";
    case MOONBOW_CONTAINER_EXISTS:
        return "the file exists already";
    case MOONBOW_CONTAINER_UNWRITABLE:
        return "the file cannot be written";
    case MOONBOW_CONTAINER_NO_MEMORY:
        return "out of memory";
    case MOONBOW_CONTAINER_LIBCRYPTO:
        return "libcrypto failed unexpectedly";
    case MOONBOW_CONTAINER_ENCRYPTED:
        return "the secret key is encrypted: its passphrase is needed";
    case MOONBOW_CONTAINER_WRONG_PASSPHRASE:
        return "the passphrase does not open the secret key: it is another one, or the file was damaged";
    case MOONBOW_CONTAINER_UNKNOWN_ENCRYPTION:
        return "the secret key is encrypted in a way that is not read";
    default:
        return moonbow_status_text(status);
    }
}

int mb_container_explain(moonbow_detail *detail, int status, const char *format, ...)
{
    if (detail) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(detail->text, sizeof detail->text, format, arguments); /* a long text is cut */
        va_end(arguments);
    }
    return status;
}

int mb_container_fail(moonbow_detail *detail, int status)
{
    return mb_container_explain(detail, status, "%s", moonbow_container_text(status));
}
