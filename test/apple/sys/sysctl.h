/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the library needs of this header, for tools/check_apple.sh. */
#ifndef TEST_APPLE_SYS_SYSCTL_H
#define TEST_APPLE_SYS_SYSCTL_H

#include <stddef.h>

int sysctlbyname(const char *name, void *value, size_t *value_bytes, void *new_value, size_t new_bytes);

#endif
