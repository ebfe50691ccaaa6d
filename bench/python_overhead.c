/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The C half of python_overhead.py: times calls of the library as a C program makes them, with scratch memory that it keeps. */
#include <moonbow/signature.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of `calls` calls; negative if one fails. */
double time_sign(const char *name, uint8_t *signature, const uint8_t *message, size_t message_bytes,
                 const uint8_t *key, int calls);
double time_verify(const char *name, const uint8_t *signature, const uint8_t *message, size_t message_bytes,
                   const uint8_t *key, int calls);

double time_sign(const char *name, uint8_t *signature, const uint8_t *message, size_t message_bytes,
                 const uint8_t *key, int calls)
{
    const moonbow_algorithm *a = moonbow_algorithm_by_name(name);
    const moonbow_parameters *p = a->parameters;
    const size_t bytes = moonbow_sign_scratch_bytes(a->signer, MOONBOW_FAST);
    const moonbow_scratch scratch = {aligned_alloc(MOONBOW_SCRATCH_ALIGNMENT, bytes), bytes, MOONBOW_FAST};
    int status = MOONBOW_OK;
    const double begin = now();
    for (int i = 0; i < calls; i++)
        status |= moonbow_sign(a->signer, signature, p->signature_bytes, message, message_bytes, key,
                               p->secret_key_bytes, NULL, &scratch);
    const double seconds = now() - begin;
    free(scratch.start);
    return status == MOONBOW_OK ? seconds : -1;
}

double time_verify(const char *name, const uint8_t *signature, const uint8_t *message, size_t message_bytes,
                   const uint8_t *key, int calls)
{
    const moonbow_algorithm *a = moonbow_algorithm_by_name(name);
    const moonbow_parameters *p = a->parameters;
    const size_t bytes = moonbow_verify_scratch_bytes(a->verifier, MOONBOW_FAST);
    const moonbow_scratch scratch = {aligned_alloc(MOONBOW_SCRATCH_ALIGNMENT, bytes), bytes, MOONBOW_FAST};
    int status = MOONBOW_OK;
    const double begin = now();
    for (int i = 0; i < calls; i++)
        status |= moonbow_verify(a->verifier, signature, p->signature_bytes, message, message_bytes, key,
                                 p->public_key_bytes, &scratch);
    const double seconds = now() - begin;
    free(scratch.start);
    return status == MOONBOW_OK ? seconds : -1;
}
