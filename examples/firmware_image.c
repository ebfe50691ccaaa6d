/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The smallest program around firmware_verify.c: what it links is what verification needs. Its key is all
 * zero and not the pinned one; firmware_board.c plays a board with real keys. */
#include "firmware.h"

#include <string.h>

void board_read_key(uint8_t *out, size_t offset, size_t bytes)
{
    (void)offset;
    memset(out, 0, bytes);
}

int main(void)
{
    static const uint8_t image[] = "image", signature[96] = {0}, pinned[MOONBOW_KEY_DIGEST_BYTES] = {0};
    const int status = firmware_check_image(image, sizeof image, signature, sizeof signature, pinned);
    return status == MOONBOW_WRONG_KEY ? 0 : 1;
}
