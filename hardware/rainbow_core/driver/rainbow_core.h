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
    RAINBOW_CORE_ABSENT = -1,    /* no core, or none of a shape that this driver serves, behind these registers */
    RAINBOW_CORE_NO_KEY = -2,    /* no key is installed, or the core did not take all of it */
    RAINBOW_CORE_WRONG_KEY = -3, /* the key has not the length of a key of the core's shape */
    RAINBOW_CORE_GIVEN_UP = -4,  /* wiped before the signature was read */
    RAINBOW_CORE_STUCK = -5,     /* not ready after 2^20 looks at STATUS, more than anything it does takes: no clock, or the bus is dead */
    RAINBOW_CORE_SINGULAR_1 = 1, /* new vinegars, please */
    RAINBOW_CORE_SINGULAR_2 = 2  /* a new salt with the same vinegars, please */
};

/* The functions that touch the core come one after another; only rainbow_core_wipe may interrupt rainbow_core_attempt. */

/* Reads the shape, from which all lengths follow. A third-round core with an even number of variables of each kind, less than 256 in all.
 * OK or ABSENT; after ABSENT no other function may be called. */
int rainbow_core_open(rainbow_core *core);

/* Bytes of packed elements, as [RB3 §2] packs them: v1 vinegars, a hash of o1 + o2, a signature of v1 + o1 + o2 elements. */
size_t rainbow_core_bytes(const rainbow_core *core, size_t elements);

/* Bytes of a secret key of the core's shape, and of the memory that loading it takes, which holds nothing secret. */
size_t rainbow_core_secret_key_bytes(const rainbow_core *core);
size_t rainbow_core_key_work_bytes(const rainbow_core *core);

/* Writes a SECRET key of the classic or circumzenithal format (raw, from its seed on [RB3 §5]) to the key memory, in the order of
 * ../model/schedule.py, in place of the one that was there. work: rainbow_core_key_work_bytes of memory.
 * OK; WRONG_KEY: nothing was written; NO_KEY: the core did not take every word; STUCK. */
int rainbow_core_load_key(rainbow_core *core, const uint8_t *secret_key, size_t secret_key_bytes, uint8_t *work);

/* Overwrites the key memory with zeros. OK or STUCK. */
int rainbow_core_erase_key(rainbow_core *core);

/* One attempt with SECRET vinegars and the salted hash, all packed. The signature, without its salt, is there if the result is OK; else its
 * memory is untouched or zero. cycles, unless NULL: how many an attempt that ended took; the same for all that end alike.
 * OK, SINGULAR_1, SINGULAR_2, NO_KEY, GIVEN_UP or STUCK. */
int rainbow_core_attempt(rainbow_core *core, uint8_t *signature, const uint8_t *vinegars, const uint8_t *hash, uint32_t *cycles);

/* Gives up an attempt and clears all secrets but the key memory. OK or STUCK. */
int rainbow_core_wipe(rainbow_core *core);

/* Waits until the core is ready. OK or STUCK. */
int rainbow_core_wait(rainbow_core *core);

#ifdef __cplusplus
}
#endif
#endif
