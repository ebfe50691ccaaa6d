/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Attempts: vectors to registers and back. The key's order is in rainbow_core_key.c. */
#include "rainbow_core.h"

int rainbow_core_open(rainbow_core *core)
{
    const uint32_t shape = core->read(core->bus, RAINBOW_CORE_SHAPE);
    const uint32_t stream = core->read(core->bus, RAINBOW_CORE_STREAM);
    const uint32_t squares = shape >> 28 & 1;
    if (core->read(core->bus, RAINBOW_CORE_IDENTITY) != RAINBOW_CORE_IS || squares != 1) {
        return RAINBOW_CORE_ABSENT;
    }
    core->v1 = shape & 0xFF;
    core->o1 = shape >> 8 & 0xFF;
    core->o2 = shape >> 16 & 0xFF;
    core->bits = shape >> 24 & 0xF;
    core->rows_a_cycle = stream & 0xFF;
    core->beats = stream >> 8;
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

/* The status once all of these bits, or one of those, are set. The core ends every attempt by itself. */
static uint32_t wait_for(rainbow_core *core, uint32_t any)
{
    uint32_t status;
    do {
        status = core->read(core->bus, RAINBOW_CORE_STATUS);
    } while ((status & any) == 0);
    return status;
}

int rainbow_core_attempt(rainbow_core *core, uint8_t *signature, const uint8_t *vinegars, const uint8_t *hash, uint32_t *cycles)
{
    uint32_t status = wait_for(core, RAINBOW_CORE_READY);
    if ((status & RAINBOW_CORE_KEY_LOADED) == 0) {
        return RAINBOW_CORE_NO_KEY;
    }
    write_vector(core, RAINBOW_CORE_VINEGARS, vinegars, rainbow_core_bytes(core, core->v1));
    write_vector(core, RAINBOW_CORE_MESSAGE, hash, rainbow_core_bytes(core, core->o1 + core->o2));
    core->write(core->bus, RAINBOW_CORE_CONTROL, RAINBOW_CORE_START);
    status = wait_for(core, RAINBOW_CORE_DONE | RAINBOW_CORE_FAILED);
    if (cycles != NULL) {
        *cycles = core->read(core->bus, RAINBOW_CORE_CYCLES);
    }
    if ((status & RAINBOW_CORE_FAILED) != 0) {
        return (status & RAINBOW_CORE_FAILED_LAYER) != 0 ? RAINBOW_CORE_SINGULAR_2 : RAINBOW_CORE_SINGULAR_1;
    }
    read_vector(core, signature, RAINBOW_CORE_SIGNATURE, rainbow_core_bytes(core, core->v1 + core->o1 + core->o2));
    return RAINBOW_CORE_OK;
}

void rainbow_core_erase_key(rainbow_core *core)
{
    wait_for(core, RAINBOW_CORE_READY);
    core->write(core->bus, RAINBOW_CORE_CONTROL, RAINBOW_CORE_ERASE_KEY);
    wait_for(core, RAINBOW_CORE_READY);
}

void rainbow_core_wipe(rainbow_core *core)
{
    core->write(core->bus, RAINBOW_CORE_CONTROL, RAINBOW_CORE_WIPE);
    wait_for(core, RAINBOW_CORE_READY);
}
