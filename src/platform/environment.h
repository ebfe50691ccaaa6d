/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The environment variables that choose among implementations; firmware has none. */
#ifndef MB_PLATFORM_ENVIRONMENT_H
#define MB_PLATFORM_ENVIRONMENT_H

/* What the variable is set to; NULL if it is not, or where there are none. */
const char *mb_environment_find(const char *variable);

/* 1 unless `found`, such an answer, is something other than `value`. */
int mb_environment_allows(const char *found, const char *value);

#endif
