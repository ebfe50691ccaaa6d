/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Moonbow's signatures: find an algorithm, make keys, sign, verify. Start here.
 * There is no heap and no hidden state: each operation works in scratch memory that the caller lends it. */
#ifndef MOONBOW_SIGNATURE_H
#define MOONBOW_SIGNATURE_H

#include <moonbow/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* what the shared library shows */
#endif

/* ---- What there is -------------------------------------------------------------------------- */

/* What is known against an algorithm. Show it wherever someone chooses one. */
typedef enum moonbow_security {
    MOONBOW_BROKEN,   /* keys have been recovered in practice */
    MOONBOW_LEGACY,   /* weakened or withdrawn; reads old signatures, not for new systems */
    MOONBOW_CANDIDATE /* under study in a running selection; not a standard */
} moonbow_security;

/* The public facts of one algorithm. All sizes in bytes. */
typedef struct moonbow_parameters {
    const char *name;          /* as users type it, e.g. "rainbow-I-classic" */
    const char *title;         /* the designers' notation, e.g. "RAINBOW(16,36,32,32) - classic" */
    const char *caution;       /* what a user must be told: one or more English sentences */
    moonbow_security security; /* the same in one word */
    size_t public_key_bytes;
    size_t secret_key_bytes;
    size_t signature_bytes;
    size_t generate_random_bytes; /* drawn by key generation: the length of a key pair's seed */
    size_t sign_random_bytes;     /* drawn by each signature; 0 where signing is deterministic */
    size_t public_seed_bytes;     /* leading public-key bytes that moonbow_derive_public_key must be
                                     given because the secret key does not hold them; mostly 0 */
    int streams_message;          /* 1 if a message may be handed over in pieces, in one pass */
} moonbow_parameters;

/* The three roles of an algorithm. A program that refers to one of them links only what it needs. */
typedef struct moonbow_verifier moonbow_verifier;
typedef struct moonbow_signer moonbow_signer;
typedef struct moonbow_generator moonbow_generator;
/* Rewrites a seeded key as a longer one that is quicker to use (see "Prepared keys"). */
typedef struct moonbow_preparer moonbow_preparer;

/* Everything of one algorithm. */
typedef struct moonbow_algorithm {
    const moonbow_parameters *parameters;
    const moonbow_verifier *verifier;
    const moonbow_signer *signer;
    const moonbow_generator *generator;
    const moonbow_preparer *preparer; /* NULL where keys are already in their quickest form */
} moonbow_algorithm;

/* The registry. Firmware names what it uses instead (below) and does not link this.
 * by_name returns NULL for an unknown name; at returns NULL from index = number of algorithms on. */
const moonbow_algorithm *moonbow_algorithm_by_name(const char *name);
const moonbow_algorithm *moonbow_algorithm_at(size_t index);

/* "broken", "legacy" or "candidate". */
const char *moonbow_security_text(moonbow_security security);
/* The library's version, e.g. "0.1.0". */
const char *moonbow_version(void);

/* Erases memory, SECRET or not, in a way that no optimiser removes. */
void moonbow_wipe(void *memory, size_t bytes);

/* ---- Memory, randomness, sinks -------------------------------------------------------------- */

typedef enum moonbow_mode {
    MOONBOW_FAST,  /* spend memory for speed */
    MOONBOW_SMALL, /* spend time for memory */
    MOONBOW_BATCH  /* as MOONBOW_FAST, but to verify with others under one key: see moonbow_verify_join */
} moonbow_mode;

/* Alignment of scratch memory, in bytes. */
#if defined(__arm__) && !defined(__linux__)
#define MOONBOW_SCRATCH_ALIGNMENT 8
#else
#define MOONBOW_SCRATCH_ALIGNMENT 64
#endif

/* Memory lent to one operation, of at least the size asked from moonbow_*_scratch_bytes for the same
 * mode (always a multiple of the alignment). Its contents are SECRET while it is used and wiped before a call
 * returns a final status. */
typedef struct moonbow_scratch {
    void *start;
    size_t bytes;
    moonbow_mode mode;
} moonbow_scratch;

/* A source of random bytes: fill returns 0, or anything else on failure. Where a function takes a
 * `const moonbow_random *`, NULL means the operating system's. */
typedef struct moonbow_random {
    int (*fill)(void *context, uint8_t *out, size_t bytes);
    void *context;
} moonbow_random;

/* Takes a key in pieces, in order; write returns 0, or anything else to refuse, after which it is
 * not called again. A NULL sink drops the bytes. */
