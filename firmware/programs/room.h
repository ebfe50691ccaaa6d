/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Memory for keys and scratch, taken from the board's memories in a stated order, so that each result can say what lay where. */
#ifndef FIRMWARE_ROOM_H
#define FIRMWARE_ROOM_H

#include <stddef.h>
#include <stdint.h>

typedef enum room_wish {
    ROOM_INTERNAL, /* RAM of the microcontroller; if it is full, external memory */
    ROOM_CODE,     /* what the code bus reads, as flash; else external memory, else RAM */
    ROOM_EXTERNAL  /* else RAM */
} room_wish;

/* Gives everything back. */
void room_clear(void);

/* Aligned for scratch memory. Says "place WHAT MEMORY BYTES", or says that there is none and returns NULL. */
void *room_take(const char *what, size_t bytes, room_wish wish);

#endif
