/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Arm's MPS2 board with the Cortex-M4 image AN386, as emulated by `qemu-system-arm -M mps2-an386 -semihosting`. Addresses: application note
 * AN386, and Cortex-M System Design Kit for the serial line. */
#include "../board.h"

const char board_name[] = "mps2-an386";

/* CMSDK UART 0. */
typedef struct uart {
    volatile uint32_t data, state, control, interrupt, divider;
} uart;
#define UART0 ((uart *)0x40004000)
enum { STATE_TX_FULL = 1, STATE_RX_FULL = 2, CONTROL_TX = 1, CONTROL_RX = 2, FASTEST_DIVIDER = 16 };

void board_start(void)
{
    UART0->divider = FASTEST_DIVIDER;
    UART0->control = CONTROL_TX | CONTROL_RX;
}

void board_write(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        while (UART0->state & STATE_TX_FULL) {
        }
        UART0->data = (uint8_t)text[i];
    }
}

int board_read(void)
{
    while (!(UART0->state & STATE_RX_FULL)) {
    }
    return (int)(UART0->data & 0xff);
}

uint32_t board_cycles(void)
{
    return 0;
}

/* Semihosting: SYS_EXIT_EXTENDED with ADP_Stopped_ApplicationExit and the status. */
void board_end(int status)
{
    const uint32_t block[2] = {0x20026, (uint32_t)status};
    register uint32_t operation __asm__("r0") = 0x20;
    register const uint32_t *parameters __asm__("r1") = block;
    for (;;) {
        __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(parameters) : "memory");
    }
}

/* The board has no source of randomness. */
int board_random(void *context, uint8_t *out, size_t bytes)
{
    (void)context;
    (void)out;
    (void)bytes;
    return -1;
}

extern uint8_t board_free_start[], board_free_end[];

board_memory board_internal(void)
{
    return (board_memory){"internal", board_free_start, (size_t)(board_free_end - board_free_start)};
}

/* What the program leaves of the 4 MiB at 0. */
board_memory board_code(void)
{
    return (board_memory){"code", (uint8_t *)0x00100000, 3U << 20};
}

/* PSRAM. */
board_memory board_external(void)
{
    return (board_memory){"external", (uint8_t *)0x21000000, 16U << 20};
}
