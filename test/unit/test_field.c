/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The fields of src/field against their definitions (naive.h): scalars, packing, tables and words, for all elements. */
#include "field/word.h"
#include "naive.h"
#include "xorshift.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static xorshift randomness;

/* The constants that schemes name are the fields that naive.h describes. */
static void named_fields(void **state)
{
    const mb_field *named[NAIVE_FIELDS_USED_LEN] = {&mb_gf16_tower, &mb_gf256_tower, &mb_gf16_polynomial,
                                                    &mb_gf256_aes};
    (void)state;
    for (size_t i = 0; i < NAIVE_FIELDS_USED_LEN; i++) {
        assert_int_equal(named[i]->bits, naive_fields[i].field.bits);
        assert_int_equal(named[i]->basis, naive_fields[i].field.basis);
        assert_int_equal(named[i]->modulus, naive_fields[i].field.modulus);
    }
}

/* The definitions themselves, by hand: the rules that adjoin x, y, X [RB3 §2], and FIPS 197's example. */
static void definitions(void **state)
{
    const uint8_t x = 2, y = 4, xy = 8, X = 16;
    (void)state;
    assert_int_equal(naive_tower(x, x, 2), x ^ 1);
    assert_int_equal(naive_tower(x, y, 4), xy);
    assert_int_equal(naive_tower(y, y, 4), y ^ x);
    assert_int_equal(naive_tower(X, X, 8), X ^ xy);
    assert_int_equal(naive_polynomial(0x57, 0x83, 8, 0x1b), 0xc1);
    assert_int_equal(naive_polynomial(8, 2, 4, 3), 3);
    assert_int_equal(naive_polynomial(8, 2, 4, 9), 9);
    assert_int_equal(naive_polynomial(0x80, 2, 8, 0x1d), 0x1d);
}

/* That they are fields: every element but 0 has one inverse. */
static void multiply_and_invert(void **state)
{
    (void)state;
    for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (unsigned a = 0; a < f->size; a++) {
            unsigned ones = 0;
            const uint8_t inverse = mb_field_invert(&f->field, (uint8_t)a);
            assert_true(inverse < f->size);
            for (unsigned b = 0; b < f->size; b++) {
                assert_int_equal(mb_field_multiply(&f->field, (uint8_t)a, (uint8_t)b), f->product[a][b]);
                ones += f->product[a][b] == 1;
            }
            assert_int_equal(ones, a != 0);
            assert_int_equal(f->product[a][inverse], a != 0);
            assert_true(a != 0 || inverse == 0);
        }
    }
}

static void lengths(void **state)
{
    (void)state;
    for (size_t count = 0; count < 300; count += 2) {
        assert_int_equal(mb_field_bytes(&mb_gf16_tower, count), count / 2);
        assert_int_equal(mb_field_bytes(&mb_gf256_aes, count + 1), count + 1);
        assert_int_equal(mb_field_elements(&mb_gf16_polynomial, count), 2 * count);
        assert_int_equal(mb_field_elements(&mb_gf256_tower, count + 1), count + 1);
    }
}

/* Element 2i lies in the low nibble of byte i; nothing is written beyond the end. */
static void pack_and_unpack(void **state)
{
    (void)state;
    for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (size_t count = 0; count <= 70; count = naive_whole(f, count + 1)) {
            const size_t bytes = mb_field_bytes(&f->field, count);
            uint8_t packed[71], again[71], elements[71];
            xorshift_fill(&randomness, packed, bytes);
            memset(elements, 0xa7, sizeof elements);
            memset(again, 0xa7, sizeof again);
            mb_field_unpack(&f->field, elements, packed, count);
            for (size_t i = 0; i < count; i++) {
                assert_int_equal(elements[i], naive_get(f, packed, i));
            }
            mb_field_pack(&f->field, again, elements, count);
            assert_memory_equal(again, packed, bytes);
            assert_int_equal(elements[count], 0xa7);
            assert_int_equal(again[bytes], 0xa7);
        }
    }
    const uint8_t byte = 0xb4;
    uint8_t two[2];
    mb_field_unpack(&mb_gf16_tower, two, &byte, 2);
    assert_int_equal(two[0], 0x4);
    assert_int_equal(two[1], 0xb);
}

static void nibble_products(void **state)
{
    (void)state;
    for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (unsigned s = 0; s < f->size; s++) {
            uint8_t low[16], high[16];
            memset(high, 0xa7, sizeof high);
            mb_field_nibble_products(&f->field, low, high, (uint8_t)s);
            for (unsigned a = 0; a < 16; a++) {
                assert_int_equal(low[a], f->product[s][a]);
                assert_int_equal(high[a], f->field.bits == 8 ? f->product[s][a << 4] : 0xa7);
            }
        }
    }
}

/* Products of every element of a word with one scalar. */
static uint64_t scale_word(const naive_field *f, uint64_t word, unsigned scalar)
{
    const unsigned bits = f->field.bits;
    uint64_t product = 0;
    for (unsigned at = 0; at < 64; at += bits) {
        product |= (uint64_t)f->product[scalar][word >> at & (f->size - 1)] << at;
    }
    return product;
}

static void words(void **state)
{
    (void)state;
    for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        for (unsigned round = 0; round < 3000; round++) {
            uint64_t planes[8], expected = 0;
            const uint64_t word = xorshift_next(&randomness);
            mb_word_spread(f->field, planes, word);
            for (unsigned k = 0; k < f->field.bits; k++) {
                assert_true(planes[k] == scale_word(f, word, 1u << k));
                /* Any words may be recombined, not only related ones. */
                planes[k] = round % 4 == 0 ? 0 : xorshift_next(&randomness);
                if (round % 8 == k) {
                    planes[k] = xorshift_next(&randomness);
                }
                expected ^= scale_word(f, planes[k], 1u << k);
            }
            assert_true(mb_word_recombine(f->field, planes) == expected);
        }
        assert_true(mb_word_ones(f->field.bits) == UINT64_MAX / (f->size - 1));
    }
}

/* MB_WORD_DISPATCH must hand each field's own numbers on. */
static void note_field(mb_field field, mb_field *noted, unsigned *calls)
{
    *noted = field;
    ++*calls;
}

static void dispatch(void **state)
{
    (void)state;
    for (const naive_field *f = naive_fields; f < naive_fields + NAIVE_FIELDS_LEN; f++) {
        mb_field noted = {0, 0, 0};
        unsigned calls = 0;
        MB_WORD_DISPATCH(&f->field, note_field, &noted, &calls);
        assert_int_equal(calls, 1);
        assert_int_equal(noted.bits, f->field.bits);
        assert_int_equal(noted.basis, f->field.basis);
        assert_int_equal(noted.modulus, f->field.modulus);
    }
}

int main(int argc, char **argv)
{
    randomness = xorshift_start(argc, argv);
    naive_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_fields),    cmocka_unit_test(definitions), cmocka_unit_test(multiply_and_invert),
        cmocka_unit_test(lengths),         cmocka_unit_test(pack_and_unpack), cmocka_unit_test(nibble_products),
        cmocka_unit_test(words),           cmocka_unit_test(dispatch),
    };
    return cmocka_run_group_tests_name("field", tests, NULL, NULL);
}
