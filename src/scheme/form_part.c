/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Parts of stored maps, in and out; see form_part.h. */
#include "scheme/form_part.h"

#include <string.h>

void mb_form_visit(mb_form_part part, void (*visit)(void *context, uint8_t *vector, size_t bytes), void *context)
{
    const mb_block block = part.block;
    for (size_t i = block.row; i < (size_t)block.row + block.rows; i++) {
        for (size_t j = mb_block_row_start(block, i); j < mb_block_row_end(block); j++) {
            visit(context, mb_form_at(part.form, i, j) + part.first, part.bytes);
        }
    }
}

static void clear_vector(void *context, uint8_t *vector, size_t bytes)
{
    (void)context;
    memset(vector, 0, bytes);
}

void mb_form_clear(mb_form_part part)
{
    mb_form_visit(part, clear_vector, NULL);
}

static void load_vector(void *context, uint8_t *vector, size_t bytes)
{
    const uint8_t **stored = context;
    memcpy(vector, *stored, bytes);
    *stored += bytes;
}

const uint8_t *mb_form_load(mb_form_part part, const uint8_t *stored)
{
    mb_form_visit(part, load_vector, &stored);
    return stored;
}

/* Coefficients that were generated and wait, and those still to be generated. */
typedef struct source {
    mb_ctr *stream;
    mb_form_buffer buffer;
    const uint8_t *next;
    size_t waiting, left;
    uint8_t difference; /* comparing: what was found to differ */
} source;

/* The next `bytes` bytes of the stream. */
static const uint8_t *next_vector(source *from, size_t bytes)
{
    const uint8_t *vector;
    if (from->waiting == 0) {
        const size_t most = from->buffer.bytes / bytes * bytes; /* whole vectors */
        from->waiting = from->left < most ? from->left : most;
        from->left -= from->waiting;
        from->next = from->buffer.start;
        mb_ctr_read(from->stream, from->buffer.start, from->waiting);
    }
    vector = from->next;
    from->next += bytes;
    from->waiting -= bytes;
    return vector;
}

static void fill_vector(void *context, uint8_t *vector, size_t bytes)
{
    source *from = context;
    memcpy(vector, next_vector(from, bytes), bytes);
}

static void compare_vector(void *context, uint8_t *vector, size_t bytes)
{
    source *with = context;
    const uint8_t *expected = next_vector(with, bytes);
    for (size_t i = 0; i < bytes; i++) {
        with->difference |= (uint8_t)(vector[i] ^ expected[i]);
    }
}

static source open_source(mb_form_part part, mb_ctr *stream, mb_form_buffer buffer)
{
    return (source){stream, buffer, NULL, 0, mb_block_monomials(part.block) * part.bytes, 0};
}

void mb_form_fill(mb_form_part part, mb_ctr *stream, mb_form_buffer buffer)
{
    source from = open_source(part, stream, buffer);
    mb_form_visit(part, fill_vector, &from);
}

int mb_form_compare(mb_form_part part, mb_ctr *stream, mb_form_buffer buffer)
{
    source with = open_source(part, stream, buffer);
    mb_form_visit(part, compare_vector, &with);
    return with.difference;
}

typedef struct target {
    mb_key_writer *writer;
    mb_form_buffer buffer;
    size_t used;
} target;

static void flush(target *to)
{
    mb_key_write(to->writer, to->buffer.start, to->used);
    to->used = 0;
}

static void write_vector(void *context, uint8_t *vector, size_t bytes)
{
    target *to = context;
    if (to->used + bytes > to->buffer.bytes) {
        flush(to);
    }
    memcpy(to->buffer.start + to->used, vector, bytes);
    to->used += bytes;
}

void mb_form_write(mb_form_part part, mb_key_writer *writer, mb_form_buffer buffer)
{
    target to = {writer, buffer, 0};
    mb_form_visit(part, write_vector, &to);
    flush(&to);
}
