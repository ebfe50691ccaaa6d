/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For Frama-C (tools/prove_memory.sh): scalars, packing and nibble tables of every field, any contents. */
#include "abstract.h"

int main(void)
{
    for (size_t f = 0; f < FIELDS; f++) {
        const mb_field *field = any_field(f);
        const uint8_t most = field->bits == 4 ? 15 : 255;
        const uint8_t a = (uint8_t)Frama_C_interval(0, most), b = (uint8_t)Frama_C_interval(0, most);
        uint8_t low[16], high[16];
        mb_field_invert(field, mb_field_multiply(field, a, b));
        mb_field_nibble_products(field, low, high, a);
        for (size_t count = 0; count <= 10; count += 2) {
            uint8_t *packed = any_bytes(mb_field_bytes(field, count));
            uint8_t *elements = unset_bytes(count);
            uint8_t *again = unset_bytes(mb_field_bytes(field, count));
            mb_field_unpack(field, elements, packed, count);
            mb_field_pack(field, again, elements, count);
        }
    }
    return 0;
}
