/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Slots that are exchanged atomically. */
#include "pool.h"

#include <container/memory.h>

void mb_pool_init(mb_pool *pool, size_t bytes, int is_secret)
{
    pool->bytes = bytes;
    pool->is_secret = is_secret;
    for (size_t i = 0; i < MB_POOL_LEN; i++)
        atomic_init(&pool->idle[i], NULL);
}

void mb_pool_free(mb_pool *pool)
{
    for (size_t i = 0; i < MB_POOL_LEN; i++)
        moonbow_memory_free(atomic_exchange(&pool->idle[i], NULL), pool->bytes);
}

moonbow_scratch mb_pool_take(mb_pool *pool)
{
    moonbow_scratch scratch = {NULL, pool->bytes, MOONBOW_FAST};
    for (size_t i = 0; i < MB_POOL_LEN && !scratch.start; i++) {
        if (atomic_load_explicit(&pool->idle[i], memory_order_relaxed))
            scratch.start = atomic_exchange(&pool->idle[i], NULL);
    }
    if (!scratch.start)
        scratch.start =
            pool->is_secret ? moonbow_memory_new_secret(pool->bytes) : moonbow_memory_new(pool->bytes);
    return scratch;
}

void mb_pool_give(mb_pool *pool, void *start)
{
    for (size_t i = 0; i < MB_POOL_LEN && start; i++) {
        void *nothing = NULL;
        if (atomic_compare_exchange_strong(&pool->idle[i], &nothing, start))
            start = NULL;
    }
    moonbow_memory_free(start, pool->bytes);
}
