/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What fuzz_verify verifies with: verifiers of shipped sets and of small ones made here, each with a key and a signature. */
#ifndef FUZZ_SUBJECT_H
#define FUZZ_SUBJECT_H

#include <moonbow/signature.h>

enum { MESSAGE_BYTES = 600, SIGNATURE_MOST_BYTES = 256, SMALL_LEN = 13, SHIPPED_LEN = 8 };

/* What this machine takes by itself, and others; those that it cannot run are the portable one. */
typedef enum backend { NATIVE, PORTABLE, AVX2, GFNI_AVX2, BACKENDS_LEN } backend;

typedef struct subject {
    const moonbow_verifier *verifier;
    size_t key_bytes, signature_bytes;
    uint8_t *key;                             /* a good one */
    uint8_t signature[SIGNATURE_MOST_BYTES];  /* of the message below */
    moonbow_scratch scratch[BACKENDS_LEN][2]; /* by mode */
} subject;

/* Small sets run some hundred times faster than shipped ones and have the shapes that those lack. */
extern subject small_subjects[SMALL_LEN], shipped_subjects[SHIPPED_LEN];
extern uint8_t good_message[MESSAGE_BYTES];

/* Makes them all, once. */
void make_subjects(void);

void choose_backend(backend which);

#endif
