/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The environment variables that choose among implementations; firmware has none. */
#ifndef MB_PLATFORM_ENVIRONMENT_H
#define MB_PLATFORM_ENVIRONMENT_H

/* 1 unless the variable is set to something other than `value`. */
int mb_environment_allows(const char *variable, const char *value);

#endif
