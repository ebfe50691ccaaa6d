/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The packed products of src/linear/cortex_m4/words.h as functions of their own, as the compiler makes them for kernels in C. Never run:
 * `moonbow-m4 prove` reads their machine code. */
#include "linear/cortex_m4/words.h"

/* The scalar times each element of w, and w times each basis element. */
#define PRODUCTS(name, ...)                                                            \
    uint32_t products_times_##name(uint32_t scalar, uint32_t w);                       \
    __attribute__((noinline)) uint32_t products_times_##name(uint32_t scalar, uint32_t w) \
    {                                                                                  \
        const mb_m4_scalar masks = mb_m4_masks((mb_field){__VA_ARGS__}, scalar);       \
        return mb_m4_times((mb_field){__VA_ARGS__}, &masks, w);                        \
    }                                                                                  \
    void products_spread_##name(uint32_t *plane, uint32_t w);                          \
    __attribute__((noinline)) void products_spread_##name(uint32_t *plane, uint32_t w) \
    {                                                                                  \
        mb_m4_spread((mb_field){__VA_ARGS__}, plane, w);                               \
    }

PRODUCTS(gf16_tower, 4, MB_BASIS_TOWER, 0)
PRODUCTS(gf16_polynomial, 4, MB_BASIS_POLYNOMIAL, 0x3)
PRODUCTS(gf256_tower, 8, MB_BASIS_TOWER, 0)
PRODUCTS(gf256_aes, 8, MB_BASIS_POLYNOMIAL, 0x1b)

int main(void)
{
    static volatile uint32_t seen;
    uint32_t plane[8] = {0};
    seen = products_times_gf16_tower(seen, seen) ^ products_times_gf16_polynomial(seen, seen) ^ products_times_gf256_tower(seen, seen) ^
           products_times_gf256_aes(seen, seen);
    products_spread_gf16_tower(plane, seen);
    products_spread_gf16_polynomial(plane, plane[1]);
    products_spread_gf256_tower(plane, plane[2]);
    products_spread_gf256_aes(plane, plane[3]);
    return (int)plane[7];
}
