/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the examples share: memory from the heap, and giving up at the first error. */
#ifndef EXAMPLES_EXAMPLE_H
#define EXAMPLES_EXAMPLE_H

#include <moonbow/signature.h>
#include <stdio.h>
#include <stdlib.h>

/* Scratch memory for one operation, to be given back with free(scratch.start). The sizes that the
 * library asks for are multiples of the alignment, as aligned_alloc wants them. Without memory `start`
 * is NULL, and the operation answers MOONBOW_BAD_SCRATCH. */
static inline moonbow_scratch lend(size_t bytes, moonbow_mode mode)
{
    return (moonbow_scratch){aligned_alloc(MOONBOW_SCRATCH_ALIGNMENT, bytes), bytes, mode};
}

static inline uint8_t *allocate(size_t bytes)
{
    uint8_t *memory = malloc(bytes);
    if (memory == NULL) {
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* Ends the program unless the status is the expected one. */
static inline void expect(int expected, int status)
{
    if (status != expected) {
        fprintf(stderr, "expected \"%s\", found \"%s\"\n", moonbow_status_text(expected),
                moonbow_status_text(status));
        exit(EXIT_FAILURE);
    }
}

#endif
