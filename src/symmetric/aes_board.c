/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * AES that a board supplies (moonbow/board.h): the key is kept as it is, in place of its expansion. Linked where a program asks for it. */
#include "symmetric/aes_backend.h"

#include <moonbow/board.h>
#include <string.h>

enum { ROUNDS_128 = 10, ROUNDS_256 = 14 };

static void init_128(mb_aes *aes, const uint8_t key[16])
{
    memcpy(aes->round_keys, key, 16);
    aes->rounds = ROUNDS_128;
}

static void init_256(mb_aes *aes, const uint8_t key[32])
{
    memcpy(aes->round_keys, key, 32);
    aes->rounds = ROUNDS_256;
}

static void ctr(const mb_aes *aes, uint8_t counter[16], uint8_t *out, size_t blocks)
{
    moonbow_board_aes(aes->round_keys, aes->rounds == ROUNDS_128 ? 16 : 32, counter, out, blocks);
}

const mb_aes_backend *mb_aes_board(void)
{
    static const mb_aes_backend backend = {"board", init_128, init_256, ctr, NULL, NULL, NULL};
    return &backend;
}
