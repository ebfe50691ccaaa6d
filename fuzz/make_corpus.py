#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the first inputs of the fuzz targets to fuzz/corpus/. Usage: make_corpus.py

What the fuzzers find later is added by `fuzz_NAME -merge=1 fuzz/corpus/NAME FOUND`, as long as it stays small."""

import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "test" / "cli"))
import der  # noqa: E402

SEEDED_SECRETS = {  # algorithm: identifier, bytes
    "rainbow-I-compressed": (der.OIDS["rainbow-I-compressed"], 64),
    "rainbow-V-compressed": (der.OIDS["rainbow-V-compressed"], 64),
}


def write(target, name, contents):
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(contents)


def keys():
    """(name, label, DER) of small keys, right and wrong."""
    for name, (oid, length) in SEEDED_SECRETS.items():
        key = der.private_key_info(oid, bytes(range(length)))
        yield "secret-" + name, "PRIVATE KEY", key
        yield "secret-short-" + name, "PRIVATE KEY", key[:-3]
        yield "secret-long-" + name, "PRIVATE KEY", key + b"\0"
    oid = der.OIDS["rainbow-I-classic"]
    yield "public-wrong-length", "PUBLIC KEY", der.public_key_info(oid, bytes(100))
    yield "secret-wrong-length", "PRIVATE KEY", der.private_key_info(oid, bytes(100))


def verify_subjects():
    """(name, byte that chooses it) of small and shipped subjects of fuzz/subject.c."""
    for i in range(13):
        yield f"small-{i}", i
    for i in range(240, 248):
        yield f"shipped-{i % 8}", i


def files():
    """(name, reader, parameter, contents) for fuzz_files."""
    for name, label, key in keys():
        yield "key-" + name, 0, int(label == "PRIVATE KEY"), der.pem(label, key)
    seed = bytes(range(64)).hex().encode()
    yield "seed-32", 1, 0, seed[:64] + b"\n"
    yield "seed-64", 1, 1, seed[:64].upper() + b" \r\n\t" + seed[64:]
    yield "seed-short", 1, 0, seed[:63]
    yield "seed-none", 1, 0, b"0x" + seed[:64]
    yield "bounded", 2, 10, bytes(100)
    yield "bounded-long", 2, 10, bytes(101)
    yield "message", 3, 16, bytes(range(200))
    yield "message-empty", 3, 0, b""


def main():
    for name, reader, parameter, contents in files():
        for way in range(3 if reader != 0 else 1):
            write("files", f"{name}-{way}", bytes([reader, parameter, way]) + contents)
    for name, label, key in keys():
        kind = b"\1" if label == "PRIVATE KEY" else b"\0"
        write("der", name, kind + key)
        write("pem", name, kind + der.pem(label, key))
        write("pem", "any-" + name, b"\2" + b"Some text before.\n" + der.pem(label, key))
    whole = der.public_key_info(der.OIDS["rainbow-I-circumzenithal"], bytes(60192))
    write("der", "public-rainbow-I-circumzenithal", b"\0" + whole)
    write("pem", "public-cut", b"\0" + der.pem("PUBLIC KEY", whole)[:2000])
    write("pem", "certificate", b"\0-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    write("pem", "encrypted", b"\1-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n")
    for name, subject in verify_subjects():
        for head in (0, 1, 128):
            write("verify", f"good-{name}-{head}", bytes([head, subject]))
            write("verify", f"pieces-{name}-{head}", bytes([head, subject, 255, 0]) + bytes([0, 9, 1, 200, 7] * 20))
        write("verify", f"changed-{name}", bytes([14, subject, 1, 0, 3, 0, 1, 1, 2, 5, 0, 128, 1, 0, 9, 0, 2]))
        write("verify", f"short-{name}", bytes([112, subject, 1, 1, 0, 5, 0, 3]))
        write("verify", f"pinned-{name}", bytes([0, subject, 0, 7, 254, 0, 1, 60]))
        write("verify", f"pinned-to-another-{name}", bytes([0, subject, 253, 0, 1, 60, 255, 0]))


main()
