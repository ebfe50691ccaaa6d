/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Verification for a boot loader: static memory, one verifier, the public key read piece by piece from
 * where it lies. Needs no heap and no operating system. See docs/guide/embedding.md. */
#include "firmware.h"

/* At least what moonbow_verify_scratch_bytes says for this verifier in small mode; were it less, begin
 * would answer MOONBOW_BAD_SCRATCH. */
enum { SCRATCH_BYTES = 4 * 1024, PIECE_BYTES = 256 };

static _Alignas(MOONBOW_SCRATCH_ALIGNMENT) uint8_t memory[SCRATCH_BYTES];

int firmware_check_image(const uint8_t *image, size_t image_bytes, const uint8_t *signature,
                         size_t signature_bytes, const uint8_t pinned[MOONBOW_KEY_DIGEST_BYTES])
{
    const moonbow_verifier *verifier = &moonbow_uov_Is_pkc_verifier;
    const size_t key_bytes = moonbow_verifier_parameters(verifier)->public_key_bytes;
    const moonbow_scratch scratch = {memory, sizeof memory, MOONBOW_SMALL};
    moonbow_verification *verification;
    uint8_t piece[PIECE_BYTES];
    const int status = moonbow_verify_begin(&verification, verifier, signature, signature_bytes, &scratch);
    if (status != MOONBOW_OK) {
        return status;
    }
    moonbow_verify_pin_key(verification, pinned);
    for (size_t offset = 0; offset < key_bytes; offset += PIECE_BYTES) {
        const size_t left = key_bytes - offset;
        const size_t bytes = left < PIECE_BYTES ? left : PIECE_BYTES;
        board_read_key(piece, offset, bytes);
        moonbow_verify_key(verification, piece, bytes);
    }
    moonbow_verify_message(verification, image, image_bytes);
    return moonbow_verify_finish(verification);
}
