/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A planted leak: when a secret vector is unpacked, a branch on its first element. The comparison of traces must find it. */
#include "field/field.h"

void __real_mb_field_unpack(const mb_field *field, uint8_t *elements, const uint8_t *packed, size_t count);
void __wrap_mb_field_unpack(const mb_field *field, uint8_t *elements, const uint8_t *packed, size_t count);

void __wrap_mb_field_unpack(const mb_field *field, uint8_t *elements, const uint8_t *packed, size_t count)
{
    static volatile unsigned odd;
    __real_mb_field_unpack(field, elements, packed, count);
    if (count != 0 && (elements[0] & 1) != 0) {
        odd = odd + 1; /* volatile: stays a branch */
    }
}
