/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Several public maps that one key's bytes serve; see public_map.h. A file of its own: single verification does not link it. */
#include "quadratic/public_map.h"

/* So many points go to the backend at a time; and of a key that many bytes where it takes one point only: they
 * stay in the cache for the others. */
enum { POINTS = 32, BYTES = 16384 };

static void gather_together(const mb_public_map *leader, const uint8_t *vectors, const mb_monomials *monomials)
{
    const mb_public_map *map = leader;
    while (map != NULL) {
        const mb_gathering *gatherings[POINTS];
        size_t count = 0;
        for (; map != NULL && count < POINTS; map = map->next) {
            gatherings[count++] = &map->together;
        }
        leader->many->gather_vartime(gatherings, count, leader->first, leader->bytes, vectors, monomials);
    }
}

/* Some of the rows at a time, at each point. */
static void gather_in_turn(const mb_public_map *leader, const uint8_t *vectors, const mb_monomials *monomials)
{
    mb_monomials some = *monomials;
    for (size_t row = 0; row < monomials->rows; row += some.rows) {
        size_t count = 0;
        some.i = monomials->i + row;
        some.j = monomials->j + row * monomials->shrink;
        for (some.rows = 0; row + some.rows < monomials->rows && count * leader->bytes < BYTES; some.rows++) {
            count += monomials->end - some.j - some.rows * monomials->shrink;
        }
        for (const mb_public_map *map = leader; map != NULL; map = map->next) {
            leader->gatherer->gather_vartime(&map->gathering, leader->first, leader->bytes, vectors, &some);
        }
        vectors += count * leader->bytes;
    }
}

static void take_part(mb_public_map *map)
{
    map->many = mb_linear_many_gatherer();
    if (map->many != NULL) {
        map->many->begin_vartime(&map->together, map->x);
    }
}

void mb_public_map_join(mb_public_map *leader, mb_public_map *follower)
{
    if (leader->gather_batch == NULL) {
        take_part(leader);
        leader->gather_batch = leader->many != NULL ? gather_together : gather_in_turn;
    }
    take_part(follower);
    follower->next = leader->next;
    leader->next = follower;
}

void mb_public_map_leave(mb_public_map *leader, mb_public_map *follower)
{
    mb_public_map *map = leader;
    while (map->next != NULL && map->next != follower) {
        map = map->next;
    }
    if (map->next != NULL) {
        map->next = follower->next;
        follower->next = NULL;
    }
}
