/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Silicon Labs' Giant Gecko starter kit, EFM32GG11 (SLSTK3701A), at 16 MHz without flash wait states; the serial line is USART5, transmitting
 * on PE8 and receiving on PE9 of the expansion header, 115 200 baud. Written from the reference manual; NEVER RUN ON SILICON. */
#include "../board.h"

const char board_name[] = "efm32gg11";

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* Clock management and flash. */
#define CMU_HFRCOCTRL REGISTER(0x400e4010)
#define CMU_STATUS REGISTER(0x400e4090)
#define CMU_HFBUSCLKEN0 REGISTER(0x400e40b0)
#define CMU_HFPERCLKEN0 REGISTER(0x400e40c0)
#define DEVINFO_HFRCOCAL7 REGISTER(0x0fe0824c) /* the factory's setting of the oscillator for 16 MHz */
#define MSC_READCTRL REGISTER(0x40000004)
#define MSC_LOCK REGISTER(0x40000040)
enum {
    STATUS_HFRCO_READY = 1 << 1,
    BUS_CLOCK_GPIO = 1 << 5,
    CLOCK_USART5 = 1 << 12,
    CLOCK_TRNG0 = 1 << 24,
    MSC_UNLOCK = 0x1b71,
    READ_WAIT_STATES = 3 << 24 /* field MODE; 0 up to 18 MHz */
};

/* Port E: pins 8 and 9 in MODEH, four bits each. */
#define PORT_E_MODEH REGISTER(0x40088000 + 4 * 0x30 + 0x08)
#define PORT_E_DOUT REGISTER(0x40088000 + 4 * 0x30 + 0x0c)
enum { PIN_8_PUSH_PULL = 4, PIN_9_INPUT = 1 << 4, PIN_8 = 1 << 8 };

typedef struct usart {
    volatile uint32_t control, frame, trigger, command, status, divider, rx_extended, rx, rx_double_extended, rx_double, rx_peek,
        rx_double_peek, tx_extended, tx, tx_double_extended, tx_double, flags, flags_set, flags_clear, interrupts, irda, reserved,
        input, i2s, timing, control_extended, compare[3], route_enable, route_location;
} usart;
#define USART5 ((usart *)0x40011400)
enum {
    COMMAND_RX_ENABLE = 1 << 0,
    COMMAND_TX_ENABLE = 1 << 2,
    STATUS_TX_COMPLETE = 1 << 5,
    STATUS_TX_HAS_ROOM = 1 << 6,
    STATUS_RX_HAS_DATA = 1 << 7,
    ROUTE_RX_AND_TX = 3,
    DIVIDER_115200 = 246 << 3 /* 16 MHz / (16·(1 + 246·8/256)) = 115 108 */
};

typedef struct trng {
    volatile uint32_t control, level, reserved0, depth, key[4], test, reserved1[3], status, wait, reserved2[50], fifo;
} trng;
#define TRNG0 ((trng *)0x4001d000)
enum {
    TRNG_ENABLE = 1 << 0,
    TRNG_RAW = 1 << 3, /* without conditioning */
    TRNG_RESET = 1 << 8,
    TRNG_ALARMS = 1 << 4 | 1 << 5 | 1 << 6 | 1 << 8 | 1 << 9, /* repetition, proportions (twice), AIS 31 (twice) */
    TRNG_DISCARDED = 257
};

/* The processor's cycle counter [ARMv7-M ARM §C1.8]. */
#define DEMCR REGISTER(0xe000edfc)
#define DWT_CONTROL REGISTER(0xe0001000)
#define DWT_CYCLES REGISTER(0xe0001004)
enum { DEMCR_TRACE = 1 << 24, DWT_COUNT = 1 };

/* Slower than at reset, so the wait state may go once the clock runs. */
static void start_clock(void)
{
    CMU_HFRCOCTRL = DEVINFO_HFRCOCAL7;
    while (!(CMU_STATUS & STATUS_HFRCO_READY)) {
    }
    MSC_LOCK = MSC_UNLOCK;
    MSC_READCTRL &= ~(uint32_t)READ_WAIT_STATES;
    MSC_LOCK = 0;
    CMU_HFBUSCLKEN0 |= BUS_CLOCK_GPIO;
    CMU_HFPERCLKEN0 |= CLOCK_USART5 | CLOCK_TRNG0;
}

static void start_serial(void)
{
    PORT_E_DOUT |= PIN_8; /* the line rests high */
    PORT_E_MODEH = (PORT_E_MODEH & ~UINT32_C(0xff)) | PIN_8_PUSH_PULL | PIN_9_INPUT;
    USART5->divider = DIVIDER_115200; /* frames are 8n1 after reset, 16 samples a bit */
    USART5->route_location = 0;
    USART5->route_enable = ROUTE_RX_AND_TX;
    USART5->command = COMMAND_RX_ENABLE | COMMAND_TX_ENABLE;
}

static uint32_t next_random_word(void)
{
    while (TRNG0->level == 0) {
    }
    return TRNG0->fifo;
}

/* Raw words first, to fill the start-up tests' windows and to key the conditioning function. */
static void start_randomness(void)
{
    TRNG0->control = TRNG_RESET;
    TRNG0->control = TRNG_RAW | TRNG_ENABLE;
    for (unsigned i = 0; i < TRNG_DISCARDED; i++) {
        (void)next_random_word();
    }
    for (unsigned i = 0; i < 4; i++) {
        TRNG0->key[i] = next_random_word();
    }
    TRNG0->control = TRNG_ENABLE;
}

void board_start(void)
{
    start_clock();
    start_serial();
    start_randomness();
    DEMCR |= DEMCR_TRACE;
    DWT_CYCLES = 0;
    DWT_CONTROL |= DWT_COUNT;
}

void board_write(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        while (!(USART5->status & STATUS_TX_HAS_ROOM)) {
        }
        USART5->tx = (uint8_t)text[i];
    }
}

int board_read(void)
{
    while (!(USART5->status & STATUS_RX_HAS_DATA)) {
    }
    return (int)(USART5->rx & 0xff);
}

uint32_t board_cycles(void)
{
    return DWT_CYCLES;
}

void board_end(int status)
{
    (void)status;
    while (!(USART5->status & STATUS_TX_COMPLETE)) {
    }
    for (;;) {
        __asm__ volatile("wfi");
    }
}

/* The alarms stay set, so that one look at the end covers all words. */
int board_random(void *context, uint8_t *out, size_t bytes)
{
    (void)context;
    for (size_t i = 0; i < bytes; i += 4) {
        const uint32_t word = next_random_word();
        for (size_t k = 0; k < 4 && i + k < bytes; k++) {
            out[i + k] = (uint8_t)(word >> 8 * k);
        }
    }
    return (TRNG0->status & TRNG_ALARMS) == 0 ? 0 : -1;
}

extern uint8_t board_free_start[], board_free_end[];

board_memory board_internal(void)
{
    return (board_memory){"internal", board_free_start, (size_t)(board_free_end - board_free_start)};
}

board_memory board_code(void)
{
    return (board_memory){"code", NULL, 0};
}

board_memory board_external(void)
{
    return (board_memory){"external", NULL, 0};
}
