/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What a signature scheme offers to the public functions: the contents of the three roles and of the preparer.
 * Lengths, scratch, order of calls and wiping are checked and done in signature/, once for all schemes. */
#ifndef MB_SCHEME_SCHEME_H
#define MB_SCHEME_SCHEME_H

#include <moonbow/signature.h>

struct mb_public_map;

/* Each role names the scheme's own parameter set and key format; the functions know their types. */

struct moonbow_verifier {
    const moonbow_parameters *parameters;
    const void *set;
    const void *format;
    /* Bytes of state; `begin` finds them aligned, and scratch->start is what the others get as `state`.
     * begin: OK or BAD_SCRATCH. */
    size_t (*state_bytes)(const moonbow_verifier *verifier, moonbow_mode mode);
    const struct mb_gatherer *(*gatherer)(int small); /* for the set's field (linear/contract.h) */
    int (*begin)(const moonbow_verifier *verifier, const moonbow_scratch *scratch);
    /* Once, before the key; the message may have begun. */
    void (*signature)(void *state, const uint8_t *signature);
    void (*message)(void *state, const uint8_t *piece, size_t bytes);
    /* Makes the message's part of `state` that of another state of the same verifier. */
    void (*copy_message)(void *state, const void *from);
    /* Never more than public_key_bytes in all. */
    void (*key)(void *state, const uint8_t *piece, size_t bytes);
    /* The public map that `key` evaluates: maps of one key can be joined (quadratic/public_map.h). */
    struct mb_public_map *(*map)(void *state);
    /* After the whole key: OK or BAD_SIGNATURE. */
    int (*finish)(void *state);
};

struct moonbow_signer {
    const moonbow_parameters *parameters;
    const void *set;
    const void *format;
    size_t (*state_bytes)(const moonbow_signer *signer, moonbow_mode mode);
    const struct mb_solver *(*solver)(int small); /* for the set's field (linear/contract.h) */
    int (*begin)(const moonbow_signer *signer, const moonbow_scratch *scratch);
    void (*message)(void *state, const uint8_t *piece, size_t bytes);
    void (*copy_message)(void *state, const void *from);
    /* OK, NO_RANDOM or NO_SIGNATURE. */
    int (*finish)(void *state, uint8_t *signature, const uint8_t *secret_key,
                  const moonbow_random *random);
};

struct moonbow_generator {
    const moonbow_parameters *parameters;
    const void *set;
    const void *format;
    /* The seed is drawn in pieces of this length: the boundaries of draws are part of the known answers. */
    size_t draw_bytes;
    size_t (*scratch_bytes)(const moonbow_generator *generator, moonbow_mode mode);
    /* OK, SINK_FAILED or BAD_SCRATCH; derive also WRONG_KEY. A NULL sink drops the bytes. */
    int (*generate)(const moonbow_generator *generator, const moonbow_sink *public_key,
                    const moonbow_sink *secret_key, const uint8_t *seed, const moonbow_scratch *scratch);
    int (*derive)(const moonbow_generator *generator, const moonbow_sink *public_key, const uint8_t *secret_key,
                  const uint8_t *public_seed, const moonbow_scratch *scratch);
};

struct moonbow_preparer {
    const moonbow_verifier *from_verifier;
    const moonbow_signer *from_signer;
    const moonbow_verifier *verifier; /* NULL: public keys need no preparation */
    const moonbow_signer *signer;     /* NULL: secret keys need no preparation */
    size_t (*scratch_bytes)(const moonbow_preparer *preparer, moonbow_mode mode);
    /* OK or BAD_SCRATCH. */
    int (*prepare_public)(const moonbow_preparer *preparer, uint8_t *prepared, const uint8_t *public_key,
                          const moonbow_scratch *scratch);
    int (*prepare_secret)(const moonbow_preparer *preparer, uint8_t *prepared, const uint8_t *secret_key,
                          const moonbow_scratch *scratch);
};

#endif
