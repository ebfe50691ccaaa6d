/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Internal to container/: the names of the two structures in PEM and in messages. */
#ifndef MOONBOW_CONTAINER_DER_H
#define MOONBOW_CONTAINER_DER_H

#include "key.h"

/* "PRIVATE KEY" or "PUBLIC KEY". */
static inline const char *mb_container_label(moonbow_key_kind kind)
{
    return kind == MOONBOW_SECRET_KEY ? "PRIVATE KEY" : "PUBLIC KEY";
}

static inline const char *mb_container_kind_text(moonbow_key_kind kind)
{
    return kind == MOONBOW_SECRET_KEY ? "secret key" : kind == MOONBOW_PUBLIC_KEY ? "public key" : "key";
}

#endif
