/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Runs a unit test of test/unit/ on the emulated board. Its main is called test_main here; what it prints goes to the host by semihosting. */
#include <stdio.h>

int test_main(int argc, char **argv);
void initialise_monitor_handles(void); /* of newlib's semihosting library */

int main(void)
{
    char name[] = "test", *arguments[] = {name, NULL};
    initialise_monitor_handles();
    setvbuf(stdout, NULL, _IOLBF, 0);
    return test_main(1, arguments);
}
