/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the library needs of this header, for tools/check_apple.sh: no SDK is at hand where it runs. */
#ifndef TEST_APPLE_STRING_H
#define TEST_APPLE_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
int strcmp(const char *a, const char *b);

#endif
