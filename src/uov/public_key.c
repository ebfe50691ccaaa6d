/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * UOV's public keys as a stream of sections [UOV3 §3, §5], for scheme/public_key.h. Public. */
#include "uov/expand.h"

/* P1, P2, P3: the triangle of the vinegars, vinegars by oils, the triangle of the oils [UOV3 §3]. */
static int section_at(const void *set_, const void *format_, size_t index, mb_key_section *out)
{
    const mb_uov_set *set = set_;
    const mb_uov_public_format *format = format_;
    const mb_uov_shapes is = mb_uov_measure(set);
    const mb_block blocks[3] = {mb_block_triangle(0, is.v), mb_block_rectangle(0, is.v, is.v, set->m),
                                mb_block_triangle(is.v, set->m)};
    if (index >= 3) {
        return -1;
    }
    *out = (mb_key_section){blocks[index], 0, is.m_bytes, format->seed_bytes != 0 && index < 2};
    return 0;
}

static size_t expander_bytes(const void *set)
{
    (void)set;
    return 0;
}

/* P1 ‖ P2 is one stream [UOV3 §4]: P2 goes on where P1 ended. */
static void open_stream(const void *set, void *expander, mb_ctr *stream, const uint8_t *seed, size_t index,
                        size_t section_bytes)
{
    (void)set;
    (void)expander;
    (void)section_bytes;
    if (index == 0) {
        mb_uov_expand_public(stream, seed);
    }
}

/* Only the second one links the generator. */
static const mb_key_kind stored = {section_at, NULL, NULL, NULL};
static const mb_key_kind seeded = {section_at, expander_bytes, open_stream, &mb_key_with_seed};

const mb_uov_public_format mb_uov_public_classic = {&stored, 0};
const mb_uov_public_format mb_uov_public_seeded = {&seeded, MB_UOV_PUBLIC_SEED_BYTES};
