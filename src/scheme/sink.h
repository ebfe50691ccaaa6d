/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Writing a key into a caller's sink: a NULL sink drops the bytes, and after a refusal nothing more is written. */
#ifndef MB_SCHEME_SINK_H
#define MB_SCHEME_SINK_H

#include <moonbow/signature.h>
#include <string.h>

typedef struct mb_key_writer {
    const moonbow_sink *sink;
    int status; /* OK or SINK_FAILED */
} mb_key_writer;

static inline void mb_key_write(mb_key_writer *writer, const uint8_t *piece, size_t bytes)
{
    if (writer->sink != NULL && writer->status == MOONBOW_OK &&
        writer->sink->write(writer->sink->context, piece, bytes) != 0) {
        writer->status = MOONBOW_SINK_FAILED;
    }
}

/* A sink into a buffer that is long enough; `context` is the address of the next byte's address. */
static inline int mb_sink_append(void *context, const uint8_t *piece, size_t bytes)
{
    uint8_t **at = context;
    memcpy(*at, piece, bytes);
    *at += bytes;
    return 0;
}

/* A sink that compares what comes with a stored key that is as long, in constant time. */
typedef struct mb_sink_comparison {
    const uint8_t *expected; /* the next byte */
    uint8_t difference;      /* not 0 once a byte has differed */
} mb_sink_comparison;

static inline int mb_sink_compare(void *context, const uint8_t *piece, size_t bytes)
{
    mb_sink_comparison *with = context;
    for (size_t i = 0; i < bytes; i++) {
        with->difference |= (uint8_t)(with->expected[i] ^ piece[i]);
    }
    with->expected += bytes;
    return 0;
}

#endif
