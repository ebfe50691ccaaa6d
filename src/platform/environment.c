/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Environment variables, where there is an operating system; see environment.h. */
#include "platform/environment.h"

#include <stddef.h>

#if defined(__linux__) || defined(__APPLE__) || defined(_WIN32)

#include <stdlib.h>
#include <string.h>

const char *mb_environment_find(const char *variable)
{
    return getenv(variable);
}

int mb_environment_allows(const char *found, const char *value)
{
    return found == NULL || strcmp(found, value) == 0;
}

#else

const char *mb_environment_find(const char *variable)
{
    (void)variable;
    return NULL;
}

int mb_environment_allows(const char *found, const char *value)
{
    (void)found;
    (void)value;
    return 1;
}

#endif
