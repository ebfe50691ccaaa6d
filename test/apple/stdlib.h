/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the library needs of this header, for tools/check_apple.sh. */
#ifndef TEST_APPLE_STDLIB_H
#define TEST_APPLE_STDLIB_H

char *getenv(const char *name);

#endif
