/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A boot loader's check of an image, and a board's random source. See docs/guide/embedding.md. */
#ifndef EXAMPLES_FIRMWARE_H
#define EXAMPLES_FIRMWARE_H

#include <moonbow/signature.h>

/* MOONBOW_OK if the image is signed by the key whose SHA-256 is `pinned`. */
int firmware_check_image(const uint8_t *image, size_t image_bytes, const uint8_t *signature,
                         size_t signature_bytes, const uint8_t pinned[MOONBOW_KEY_DIGEST_BYTES]);

/* The board's generator as a source for key generation and signing. */
extern const moonbow_random board_random;

/* What the board provides. */
void board_read_key(uint8_t *out, size_t offset, size_t bytes); /* from a flash chip, say */
int board_random_word(uint32_t *word);                          /* 0, or -1 if the generator failed */

#endif
