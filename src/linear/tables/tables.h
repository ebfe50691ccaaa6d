/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Tables of a field that several backends use: products with the basis elements, and inverses. Public; constants for the
 * fields in use, else computed into `storage`. */
#ifndef MB_LINEAR_TABLES_TABLES_H
#define MB_LINEAR_TABLES_TABLES_H

#include "field/field.h"

/* The products of one element with 0 … 15, and then with 0 … 15 in a high nibble: for look-up in registers (PSHUFB, TBL). Over
 * GF(16) the second half multiplies the element in the high nibble. */
typedef struct mb_nibble_tables {
    uint8_t products[32];
} mb_nibble_tables;

/* Of the basis elements 1, 2, 4, …. */
const mb_nibble_tables *mb_basis_tables(const mb_field *field, mb_nibble_tables storage[8]);
void mb_compute_basis_tables(const mb_field *field, mb_nibble_tables tables[8]);

/* The inverses of all elements, 0 for 0. */
const uint8_t *mb_inverses(const mb_field *field, uint8_t storage[256]);
void mb_compute_inverses(const mb_field *field, uint8_t inverses[256]);

#endif
