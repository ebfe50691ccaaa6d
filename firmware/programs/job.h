/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the commands of the station share: an algorithm, its memory, its keys, repeatable inputs. */
#ifndef FIRMWARE_JOB_H
#define FIRMWARE_JOB_H

#include "room.h"

#include <moonbow/signature.h>

enum { JOB_MESSAGE_BYTES = 59 }; /* as NIST's benchmarks on microcontrollers do */

/* Inputs that depend on a number alone. Not random: for tests and measurements. */
void job_fill(uint8_t *out, size_t bytes, uint32_t number);
const moonbow_random *job_random(void);

/* The key pair number k: its first 32 seed bytes, the secret ones, depend on k; the others do not. */
void job_seed(uint8_t *seed, size_t bytes, uint32_t k);

/* Scratch memory of the larger of two operations, or more; start is NULL where there is none. */
moonbow_scratch job_scratch(size_t bytes, moonbow_mode mode);

/* Key pair k, each half where it is wished; a half with a NULL address is not kept. 0, or what went wrong has been said. */
typedef struct job_keys {
    uint8_t *public_key, *secret_key;
} job_keys;
int job_generate(const moonbow_algorithm *algorithm, const job_keys *keys, uint32_t k, const moonbow_scratch *scratch);
/* Key pair 0, with scratch memory of its own. */
int job_generate_once(const moonbow_algorithm *algorithm, const job_keys *keys);

/* Says that a function of the library failed. Returns -1. */
int job_failed(const char *what, int status);

/* The commands. `words` are those after the command's name; return 0, or -1 after an explanation. */
int command_generate(const char *const *words, size_t count);
int command_sign(const char *const *words, size_t count);
int command_verify(const char *const *words, size_t count);
int command_trace(const char *const *words, size_t count);
int command_solver(const char *const *words, size_t count);
int command_kat(const char *const *words, size_t count);
int command_test(const char *const *words, size_t count);

#endif
