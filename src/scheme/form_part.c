/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Parts of stored maps, in and out; see form_part.h. */
#include "scheme/form_part.h"

#include "platform/bytes.h"

#include <string.h>

/* Whether the part's rows are rows of the form: then they are visited as one vector each. */
static int is_whole(mb_form_part part)
{
    return part.bytes == part.form->bytes;
}

void mb_form_visit(mb_form_part part, void (*visit)(void *context, uint8_t *vector, size_t bytes), void *context)
{
    const mb_block block = part.block;
    for (size_t i = block.row; i < (size_t)block.row + block.rows; i++) {
        if (is_whole(part)) {
            const size_t j = mb_block_row_start(block, i);
            visit(context, mb_form_at(part.form, i, j), (mb_block_row_end(block) - j) * part.bytes);
            continue;
        }
        for (size_t j = mb_block_row_start(block, i); j < mb_block_row_end(block); j++) {
            visit(context, mb_form_at(part.form, i, j) + part.first, part.bytes);
        }
    }
}

/* What is visited is short, or whole rows. */
static inline void copy(uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (bytes <= 128) {
        mb_copy_short(out, in, bytes);
    } else {
        memcpy(out, in, bytes);
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
    copy(vector, *stored, bytes);
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
    int rows;           /* whole ones are visited, at any length: nothing waits */
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
    if (from->rows) {
        mb_ctr_read(from->stream, vector, bytes);
    } else {
        copy(vector, next_vector(from, bytes), bytes);
    }
}

static void compare_vector(void *context, uint8_t *vector, size_t bytes)
{
    source *with = context;
    while (bytes != 0) {
        const uint8_t *expected = with->buffer.start;
        size_t some = bytes;
        if (with->rows) {
            some = bytes < with->buffer.bytes ? bytes : with->buffer.bytes;
            mb_ctr_read(with->stream, with->buffer.start, some);
        } else {
            expected = next_vector(with, bytes);
        }
        for (size_t i = 0; i < some; i++) {
            with->difference |= (uint8_t)(vector[i] ^ expected[i]);
        }
        vector += some;
        bytes -= some;
    }
}

static source open_source(mb_form_part part, mb_ctr *stream, mb_form_buffer buffer)
{
    return (source){stream, buffer, NULL, 0, mb_block_monomials(part.block) * part.bytes,
                    is_whole(part), 0};
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
    if (bytes > to->buffer.bytes) {
        mb_key_write(to->writer, vector, bytes);
        return;
    }
    copy(to->buffer.start + to->used, vector, bytes);
    to->used += bytes;
}

void mb_form_write(mb_form_part part, mb_key_writer *writer, mb_form_buffer buffer)
{
    target to = {writer, buffer, 0};
    mb_form_visit(part, write_vector, &to);
    flush(&to);
}
