/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Driver of the signing core for third-round Rainbow: install a key, make attempts. Freestanding; the caller gives access to the registers.
 * The core is one step of signing: who draws, hashes and counts attempts is the caller; see ../dv/driver/sign_with_core.c. */
#ifndef RAINBOW_CORE_H
#define RAINBOW_CORE_H

#include "rainbow_core_registers.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rainbow_core {
    /* Set by the caller: access to a register by its byte offset. */
    uint32_t (*read)(void *bus, uint32_t offset);
    void (*write)(void *bus, uint32_t offset, uint32_t value);
    void *bus;
    /* Set by rainbow_core_open. */
    size_t v1, o1, o2;
    unsigned bits; /* of a field element: 4 or 8 */
    size_t rows_a_cycle;
    size_t beats;  /* of the key */
} rainbow_core;

enum rainbow_core_result {
    RAINBOW_CORE_OK = 0,
    RAINBOW_CORE_ABSENT = -1,    /* no core of third-round shape behind these registers */
    RAINBOW_CORE_NO_KEY = -2,    /* no key is installed */
    RAINBOW_CORE_SINGULAR_1 = 1, /* new vinegars, please */
    RAINBOW_CORE_SINGULAR_2 = 2  /* a new salt with the same vinegars, please */
};

/* Reads the shape. ABSENT, or OK. */
int rainbow_core_open(rainbow_core *core);

/* Bytes of packed elements, as [RB3 §2] packs them: message m = o1 + o2, signature n = v1 + o1 + o2 elements. */
size_t rainbow_core_bytes(const rainbow_core *core, size_t elements);

/* Writes a SECRET key of the classic or circumzenithal format (raw, from its seed on [RB3 §5]) to the key memory, in the order of
 * ../model/schedule.py. work: rainbow_core_key_work_bytes of memory, which holds nothing secret. */
size_t rainbow_core_key_work_bytes(const rainbow_core *core);
int rainbow_core_load_key(rainbow_core *core, const uint8_t *secret_key, uint8_t *work);

/* Overwrites the key memory. */
void rainbow_core_erase_key(rainbow_core *core);

/* One attempt with SECRET vinegars and the salted hash, all packed: OK and the signature without its salt, SINGULAR_1 or SINGULAR_2, NO_KEY.
 * cycles, unless NULL: how many the core took; the same for every key, message and vinegars that end alike. */
int rainbow_core_attempt(rainbow_core *core, uint8_t *signature, const uint8_t *vinegars, const uint8_t *hash, uint32_t *cycles);

/* Clears all secrets but the key memory, at any time. */
void rainbow_core_wipe(rainbow_core *core);

#ifdef __cplusplus
}
#endif
#endif
