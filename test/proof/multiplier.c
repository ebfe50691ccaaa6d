/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * For Frama-C (tools/prove_memory.sh), which reads it and never runs it: the portable multiplier on every field, every shape below
 * and any contents. Each block of memory is exactly as long as linear/contract.h asks for. */
#include "abstract.h"
#include "linear/portable/portable.h"

#include "linear/portable/multiplier.c"

static void combine_shape(const mb_field *field, size_t bytes, size_t stride, size_t count)
{
    const size_t outs = 2, out_stride = bytes + 1;
    const size_t vectors_bytes = count == 0 ? 0 : (count - 1) * stride + bytes;
    uint8_t *scalars = any_bytes(2 * count);
    void *prepared = unset_bytes(2 * count * mb_portable_multiplier.prepared_bytes(field));
    uint8_t *vectors = any_bytes(vectors_bytes);
    uint8_t *out = any_bytes((outs - 1) * out_stride + bytes);
    mb_portable_multiplier.prepare(field, prepared, scalars, 2 * count);
    mb_portable_multiplier.combine(field, out, bytes, vectors, stride, prepared, count);
    mb_portable_multiplier.combine_many(field, out, out_stride, outs, bytes, vectors, stride, prepared, count, count);
}

int main(void)
{
    static const size_t lengths[] = {0, 1, 7, 8, 9, 16, 17, 23};
    for (size_t f = 0; f < FIELDS; f++) {
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            combine_shape(any_field(f), lengths[i], lengths[i] + 3, 2);
        }
        combine_shape(any_field(f), 17, 17, 0);
    }
    return 0;
}
