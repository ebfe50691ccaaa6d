/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Where things lie in flash: the bootloader, the page with the pinned digest of the key, the key, and one slot for an application. pack.py and
 * application.ld know the same numbers. */
#ifndef BOOTLOADER_LAYOUT_H
#define BOOTLOADER_LAYOUT_H

#include <stdint.h>

enum {
    DIGEST_AT = 0x0000ff00, /* written once, with the bootloader; both are to be write-protected */
    KEY_AT = 0x00010000,
    SLOT_AT = 0x00080000,
    SLOT_BYTES = 0x00080000,
    PART_BYTES = 512 /* signature and manifest are padded to it, so that the application's vector table is aligned */
};

/* What is signed begins here: the manifest, then the application. */
typedef struct manifest {
    uint8_t magic[8]; /* "moonboot" */
    uint32_t version;
    uint32_t application_bytes;
} manifest;

#endif
