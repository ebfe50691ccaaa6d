/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Key files for Moonbow on libcrypto: what the functions of container/ return, and how they explain it.
 * Start at key.h (keys in memory, PEM, DER); file.h writes files that are whole or absent. */
#ifndef MOONBOW_CONTAINER_CONTAINER_H
#define MOONBOW_CONTAINER_CONTAINER_H

#include <moonbow/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The functions of container/ return MOONBOW_OK, a value of moonbow/status.h, or one of these. */
enum {
    MOONBOW_CONTAINER_UNREADABLE = -101,        /* a file could not be opened or read */
    MOONBOW_CONTAINER_EMPTY = -102,             /* there is nothing in it */
    MOONBOW_CONTAINER_TOO_LARGE = -103,         /* longer than any key file may be */
    MOONBOW_CONTAINER_NOT_PEM = -104,           /* no line that begins a PEM block */
    MOONBOW_CONTAINER_DAMAGED = -105,           /* PEM or DER that is cut off or does not decode */
    MOONBOW_CONTAINER_OTHER_LABEL = -106,       /* a PEM block of something that is not a key of ours */
    MOONBOW_CONTAINER_WRONG_KIND = -107,        /* secret where public belongs, or the reverse */
    MOONBOW_CONTAINER_UNKNOWN_OID = -108,       /* a key of an algorithm that is not ours */
    MOONBOW_CONTAINER_TRAILING = -109,          /* bytes after the end of the key */
    MOONBOW_CONTAINER_PARAMETERS = -110,        /* algorithm parameters, where none belong */
    MOONBOW_CONTAINER_EXISTS = -111,            /* the file is there already and was not to be replaced */
    MOONBOW_CONTAINER_UNWRITABLE = -112,        /* a file could not be created, written or put in place */
    MOONBOW_CONTAINER_NO_MEMORY = -113,         /* out of memory */
    MOONBOW_CONTAINER_LIBCRYPTO = -114,         /* libcrypto failed unexpectedly */
    MOONBOW_CONTAINER_ENCRYPTED = -115,         /* a secret key that needs its passphrase */
    MOONBOW_CONTAINER_WRONG_PASSPHRASE = -116,  /* the passphrase does not open the key */
    MOONBOW_CONTAINER_UNKNOWN_ENCRYPTION = -117 /* a key encrypted in a way that is not read */
};

/* One English sentence without a full stop, for any value above or of moonbow/status.h; never NULL. */
const char *moonbow_container_text(int status);

/* What was expected and what was found: one English sentence without a full stop and without the
 * file's name. Functions fill it in when they fail; a NULL pointer is allowed everywhere. */
typedef struct moonbow_detail {
    char text[320];
} moonbow_detail;

#ifdef __cplusplus
}
#endif
#endif
