/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * From reset to main on a Cortex-M4: vector table, floating point unit, .data and .bss. Faults say where, and end the program. */
#include "board.h"

#include <string.h>

extern uint32_t startup_data[], startup_data_end[], startup_data_image[], startup_bss[], startup_bss_end[];

int main(void);
void reset_handler(void) __attribute__((noreturn));

/* Coprocessor Access Control Register [ARMv7-M ARM §B3.2.20]. */
#define CPACR (*(volatile uint32_t *)0xe000ed88)
enum { CP10_AND_CP11 = 0xf << 20 };

/* Kernels keep words in the registers of the floating point unit, so it is switched on before anything else runs. */
static void enable_floating_point(void)
{
    CPACR |= CP10_AND_CP11;
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

static size_t bytes_between(const uint32_t *start, const uint32_t *end)
{
    return (size_t)((uintptr_t)end - (uintptr_t)start);
}

void reset_handler(void)
{
    enable_floating_point();
    memcpy(startup_data, startup_data_image, bytes_between(startup_data, startup_data_end));
    memset(startup_bss, 0, bytes_between(startup_bss, startup_bss_end));
    board_start();
    board_end(main());
}

static void write_hex(uint32_t word)
{
    char text[8];
    for (unsigned i = 0; i < sizeof text; i++) {
        text[i] = "0123456789abcdef"[word >> (28 - 4 * i) & 15];
    }
    board_write(text, sizeof text);
}

/* `frame`: what the processor pushed, r0 to r3, r12, lr, pc, psr [§B1.5.6]; no more than pc is looked at. */
__attribute__((used, noreturn)) static void report_fault(const uint32_t *frame)
{
    static const char text[] = "\nfault at ";
    const uintptr_t bottom = (uintptr_t)board_stack_bottom, top = (uintptr_t)board_stack_top;
    const int readable = (uintptr_t)frame >= bottom && (uintptr_t)frame + 32 <= top;
    board_write(text, sizeof text - 1);
    write_hex(readable ? frame[6] : 0);
    board_write("\n", 1);
    board_end(2);
}

/* The stack may be what is wrong: the report gets a fresh one. */
__attribute__((naked)) static void fault_handler(void)
{
    __asm__ volatile("mov r0, sp\n\t"
                     "ldr sp, =board_stack_top\n\t"
                     "b report_fault");
}

/* Initial stack pointer and the system's exceptions [§B1.5.2]; no interrupt is enabled. */
typedef union vector {
    const void *stack;
    void (*handler)(void);
} vector;

__attribute__((section(".vectors"), used)) static const vector vectors[16] = {
    {.stack = board_stack_top},
    {.handler = reset_handler},
    {.handler = fault_handler}, /* NMI */
    {.handler = fault_handler}, /* HardFault */
    {.handler = fault_handler}, /* MemManage */
    {.handler = fault_handler}, /* BusFault */
    {.handler = fault_handler}, /* UsageFault */
};
