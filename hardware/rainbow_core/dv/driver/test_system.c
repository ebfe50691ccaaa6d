/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * rainbow_system as a driver sees it: what can be read, attempts that end or are given up, keys that come and go. cmocka on the Verilated core. */
#include "verilated_bus.h"

#include <limits.h>
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
static size_t secret_key_bytes;
static uint8_t vinegars[V1_BYTES], singular_2[V1_BYTES], hash[M_BYTES], expected[N_BYTES];

static uint32_t reg(uint32_t offset)
{
    return core.read(core.bus, offset);
}

static void control(uint32_t bits)
{
    core.write(core.bus, RAINBOW_CORE_CONTROL, bits);
}

static void write_vinegars(const uint8_t bytes[V1_BYTES])
{
    for (uint32_t i = 0; i < V1_BYTES; i += 4) {
        uint32_t word = 0;
        memcpy(&word, bytes + i, V1_BYTES - i < 4 ? V1_BYTES - i : 4);
        core.write(core.bus, RAINBOW_CORE_VINEGARS + i, word);
    }
}

static void assert_reads(const uint8_t signature[N_BYTES])
{
    for (uint32_t i = 0; i < N_BYTES; i += 4) {
        uint32_t word = 0;
        memcpy(&word, signature + i, N_BYTES - i < 4 ? N_BYTES - i : 4);
        assert_int_equal(reg(RAINBOW_CORE_SIGNATURE + i), word);
    }
}

static void assert_no_signature(void)
{
    static const uint8_t none[N_BYTES];
    assert_int_equal(reg(RAINBOW_CORE_STATUS) & (RAINBOW_CORE_DONE | RAINBOW_CORE_FAILED | RAINBOW_CORE_FAILED_LAYER), 0);
    assert_false(verilated_bus_interrupt(core.bus));
    assert_reads(none);
    assert_false(verilated_bus_secrets(core.bus).signature);
}

