/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * rainbow_system as a driver sees it: what can be read, attempts that end or are given up, keys that come and go. cmocka on the Verilated core. */
#include "verilated_bus.h"

#include <moonbow/signature.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* CYCLES_SIGNED, CYCLES_SINGULAR_1 and CYCLES_SINGULAR_2 come from ../../model/cycles.py. */
enum { V1_BYTES = 18, M_BYTES = 32, N_BYTES = 50 };

static rainbow_core core;
static uint8_t *secret_key, *zero_key, *work;
static uint8_t vinegars[V1_BYTES], hash[M_BYTES], expected[N_BYTES];

static uint32_t reg(uint32_t offset)
{
    return core.read(core.bus, offset);
}

static void control(uint32_t bits)
{
    core.write(core.bus, RAINBOW_CORE_CONTROL, bits);
}

static void assert_no_signature(void)
{
    assert_int_equal(reg(RAINBOW_CORE_STATUS) & (RAINBOW_CORE_DONE | RAINBOW_CORE_FAILED), 0);
    for (uint32_t i = 0; i < 13; i++) {
        assert_int_equal(reg(RAINBOW_CORE_SIGNATURE + 4 * i), 0);
    }
}

static void assert_signs(void)
{
    uint8_t signature[N_BYTES] = {0};
    uint32_t cycles = 0;
    assert_int_equal(rainbow_core_attempt(&core, signature, vinegars, hash, &cycles), RAINBOW_CORE_OK);
    assert_memory_equal(signature, expected, N_BYTES);
    assert_int_equal(cycles, CYCLES_SIGNED);
}

/* A key of the library, and vinegars and a hash that sign with it. */
static int set_up(void **state)
{
    const moonbow_algorithm *a = &moonbow_rainbow_I_classic;
    const size_t scratch_bytes = moonbow_generate_scratch_bytes(a->generator, MOONBOW_FAST);
    const moonbow_scratch scratch = {aligned_alloc(MOONBOW_SCRATCH_ALIGNMENT, scratch_bytes), scratch_bytes, MOONBOW_FAST};
    uint8_t *public_key = malloc(a->parameters->public_key_bytes), seed[128];
    (void)state;
    memset(seed, 0x5A, sizeof seed);
    secret_key = malloc(a->parameters->secret_key_bytes);
    zero_key = calloc(1, a->parameters->secret_key_bytes);
    assert_true(a->parameters->generate_random_bytes <= sizeof seed);
    assert_int_equal(moonbow_generate_from_seed(a->generator, public_key, a->parameters->public_key_bytes, secret_key,
                                                a->parameters->secret_key_bytes, seed, a->parameters->generate_random_bytes, &scratch),
                     MOONBOW_OK);
    free(public_key);
    free(scratch.start);
    core = (rainbow_core){.read = verilated_bus_read, .write = verilated_bus_write, .bus = verilated_bus_new()};
    assert_int_equal(rainbow_core_open(&core), RAINBOW_CORE_OK);
    work = malloc(rainbow_core_key_work_bytes(&core));
    memset(hash, 0xC3, sizeof hash);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    verilated_bus_free(core.bus);
    free(secret_key);
    free(zero_key);
    free(work);
    return 0;
}

static void shape_is_that_of_rainbow_I(void **state)
{
    (void)state;
    assert_int_equal(core.v1, 36);
    assert_int_equal(core.o1, 32);
    assert_int_equal(core.o2, 32);
    assert_int_equal(core.bits, 4);
    assert_int_equal(rainbow_core_bytes(&core, core.v1 + core.o1 + core.o2), N_BYTES);
}

static void nothing_starts_without_a_key(void **state)
{
    uint8_t signature[N_BYTES];
    (void)state;
    assert_int_equal(rainbow_core_attempt(&core, signature, vinegars, hash, NULL), RAINBOW_CORE_NO_KEY);
    control(RAINBOW_CORE_START);
    verilated_bus_idle(core.bus, 2 * CYCLES_SIGNED);
    assert_no_signature();
    assert_int_equal(reg(RAINBOW_CORE_STATUS), RAINBOW_CORE_READY);
}

