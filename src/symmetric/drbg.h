/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * NIST's AES-256 CTR-DRBG without derivation function, reseeding or additional input [SP 800-90A
 * §10.2.1], which expands Rainbow's seeds [RB3 §3] and drives all known-answer tests. Constant time, unless the seed is PUBLIC. */
#ifndef MB_SYMMETRIC_DRBG_H
#define MB_SYMMETRIC_DRBG_H

#include "symmetric/ctr.h"

#include <stddef.h>
#include <stdint.h>

enum { MB_DRBG_SEED_BYTES = 48 };

/* The generator between two draws. SECRET if the seed is. May be copied: both draw the same bytes. */
typedef struct mb_drbg {
    const mb_aes_cipher *cipher; /* also of the streams that it opens */
    uint8_t key[32];
    uint8_t v[16];
} mb_drbg;

/* Key = 0, V = 0, Update(seed). The seed, SECRET or public, may overlap *drbg. */
void mb_drbg_init(mb_drbg *drbg, const uint8_t seed[48]);

/* The same draws in variable time, and so the streams that it opens: the seed must be PUBLIC. */
void mb_drbg_init_vartime(mb_drbg *drbg, const uint8_t seed[48]);

/* One draw: writes `bytes` bytes (a generate call), then Update without data. The length matters: two
 * draws of 16 bytes are not one of 32. A draw of 0 bytes is legal and still updates. The standard's
 * bound of 2^16 bytes a draw is not enforced: Rainbow draws whole keys. */
void mb_drbg_draw(mb_drbg *drbg, uint8_t *out, size_t bytes);

/* Makes the next draw, of `bytes` (public) bytes, readable in any order instead of writing it:
 * `stream` becomes a snapshot whose first `bytes` bytes are the draw (reading on is an error that is
 * not detected), and `drbg` goes past it without generating it. Wipe the stream when done. */
void mb_drbg_open(mb_ctr *stream, mb_drbg *drbg, uint64_t bytes);

/* Goes past a draw of `bytes` (public) bytes without generating it: the price of one short draw. */
void mb_drbg_skip(mb_drbg *drbg, uint64_t bytes);

void mb_drbg_wipe(mb_drbg *drbg);

#endif
