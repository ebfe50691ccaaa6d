/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A bootloader: starts the application in the slot if its signature verifies under the public key in flash, and if that key is the one whose
 * SHA-256 was pinned. Everything it reads may have been written by an attacker, but for the bootloader and the digest. See README.md. */
#include "../boards/board.h"
#include "../mark.h"
#include "layout.h"

#include <moonbow/signature.h>
#include <string.h>

#ifndef BOOT_VERIFIER /* the build's choice */
#define BOOT_VERIFIER moonbow_uov_Is_pkc_verifier
#endif
#ifndef BOOT_SCRATCH_BYTES /* of moonbow_verify_scratch_bytes; were it less, begin would answer MOONBOW_BAD_SCRATCH */
#define BOOT_SCRATCH_BYTES 4096
#endif

static _Alignas(MOONBOW_SCRATCH_ALIGNMENT) uint8_t scratch_memory[BOOT_SCRATCH_BYTES];

static const uint8_t *flash(uintptr_t address)
{
    return (const uint8_t *)address; /* NOLINT: that is where flash is */
}

static void say(const char *text)
{
    board_write(text, strlen(text));
}

/* The bytes that are signed, from the manifest on; 0 if the manifest makes no sense. */
static size_t signed_bytes(const manifest *m)
{
    const size_t most = SLOT_BYTES - 2 * PART_BYTES;
    if (memcmp(m->magic, "moonboot", sizeof m->magic) != 0 || m->application_bytes > most || m->application_bytes < 8) {
        return 0;
    }
    return PART_BYTES + m->application_bytes;
}

/* MOONBOW_OK, or why the slot's contents are refused. */
static int check_slot(void)
{
    const moonbow_parameters *p = moonbow_verifier_parameters(&BOOT_VERIFIER);
    const moonbow_scratch scratch = {scratch_memory, sizeof scratch_memory, MOONBOW_SMALL};
    const size_t bytes = signed_bytes((const manifest *)(const void *)flash(SLOT_AT + PART_BYTES));
    moonbow_verification *verification;
    if (bytes == 0) {
        return MOONBOW_WRONG_LENGTH;
    }
    const int status = moonbow_verify_begin(&verification, &BOOT_VERIFIER, flash(SLOT_AT), p->signature_bytes, &scratch);
    if (status != MOONBOW_OK) {
        return status;
    }
    moonbow_verify_pin_key(verification, flash(DIGEST_AT));
    moonbow_verify_message(verification, flash(SLOT_AT + PART_BYTES), bytes);
    moonbow_verify_key(verification, flash(KEY_AT), p->public_key_bytes);
    return moonbow_verify_finish(verification); /* errors on the way come out here */
}

/* Vector Table Offset Register [ARMv7-M ARM §B3.2.5]. */
#define VTOR (*(volatile uint32_t *)0xe000ed08)

__attribute__((noreturn)) static void start(uintptr_t vectors)
{
    const uint32_t *table = (const uint32_t *)vectors;
    VTOR = (uint32_t)vectors;
    __asm__ volatile("msr msp, %0\n\tbx %1" : : "r"(table[0]), "r"(table[1]) : "memory");
    __builtin_unreachable();
}

int main(void)
{
    MARK_BEGIN(0);
    const int status = check_slot();
    MARK_END(0);
    if (status != MOONBOW_OK) {
        say("bootloader: refused: ");
        say(moonbow_status_text(status));
        say("\n");
        return 1;
    }
    say("bootloader: good signature\n");
    start(SLOT_AT + 2 * PART_BYTES);
}