static void load(const uint8_t *key)
{
    assert_int_equal(rainbow_core_load_key(&core, key, secret_key_bytes, work), RAINBOW_CORE_OK);
    assert_true((reg(RAINBOW_CORE_STATUS) & RAINBOW_CORE_KEY_LOADED) != 0);
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
    secret_key_bytes = a->parameters->secret_key_bytes;
    secret_key = malloc(secret_key_bytes);
    zero_key = calloc(1, secret_key_bytes);
    assert_true(a->parameters->generate_random_bytes <= sizeof seed);
    assert_int_equal(moonbow_generate_from_seed(a->generator, public_key, a->parameters->public_key_bytes, secret_key,
                                                secret_key_bytes, seed, a->parameters->generate_random_bytes, &scratch),
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

/* Before a test that signs: whatever the test before left. */
static int with_key(void **state)
{
    (void)state;
    assert_int_equal(rainbow_core_wipe(&core), RAINBOW_CORE_OK);
    if ((reg(RAINBOW_CORE_STATUS) & RAINBOW_CORE_KEY_LOADED) == 0) {
        load(secret_key);
    }
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

/* Registers that only say what a core is. */
static uint32_t described[3];

static uint32_t read_described(void *bus, uint32_t offset)
{
    (void)bus;
    return described[offset / 4];
}

static rainbow_core open_described(uint32_t shape, uint32_t rows, int result)
{
    rainbow_core other = {.read = read_described};
    described[1] = shape;
    described[2] = rows;
    assert_int_equal(rainbow_core_open(&other), result);
    return other;
}

static void only_third_round_cores_are_opened(void **state)
{
    rainbow_core other;
    (void)state;
    open_described(0x14202024, 8, RAINBOW_CORE_ABSENT); /* no identity */
    described[0] = RAINBOW_CORE_IS;
    open_described(0x04202024, 8, RAINBOW_CORE_ABSENT); /* no squares */
    open_described(0x10202024, 8, RAINBOW_CORE_ABSENT); /* no field */
    open_described(0x12202024, 8, RAINBOW_CORE_ABSENT);
    open_described(0x14202000, 8, RAINBOW_CORE_ABSENT); /* no vinegars */
    open_described(0x14200024, 8, RAINBOW_CORE_ABSENT);
    open_described(0x14002024, 8, RAINBOW_CORE_ABSENT);
    open_described(0x14202023, 8, RAINBOW_CORE_ABSENT); /* odd */
    open_described(0x14210124, 1, RAINBOW_CORE_ABSENT);
    open_described(0x186060A0, 8, RAINBOW_CORE_ABSENT); /* 352 variables */
    open_described(0x14202024, 0, RAINBOW_CORE_ABSENT); /* no rows, or not a divisor */
    open_described(0x14202024, 5, RAINBOW_CORE_ABSENT);
    other = open_described(0x14202024, 8, RAINBOW_CORE_OK);
    assert_int_equal(rainbow_core_secret_key_bytes(&other), secret_key_bytes);
    other = open_described(0x18302044, 16, RAINBOW_CORE_OK);
    assert_int_equal(rainbow_core_secret_key_bytes(&other), moonbow_rainbow_III_classic.parameters->secret_key_bytes);
    other = open_described(0x18402460, 1, RAINBOW_CORE_OK);
    assert_int_equal(rainbow_core_secret_key_bytes(&other), moonbow_rainbow_V_classic.parameters->secret_key_bytes);
}

static uint32_t read_nothing(void *bus, uint32_t offset)
{
    (void)bus;
    (void)offset;
    return 0;
}

static void a_dead_bus_ends_every_wait(void **state)
{
    uint8_t signature[N_BYTES];
    rainbow_core dead = core;
    (void)state;
    dead.read = read_nothing;
    assert_int_equal(rainbow_core_open(&dead), RAINBOW_CORE_ABSENT);
    dead = core;
    dead.read = read_nothing;
    assert_int_equal(rainbow_core_wait(&dead), RAINBOW_CORE_STUCK);
    assert_int_equal(rainbow_core_wipe(&dead), RAINBOW_CORE_STUCK);
    assert_int_equal(rainbow_core_erase_key(&dead), RAINBOW_CORE_STUCK);
    assert_int_equal(rainbow_core_load_key(&dead, secret_key, secret_key_bytes, work), RAINBOW_CORE_STUCK);
    assert_int_equal(rainbow_core_attempt(&dead, signature, vinegars, hash, NULL), RAINBOW_CORE_STUCK);
}

static void nothing_starts_without_a_key(void **state)
{
    uint8_t signature[N_BYTES];
    (void)state;
    assert_int_equal(rainbow_core_attempt(&core, signature, vinegars, hash, NULL), RAINBOW_CORE_NO_KEY);
    write_vinegars(vinegars);
    control(RAINBOW_CORE_START);
    verilated_bus_idle(core.bus, 2 * CYCLES_SIGNED);
    assert_no_signature();
    assert_int_equal(reg(RAINBOW_CORE_STATUS), RAINBOW_CORE_READY);
}

/* Also finds what the tests to come need: vinegars that sign, and some that meet a singular layer 2. */
static void attempts_take_constant_time(void **state)
{
    static const uint32_t cycles_of[] = {CYCLES_SIGNED, CYCLES_SINGULAR_1, CYCLES_SINGULAR_2};
    unsigned met[3] = {0};
    (void)state;
    for (unsigned trial = 0; met[0] < 3 || met[1] == 0 || met[2] == 0; trial++) {
        uint32_t cycles = 0;
        uint8_t tried[V1_BYTES], signature[N_BYTES];
        for (unsigned i = 0; i < V1_BYTES; i++) {
            tried[i] = (uint8_t)(17 * (trial + 1) * i + 31 * trial);
        }
        const int result = rainbow_core_attempt(&core, signature, tried, hash, &cycles);
        assert_in_range(result, RAINBOW_CORE_OK, RAINBOW_CORE_SINGULAR_2);
        assert_true(verilated_bus_interrupt(core.bus));
        assert_int_equal(cycles, cycles_of[result]);
        met[result]++;
        if (result == RAINBOW_CORE_OK) {
            memcpy(vinegars, tried, V1_BYTES);
            memcpy(expected, signature, N_BYTES);
        } else if (result == RAINBOW_CORE_SINGULAR_2) {
            memcpy(singular_2, tried, V1_BYTES);
        }
        assert_true(trial < 200);
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

/* Each register is seen to hold something before the wipe clears it. */
static void a_wipe_leaves_only_the_key_memory(void **state)
{
    bool key_beat = false, signature = false;
    (void)state;
    const size_t key_words = verilated_bus_key_words(core.bus);
    write_vinegars(vinegars);
    assert_true(verilated_bus_secrets(core.bus).vinegars);
    control(RAINBOW_CORE_WIPE);
    assert_false(verilated_bus_secrets(core.bus).vinegars);
    for (unsigned after = 1; after < CYCLES_SIGNED + 40; after += 37) {
        write_vinegars(vinegars);
        control(RAINBOW_CORE_START);
        verilated_bus_idle(core.bus, after);
        const verilated_secrets before = verilated_bus_secrets(core.bus);
        key_beat |= before.key_beat;
        signature |= before.signature;
        assert_int_equal(rainbow_core_wipe(&core), RAINBOW_CORE_OK);
        assert_no_signature();
        const verilated_secrets left = verilated_bus_secrets(core.bus);
        assert_false(left.vinegars || left.signature || left.key_beat);
        assert_signs();
        assert_true(verilated_bus_secrets(core.bus).signature);
        control(RAINBOW_CORE_WIPE);
        assert_no_signature();
    }
    assert_true(key_beat && signature);
    assert_int_equal(verilated_bus_key_words(core.bus), key_words);
}

/* A bus on which a wipe comes before access `wipe_before`, as from an interrupt. */
static unsigned accesses, wipe_before;

static void count_access(void *bus)
{
    if (accesses++ == wipe_before) {
        verilated_bus_write(bus, RAINBOW_CORE_CONTROL, RAINBOW_CORE_WIPE);
    }
}

static uint32_t interrupted_read(void *bus, uint32_t offset)
{
    count_access(bus);
    return verilated_bus_read(bus, offset);
}

static void interrupted_write(void *bus, uint32_t offset, uint32_t value)
{
    count_access(bus);
    verilated_bus_write(bus, offset, value);
}

static int interrupted_attempt(uint8_t signature[N_BYTES], unsigned before)
{
    rainbow_core interrupted = core;
    interrupted.read = interrupted_read;
    interrupted.write = interrupted_write;
    wipe_before = before;
    accesses = 0;
    memset(signature, 0xEE, N_BYTES);
    return rainbow_core_attempt(&interrupted, signature, vinegars, hash, NULL);
}

/* At each access but the many looks at STATUS, of which it tries some: a wipe before the first vinegars changes nothing, any later one gives
 * the attempt up. In no case is there a signature with vinegars that the wipe cleared. */
static void a_wipe_from_an_interrupt_gives_up_the_attempt(void **state)
{
    uint8_t signature[N_BYTES];
    (void)state;
    assert_int_equal(interrupted_attempt(signature, UINT_MAX), RAINBOW_CORE_OK);
    const unsigned all = accesses;
    for (unsigned before = 0; before < all; before += before < 20 || before + 40 > all ? 1 : 173) {
        const int result = interrupted_attempt(signature, before);
        assert_int_equal(result, before < 2 ? RAINBOW_CORE_OK : RAINBOW_CORE_GIVEN_UP);
        if (result == RAINBOW_CORE_OK) {
            assert_memory_equal(signature, expected, N_BYTES);
            continue;
        }
        for (unsigned i = 0; i < N_BYTES; i++) {
            assert_true(signature[i] == signature[0] && (signature[0] == 0 || signature[0] == 0xEE));
        }
        assert_int_equal(rainbow_core_wait(&core), RAINBOW_CORE_OK);
        assert_no_signature();
        assert_false(verilated_bus_secrets(core.bus).vinegars);
    }
    assert_signs();
}

static void a_running_attempt_is_not_disturbed(void **state)
{
    (void)state;
    assert_signs(); /* the hash is in its register now */
    write_vinegars(vinegars);
    control(RAINBOW_CORE_START);
    write_vinegars(singular_2); /* for the next attempt */
    control(RAINBOW_CORE_START);
    control(RAINBOW_CORE_START | RAINBOW_CORE_ERASE_KEY | RAINBOW_CORE_REWIND);
    control(RAINBOW_CORE_ERASE_KEY);
    control(RAINBOW_CORE_REWIND);
    core.write(core.bus, RAINBOW_CORE_KEY_DATA, 0xFFFFFFFF);
    core.write(core.bus, RAINBOW_CORE_MESSAGE, 0xFFFFFFFF);
    assert_int_equal(rainbow_core_wait(&core), RAINBOW_CORE_OK);
    assert_int_equal(reg(RAINBOW_CORE_STATUS), RAINBOW_CORE_READY | RAINBOW_CORE_DONE | RAINBOW_CORE_KEY_LOADED);
    assert_reads(expected);
    control(RAINBOW_CORE_START);
    assert_int_equal(rainbow_core_wait(&core), RAINBOW_CORE_OK);
    assert_int_equal(reg(RAINBOW_CORE_CYCLES), CYCLES_SINGULAR_2);
    assert_signs();
}

static void vinegars_serve_once(void **state)
{
    (void)state;
    assert_signs();
    control(RAINBOW_CORE_START);
    verilated_bus_idle(core.bus, 2 * CYCLES_SIGNED);
    assert_reads(expected); /* no attempt cleared it */
    control(RAINBOW_CORE_WIPE);
    assert_int_equal(rainbow_core_wait(&core), RAINBOW_CORE_OK);
    for (uint32_t word = 1; word * 4 < V1_BYTES; word++) { /* all but the first */
        core.write(core.bus, RAINBOW_CORE_VINEGARS + 4 * word, 0x01234567);
    }
    control(RAINBOW_CORE_START);
    verilated_bus_idle(core.bus, 2 * CYCLES_SIGNED);
    assert_no_signature();
    assert_true(verilated_bus_secrets(core.bus).vinegars);
}

static void a_start_stands_alone(void **state)
{
    (void)state;
    for (uint32_t others = RAINBOW_CORE_WIPE; others < 2 * RAINBOW_CORE_REWIND; others += RAINBOW_CORE_WIPE) {
        const bool wipes = (others & RAINBOW_CORE_WIPE) != 0, erases = !wipes && (others & RAINBOW_CORE_ERASE_KEY) != 0;
        load(secret_key);
        assert_signs(); /* the hash is in its register now */
        assert_int_equal(rainbow_core_wipe(&core), RAINBOW_CORE_OK);
        write_vinegars(vinegars);
        control(RAINBOW_CORE_START | others);
        verilated_bus_idle(core.bus, 2 * CYCLES_SIGNED);
        assert_no_signature();
        assert_int_equal(reg(RAINBOW_CORE_STATUS), RAINBOW_CORE_READY | (wipes ? RAINBOW_CORE_KEY_LOADED : 0));
        assert_int_equal(verilated_bus_secrets(core.bus).vinegars, !wipes); /* not taken */
        assert_int_equal(verilated_bus_key_words(core.bus) == 0, erases);
    }
    load(secret_key);
    assert_signs();
}

static void the_failed_layer_goes_with_the_failure(void **state)
{
    uint8_t signature[N_BYTES];
    (void)state;
    for (unsigned way = 0; way < 2; way++) {
        assert_int_equal(rainbow_core_attempt(&core, signature, singular_2, hash, NULL), RAINBOW_CORE_SINGULAR_2);
        assert_int_equal(rainbow_core_wait(&core), RAINBOW_CORE_OK);
        assert_int_equal(reg(RAINBOW_CORE_STATUS),
                         RAINBOW_CORE_READY | RAINBOW_CORE_FAILED | RAINBOW_CORE_FAILED_LAYER | RAINBOW_CORE_KEY_LOADED);
        if (way == 0) {
            assert_int_equal(rainbow_core_wipe(&core), RAINBOW_CORE_OK);
            assert_int_equal(reg(RAINBOW_CORE_STATUS), RAINBOW_CORE_READY | RAINBOW_CORE_KEY_LOADED);
        } else {
            write_vinegars(vinegars);
            control(RAINBOW_CORE_START);
            assert_int_equal(reg(RAINBOW_CORE_STATUS), RAINBOW_CORE_KEY_LOADED);
            assert_int_equal(rainbow_core_wait(&core), RAINBOW_CORE_OK);
        }
    }
    assert_signs();
}

/* A bus that loses one word of the key. */
static unsigned words_to_go;

static void losing_write(void *bus, uint32_t offset, uint32_t value)
{
    if (offset != RAINBOW_CORE_KEY_DATA || words_to_go-- != 0) {
        verilated_bus_write(bus, offset, value);
    }
}

static void only_whole_keys_are_loaded(void **state)
{
    rainbow_core losing = core;
    (void)state;
    const size_t key_words = verilated_bus_key_words(core.bus);
    const size_t lengths[] = {0, 64, secret_key_bytes - 1, secret_key_bytes + 1};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(rainbow_core_load_key(&core, zero_key, lengths[i], work), RAINBOW_CORE_WRONG_KEY);
    }
    assert_int_equal(verilated_bus_key_words(core.bus), key_words);
    assert_signs(); /* with the key that was there */
    losing.write = losing_write;
    words_to_go = 1000;
    assert_int_equal(rainbow_core_load_key(&losing, secret_key, secret_key_bytes, work), RAINBOW_CORE_NO_KEY);
    load(secret_key);
    assert_signs();
}

/* A key leaves zeros in some beats, the last among them: ones in each word, so that each is seen to be erased. */
static void fill_key_memory(void)
{
    size_t words = 0;
    control(RAINBOW_CORE_REWIND);
    for (; (reg(RAINBOW_CORE_STATUS) & RAINBOW_CORE_KEY_LOADED) == 0; words++) {
        core.write(core.bus, RAINBOW_CORE_KEY_DATA, 0xFFFFFFFF);
        assert_true(words < 1 << 20);
    }
    assert_int_equal(words % core.beats, 0);
    assert_int_equal(verilated_bus_key_words(core.bus), words);
}

static void keys_come_and_go(void **state)
{
    uint8_t signature[N_BYTES];
    uint32_t cycles = 0;
    (void)state;
    fill_key_memory();
    assert_int_equal(rainbow_core_erase_key(&core), RAINBOW_CORE_OK);
    assert_int_equal(verilated_bus_key_words(core.bus), 0);
    assert_int_equal(rainbow_core_attempt(&core, signature, vinegars, hash, NULL), RAINBOW_CORE_NO_KEY);
    load(zero_key);
    assert_int_equal(rainbow_core_attempt(&core, signature, vinegars, hash, &cycles), RAINBOW_CORE_SINGULAR_1);
    assert_int_equal(cycles, CYCLES_SINGULAR_1);
    control(RAINBOW_CORE_REWIND);
    core.write(core.bus, RAINBOW_CORE_KEY_DATA, 1);
    assert_int_equal(rainbow_core_attempt(&core, signature, vinegars, hash, NULL), RAINBOW_CORE_NO_KEY);
    load(secret_key);
    assert_signs();
    core.write(core.bus, RAINBOW_CORE_KEY_DATA, 0xFFFFFFFF); /* after the last word: ignored */
    assert_signs();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shape_is_that_of_rainbow_I),
        cmocka_unit_test(only_third_round_cores_are_opened),
        cmocka_unit_test(a_dead_bus_ends_every_wait),
        cmocka_unit_test(nothing_starts_without_a_key),
        cmocka_unit_test_setup(attempts_take_constant_time, with_key),
        cmocka_unit_test_setup(secrets_cannot_be_read, with_key),
        cmocka_unit_test_setup(a_wipe_leaves_only_the_key_memory, with_key),
        cmocka_unit_test_setup(a_wipe_from_an_interrupt_gives_up_the_attempt, with_key),
        cmocka_unit_test_setup(a_running_attempt_is_not_disturbed, with_key),
        cmocka_unit_test_setup(vinegars_serve_once, with_key),
        cmocka_unit_test_setup(a_start_stands_alone, with_key),
        cmocka_unit_test_setup(the_failed_layer_goes_with_the_failure, with_key),
        cmocka_unit_test_setup(only_whole_keys_are_loaded, with_key),
        cmocka_unit_test_setup(keys_come_and_go, with_key),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
