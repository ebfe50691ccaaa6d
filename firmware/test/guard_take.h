/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Guarded memory for the unit tests on the target (test/unit/guard.h): the external memory, cut by bands that the memory protection unit
 * forbids [ARMv7-M ARM §B3.5]. A band ends one piece and begins the next; the last piece ends with the memory itself. */
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
    BAND_BYTES = 4096,
    MPU_REGIONS = 8,
    MPU_NO_ACCESS = 11 << 1 | 1, /* 2^(11 + 1) bytes, no permission, enabled */
    MPU_ON_WITH_DEFAULT_MAP = 5
};

typedef struct guard {
    uint8_t *start, *end; /* of the usable pages */
} guard;

static inline void guard_forbid(uint32_t number, const uint8_t *band)
{
    MPU_NUMBER = number;
    MPU_ADDRESS = (uint32_t)(uintptr_t)band;
    MPU_ATTRIBUTES = MPU_NO_ACCESS;
    MPU_CONTROL = MPU_ON_WITH_DEFAULT_MAP;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

static inline guard guard_take(size_t bytes)
{
    static uint32_t taken;
    static uint8_t *next;
    const board_memory memory = board_external();
    const size_t usable = (bytes + BAND_BYTES - 1) / BAND_BYTES * BAND_BYTES;
    if (taken > MPU_REGIONS || usable + BAND_BYTES > memory.bytes / (MPU_REGIONS + 1)) {
        printf("no guarded memory\n");
        exit(1);
    }
    if (taken == MPU_REGIONS) {
        taken++;
        return (guard){memory.start + memory.bytes - usable, memory.start + memory.bytes};
    }
    next = next == NULL ? memory.start : next;
    const guard piece = {next, next + usable};
    guard_forbid(taken++, piece.end);
    next = piece.end + BAND_BYTES;
    return piece;
}

#endif
