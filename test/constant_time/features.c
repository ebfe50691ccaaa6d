/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The processor's features as the constant-time test wants them: none at all for the backend "portable", so that AES and SHA run
 * in portable code too. The linker sends calls of mb_cpu_features here (--wrap). */
#include "platform/cpu.h"
#include "platform/environment.h"

#include <stdlib.h>

unsigned __real_mb_cpu_features(void);
unsigned __wrap_mb_cpu_features(void);

unsigned __wrap_mb_cpu_features(void)
{
    return getenv("MOONBOW_BACKEND") != NULL && mb_environment_allows(getenv("MOONBOW_BACKEND"), "portable")
               ? 0
               : __real_mb_cpu_features();
}
