/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Several signatures under one public key, which goes to one of them and serves all. The maps are joined in
 * quadratic/public_map.h; here, the order of calls. */
#include "quadratic/public_map.h"
#include "signature/scratch.h"
#include "signature/verify.h"

static void add_key(moonbow_verification *leader, size_t bytes)
{
    for (moonbow_verification *v = leader->next; v != NULL; v = v->next) {
        v->key_bytes += bytes;
    }
}

static void release(moonbow_verification *leader, int status)
{
    if (leader->leader != NULL) {
        return; /* a follower, with nobody to release */
    }
    while (leader->next != NULL) {
        moonbow_verification *v = leader->next;
        leader->next = v->next;
        v->leader = v->next = NULL;
        v->status = v->status != MOONBOW_OK ? v->status : status;
    }
}

static void leave(moonbow_verification *follower)
{
    moonbow_verification *before = follower->leader;
    if (before == NULL) {
        return;
    }
    mb_public_map_leave(before->verifier->map(mb_verification_state(before)), follower->verifier->map(mb_verification_state(follower)));
    while (before->next != follower) {
        before = before->next;
    }
    before->next = follower->next;
}

static const mb_batch batch = {add_key, release, leave};

/* 1 if the signature is there, and nothing has happened that joining would come too late for. */
static int is_free(const moonbow_verification *v)
{
    return v->mode == MOONBOW_BATCH && v->status == MOONBOW_OK && v->has_signature && v->key_bytes == 0 &&
           v->leader == NULL;
}

int moonbow_verify_join(moonbow_verification *leader, moonbow_verification *follower)
{
    if (leader == follower || !is_free(leader) || !is_free(follower) || follower->next != NULL ||
        follower->digest.steps != NULL || leader->verifier != follower->verifier) {
        return MOONBOW_WRONG_ORDER;
    }
    follower->leader = leader;
    follower->next = leader->next;
    leader->next = follower;
    leader->batch = follower->batch = &batch;
    mb_public_map_join(leader->verifier->map(mb_verification_state(leader)), follower->verifier->map(mb_verification_state(follower)));
    return MOONBOW_OK;
}

/* ---- Messages in memory -------------------------------------------------------------------------- */

size_t moonbow_verify_batch_scratch_bytes(const moonbow_verifier *verifier, size_t together)
{
    return together * moonbow_verify_scratch_bytes(verifier, MOONBOW_BATCH);
}

/* Begins each that can be begun, joins it, and takes its message; returns how many items were used. */
static size_t begin_some(moonbow_verification **leader, const moonbow_verifier *verifier, moonbow_batch_item *items,
                         size_t count, const moonbow_scratch *scratch)
{
    const size_t each = moonbow_verify_scratch_bytes(verifier, MOONBOW_BATCH);
    size_t used = 0, room = scratch->bytes / each;
    uint8_t *start = scratch->start;
    *leader = NULL;
    for (; used < count && room != 0; used++) {
        moonbow_batch_item *item = &items[used];
        const moonbow_scratch own = {start, each, MOONBOW_BATCH};
        moonbow_verification *v;
        item->status = moonbow_verify_begin(&v, verifier, item->signature, item->signature_bytes, &own);
        if (item->status != MOONBOW_OK) {
            continue;
        }
        if (*leader == NULL) {
            *leader = v;
        } else {
            moonbow_verify_join(*leader, v);
        }
        moonbow_verify_message(v, item->message, item->message_bytes);
        start += each;
        room--;
    }
    return used;
}

/* The leader lies first in the scratch memory, the followers behind it in the order of their items. */
static int finish_some(const moonbow_verifier *verifier, moonbow_batch_item *items, size_t count,
                       const moonbow_scratch *scratch)
{
    const size_t each = moonbow_verify_scratch_bytes(verifier, MOONBOW_BATCH);
    uint8_t *start = scratch->start;
    int status = MOONBOW_OK;
    for (size_t i = 0; i < count; i++) {
        if (items[i].status == MOONBOW_OK) {
            items[i].status = moonbow_verify_finish((moonbow_verification *)(void *)start);
            start += each;
        }
        status = items[i].status == MOONBOW_OK ? status : MOONBOW_BAD_SIGNATURE;
    }
    return status;
}

static int refuse(moonbow_batch_item *items, size_t count, int status)
{
    for (size_t i = 0; i < count; i++) {
        items[i].status = status;
    }
    return status;
}

int moonbow_verify_batch(const moonbow_verifier *verifier, moonbow_batch_item *items, size_t count,
                         const uint8_t *public_key, size_t public_key_bytes, const moonbow_scratch *scratch)
{
    int status = MOONBOW_OK;
    if (public_key_bytes != verifier->parameters->public_key_bytes) {
        return refuse(items, count, MOONBOW_WRONG_LENGTH);
    }
    if (mb_scratch_check(scratch, moonbow_verify_batch_scratch_bytes(verifier, 1)) != 0 ||
        scratch->mode != MOONBOW_BATCH) {
        return refuse(items, count, MOONBOW_BAD_SCRATCH);
    }
    while (count != 0) {
        moonbow_verification *leader;
        const size_t some = begin_some(&leader, verifier, items, count, scratch);
        if (leader != NULL) {
            moonbow_verify_key(leader, public_key, public_key_bytes);
        }
        if (finish_some(verifier, items, some, scratch) != MOONBOW_OK) {
            status = MOONBOW_BAD_SIGNATURE;
        }
        items += some;
        count -= some;
    }
    return status;
}
