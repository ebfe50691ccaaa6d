/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What a board gives to the programs here. Each board is a folder with board.c and memory.ld; startup.c and sections.ld serve all of them. */
#ifndef FIRMWARE_BOARD_H
#define FIRMWARE_BOARD_H

#include <stddef.h>
#include <stdint.h>

extern const char board_name[];

/* Clocks and the serial line. Runs before main. */
void board_start(void);

void board_write(const char *text, size_t bytes);

/* One byte from the serial line; waits for it. */
int board_read(void);

/* A counter of processor cycles that wraps, or always 0 where there is none (the emulator: its cycle model counts outside). */
uint32_t board_cycles(void);

/* Ends the program; never returns. Status 0 is success. The emulator ends; a board waits to be reset. */
void board_end(int status) __attribute__((noreturn));

/* Random bytes: 0, or -1 where the board has no source. Fits moonbow_random. */
int board_random(void *context, uint8_t *out, size_t bytes);

/* Memory beside what the program and its stack occupy; bytes is 0 where there is none. */
typedef struct board_memory {
    const char *name;
    uint8_t *start;
    size_t bytes;
} board_memory;

/* Of the microcontroller itself. */
board_memory board_internal(void);
/* Read over the code bus like flash; writable only under emulation, where bytes is not 0. */
board_memory board_code(void);
/* Any other memory. */
board_memory board_external(void);

/* The stack grows down from top to bottom. */
extern uint32_t board_stack_bottom[], board_stack_top[];

#endif
