/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A seekable byte stream over AES: long reads go straight into the caller's memory, the rest
 * through a buffer of four blocks. See ctr.h. */
#include "symmetric/ctr.h"

#include "platform/wipe.h"
#include "symmetric/counter.h"

#include <string.h>

static void rewind_to(mb_ctr *ctr, const uint8_t counter[16])
{
    memcpy(ctr->start, counter, 16);
    memcpy(ctr->counter, counter, 16);
    ctr->used = MB_CTR_BUFFER_BYTES;
    ctr->shortcut = NULL;
}

static void init_128_with(mb_ctr *ctr, const mb_aes_cipher *cipher, const uint8_t key[16], const uint8_t counter[16])
{
    ctr->cipher = cipher;
    cipher->init_128(&ctr->aes, key);
    rewind_to(ctr, counter);
}

void mb_ctr_init_128(mb_ctr *ctr, const uint8_t key[16], const uint8_t counter[16])
{
    init_128_with(ctr, &mb_aes_constant_time, key, counter);
}

void mb_ctr_init_128_vartime(mb_ctr *ctr, const uint8_t key[16], const uint8_t counter[16])
{
    init_128_with(ctr, &mb_aes_vartime, key, counter);
}

void mb_ctr_init_256_with(mb_ctr *ctr, const mb_aes_cipher *cipher, const uint8_t key[32], const uint8_t counter[16])
{
    ctr->cipher = cipher;
    cipher->init_256(&ctr->aes, key);
    rewind_to(ctr, counter);
}

void mb_ctr_init_256(mb_ctr *ctr, const uint8_t key[32], const uint8_t counter[16])
{
    mb_ctr_init_256_with(ctr, &mb_aes_constant_time, key, counter);
}

size_t mb_ctr_shortcut_bytes_vartime(void)
{
    return mb_aes_vartime.shortcut_bytes();
}

void mb_ctr_take_shortcut_vartime(mb_ctr *ctr, void *memory)
{
    if (memory != NULL && ctr->cipher->begin_shortcut != NULL) {
        ctr->cipher->begin_shortcut(memory);
        ctr->shortcut = memory;
    }
}

static void fill_buffer(mb_ctr *ctr)
{
    ctr->cipher->ctr(&ctr->aes, ctr->counter, ctr->buffer, MB_CTR_BUFFER_BYTES / 16);
    ctr->used = 0;
}

/* Gives out up to `bytes` bytes of what the buffer still holds; returns how many. */
static size_t take_buffered(mb_ctr *ctr, uint8_t *out, size_t bytes)
{
    const size_t held = MB_CTR_BUFFER_BYTES - ctr->used;
    const size_t taken = bytes < held ? bytes : held;
    if (taken != 0) {
        memcpy(out, ctr->buffer + ctr->used, taken);
        ctr->used += (unsigned)taken;
    }
    return taken;
}

void mb_ctr_read(mb_ctr *ctr, uint8_t *out, size_t bytes)
{
    const size_t first = take_buffered(ctr, out, bytes);
    bytes -= first;
    if (bytes == 0) {
        return;
    }
    out += first; /* not earlier: out may be NULL when bytes is 0 */

    /* The buffer is empty. Whole buffers' worth go past it. */
    const size_t direct = bytes - bytes % MB_CTR_BUFFER_BYTES;
    if (direct != 0 && ctr->shortcut != NULL) {
        ctr->cipher->ctr_by_shortcut(&ctr->aes, ctr->shortcut, ctr->counter, out, direct / 16);
    } else if (direct != 0) {
        ctr->cipher->ctr(&ctr->aes, ctr->counter, out, direct / 16);
    }
    if (bytes != direct) {
        fill_buffer(ctr);
        take_buffered(ctr, out + direct, bytes - direct);
    }
}

int mb_ctr_read_some(mb_ctr *ctr, uint8_t *out, size_t piece_bytes, const uint8_t *wanted, size_t count)
{
    if (ctr->cipher->ctr_some == NULL || ctr->used != MB_CTR_BUFFER_BYTES) {
        return -1;
    }
    return ctr->cipher->ctr_some(&ctr->aes, ctr->counter, out, piece_bytes / 16, wanted, count);
}

void mb_ctr_seek(mb_ctr *ctr, uint64_t byte_offset)
{
    const mb_counter start = mb_counter_load(ctr->start);
    mb_counter_store(ctr->counter, mb_counter_add(start, byte_offset / 16));
    ctr->used = MB_CTR_BUFFER_BYTES;
    if (byte_offset % 16 != 0) {
        fill_buffer(ctr);
        ctr->used = (unsigned)(byte_offset % 16);
    }
}

void mb_ctr_wipe(mb_ctr *ctr)
{
    mb_wipe(ctr, sizeof *ctr);
}
