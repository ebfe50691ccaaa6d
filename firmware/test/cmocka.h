/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The few names of cmocka that the unit tests which also run on the target use: there is no cmocka for it. The first failure is said with its
 * place and ends the program. */
#ifndef FIRMWARE_CMOCKA_H
#define FIRMWARE_CMOCKA_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(function) {#function, function}
#define cmocka_run_group_tests_name(name, tests, setup, teardown) \
    ((void)(setup), (void)(teardown), run_tests((name), (tests), sizeof(tests) / sizeof *(tests)))

#define assert_true(condition) require((condition) != 0, #condition, __FILE__, __LINE__)
#define assert_int_equal(a, b) require((long long)(a) == (long long)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) require((long long)(a) != (long long)(b), #a " != " #b, __FILE__, __LINE__)
#define assert_ptr_equal(a, b) require((a) == (b), #a " == " #b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, bytes) require(memcmp((a), (b), (bytes)) == 0, #a " equals " #b, __FILE__, __LINE__)

static inline void require(int holds, const char *what, const char *file, int line)
{
    if (!holds) {
        printf("%s:%d: %s does not hold\n", file, line, what);
        exit(1);
    }
}

static inline int run_tests(const char *group, const struct CMUnitTest *tests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *state = NULL;
        printf("%s: %s\n", group, tests[i].name);
        tests[i].run(&state);
    }
    printf("%s: %u tests passed\n", group, (unsigned)count);
    return 0;
}

#endif