typedef struct moonbow_sink {
    int (*write)(void *context, const uint8_t *piece, size_t bytes);
    void *context;
} moonbow_sink;

/* No two arguments may overlap unless one says so. */

/* ---- Key generation ------------------------------------------------------------------------- */

size_t moonbow_generate_scratch_bytes(const moonbow_generator *generator, moonbow_mode mode);

/* A new key pair from fresh randomness. Key lengths must be exact; both buffers are zeroed on error.
 * Errors: WRONG_LENGTH, BAD_SCRATCH, NO_RANDOM. */
int moonbow_generate(const moonbow_generator *generator, uint8_t *public_key, size_t public_key_bytes,
                     uint8_t *secret_key, size_t secret_key_bytes, const moonbow_random *random,
                     const moonbow_scratch *scratch);

/* The key pair that belongs to a SECRET seed of generate_random_bytes bytes. Errors as above. */
int moonbow_generate_from_seed(const moonbow_generator *generator, uint8_t *public_key,
                               size_t public_key_bytes, uint8_t *secret_key, size_t secret_key_bytes,
                               const uint8_t *seed, size_t seed_bytes, const moonbow_scratch *scratch);

/* The same into sinks. After an error what the sinks received is worthless. Errors: also SINK_FAILED. */
int moonbow_generate_to_sinks(const moonbow_generator *generator, const moonbow_sink *public_key,
                              const moonbow_sink *secret_key, const moonbow_random *random,
                              const moonbow_scratch *scratch);
int moonbow_generate_from_seed_to_sinks(const moonbow_generator *generator,
                                        const moonbow_sink *public_key, const moonbow_sink *secret_key,
                                        const uint8_t *seed, size_t seed_bytes,
                                        const moonbow_scratch *scratch);

/* The public key of a SECRET key. A secret key whose parts contradict one another (those that can: a stored
 * UOV key its seed, a circumzenithal Rainbow key the public seed) is a WRONG_KEY. public_seed: the first public_seed_bytes bytes of the public key
 * where the parameters ask for them, else NULL, 0. Scratch as for generation.
 * Errors: WRONG_LENGTH, WRONG_KEY (a damaged secret key), BAD_SCRATCH, SINK_FAILED. */
int moonbow_derive_public_key(const moonbow_generator *generator, const moonbow_sink *public_key,
                              const uint8_t *secret_key, size_t secret_key_bytes,
                              const uint8_t *public_seed, size_t public_seed_bytes,
                              const moonbow_scratch *scratch);

/* OK if the two keys belong together, WRONG_KEY if not. Scratch as for generation. */
int moonbow_check_key_pair(const moonbow_generator *generator, const uint8_t *public_key,
                           size_t public_key_bytes, const uint8_t *secret_key,
                           size_t secret_key_bytes, const moonbow_scratch *scratch);

/* ---- Signing -------------------------------------------------------------------------------- */

size_t moonbow_sign_scratch_bytes(const moonbow_signer *signer, moonbow_mode mode);

/* Signs a message with a SECRET key. The signature is zeroed on error.
 * Errors: WRONG_LENGTH, BAD_SCRATCH, NO_RANDOM, NO_SIGNATURE, FAULT (the computation was disturbed). */
int moonbow_sign(const moonbow_signer *signer, uint8_t *signature, size_t signature_bytes,
                 const uint8_t *message, size_t message_bytes, const uint8_t *secret_key,
                 size_t secret_key_bytes, const moonbow_random *random,
                 const moonbow_scratch *scratch);

/* Signs, then verifies under the public key before the signature is released. Scratch: the larger of
 * the signer's and the verifier's. Errors: the same; FAULT also if the public key belongs to another secret key. */
int moonbow_sign_checked(const moonbow_signer *signer, const moonbow_verifier *verifier,
                         uint8_t *signature, size_t signature_bytes, const uint8_t *message,
                         size_t message_bytes, const uint8_t *secret_key, size_t secret_key_bytes,
                         const uint8_t *public_key, size_t public_key_bytes,
                         const moonbow_random *random, const moonbow_scratch *scratch);

/* The message in pieces: begin, message any number of times, finish. The operation lives in the
 * scratch memory, which must stay until finish (or abort) returns; both wipe it. */
typedef struct moonbow_signing moonbow_signing;
int moonbow_sign_begin(moonbow_signing **signing, const moonbow_signer *signer,
                       const moonbow_scratch *scratch);
int moonbow_sign_message(moonbow_signing *signing, const uint8_t *piece, size_t bytes);
int moonbow_sign_finish(moonbow_signing *signing, uint8_t *signature, size_t signature_bytes,
                        const uint8_t *secret_key, size_t secret_key_bytes,
                        const moonbow_random *random);
