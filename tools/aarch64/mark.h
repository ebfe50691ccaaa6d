/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Marks around what is counted, for the plugin tools/cycle_model/aarch64.c: hints that no processor knows, so that it does nothing at them.
 * `region`: a constant from 0 to 15. */
#ifndef TOOLS_AARCH64_MARK_H
#define TOOLS_AARCH64_MARK_H

#define MARK_BEGIN(region) __asm__ volatile("hint #%c0" : : "i"(64 + (region)) : "memory")
#define MARK_END(region) __asm__ volatile("hint #%c0" : : "i"(80 + (region)) : "memory")

#endif
