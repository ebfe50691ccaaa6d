/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What signing keeps while it runs, and the evaluation of a layer at the vinegars for each secret-key format.
 * Shared by sign.c, layers_stored.c and layers_seeded.c alone. Everything is SECRET. */
#ifndef MB_RAINBOW_LAYERS_H
#define MB_RAINBOW_LAYERS_H

#include "quadratic/evaluate.h"
#include "rainbow/secret.h"
#include "rainbow/sign.h"

typedef struct mb_rainbow_layer {
    uint8_t *constant; /* the layer's value where its own variables are 0: o packed elements */
    uint8_t *matrix;   /* its linear part, column by column: o × o */
    void *factors;     /* of the matrix */
} mb_rainbow_layer;

typedef struct mb_rainbow_signing {
    const mb_rainbow_set *set;
    const mb_rainbow_secret_format *format;
    mb_workspace work;
    const mb_solver *solver;
    void *hash_context;
    uint8_t *digest; /* H(message) */
    uint8_t *seed;   /* H(sk_seed ‖ digest) */
    uint8_t *x;      /* the n central variables v1 | o1 | o2, one element a byte */
    uint8_t *w;      /* n packed elements */
    uint8_t *y;      /* m packed elements */
    uint8_t salt[MB_RAINBOW_SALT_BYTES];
    mb_rainbow_layer layer[2];
    mb_drbg drbg;

    /* set by format->load */
    const uint8_t *sk_seed;
    mb_rainbow_linear linear;
    uint8_t *by_o1; /* o1 coefficient vectors of layer 2 */
    uint8_t *mixed; /* layer 2's constant at the vinegars alone */

    /* stored keys */
    const uint8_t *block[MB_RAINBOW_DRAWN_LEN]; /* F's, in the order of mb_rainbow_drawn */
    uint8_t *by_o2; /* layer 2's matrix at the vinegars alone; NULL where memory is small */

    /* seeded keys */
    mb_rainbow_linear_memory memory;
    mb_drbg start;   /* PRNG(pk_seed) before its first draw */
    uint8_t *by_v1;  /* v1 coefficient vectors of the longer layer */
    uint8_t *moved;  /* v1 variables, one a byte: x_v + T1·x_o1 */
    mb_ctr stream;
    mb_row_stream rows;
} mb_rainbow_signing;

struct mb_rainbow_secret_format {
    /* Takes the format's memory. */
    void (*take)(mb_rainbow_signing *signing, mb_arena *arena, moonbow_mode mode);
    /* Finds the parts of the secret key. */
    void (*load)(mb_rainbow_signing *signing, const uint8_t *secret_key);
    /* Constant and matrix of layer 1 at x_v, of layer 2 at x_v and x_o1; both begin as zero. The constants may wait for
     * `constant_1` and `constant_2`, which follow once the matrix was found to be regular; NULL where they do not. */
    void (*layer_1)(mb_rainbow_signing *signing);
    void (*constant_1)(mb_rainbow_signing *signing);
    void (*layer_2)(mb_rainbow_signing *signing);
    void (*constant_2)(mb_rainbow_signing *signing);
};

#endif
