/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Guarded memory for the unit tests on the target (test/unit/guard.h): the external memory in slots of 512 KiB, of which the memory protection
 * unit forbids every second one [ARMv7-M ARM §B3.5]. */
#ifndef FIRMWARE_GUARD_TAKE_H
#define FIRMWARE_GUARD_TAKE_H

#include "../boards/board.h"

#include <stdio.h>
#include <stdlib.h>

#define MPU_CONTROL (*(volatile uint32_t *)0xe000ed94)
#define MPU_NUMBER (*(volatile uint32_t *)0xe000ed98)
#define MPU_ADDRESS (*(volatile uint32_t *)0xe000ed9c)
#define MPU_ATTRIBUTES (*(volatile uint32_t *)0xe000eda0)

enum {
    SLOT_BYTES = 512 << 10,
    MPU_REGIONS = 4,
    SLOTS_IN_REGION = 8, /* its subregions */
    MPU_ODD_SLOTS_FORBIDDEN = 0x55 << 8 | 21 << 1 | 1, /* subregions 0, 2, 4, 6 left out; 2^(21 + 1) bytes; no permission; enabled */
    MPU_ON_WITH_DEFAULT_MAP = 5
};

typedef struct guard {
    uint8_t *start, *end; /* of the usable slot */
} guard;

static inline void guard_start(const uint8_t *memory)
{
    for (uint32_t region = 0; region < MPU_REGIONS; region++) {
        MPU_NUMBER = region;
        MPU_ADDRESS = (uint32_t)(uintptr_t)memory + region * SLOTS_IN_REGION * SLOT_BYTES;
        MPU_ATTRIBUTES = MPU_ODD_SLOTS_FORBIDDEN;
    }
    MPU_CONTROL = MPU_ON_WITH_DEFAULT_MAP;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

static inline guard guard_take(size_t bytes)
{
    static uint32_t taken;
    uint8_t *const memory = board_external().start;
    if (taken == 0) {
        guard_start(memory);
    }
    if (bytes > SLOT_BYTES || taken == MPU_REGIONS * SLOTS_IN_REGION / 2) {
        printf("no guarded memory\n");
        exit(1);
    }
    uint8_t *const slot = memory + 2 * SLOT_BYTES * taken++;
    return (guard){slot, slot + SLOT_BYTES};
}

#endif
