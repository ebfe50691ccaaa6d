/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What the bootloader starts: says so, and ends. */
#include "../boards/board.h"

int main(void)
{
    static const char text[] = "application: started\n";
    board_write(text, sizeof text - 1);
    return 0;
}
