/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The key stream of AES in counter mode [SP 800-38A §6.5] as a stream of bytes that can be read in
 * pieces of any length and sought in. Constant time, unless its key is PUBLIC and it was begun so. Below it: aes.h. */
#ifndef MB_SYMMETRIC_CTR_H
#define MB_SYMMETRIC_CTR_H

#include "symmetric/aes.h"

#include <stddef.h>
#include <stdint.h>

/* One buffer of key stream: four blocks, because backends compute several blocks at the price of
 * one. */
enum { MB_CTR_BUFFER_BYTES = 64 };

/* A stream and the place in it. SECRET if the key is. May be copied: the copy reads the same bytes. */
typedef struct mb_ctr {
    const mb_aes_cipher *cipher;
    mb_aes aes;
    unsigned used;       /* bytes of the buffer already given out; all of them: it is empty */
    uint8_t start[16];   /* the counter of the stream's first block */
    uint8_t counter[16]; /* the counter of the block after the buffer */
    mb_aes_shortcut *shortcut; /* or NULL */
    uint8_t buffer[MB_CTR_BUFFER_BYTES];
} mb_ctr;

/* Begin the stream AES(key, counter) ‖ AES(key, counter + 1) ‖ ..., the counter being a big-endian
 * number of 128 bits that wraps. Key, 16 or 32 bytes, and counter may be SECRET. */
void mb_ctr_init_128(mb_ctr *ctr, const uint8_t key[16], const uint8_t counter[16]);
void mb_ctr_init_256(mb_ctr *ctr, const uint8_t key[32], const uint8_t counter[16]);

/* The same bytes in variable time: key and counter must be PUBLIC. */
void mb_ctr_init_128_vartime(mb_ctr *ctr, const uint8_t key[16], const uint8_t counter[16]);

/* The same with a key of 32 bytes for a cipher that was chosen before: mb_aes_vartime takes PUBLIC keys alone. */
void mb_ctr_init_256_with(mb_ctr *ctr, const mb_aes_cipher *cipher, const uint8_t key[32], const uint8_t counter[16]);

/* Writes the next `bytes` bytes of the stream. What is cut into pieces does not matter for the bytes;
 * for speed, pieces of some hundred bytes or more are best. */
void mb_ctr_read(mb_ctr *ctr, uint8_t *out, size_t bytes);

/* Of the next `count` pieces of `piece_bytes` bytes each, a multiple of 16, writes those whose byte in `wanted` (PUBLIC) is not 0 to their
 * places in `out`, whose other bytes stay as they are. 0, or -1 where that would take no less time than reading all, or if the stream stands
 * within a buffer: then nothing was done. */
int mb_ctr_read_some(mb_ctr *ctr, uint8_t *out, size_t piece_bytes, const uint8_t *wanted, size_t count);

/* The next read begins `byte_offset` (public) bytes after the stream's beginning. */
void mb_ctr_seek(mb_ctr *ctr, uint64_t byte_offset);

/* Bytes of a shortcut, 0 where this machine has none, and its use for all that is read until the next beginning: for streams of a PUBLIC
 * key, begun in variable time. The memory, NULL for no shortcut, is aligned like scratch and outlives the stream. */
size_t mb_ctr_shortcut_bytes_vartime(void);
void mb_ctr_take_shortcut_vartime(mb_ctr *ctr, void *memory);

void mb_ctr_wipe(mb_ctr *ctr);

#endif
