/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For firmware that links the static library: AES, SHA-256 and randomness of the board's own, in place of the library's code for this
 * processor, which is then not linked. Each macro stands once, at file level, in one file of the program. See docs/guide/cortex-m4.md. */
#ifndef MOONBOW_BOARD_H
#define MOONBOW_BOARD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* MOONBOW_BOARD_SHA256(compress): takes `count` blocks of 64 bytes, at any address, into the state [FIPS 180-4 §6.2.2].
 * SECRET or public. */
typedef void moonbow_board_sha256_compress(uint32_t state[8], const uint8_t *blocks, size_t count);
#define MOONBOW_BOARD_SHA256(compress)                                                       \
    moonbow_board_sha256_compress *mb_sha256_accelerated(void);                               \
    moonbow_board_sha256_compress *mb_sha256_accelerated(void)                                \
    {                                                                                         \
        return (compress);                                                                    \
    }                                                                                         \
    typedef int moonbow_board_sha256_stands_once

/* MOONBOW_BOARD_AES(encrypt_counters): writes 16·blocks bytes: for each block AES(key, counter), then counter + 1, one big-endian
 * number that wraps; the counter is left at the first value not used. The key has 16 or 32 bytes. SECRET or public, and what
 * is SECRET must not show in its time. */
typedef void moonbow_board_aes_ctr(const uint8_t *key, size_t key_bytes, uint8_t counter[16], uint8_t *out, size_t blocks);
extern moonbow_board_aes_ctr *const moonbow_board_aes;
struct mb_aes_backend;
const struct mb_aes_backend *mb_aes_board(void);
const struct mb_aes_backend *mb_aes_accelerated(unsigned features);
const struct mb_aes_backend *mb_aes_accelerated_vartime(unsigned features);
#define MOONBOW_BOARD_AES(encrypt_counters)                                                  \
    moonbow_board_aes_ctr *const moonbow_board_aes = (encrypt_counters);                      \
    const struct mb_aes_backend *mb_aes_accelerated(unsigned features)                        \
    {                                                                                         \
        (void)features;                                                                       \
        return mb_aes_board();                                                                \
    }                                                                                         \
    const struct mb_aes_backend *mb_aes_accelerated_vartime(unsigned features)                \
    {                                                                                         \
        (void)features;                                                                       \
        return mb_aes_board();                                                                \
    }                                                                                         \
    typedef int moonbow_board_aes_stands_once

/* MOONBOW_BOARD_RANDOM(fill): what a NULL moonbow_random means; 0, or anything else on failure. */
typedef int moonbow_board_random_fill(void *context, uint8_t *out, size_t bytes);
int mb_system_random(void *context, uint8_t *out, size_t bytes);
#define MOONBOW_BOARD_RANDOM(fill)                                                           \
    int mb_system_random(void *context, uint8_t *out, size_t bytes)                           \
    {                                                                                         \
        moonbow_board_random_fill *const board = (fill);                                      \
        return board(context, out, bytes);                                                    \
    }                                                                                         \
    typedef int moonbow_board_random_stands_once

#ifdef __cplusplus
}
#endif
#endif
