/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A planted leak: when a secret vector is unpacked, a look-up at its first element. The comparison of traces must find it. */
#include "field/field.h"

void __real_mb_field_unpack(const mb_field *field, uint8_t *elements, const uint8_t *packed, size_t count);
void __wrap_mb_field_unpack(const mb_field *field, uint8_t *elements, const uint8_t *packed, size_t count);

void __wrap_mb_field_unpack(const mb_field *field, uint8_t *elements, const uint8_t *packed, size_t count)
{
    static volatile uint8_t table[256];
    __real_mb_field_unpack(field, elements, packed, count);
    if (count != 0) {
        (void)table[elements[0]]; /* volatile: stays an access */
    }
}
