/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The kernels of linear/contract.h over NEON registers. A file that includes this one has defined `vec` (uint8x16_t), vec_xor3,
 * vec_xor_without, load_several and store_several. Nothing here branches on, or addresses memory by, a scalar or an element.
 *
 * GF(256) is GF(16) twice, or polynomials of eight bits, so every byte is low + u·high with one public constant u for all of the
 * field, and a product with s is s·low + u·(s·high): one table of 16 bytes, the products of s with 0 … 15, serves both halves,
 * and the multiplication by u is left until a whole sum is there. Polynomials modulo 0x11b do without tables: PMULL, and the
 * reduction is left likewise. */
#ifndef MB_LINEAR_AARCH64_KERNELS_H
#define MB_LINEAR_AARCH64_KERNELS_H

#include "linear/aarch64/aarch64.h"
#include "linear/portable/portable.h"
#include "platform/barrier.h"

#include "linear/aarch64/registers.h"

#include "linear/aarch64/multiply.h"

#include "linear/aarch64/multiply_many.h"

#include "linear/aarch64/transpose.h"

#include "linear/aarch64/transform.h"

#include "linear/aarch64/solve.h"

#include "linear/aarch64/gather.h"

#endif