void moonbow_sign_abort(moonbow_signing *signing);

/* A second signing at the same place in the message, in scratch memory of its own of any mode: for several messages
 * with one beginning. The first goes on as if nothing had happened. Errors: BAD_SCRATCH. */
int moonbow_sign_fork(moonbow_signing **copy, const moonbow_signing *signing, const moonbow_scratch *scratch);

/* ---- Verification --------------------------------------------------------------------------- */

size_t moonbow_verify_scratch_bytes(const moonbow_verifier *verifier, moonbow_mode mode);

/* OK if the signature of this message verifies under this public key. Everything is public.
 * Errors: BAD_SIGNATURE, WRONG_LENGTH (key or signature), BAD_SCRATCH. */
int moonbow_verify(const moonbow_verifier *verifier, const uint8_t *signature, size_t signature_bytes,
                   const uint8_t *message, size_t message_bytes, const uint8_t *public_key,
                   size_t public_key_bytes, const moonbow_scratch *scratch);

/* Message and public key in pieces: begin with the signature, then hand over pieces of the message
 * and of the key, each in its own order, interleaved as the caller likes; finish gives the verdict.
 * What the key's digest is computed of is what is evaluated: each byte is read once while one is computed.
 * Errors are sticky and come out of finish again. After a failed begin there is nothing to finish or abort. */
typedef struct moonbow_verification moonbow_verification;
int moonbow_verify_begin(moonbow_verification **verification, const moonbow_verifier *verifier,
                         const uint8_t *signature, size_t signature_bytes,
                         const moonbow_scratch *scratch);
int moonbow_verify_message(moonbow_verification *verification, const uint8_t *piece, size_t bytes);
int moonbow_verify_key(moonbow_verification *verification, const uint8_t *piece, size_t bytes);
int moonbow_verify_finish(moonbow_verification *verification);
void moonbow_verify_abort(moonbow_verification *verification);

/* For signatures that come behind their message: begin without one, and hand it over when it is there, once, at any
 * time before the first byte of the key (else WRONG_ORDER); of another length it is a WRONG_LENGTH, which sticks. */
int moonbow_verify_begin_late(moonbow_verification **verification, const moonbow_verifier *verifier,
                              const moonbow_scratch *scratch);
int moonbow_verify_signature(moonbow_verification *verification, const uint8_t *signature, size_t signature_bytes);

/* A second verification at the same place in the message, in scratch memory of its own of any mode, as long as the first
 * has no signature and computes no digest (else WRONG_ORDER). The first goes on as if nothing had happened. Errors: BAD_SCRATCH. */
int moonbow_verify_fork(moonbow_verification **copy, const moonbow_verification *verification,
                        const moonbow_scratch *scratch);

/* Verifications of several signatures under one public key, which is then read, and expanded from its seed, once for all:
 * each began with scratch memory of its own in MOONBOW_BATCH mode and the same verifier; join others to a leader, and
 * hand the key to the leader alone. Messages go to each by itself. Finish the leader before the others, which otherwise answer
 * WRONG_ORDER; if its key's length or digest was wrong they answer as it did. Joining may fail with WRONG_ORDER (another
 * verifier or mode, no signature yet, key bytes or a digest already given, joined before), and leaves both as they were. */
int moonbow_verify_join(moonbow_verification *leader, moonbow_verification *follower);

/* The same for messages in memory: `count` signatures, as many together as the scratch memory has room for. Each item gets
 * a status: OK, BAD_SIGNATURE or WRONG_LENGTH. Returns OK if all are, else BAD_SIGNATURE; or, with all items' status set
 * to it, WRONG_LENGTH (key) or BAD_SCRATCH. Everything is public. */
typedef struct moonbow_batch_item {
    const uint8_t *signature;
    size_t signature_bytes;
    const uint8_t *message;
    size_t message_bytes;
    int status;
} moonbow_batch_item;

/* Scratch memory, mode MOONBOW_BATCH, for `together` ≥ 1 signatures; 64 are enough for full speed. */
size_t moonbow_verify_batch_scratch_bytes(const moonbow_verifier *verifier, size_t together);
int moonbow_verify_batch(const moonbow_verifier *verifier, moonbow_batch_item *items, size_t count,
                         const uint8_t *public_key, size_t public_key_bytes, const moonbow_scratch *scratch);

