/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Algorithms by name. Refers to all of them: a program that wants only some names them and does not link this file. */
#include <moonbow/signature.h>

#include <string.h>

static const moonbow_algorithm *const algorithms[] = {
    &moonbow_uov_Ip,
    &moonbow_uov_Ip_pkc,
    &moonbow_uov_Ip_pkc_skc,
    &moonbow_uov_Is,
    &moonbow_uov_Is_pkc,
    &moonbow_uov_Is_pkc_skc,
    &moonbow_uov_III,
    &moonbow_uov_III_pkc,
    &moonbow_uov_III_pkc_skc,
    &moonbow_uov_V,
    &moonbow_uov_V_pkc,
    &moonbow_uov_V_pkc_skc,
    &moonbow_rainbow_I_classic,
    &moonbow_rainbow_I_circumzenithal,
    &moonbow_rainbow_I_compressed,
    &moonbow_rainbow_III_classic,
    &moonbow_rainbow_III_circumzenithal,
    &moonbow_rainbow_III_compressed,
    &moonbow_rainbow_V_classic,
    &moonbow_rainbow_V_circumzenithal,
    &moonbow_rainbow_V_compressed,
    &moonbow_rainbow_I_classic_tweaked,
    &moonbow_rainbow_I_circumzenithal_tweaked,
    &moonbow_rainbow_I_compressed_tweaked,
};

const moonbow_algorithm *moonbow_algorithm_at(size_t index)
{
    return index < sizeof algorithms / sizeof *algorithms ? algorithms[index] : NULL;
}

const moonbow_algorithm *moonbow_algorithm_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        if (strcmp(algorithms[i]->parameters->name, name) == 0) {
            return algorithms[i];
        }
    }
    return NULL;
}
