/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Several public maps that one key's bytes serve; see public_map.h. A file of its own: single verification does not link it. */
#include "quadratic/public_map.h"

/* So many points go to the backend at a time; and so many bytes of a key go to all of them before the next ones do: they stay in
 * a cache for the others. In turn each point comes with buckets of its own, which would have to come back for each piece. */
enum { POINTS = 32, BYTES_TOGETHER = 262144, BYTES_IN_TURN = 1048576 };

/* From row `row` of the monomials on, some rows of at least `bytes` bytes together; returns the number of their vectors. */
static size_t some_rows(mb_monomials *some, const mb_monomials *all, size_t row, const mb_public_map *map, size_t bytes)
{
    const size_t together = map->gatherer->rows == 0 ? 1 : map->gatherer->rows;
    size_t count = 0;
    *some = *all;
    some->i = all->i + row;
    some->j = all->j + row * all->shrink;
    for (some->rows = 0; row + some->rows < all->rows && (count * map->bytes < bytes || some->rows % together != 0); some->rows++) {
        count += all->end - some->j - some->rows * all->shrink;
    }
    return count;
}

static void gather_together(const mb_public_map *leader, const uint8_t *vectors, const mb_monomials *monomials)
{
    const size_t bytes = leader->bytes;
    mb_monomials some;
    for (size_t row = 0; row < monomials->rows; row += some.rows) {
        const size_t count = some_rows(&some, monomials, row, leader, BYTES_TOGETHER);
        for (const mb_public_map *map = leader; map != NULL;) {
            const mb_gathering *gatherings[POINTS];
            size_t points = 0;
            for (; map != NULL && points < POINTS; map = map->next) {
                gatherings[points++] = &map->gathering;
            }
            leader->many->gather_vartime(gatherings, points, leader->first, bytes, vectors, &some);
        }
        vectors += count * bytes;
    }
}

/* Some of the rows at a time, at each point. */
static void gather_in_turn(const mb_public_map *leader, const uint8_t *vectors, const mb_monomials *monomials)
{
    const size_t bytes = leader->bytes;
    mb_monomials some;
    for (size_t row = 0; row < monomials->rows; row += some.rows) {
        const size_t count = some_rows(&some, monomials, row, leader, BYTES_IN_TURN);
        for (const mb_public_map *map = leader; map != NULL; map = map->next) {
            leader->gatherer->gather_vartime(&map->gathering, leader->first, bytes, vectors, &some);
        }
        vectors += count * bytes;
    }
}

static void take_part(mb_public_map *map)
{
    /* Only where its memory was counted. */
    map->many = map->gatherer->many_bytes != NULL ? mb_linear_many_gatherer() : NULL;
    if (map->many != NULL) {
        map->many->begin_vartime(&map->gathering, map->x);
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
