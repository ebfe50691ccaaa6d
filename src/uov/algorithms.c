/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * UOV's algorithms: each parameter set with each key format, as the roles of scheme/scheme.h.
 * Every object lies in a section of its own: a program that names one verifier links that one. */
#include "linear/contract.h"
#include "uov/keys.h"
#include "uov/sign.h"
#include "uov/verify.h"

/* [UOV3 §13] */
#define CAUTION                                                                                                      \
    "UOV is a candidate in round 3 of NIST's additional signatures, not a standard: parameters have changed between " \
    "rounds and may change again."
#define CAUTION_ROUND_2 " Keys and signatures of round 2 do not work with round 3."
#define CAUTION_MARGIN " Third parties estimate a thin margin over the level's threshold for Ip and V."
/* Strings are objects too: as literals, a program would link all of this file's. */
static const char caution[] = CAUTION;
static const char caution_round_2[] = CAUTION CAUTION_ROUND_2;
static const char caution_margin[] = CAUTION CAUTION_ROUND_2 CAUTION_MARGIN;

static const mb_uov_secret_format secret_stored = MB_UOV_SECRET_STORED, secret_seeded = MB_UOV_SECRET_SEEDED;
static const mb_uov_key_format keys_classic = {&mb_uov_public_classic, MB_UOV_SECRET_STORED};
static const mb_uov_key_format keys_pkc = {&mb_uov_public_seeded, MB_UOV_SECRET_STORED};
static const mb_uov_key_format keys_pkc_skc = {&mb_uov_public_seeded, MB_UOV_SECRET_SEEDED};

/* The three roles of moonbow_<id>, and all of it. `order_` is that of the set's field. */
#define ALGORITHM(id, name_, title_, caution_, set_, order_, keys_, public_, secret_, public_bytes_, secret_bytes_,  \
                  signature_bytes_, preparer_)                                                                       \
    static const char id##_name[] = name_, id##_title[] = title_;                                                    \
    static const moonbow_parameters id##_parameters = {.name = id##_name,                                            \
                                                       .title = id##_title,                                          \
                                                       .caution = caution_,                                          \
                                                       .security = MOONBOW_CANDIDATE,                                \
                                                       .public_key_bytes = (public_bytes_),                          \
                                                       .secret_key_bytes = (secret_bytes_),                          \
                                                       .signature_bytes = (signature_bytes_),                        \
                                                       .generate_random_bytes = MB_UOV_SECRET_SEED_BYTES,            \
                                                       .sign_random_bytes = MB_UOV_SALT_BYTES,                       \
                                                       .streams_message = 1};                                        \
    const moonbow_verifier moonbow_##id##_verifier = {.parameters = &id##_parameters,                                \
                                                      .set = &(set_),                                                \
                                                      .format = &(public_),                                          \
                                                      .gatherer = mb_linear_gatherer_##order_,                       \
                                                      .state_bytes = mb_uov_verify_state_bytes,                      \
                                                      .begin = mb_uov_verify_begin,                                  \
                                                      .signature = mb_uov_verify_signature,                          \
                                                      .message = mb_uov_verify_message,                              \
                                                      .copy_message = mb_uov_verify_copy_message,                    \
                                                      .key = mb_uov_verify_key,                                      \
                                                      .map = mb_uov_verify_map,                                      \
                                                      .finish = mb_uov_verify_finish};                               \
    const moonbow_signer moonbow_##id##_signer = {.parameters = &id##_parameters,                                    \
                                                  .set = &(set_),                                                    \
                                                  .format = &(secret_),                                              \
                                                  .solver = mb_linear_solver_##order_,                               \
                                                  .state_bytes = mb_uov_sign_state_bytes,                            \
                                                  .begin = mb_uov_sign_begin,                                        \
                                                  .message = mb_uov_sign_message,                                    \
                                                  .copy_message = mb_uov_sign_copy_message,                          \
                                                  .finish = mb_uov_sign_finish};                                     \
    const moonbow_generator moonbow_##id##_generator = {.parameters = &id##_parameters,                              \
                                                        .set = &(set_),                                              \
                                                        .format = &(keys_),                                          \
                                                        .draw_bytes = MB_UOV_SECRET_SEED_BYTES,                      \
                                                        .scratch_bytes = mb_uov_keys_scratch_bytes,                  \
                                                        .generate = mb_uov_keys_generate,                            \
                                                        .derive = mb_uov_keys_derive};                               \
    const moonbow_algorithm moonbow_##id = {&id##_parameters, &moonbow_##id##_verifier, &moonbow_##id##_signer,      \
                                            &moonbow_##id##_generator, preparer_}

#define PREPARER(id, classic, signer_)                                                                               \
    static const moonbow_preparer id##_preparer = {.from_verifier = &moonbow_##id##_verifier,                        \
                                                   .from_signer = &moonbow_##id##_signer,                            \
                                                   .verifier = &moonbow_##classic##_verifier,                        \
                                                   .signer = (signer_),                                              \
                                                   .scratch_bytes = mb_uov_prepare_scratch_bytes,                    \
                                                   .prepare_public = mb_uov_prepare_public,                          \
                                                   .prepare_secret = mb_uov_prepare_secret}

/* The three formats of one set [UOV3 §5, §6]. */
#define FORMATS(id, name, title, caution_, set, order, classic_bytes, seeded_bytes, stored_bytes, signature_bytes)   \
    ALGORITHM(id, name, title "-classic", caution_, set, order, keys_classic, mb_uov_public_classic, secret_stored, classic_bytes, \
              stored_bytes, signature_bytes, NULL);                                                                  \
    PREPARER(id##_pkc, id, NULL);                                                                                    \
    ALGORITHM(id##_pkc, name "-pkc", title "-pkc", caution_, set, order, keys_pkc, mb_uov_public_seeded, secret_stored,            \
              seeded_bytes, stored_bytes, signature_bytes, &id##_pkc_preparer);                                      \
    PREPARER(id##_pkc_skc, id, &moonbow_##id##_signer);                                                              \
    ALGORITHM(id##_pkc_skc, name "-pkc-skc", title "-pkc-skc", caution_, set, order, keys_pkc_skc, mb_uov_public_seeded,           \
              secret_seeded, seeded_bytes, 32, signature_bytes, &id##_pkc_skc_preparer)

FORMATS(uov_Ip, "uov-Ip", "OV(256,119,45)", caution_margin, mb_uov_Ip, 256, 321300, 46591, 278087,
        135);
FORMATS(uov_Is, "uov-Is", "OV(16,160,64)", caution, mb_uov_Is, 16, 412160, 66576, 348704, 96);
FORMATS(uov_III, "uov-III", "OV(256,193,72)", caution_round_2, mb_uov_III, 256, 1347912, 189232, 1167440, 209);
FORMATS(uov_V, "uov-V", "OV(256,259,96)", caution_margin, mb_uov_V, 256, 3232320, 446992, 2801024,
        275);
