/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * UOV's parameter sets and the stretches of its keys [UOV3 §1, §3, §5]. Which function does which step: README.md. */
#ifndef MB_UOV_PARAMETERS_H
#define MB_UOV_PARAMETERS_H

#include "field/field.h"
#include "scheme/public_key.h"

enum { MB_UOV_SECRET_SEED_BYTES = 32, MB_UOV_PUBLIC_SEED_BYTES = 16, MB_UOV_SALT_BYTES = 16, MB_UOV_ATTEMPTS = 256 };

typedef struct mb_uov_set {
    const mb_field *field;
    uint16_t n, m; /* v = n - m vinegar variables, m oil variables, m equations */
} mb_uov_set;

extern const mb_uov_set mb_uov_Ip;
extern const mb_uov_set mb_uov_Is;
extern const mb_uov_set mb_uov_III;
extern const mb_uov_set mb_uov_V;

/* Lengths in bytes [UOV3 §6]. */
typedef struct mb_uov_shapes {
    size_t v;                         /* vinegar variables */
    size_t m_bytes, v_bytes, n_bytes; /* B(m): a coefficient vector; B(v); B(n) */
    size_t p1_bytes, p2_bytes, p3_bytes, o_bytes;
} mb_uov_shapes;

mb_uov_shapes mb_uov_measure(const mb_uov_set *set);

/* What a public key holds: P1 ‖ P2 ‖ P3, or seed_pk ‖ P3 [UOV3 §5]. */
typedef struct mb_uov_public_format {
    const mb_key_kind *kind;
    uint8_t seed_bytes; /* 0 or 16 */
} mb_uov_public_format;

extern const mb_uov_public_format mb_uov_public_classic, mb_uov_public_seeded;

/* What a secret key holds: seed_sk ‖ O ‖ P1 ‖ S, or seed_sk. */
typedef enum mb_uov_secret_format { MB_UOV_SECRET_STORED, MB_UOV_SECRET_SEEDED } mb_uov_secret_format;

#endif
