/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Attempts: vectors to registers and back. The key's order is in rainbow_core_key.c. */
#include "rainbow_core.h"

#include <string.h>

enum { LOOKS = 1 << 20 }; /* at STATUS; each takes the core two cycles, the longest attempt of any shape fewer than 2^18 */

/* What the order of the key and the packing ask for: byte-sized names of variables, whole bytes of each matrix, whole beats. */
static int is_served(const rainbow_core *core)
{
    const size_t rows = core->o1 > core->o2 ? core->o1 : core->o2;
    return (core->bits == 4 || core->bits == 8) && core->v1 != 0 && core->o1 != 0 && core->o2 != 0 &&
           (core->v1 | core->o1 | core->o2) % 2 == 0 && core->v1 + core->o1 + core->o2 < 256 && core->rows_a_cycle != 0 &&
           rows % core->rows_a_cycle == 0;
}

int rainbow_core_open(rainbow_core *core)
{
    const uint32_t shape = core->read(core->bus, RAINBOW_CORE_SHAPE);
    const uint32_t stream = core->read(core->bus, RAINBOW_CORE_STREAM);
    const uint32_t squares = shape >> 28 & 1;
    core->v1 = shape & 0xFF;
    core->o1 = shape >> 8 & 0xFF;
    core->o2 = shape >> 16 & 0xFF;
    core->bits = shape >> 24 & 0xF;
    core->rows_a_cycle = stream & 0xFF;
    core->beats = stream >> 8;
    if (core->read(core->bus, RAINBOW_CORE_IDENTITY) != RAINBOW_CORE_IS || squares != 1 || !is_served(core)) {
        return RAINBOW_CORE_ABSENT;
    }
    return RAINBOW_CORE_OK;
}

size_t rainbow_core_bytes(const rainbow_core *core, size_t elements)
{
    return elements * core->bits / 8;
}

static void write_vector(rainbow_core *core, uint32_t offset, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += 4) {
        uint32_t word = 0;
        for (size_t j = 0; j < 4 && i + j < count; j++) {
            word |= (uint32_t)bytes[i + j] << 8 * j;
        }
        core->write(core->bus, offset + (uint32_t)i, word);
    }
}

static void read_vector(rainbow_core *core, uint8_t *bytes, uint32_t offset, size_t count)
{
    for (size_t i = 0; i < count; i += 4) {
        const uint32_t word = core->read(core->bus, offset + (uint32_t)i);
        for (size_t j = 0; j < 4 && i + j < count; j++) {
            bytes[i + j] = (uint8_t)(word >> 8 * j);
        }
    }
}

/* STATUS as soon as one of these bits is set; 0 if none ever is. */
static uint32_t wait_for(rainbow_core *core, uint32_t bits)
{
    for (uint32_t looks = 0; looks < LOOKS; looks++) {
        const uint32_t status = core->read(core->bus, RAINBOW_CORE_STATUS);
        if ((status & bits) != 0) {
            return status;
        }
    }
    return 0;
}

int rainbow_core_wait(rainbow_core *core)
{
    return wait_for(core, RAINBOW_CORE_READY) != 0 ? RAINBOW_CORE_OK : RAINBOW_CORE_STUCK;
}

static int command(rainbow_core *core, uint32_t control)
{
    core->write(core->bus, RAINBOW_CORE_CONTROL, control);
    return rainbow_core_wait(core);
}

int rainbow_core_wipe(rainbow_core *core)
{
    return command(core, RAINBOW_CORE_WIPE);
}

int rainbow_core_erase_key(rainbow_core *core)
{
    const int result = rainbow_core_wait(core);
    return result == RAINBOW_CORE_OK ? command(core, RAINBOW_CORE_ERASE_KEY) : result;
}

/* The core ends every attempt by itself, or is ready without an end: wiped, or its vinegars were before the start, which it then ignored. */
static uint32_t run_attempt(rainbow_core *core, const uint8_t *vinegars, const uint8_t *hash)
{
    write_vector(core, RAINBOW_CORE_VINEGARS, vinegars, rainbow_core_bytes(core, core->v1));
    write_vector(core, RAINBOW_CORE_MESSAGE, hash, rainbow_core_bytes(core, core->o1 + core->o2));
    core->write(core->bus, RAINBOW_CORE_CONTROL, RAINBOW_CORE_START);
    return wait_for(core, RAINBOW_CORE_DONE | RAINBOW_CORE_FAILED | RAINBOW_CORE_READY);
}

/* Whole, or not at all: zeros from a wipe that came between look like a signature. */
static int read_signature(rainbow_core *core, uint8_t *signature)
{
    const size_t count = rainbow_core_bytes(core, core->v1 + core->o1 + core->o2);
    read_vector(core, signature, RAINBOW_CORE_SIGNATURE, count);
    if ((core->read(core->bus, RAINBOW_CORE_STATUS) & RAINBOW_CORE_DONE) == 0) {
        memset(signature, 0, count);
        return RAINBOW_CORE_GIVEN_UP;
    }
    return RAINBOW_CORE_OK;
}

int rainbow_core_attempt(rainbow_core *core, uint8_t *signature, const uint8_t *vinegars, const uint8_t *hash, uint32_t *cycles)
{
    uint32_t status = wait_for(core, RAINBOW_CORE_READY);
    if (status == 0) {
        return RAINBOW_CORE_STUCK;
    }
    if ((status & RAINBOW_CORE_KEY_LOADED) == 0) {
        return RAINBOW_CORE_NO_KEY;
    }
    status = run_attempt(core, vinegars, hash);
    if ((status & (RAINBOW_CORE_DONE | RAINBOW_CORE_FAILED)) == 0) {
        core->write(core->bus, RAINBOW_CORE_CONTROL, RAINBOW_CORE_WIPE); /* vinegars that were not taken */
        return status == 0 ? RAINBOW_CORE_STUCK : RAINBOW_CORE_GIVEN_UP;
    }
    if (cycles != NULL) {
        *cycles = core->read(core->bus, RAINBOW_CORE_CYCLES);
    }
    if ((status & RAINBOW_CORE_FAILED) != 0) {
        return (status & RAINBOW_CORE_FAILED_LAYER) != 0 ? RAINBOW_CORE_SINGULAR_2 : RAINBOW_CORE_SINGULAR_1;
    }
    return read_signature(core, signature);
}
