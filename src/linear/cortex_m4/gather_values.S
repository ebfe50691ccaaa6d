/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Adds the coefficient vectors of a row over GF(256) to buckets by the value of x_i·x_j, in VARIABLE TIME: public data only.
 *
 *   void mb_m4_gather_values_vartime(const mb_m4_values *to, const uint8_t *vectors, const uint8_t *x, size_t count);
 *
 * For c < count: with the product p of x_i and x[c], found in *to, bucket p ^= (the to->bytes bytes at vectors + c·to->bytes); nothing
 * where p is 0. to->bytes < 16·(MB_M4_GROUPS_MOST + 1), and modulo 4 it is 0 or 1. Registers: gather_256.inc. */
#include "linear/cortex_m4/gather_256.inc"

    .syntax unified
    .cpu    cortex-m4
    .fpu    fpv4-sp-d16
    .thumb
    .section .text.mb_m4_gather_values_vartime, "ax", %progbits
    .global mb_m4_gather_values_vartime
    .type   mb_m4_gather_values_vartime, %function
    .balign 4
mb_m4_gather_values_vartime:
    GATHER  1
    .size   mb_m4_gather_values_vartime, . - mb_m4_gather_values_vartime
