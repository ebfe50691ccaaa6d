/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Finding an algorithm: all of them, one by name, one by its symbol. See docs/guide/using.md. */
#include <moonbow/signature.h>
#include <stdio.h>
#include <stdlib.h>

/* What a program shows where someone chooses an algorithm. */
static void show(const moonbow_parameters *parameters)
{
    printf("%s (%s): public key %zu, secret key %zu, signature %zu bytes\n  %s\n", parameters->name,
           moonbow_security_text(parameters->security), parameters->public_key_bytes,
           parameters->secret_key_bytes, parameters->signature_bytes, parameters->caution);
}

static void show_all(void)
{
    const moonbow_algorithm *algorithm;
    for (size_t i = 0; (algorithm = moonbow_algorithm_at(i)) != NULL; i++) {
        show(algorithm->parameters);
    }
}

int main(void)
{
    const moonbow_algorithm *by_name = moonbow_algorithm_by_name("uov-Is-pkc");
    const moonbow_algorithm *unknown = moonbow_algorithm_by_name("uov-IV");
    show_all();
    return by_name == &moonbow_uov_Is_pkc && unknown == NULL ? EXIT_SUCCESS : EXIT_FAILURE;
}
