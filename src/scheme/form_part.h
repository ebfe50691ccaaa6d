/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Part of a stored map, between memory and keys: one block, and those polynomials that one layer has. Coefficients come from a
 * key stream or a stored key, and go to a sink, in the order of serialisation [RB3 §4] [UOV3 §3]. SECRET, constant time. */
#ifndef MB_SCHEME_FORM_PART_H
#define MB_SCHEME_FORM_PART_H

#include "quadratic/substitute.h"
#include "scheme/sink.h"
#include "symmetric/ctr.h"

typedef struct mb_form_part {
    const mb_form *form;
    mb_block block;
    size_t first, bytes; /* of each coefficient vector */
} mb_form_part;

/* Work memory for streams and sinks: at least a coefficient vector. */
typedef struct mb_form_buffer {
    uint8_t *start;
    size_t bytes;
} mb_form_buffer;

/* Calls `visit` for the part of each coefficient vector, in order; where parts follow one another in a row, for the row. */
void mb_form_visit(mb_form_part part, void (*visit)(void *context, uint8_t *vector, size_t bytes), void *context);

void mb_form_clear(mb_form_part part);
void mb_form_fill(mb_form_part part, mb_ctr *stream, mb_form_buffer buffer);
/* 0 if the stream yields what the part holds. */
int mb_form_compare(mb_form_part part, mb_ctr *stream, mb_form_buffer buffer);
/* Returns the first byte after the part. */
const uint8_t *mb_form_load(mb_form_part part, const uint8_t *stored);
void mb_form_write(mb_form_part part, mb_key_writer *writer, mb_form_buffer buffer);

#endif
