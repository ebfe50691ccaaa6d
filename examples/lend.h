/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For the examples: memory for one operation, from the heap. */
#ifndef EXAMPLES_LEND_H
#define EXAMPLES_LEND_H

#include <moonbow/signature.h>
#include <stdlib.h>

/* Scratch memory to be given back with free(scratch.start). The sizes that the library asks for are
 * multiples of the alignment, as aligned_alloc wants them. Without memory `start` is NULL, and the
 * operation answers MOONBOW_BAD_SCRATCH. */
static inline moonbow_scratch lend(size_t bytes, moonbow_mode mode)
{
    return (moonbow_scratch){aligned_alloc(MOONBOW_SCRATCH_ALIGNMENT, bytes), bytes, mode};
}

#endif
