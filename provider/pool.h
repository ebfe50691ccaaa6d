/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Scratch memory of one size that operations hand on to one another, so that an operation does not pay for new pages. */
#ifndef MOONBOW_PROVIDER_POOL_H
#define MOONBOW_PROVIDER_POOL_H

#include <moonbow/signature.h>
#include <stdatomic.h>
#include <stddef.h>

enum { MB_POOL_LEN = 8 };

/* Threads take and give without locks; what does not fit is new, and freed. */
typedef struct mb_pool {
    size_t bytes;
    int is_secret;
    _Atomic(void *) idle[MB_POOL_LEN];
} mb_pool;

void mb_pool_init(mb_pool *pool, size_t bytes, int is_secret);
/* Nothing may be in use. */
void mb_pool_free(mb_pool *pool);

/* Memory for one operation in fast mode; start is NULL if there is none. Contents are whatever the last operation left: it wiped
 * what it used. */
moonbow_scratch mb_pool_take(mb_pool *pool);
/* NULL is allowed. */
void mb_pool_give(mb_pool *pool, void *start);

#endif
