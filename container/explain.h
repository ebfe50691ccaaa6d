/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Internal to container/: fill in a moonbow_detail and return its status. */
#ifndef MOONBOW_CONTAINER_EXPLAIN_H
#define MOONBOW_CONTAINER_EXPLAIN_H

#include "container.h"

/* Writes the printf-style sentence to `detail` unless that is NULL; returns `status`. */
int mb_container_explain(moonbow_detail *detail, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with moonbow_container_text(status) as the sentence. */
int mb_container_fail(moonbow_detail *detail, int status);

#endif
