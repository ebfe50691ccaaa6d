/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The table of object identifiers. A new family adds rows here and in docs/guide/key-files.md. */
#include "oid.h"

#include <stddef.h>
#include <string.h>

typedef struct oid_row {
    const char *dotted;
    const char *algorithm_name;
    moonbow_oid_owner owner;
} oid_row;

/* An algorithm's first row is the one that is written. */
static const oid_row rows[] = {
    {MOONBOW_OID_ARC ".1.1.1", "rainbow-I-classic", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".1.1.2", "rainbow-I-circumzenithal", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".1.1.3", "rainbow-I-compressed", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".1.2.1", "rainbow-III-classic", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".1.2.2", "rainbow-III-circumzenithal", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".1.2.3", "rainbow-III-compressed", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".1.3.1", "rainbow-V-classic", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".1.3.2", "rainbow-V-circumzenithal", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".1.3.3", "rainbow-V-compressed", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".1.4.1", "rainbow-I-classic-tweaked", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".1.4.2", "rainbow-I-circumzenithal-tweaked", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".1.4.3", "rainbow-I-compressed-tweaked", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".2.1.1", "uov-Ip", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".2.1.2", "uov-Ip-pkc", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".2.1.3", "uov-Ip-pkc-skc", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".2.2.1", "uov-Is", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".2.2.2", "uov-Is-pkc", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".2.2.3", "uov-Is-pkc-skc", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".2.3.1", "uov-III", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".2.3.2", "uov-III-pkc", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".2.3.3", "uov-III-pkc-skc", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".2.4.1", "uov-V", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".2.4.2", "uov-V-pkc", MOONBOW_OID_OURS},
    {MOONBOW_OID_ARC ".2.4.3", "uov-V-pkc-skc", MOONBOW_OID_OURS},
    /* Open Quantum Safe gave these out from 2021, for its third-round code; the last 1 counts code
     * changes, so that the same numbers without it may be other algorithms and are not accepted. */
    {"1.3.9999.5.2.1.1", "rainbow-III-classic", MOONBOW_OID_OPEN_QUANTUM_SAFE},
    {"1.3.9999.5.2.3.1", "rainbow-III-circumzenithal", MOONBOW_OID_OPEN_QUANTUM_SAFE},
    {"1.3.9999.5.2.5.1", "rainbow-III-compressed", MOONBOW_OID_OPEN_QUANTUM_SAFE},
    {"1.3.9999.5.3.1.1", "rainbow-V-classic", MOONBOW_OID_OPEN_QUANTUM_SAFE},
    {"1.3.9999.5.3.3.1", "rainbow-V-circumzenithal", MOONBOW_OID_OPEN_QUANTUM_SAFE},
    {"1.3.9999.5.3.5.1", "rainbow-V-compressed", MOONBOW_OID_OPEN_QUANTUM_SAFE},
    {"1.3.9999.9.1.1", "uov-Is", MOONBOW_OID_OPEN_QUANTUM_SAFE},
    {"1.3.9999.9.5.1", "uov-Is-pkc", MOONBOW_OID_OPEN_QUANTUM_SAFE},
    {"1.3.9999.9.9.1", "uov-Is-pkc-skc", MOONBOW_OID_OPEN_QUANTUM_SAFE},
};

enum { ROWS_LEN = sizeof rows / sizeof rows[0] };

const char *moonbow_oid_of_algorithm(const char *algorithm_name)
{
    for (size_t i = 0; i < ROWS_LEN; i++) {
        if (strcmp(rows[i].algorithm_name, algorithm_name) == 0)
            return rows[i].dotted;
    }
    return NULL;
}

const char *moonbow_oid_algorithm_name(const char *dotted, moonbow_oid_owner *owner)
{
    for (size_t i = 0; i < ROWS_LEN; i++) {
        if (strcmp(rows[i].dotted, dotted) == 0) {
            if (owner)
                *owner = rows[i].owner;
            return rows[i].algorithm_name;
        }
    }
    return NULL;
}
