#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes what the bootloader reads from flash (layout.h).

  pack.py manifest APPLICATION.bin VERSION TO_SIGN    what is to be signed: manifest and application
  pack.py slot TO_SIGN TO_SIGN.sig SLOT.bin           the slot's contents, after `moonbow sign -k key TO_SIGN`
  pack.py key KEY.pub BYTES KEY.bin DIGEST.bin        the raw public key of BYTES bytes, and its digest to pin
"""

import base64
import hashlib
import pathlib
import struct
import sys

PART_BYTES = 512
SLOT_BYTES = 0x80000


def read(path):
    return pathlib.Path(path).read_bytes()


def write(path, data):
    pathlib.Path(path).write_bytes(data)


def manifest(application, version, to_sign):
    image = read(application)
    if len(image) > SLOT_BYTES - 2 * PART_BYTES:
        sys.exit(f"{application}: does not fit into the slot")
    write(to_sign, (b"moonboot" + struct.pack("<II", int(version), len(image))).ljust(PART_BYTES, b"\0") + image)


def slot(to_sign, signature, output):
    write(output, read(signature).ljust(PART_BYTES, b"\0") + read(to_sign))


def key(public_key, length, raw, digest):
    lines = [line for line in read(public_key).decode("ascii").splitlines() if line and not line.startswith("-----") and ":" not in line]
    der = base64.b64decode("".join(lines))
    data = der[-int(length):]  # the BIT STRING is the last thing in a SubjectPublicKeyInfo
    write(raw, data)
    write(digest, hashlib.sha256(data).digest())


if __name__ == "__main__":
    commands = {"manifest": (manifest, 3), "slot": (slot, 3), "key": (key, 4)}
    if len(sys.argv) < 2 or sys.argv[1] not in commands or len(sys.argv) != 2 + commands[sys.argv[1]][1]:
        sys.exit(__doc__)
    commands[sys.argv[1]][0](*sys.argv[2:])
