/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Stack painting; see stack.h. These functions have no stack frame of their own, and work below the stack pointer where no interrupt
 * comes. */
#include "stack.h"
#include "../boards/board.h"

#define PAINT 0x5ac3a53cU

static uint32_t *stack_pointer(void)
{
    uint32_t *sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    return sp;
}

/* In assembly, so that the compiler puts nothing where it paints. r0: paint, r1: from bottom, to sp. */
__attribute__((naked)) void stack_paint(void)
{
    __asm__ volatile("ldr r0, =0x5ac3a53c\n\t"
                     "ldr r1, =board_stack_bottom\n"
                     "1:\n\t"
                     "cmp r1, sp\n\t"
                     "it lo\n\t"
                     "strlo r0, [r1], #4\n\t"
                     "blo 1b\n\t"
                     "bx lr");
}

size_t stack_used(void)
{
    uint32_t *const sp = stack_pointer();
    uint32_t *p = board_stack_bottom;
    while (p < sp && *p == PAINT) {
        p++;
    }
    return (size_t)((uintptr_t)sp - (uintptr_t)p);
}
