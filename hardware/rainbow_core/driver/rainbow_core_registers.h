/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The registers of rtl/rainbow_system.sv: byte offsets of 32-bit words, and their bits. Described in ../doc/integration.md. */
#ifndef RAINBOW_CORE_REGISTERS_H
#define RAINBOW_CORE_REGISTERS_H

enum rainbow_core_register {
    RAINBOW_CORE_IDENTITY = 0x000, /* RAINBOW_CORE_IS */
    RAINBOW_CORE_SHAPE = 0x004,    /* v1, o1, o2 in a byte each, then 4 bits: bits of an element, then 1 bit: squares */
    RAINBOW_CORE_STREAM = 0x008,   /* rows a cycle in a byte, then beats of the key */
    RAINBOW_CORE_CONTROL = 0x00C,  /* write: the bits below */
    RAINBOW_CORE_STATUS = 0x010,
    RAINBOW_CORE_CYCLES = 0x014,   /* of the last attempt */
    RAINBOW_CORE_KEY_DATA = 0x018, /* write: the next word of the key, SECRET; ignored unless READY, and once KEY_LOADED */
    RAINBOW_CORE_VINEGARS = 0x100, /* write: SECRET; cleared when an attempt takes them; ignored while one is about to */
    RAINBOW_CORE_MESSAGE = 0x200,  /* write; ignored while an attempt runs */
    RAINBOW_CORE_SIGNATURE = 0x300 /* read: zeros unless STATUS has DONE */
};

#define RAINBOW_CORE_IS 0x52424F57u

enum rainbow_core_control {
    RAINBOW_CORE_START = 1 << 0,     /* an attempt; ignored unless alone, READY, KEY_LOADED, and VINEGARS written anew in whole */
    RAINBOW_CORE_WIPE = 1 << 1,      /* gives up an attempt and clears all that was secret but the key memory; at any time */
    RAINBOW_CORE_ERASE_KEY = 1 << 2, /* writes zeros to the key memory; ignored unless READY */
    RAINBOW_CORE_REWIND = 1 << 3     /* KEY_DATA starts at the first word again, KEY_LOADED is cleared; ignored unless READY */
};

enum rainbow_core_status {
    RAINBOW_CORE_READY = 1 << 0,
    RAINBOW_CORE_DONE = 1 << 1,
    RAINBOW_CORE_FAILED = 1 << 2,       /* the attempt met a singular system ... */
    RAINBOW_CORE_FAILED_LAYER = 1 << 3, /* ... of layer 1 (0) or 2 (1) */
    RAINBOW_CORE_KEY_LOADED = 1 << 4    /* all words of the key are written */
};

#endif
