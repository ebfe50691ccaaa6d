/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Rainbow's algorithms: each parameter set with each key format, as the roles of scheme/scheme.h.
 * Every object lies in a section of its own: a program that names one verifier links that one. */
#include "linear/contract.h"
#include "rainbow/keys.h"
#include "rainbow/sign.h"
#include "rainbow/verify.h"

/* [RB3 §9] */
static const char caution_I[] =
    "Rainbow I is broken: Beullens (2022) recovers a secret key from the public key in practice, "
    "in a weekend on a laptop. Use it for research, teaching and reading old signatures only.";
static const char caution_III[] =
    "Rainbow III is weakened: the attack of Beullens (2022) leaves about 2^157 operations, and its "
    "designers now count it as level 1. Rainbow is not for new systems.";
static const char caution_V[] =
    "Rainbow V is weakened: the attack of Beullens (2022) leaves about 2^206 operations, and its "
    "designers now count it as level 3. Rainbow is not for new systems.";

/* What the three formats of one set share, per set: title, caution, security, classic public key bytes,
 * seeded public key bytes, stored secret key bytes, signature bytes [RB3 §1]. */
#define SET_I "RAINBOW(16,36,32,32)", caution_I, MOONBOW_BROKEN, 161600, 60192, 103648, 66
#define SET_III "RAINBOW(256,68,32,48)", caution_III, MOONBOW_LEGACY, 882080, 264608, 626048, 164
#define SET_V "RAINBOW(256,96,36,64)", caution_V, MOONBOW_LEGACY, 1930600, 536136, 1408736, 212

/* <id>_parameters. Strings are objects too: as literals, a program would link all of this file's. */
#define PARAMETERS(id, name_, title_, caution_, security_, public_, secret_, signature_, random_, seed_) \
    static const char id##_name[] = name_, id##_title[] = title_;                                    \
    static const moonbow_parameters id##_parameters = {                                              \
        .name = id##_name, .title = id##_title, .caution = (caution_), .security = (security_),      \
        .public_key_bytes = (public_), .secret_key_bytes = (secret_),                                \
        .signature_bytes = (signature_), .generate_random_bytes = (random_),                         \
        .sign_random_bytes = 0, .public_seed_bytes = (seed_), .streams_message = 1                   \
    }

/* `order_` is that of the set's field. */
#define VERIFIER(parameters_, set_, order_, public_)                                                 \
    {                                                                                                \
        .parameters = &(parameters_), .set = &(set_), .format = &(public_),                          \
        .gatherer = mb_linear_gatherer_##order_,                                                     \
        .state_bytes = mb_rainbow_verify_state_bytes, .begin = mb_rainbow_verify_begin,              \
        .signature = mb_rainbow_verify_signature, .message = mb_rainbow_verify_message,              \
        .copy_message = mb_rainbow_verify_copy_message, .key = mb_rainbow_verify_key,                \
        .map = mb_rainbow_verify_map, .finish = mb_rainbow_verify_finish                             \
    }

#define SIGNER(parameters_, set_, order_, secret_)                                                   \
    {                                                                                                \
        .parameters = &(parameters_), .set = &(set_), .format = &(secret_),                          \
        .solver = mb_linear_solver_##order_,                                                         \
        .state_bytes = mb_rainbow_sign_state_bytes, .begin = mb_rainbow_sign_begin,                  \
        .message = mb_rainbow_sign_message, .copy_message = mb_rainbow_sign_copy_message,            \
        .finish = mb_rainbow_sign_finish                                                             \
    }

/* The three roles of moonbow_<id>, and all of it. */
#define ALGORITHM(id, set_, order_, keys_, public_, secret_, preparer_)                              \
    const moonbow_verifier moonbow_##id##_verifier = VERIFIER(id##_parameters, set_, order_, public_); \
    const moonbow_signer moonbow_##id##_signer = SIGNER(id##_parameters, set_, order_, secret_);     \
    const moonbow_generator moonbow_##id##_generator = {                                             \
        .parameters = &id##_parameters,                                                              \
        .set = &(set_),                                                                              \
        .format = &(keys_),                                                                          \
        .draw_bytes = MB_RAINBOW_SEED_BYTES,                                                         \
        .scratch_bytes = mb_rainbow_keys_scratch_bytes,                                              \
        .generate = mb_rainbow_keys_generate,                                                        \
        .derive = mb_rainbow_keys_derive};                                                           \
    const moonbow_algorithm moonbow_##id = {&id##_parameters, &moonbow_##id##_verifier,              \
                                            &moonbow_##id##_signer, &moonbow_##id##_generator,       \
                                            preparer_}

