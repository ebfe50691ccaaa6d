/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * How deep the stack grows: paint what is below, run, look how far the paint is gone. */
#ifndef FIRMWARE_STACK_H
#define FIRMWARE_STACK_H

#include <stddef.h>

/* Paints the stack below the caller. */
void stack_paint(void);

/* Bytes below the caller (the one that painted, in the same function) that were used since. */
size_t stack_used(void);

#endif
