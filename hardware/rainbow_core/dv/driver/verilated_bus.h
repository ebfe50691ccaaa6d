/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The Verilated rainbow_system as a bus: what a memory-mapped device is on a real machine. */
#ifndef VERILATED_BUS_H
#define VERILATED_BUS_H

#include "rainbow_core.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A core that has been reset, its registers not yet read; NULL out of memory. */
void *verilated_bus_new(void);
void verilated_bus_free(void *bus);
uint32_t verilated_bus_read(void *bus, uint32_t offset);
void verilated_bus_write(void *bus, uint32_t offset, uint32_t value);
/* Lets cycles pass without an access. */
void verilated_bus_idle(void *bus, unsigned cycles);
/* Whether the last access was refused, and the interrupt line. */
int verilated_bus_error(const void *bus);
int verilated_bus_interrupt(const void *bus);

/* What stands where no access can read: anything but zeros in the registers, and in how many words of the key memory. No cycle passes. */
typedef struct verilated_secrets {
    bool vinegars, signature;
    bool key_beat; /* read from the key memory, on its way into the core */
} verilated_secrets;

verilated_secrets verilated_bus_secrets(const void *bus);
size_t verilated_bus_key_words(void *bus);

#ifdef __cplusplus
}
#endif
#endif
