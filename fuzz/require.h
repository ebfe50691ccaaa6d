/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For the fuzz targets: what must hold, and ends the run if it does not. */
#ifndef FUZZ_REQUIRE_H
#define FUZZ_REQUIRE_H

#include <stdio.h>
#include <stdlib.h>

static inline void require(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

#endif
