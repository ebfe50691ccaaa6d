/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Rainbow's public keys as a stream of sections [RB3 §4, §5], for scheme/public_key.h. Public. */
#include "rainbow/expand.h"
#include "rainbow/parameters.h"

static int section_at(const void *set, const void *format, size_t index, mb_key_section *out)
{
    const mb_rainbow_public_format *sections = format;
    if (index >= sections->sections_len) {
        return -1;
    }
    const mb_rainbow_section section = sections->sections[index];
    *out = (mb_key_section){mb_rainbow_section_block(set, section), mb_rainbow_section_first(set, section),
                            mb_rainbow_section_bytes(set, section), section.source == MB_RAINBOW_FROM_SEED};
    return 0;
}

/* The generator PRNG(pk_seed), and work memory for the hash. */
typedef struct expander {
    mb_drbg drbg;
    uint64_t context[];
} expander;

static size_t expander_bytes(const void *set)
{
    return sizeof(expander) + ((const mb_rainbow_set *)set)->hash->context_bytes;
}

/* Each seeded section is one draw [RB3 §5.4]. */
static void open_draw(const void *set, void *memory, mb_ctr *stream, const uint8_t *seed, size_t index,
                      size_t section_bytes)
{
    expander *from = memory;
    if (index == 0) {
        mb_rainbow_prng_vartime(set, &from->drbg, seed, from->context);
    }
    mb_drbg_open(stream, &from->drbg, section_bytes);
}

/* Only the second one links the generator. */
const mb_key_kind mb_rainbow_stored_key = {section_at, NULL, NULL, NULL};
const mb_key_kind mb_rainbow_seeded_key = {section_at, expander_bytes, open_draw, &mb_key_with_seed};