static void attempts_take_constant_time(void **state)
{
    unsigned signatures = 0, failures = 0;
    (void)state;
    assert_int_equal(rainbow_core_load_key(&core, secret_key, work), RAINBOW_CORE_OK);
    while (signatures < 3 || failures < 1) {
        uint32_t cycles = 0;
        uint8_t tried[V1_BYTES], signature[N_BYTES];
        for (unsigned i = 0; i < V1_BYTES; i++) {
            tried[i] = (uint8_t)(17 * (signatures + 1) * i + 31 * failures);
        }
        const int result = rainbow_core_attempt(&core, signature, tried, hash, &cycles);
        assert_true(verilated_bus_interrupt(core.bus));
        if (result == RAINBOW_CORE_OK) {
            assert_int_equal(cycles, CYCLES_SIGNED);
            memcpy(vinegars, tried, V1_BYTES); /* for the tests to come */
            memcpy(expected, signature, N_BYTES);
            signatures++;
        } else {
            assert_int_equal(cycles, result == RAINBOW_CORE_SINGULAR_1 ? CYCLES_SINGULAR_1 : CYCLES_SINGULAR_2);
            failures++;
        }
        assert_true(signatures + failures < 100);
    }
    assert_signs();
}

static void secrets_cannot_be_read(void **state)
{
    (void)state;
    core.write(core.bus, RAINBOW_CORE_VINEGARS, 0x12345678);
    assert_int_equal(reg(RAINBOW_CORE_VINEGARS), 0);
    assert_int_equal(reg(RAINBOW_CORE_KEY_DATA), 0);
    assert_int_equal(reg(RAINBOW_CORE_CONTROL), 0);
    for (uint32_t offset = 0x400; offset < 0x1000; offset += 64) {
        assert_int_equal(reg(offset), 0);
        assert_true(verilated_bus_error(core.bus));
    }
    assert_int_equal(reg(RAINBOW_CORE_IDENTITY), RAINBOW_CORE_IS);
    assert_false(verilated_bus_error(core.bus));
    assert_signs();
}

static void a_wipe_ends_an_attempt(void **state)
{
    (void)state;
    for (unsigned after = 1; after < CYCLES_SIGNED + 40; after += 211) {
        for (uint32_t i = 0; i < V1_BYTES; i += 4) {
            uint32_t word = 0;
            memcpy(&word, vinegars + i, V1_BYTES - i < 4 ? V1_BYTES - i : 4);
            core.write(core.bus, RAINBOW_CORE_VINEGARS + i, word);
        }
        control(RAINBOW_CORE_START);
        verilated_bus_idle(core.bus, after);
        control(RAINBOW_CORE_WIPE);
        assert_no_signature();
        assert_false(verilated_bus_interrupt(core.bus));
        assert_signs();
        control(RAINBOW_CORE_WIPE);
        assert_no_signature();
    }
}

static void a_start_in_a_running_attempt_is_ignored(void **state)
{
    (void)state;
    control(RAINBOW_CORE_START); /* zero vinegars: what the wipe left */
    control(RAINBOW_CORE_START | RAINBOW_CORE_ERASE_KEY | RAINBOW_CORE_REWIND);
    core.write(core.bus, RAINBOW_CORE_KEY_DATA, 0xFFFFFFFF);
    core.write(core.bus, RAINBOW_CORE_MESSAGE, 0xFFFFFFFF);
    assert_signs();
    assert_true((reg(RAINBOW_CORE_STATUS) & RAINBOW_CORE_KEY_LOADED) != 0);
}

static void keys_come_and_go(void **state)
{
    uint8_t signature[N_BYTES];
    uint32_t cycles = 0;
    (void)state;
    rainbow_core_erase_key(&core);
    assert_int_equal(rainbow_core_attempt(&core, signature, vinegars, hash, NULL), RAINBOW_CORE_NO_KEY);
    assert_int_equal(rainbow_core_load_key(&core, zero_key, work), RAINBOW_CORE_OK);
    assert_int_equal(rainbow_core_attempt(&core, signature, vinegars, hash, &cycles), RAINBOW_CORE_SINGULAR_1);
    assert_int_equal(cycles, CYCLES_SINGULAR_1);
    control(RAINBOW_CORE_REWIND);
    core.write(core.bus, RAINBOW_CORE_KEY_DATA, 1);
    assert_int_equal(rainbow_core_attempt(&core, signature, vinegars, hash, NULL), RAINBOW_CORE_NO_KEY);
    assert_int_equal(rainbow_core_load_key(&core, secret_key, work), RAINBOW_CORE_OK);
    assert_signs();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shape_is_that_of_rainbow_I),
        cmocka_unit_test(nothing_starts_without_a_key),
        cmocka_unit_test(attempts_take_constant_time),
        cmocka_unit_test(secrets_cannot_be_read),
        cmocka_unit_test(a_wipe_ends_an_attempt),
        cmocka_unit_test(a_start_in_a_running_attempt_is_ignored),
        cmocka_unit_test(keys_come_and_go),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
