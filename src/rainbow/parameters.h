/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Rainbow's parameter sets and key formats as data [RB3 §1, §4, §5]. Which function does which step: README.md. */
#ifndef MB_RAINBOW_PARAMETERS_H
#define MB_RAINBOW_PARAMETERS_H

#include "field/field.h"
#include "scheme/public_key.h"
#include "symmetric/drbg.h"
#include "symmetric/hash.h"

enum { MB_RAINBOW_SEED_BYTES = 32, MB_RAINBOW_SALT_BYTES = 16, MB_RAINBOW_ATTEMPTS = 128 };

typedef struct mb_rainbow_set {
    const mb_field *field;
    const mb_hash *hash;
    uint16_t v1, o1, o2;
} mb_rainbow_set;

extern const mb_rainbow_set mb_rainbow_I;
extern const mb_rainbow_set mb_rainbow_III;
extern const mb_rainbow_set mb_rainbow_V;
extern const mb_rainbow_set mb_rainbow_I_tweaked;

static inline size_t mb_rainbow_m(const mb_rainbow_set *set)
{
    return (size_t)set->o1 + set->o2;
}

static inline size_t mb_rainbow_n(const mb_rainbow_set *set)
{
    return (size_t)set->v1 + set->o1 + set->o2;
}

/* A stretch of a stored or generated map: one block of one layer [RB3 §4]. */
typedef enum mb_rainbow_source { MB_RAINBOW_FROM_KEY, MB_RAINBOW_FROM_SEED } mb_rainbow_source;

typedef struct mb_rainbow_section {
    uint8_t layer;  /* 1 or 2; 0: all m polynomials */
    uint8_t block;  /* 1, 2, 3, 5, 6, 9; 0: the whole triangle of n variables */
    uint8_t source; /* an mb_rainbow_source */
} mb_rainbow_section;

/* The monomials of a section, and the packed bytes of the m polynomials that it concerns. */
mb_block mb_rainbow_section_block(const mb_rainbow_set *set, mb_rainbow_section section);
size_t mb_rainbow_section_first(const mb_rainbow_set *set, mb_rainbow_section section);
size_t mb_rainbow_section_bytes(const mb_rainbow_set *set, mb_rainbow_section section);
/* All of its coefficients. */
size_t mb_rainbow_section_size(const mb_rainbow_set *set, mb_rainbow_section section);

/* What a public key holds after `seed_bytes` bytes of pk_seed, in order [RB3 §5]; sections from the seed
 * come first and are not stored. */
typedef struct mb_rainbow_public_format {
    const mb_key_kind *kind;
    uint8_t seed_bytes; /* 0 or 32 */
    uint8_t sections_len;
    mb_rainbow_section sections[12];
} mb_rainbow_public_format;

extern const mb_key_kind mb_rainbow_stored_key, mb_rainbow_seeded_key;

extern const mb_rainbow_public_format mb_rainbow_public_classic;
extern const mb_rainbow_public_format mb_rainbow_public_seeded;   /* circumzenithal and compressed */
extern const mb_rainbow_public_format mb_rainbow_public_prepared; /* the same with nothing left to generate */

/* The seven sections that are drawn, in the order of the draws: of F for classic keys, of P for seeded
 * ones [RB3 §5.3, §5.4]. Layer 1: blocks 1, 2; layer 2: blocks 1, 2, 3, 5, 6. */
enum { MB_RAINBOW_DRAWN_LEN = 7 };
extern const mb_rainbow_section mb_rainbow_drawn[MB_RAINBOW_DRAWN_LEN];

#endif
