/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Environment variables, where there is an operating system; see environment.h. */
#include "platform/environment.h"

#if defined(__linux__) || defined(__APPLE__) || defined(_WIN32)

#include <stdlib.h>
#include <string.h>

int mb_environment_allows(const char *variable, const char *value)
{
    const char *wanted = getenv(variable);
    return wanted == NULL || strcmp(wanted, value) == 0;
}

#else

int mb_environment_allows(const char *variable, const char *value)
{
    (void)variable;
    (void)value;
    return 1;
}

#endif