#define PREPARER(id, verifier_, signer_)                                                             \
    static const moonbow_preparer id##_preparer = {                                                  \
        .from_verifier = &moonbow_##id##_verifier,                                                   \
        .from_signer = &moonbow_##id##_signer,                                                       \
        .verifier = (verifier_),                                                                     \
        .signer = (signer_),                                                                         \
        .scratch_bytes = mb_rainbow_prepare_scratch_bytes,                                           \
        .prepare_public = mb_rainbow_prepare_public,                                                 \
        .prepare_secret = mb_rainbow_prepare_secret}

/* The three formats of one set; `level` and `suffix` make up names and identifiers. The prepared form
 * of a seeded public key is as long as a classic one, that of a compressed secret key is a classic one. */
#define FORMATS(level, id_suffix, name_suffix, set_, order_, ...)                                    \
    FORMATS_(level, id_suffix, name_suffix, set_, order_, __VA_ARGS__)
#define FORMATS_(level, id_suffix, name_suffix, set_, order_, title_, caution_, security_, classic_,  \
                 seeded_, stored_, signature_)                                                       \
    PARAMETERS(rainbow_##level##_classic##id_suffix, "rainbow-" #level "-classic" name_suffix,       \
               title_ " - classic", caution_, security_, classic_, stored_, signature_, 32, 0);      \
    PARAMETERS(rainbow_##level##_circumzenithal##id_suffix, "rainbow-" #level "-circumzenithal" name_suffix,\
               title_ " - circumzenithal", caution_, security_, seeded_, stored_, signature_, 64, 32);\
    PARAMETERS(rainbow_##level##_compressed##id_suffix, "rainbow-" #level "-compressed" name_suffix, \
               title_ " - compressed", caution_, security_, seeded_, 64, signature_, 64, 0);         \
    PARAMETERS(rainbow_##level##_prepared##id_suffix, "rainbow-" #level "-prepared" name_suffix,     \
               title_ " - prepared", caution_, security_, classic_, stored_, signature_, 64, 0);     \
    static const moonbow_verifier rainbow_##level##_prepared##id_suffix##_verifier = VERIFIER(       \
        rainbow_##level##_prepared##id_suffix##_parameters, set_, order_, mb_rainbow_public_prepared); \
    static const moonbow_signer rainbow_##level##_prepared##id_suffix##_signer = SIGNER(             \
        rainbow_##level##_prepared##id_suffix##_parameters, set_, order_, mb_rainbow_secret_stored); \
    PREPARER(rainbow_##level##_circumzenithal##id_suffix,                                            \
             &rainbow_##level##_prepared##id_suffix##_verifier, NULL);                               \
    PREPARER(rainbow_##level##_compressed##id_suffix,                                                \
             &rainbow_##level##_prepared##id_suffix##_verifier,                                      \
             &rainbow_##level##_prepared##id_suffix##_signer);                                       \
    ALGORITHM(rainbow_##level##_classic##id_suffix, set_, order_, mb_rainbow_classic,                        \
              mb_rainbow_public_classic, mb_rainbow_secret_stored, NULL);                            \
    ALGORITHM(rainbow_##level##_circumzenithal##id_suffix, set_, order_, mb_rainbow_circumzenithal,          \
              mb_rainbow_public_seeded, mb_rainbow_secret_stored,                                    \
              &rainbow_##level##_circumzenithal##id_suffix##_preparer);                              \
    ALGORITHM(rainbow_##level##_compressed##id_suffix, set_, order_, mb_rainbow_compressed,                  \
              mb_rainbow_public_seeded, mb_rainbow_secret_seeded,                                    \
              &rainbow_##level##_compressed##id_suffix##_preparer)

FORMATS(I, , "", mb_rainbow_I, 16, SET_I);
FORMATS(III, , "", mb_rainbow_III, 256, SET_III);
FORMATS(V, , "", mb_rainbow_V, 256, SET_V);
/* [RB3 §8]: the same over x⁴ + x + 1, from the Cortex-M4 work. */
FORMATS(I, _tweaked, "-tweaked", mb_rainbow_I_tweaked, 16, SET_I);
