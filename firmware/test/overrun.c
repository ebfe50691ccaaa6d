/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Reads one byte beyond guarded memory. It must end in a fault: else the unit tests on the target would not notice such a read. */
#include <guard_take.h>

int test_main(int argc, char **argv);

int test_main(int argc, char **argv)
{
    const guard memory = guard_take(100);
    const volatile uint8_t *end = memory.end;
    (void)argc;
    (void)argv;
    memory.start[0] = end[-1];
    (void)*end;
    printf("read beyond the end\n");
    return 0;
}
