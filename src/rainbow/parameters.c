/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The tables of [RB3 §1] and [RB3 §4], and the places of blocks. */
#include "rainbow/parameters.h"

const mb_rainbow_set mb_rainbow_I = {&mb_gf16_tower, &mb_hash_sha256, 36, 32, 32};
const mb_rainbow_set mb_rainbow_III = {&mb_gf256_tower, &mb_hash_sha384, 68, 32, 48};
const mb_rainbow_set mb_rainbow_V = {&mb_gf256_tower, &mb_hash_sha512, 96, 36, 64};
/* [RB3 §8] "The tweaked sets" */
const mb_rainbow_set mb_rainbow_I_tweaked = {&mb_gf16_polynomial, &mb_hash_sha256, 36, 32, 32};

#define KEY MB_RAINBOW_FROM_KEY
#define SEED MB_RAINBOW_FROM_SEED

const mb_rainbow_public_format mb_rainbow_public_classic = {&mb_rainbow_stored_key, 0, 1, {{0, 0, KEY}}};

const mb_rainbow_public_format mb_rainbow_public_seeded = {
    &mb_rainbow_seeded_key,
    MB_RAINBOW_SEED_BYTES,
    12,
    {{1, 1, SEED}, {1, 2, SEED},
     {2, 1, SEED}, {2, 2, SEED}, {2, 3, SEED}, {2, 5, SEED}, {2, 6, SEED},
     {1, 3, KEY}, {1, 5, KEY}, {1, 6, KEY}, {1, 9, KEY},
     {2, 9, KEY}}};

const mb_rainbow_public_format mb_rainbow_public_prepared = {
    &mb_rainbow_stored_key,
    0,
    12,
    {{1, 1, KEY}, {1, 2, KEY},
     {2, 1, KEY}, {2, 2, KEY}, {2, 3, KEY}, {2, 5, KEY}, {2, 6, KEY},
     {1, 3, KEY}, {1, 5, KEY}, {1, 6, KEY}, {1, 9, KEY},
     {2, 9, KEY}}};

const mb_rainbow_section mb_rainbow_drawn[MB_RAINBOW_DRAWN_LEN] = {
    {1, 1, SEED}, {1, 2, SEED}, {2, 1, SEED}, {2, 2, SEED}, {2, 3, SEED}, {2, 5, SEED}, {2, 6, SEED}};

mb_block mb_rainbow_section_block(const mb_rainbow_set *set, mb_rainbow_section section)
{
    const size_t v1 = set->v1, o1 = set->o1, o2 = set->o2;
    switch (section.block) {
    case 1:
        return mb_block_triangle(0, v1);
    case 2:
        return mb_block_rectangle(0, v1, v1, o1);
    case 3:
        return mb_block_rectangle(0, v1, v1 + o1, o2);
    case 5:
        return mb_block_triangle(v1, o1);
    case 6:
        return mb_block_rectangle(v1, o1, v1 + o1, o2);
    case 9:
        return mb_block_triangle(v1 + o1, o2);
    default:
        return mb_block_triangle(0, v1 + o1 + o2);
    }
}

size_t mb_rainbow_section_first(const mb_rainbow_set *set, mb_rainbow_section section)
{
    return section.layer == 2 ? mb_field_bytes(set->field, set->o1) : 0;
}

size_t mb_rainbow_section_bytes(const mb_rainbow_set *set, mb_rainbow_section section)
{
    const size_t polynomials = section.layer == 0   ? mb_rainbow_m(set)
                               : section.layer == 1 ? set->o1
                                                    : set->o2;
    return mb_field_bytes(set->field, polynomials);
}

size_t mb_rainbow_section_size(const mb_rainbow_set *set, mb_rainbow_section section)
{
    return mb_block_monomials(mb_rainbow_section_block(set, section)) *
           mb_rainbow_section_bytes(set, section);
}
