/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Marks around what is measured, for the cycle model (tools/cycle_model). They are hints that no Cortex-M knows, so a processor does nothing
 * at them. `region`: a constant from 0 to 15; regions may nest. */
#ifndef FIRMWARE_MARK_H
#define FIRMWARE_MARK_H

#define MARK_BEGIN(region) __asm__ volatile(".inst.w 0xf3af8040 + %c0" : : "i"(region) : "memory")
#define MARK_END(region) __asm__ volatile(".inst.w 0xf3af8050 + %c0" : : "i"(region) : "memory")

#endif