/* Compute the SHA-256 of the public key while it streams. Call one of the two between begin and the
 * first key byte (else WRONG_ORDER). The array must stay until finish returns.
 *   pin:    finish returns WRONG_KEY unless the digest equals `digest` (read when finish runs);
 *   digest: finish writes the digest to `digest`, whatever the verdict, once all the key was read. */
#define MOONBOW_KEY_DIGEST_BYTES 32
int moonbow_verify_pin_key(moonbow_verification *verification,
                           const uint8_t digest[MOONBOW_KEY_DIGEST_BYTES]);
int moonbow_verify_digest_key(moonbow_verification *verification,
                              uint8_t digest[MOONBOW_KEY_DIGEST_BYTES]);

/* ---- Prepared keys -------------------------------------------------------------------------- */

/* For many signatures under one seeded key: rewrite the key once, then use the prepared verifier or
 * signer with it wherever a verifier or signer is taken. Prepared keys are for this process's memory:
 * not a file format, and not portable between machines; the registry does not know their names. A prepared
 * secret key is SECRET.
 * Either may be NULL: that key is already in its quickest form. */
const moonbow_verifier *moonbow_prepared_verifier(const moonbow_preparer *preparer);
const moonbow_signer *moonbow_prepared_signer(const moonbow_preparer *preparer);
/* Their key sizes are public_key_bytes and secret_key_bytes of these. */
const moonbow_parameters *moonbow_verifier_parameters(const moonbow_verifier *verifier);
const moonbow_parameters *moonbow_signer_parameters(const moonbow_signer *signer);
const moonbow_parameters *moonbow_generator_parameters(const moonbow_generator *generator);

size_t moonbow_prepare_scratch_bytes(const moonbow_preparer *preparer, moonbow_mode mode);
/* Errors: WRONG_LENGTH (either key), BAD_SCRATCH; the output is zeroed on error. */
int moonbow_prepare_public_key(const moonbow_preparer *preparer, uint8_t *prepared,
                               size_t prepared_bytes, const uint8_t *public_key,
                               size_t public_key_bytes, const moonbow_scratch *scratch);
int moonbow_prepare_secret_key(const moonbow_preparer *preparer, uint8_t *prepared,
                               size_t prepared_bytes, const uint8_t *secret_key,
                               size_t secret_key_bytes, const moonbow_scratch *scratch);

/* ---- The algorithms by name, for programs that link only some -------------------------------- */

#define MOONBOW_DECLARE_ALGORITHM(id)                  \
    extern const moonbow_algorithm moonbow_##id;       \
    extern const moonbow_verifier moonbow_##id##_verifier; \
    extern const moonbow_signer moonbow_##id##_signer; \
    extern const moonbow_generator moonbow_##id##_generator

MOONBOW_DECLARE_ALGORITHM(uov_Ip);
MOONBOW_DECLARE_ALGORITHM(uov_Ip_pkc);
MOONBOW_DECLARE_ALGORITHM(uov_Ip_pkc_skc);
MOONBOW_DECLARE_ALGORITHM(uov_Is);
MOONBOW_DECLARE_ALGORITHM(uov_Is_pkc);
MOONBOW_DECLARE_ALGORITHM(uov_Is_pkc_skc);
MOONBOW_DECLARE_ALGORITHM(uov_III);
MOONBOW_DECLARE_ALGORITHM(uov_III_pkc);
MOONBOW_DECLARE_ALGORITHM(uov_III_pkc_skc);
MOONBOW_DECLARE_ALGORITHM(uov_V);
MOONBOW_DECLARE_ALGORITHM(uov_V_pkc);
MOONBOW_DECLARE_ALGORITHM(uov_V_pkc_skc);
MOONBOW_DECLARE_ALGORITHM(rainbow_I_classic);
MOONBOW_DECLARE_ALGORITHM(rainbow_I_circumzenithal);
MOONBOW_DECLARE_ALGORITHM(rainbow_I_compressed);
MOONBOW_DECLARE_ALGORITHM(rainbow_III_classic);
MOONBOW_DECLARE_ALGORITHM(rainbow_III_circumzenithal);
MOONBOW_DECLARE_ALGORITHM(rainbow_III_compressed);
MOONBOW_DECLARE_ALGORITHM(rainbow_V_classic);
MOONBOW_DECLARE_ALGORITHM(rainbow_V_circumzenithal);
MOONBOW_DECLARE_ALGORITHM(rainbow_V_compressed);
MOONBOW_DECLARE_ALGORITHM(rainbow_I_classic_tweaked);
MOONBOW_DECLARE_ALGORITHM(rainbow_I_circumzenithal_tweaked);
MOONBOW_DECLARE_ALGORITHM(rainbow_I_compressed_tweaked);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
