/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Pools of scratch memory. See core.h. */
#include "core.h"

#include <container/memory.h>

moonbow_scratch core_pool_take(core_pool *pool)
{
    moonbow_scratch scratch = {NULL, pool->bytes, pool->mode};
    for (size_t i = 0; i < CORE_SCRATCH_SLOTS && !scratch.start; i++) {
        if (atomic_load_explicit(&pool->slots[i], memory_order_relaxed))
            scratch.start = atomic_exchange(&pool->slots[i], NULL);
    }
    if (!scratch.start)
        scratch.start =
            pool->secret ? moonbow_memory_new_secret(pool->bytes) : moonbow_memory_new(pool->bytes);
    return scratch;
}

void core_pool_give(core_pool *pool, const moonbow_scratch *scratch)
{
    for (size_t i = 0; i < CORE_SCRATCH_SLOTS && scratch->start; i++) {
        void *none = NULL;
        if (!atomic_load_explicit(&pool->slots[i], memory_order_relaxed) &&
            atomic_compare_exchange_strong(&pool->slots[i], &none, scratch->start))
            return;
    }
    moonbow_memory_free(scratch->start, scratch->bytes);
}

void core_pool_free(core_pool *pool)
{
    for (size_t i = 0; i < CORE_SCRATCH_SLOTS; i++)
        moonbow_memory_free(atomic_exchange(&pool->slots[i], NULL), pool->bytes);
}
