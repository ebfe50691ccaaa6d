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


def main():
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
    for algorithm in range(6):
        for head in (0, 1):
            write("verify", f"good-{algorithm}-{head}", bytes([head, algorithm]))
            write("verify", f"pieces-{algorithm}-{head}", bytes([head, algorithm, 255, 0]) + bytes([0, 9, 1, 200, 7] * 20))
        write("verify", f"changed-{algorithm}", bytes([14, algorithm, 1, 0, 3, 0, 1, 1, 2, 5, 0, 128, 1, 0, 9, 0, 2]))
        write("verify", f"short-{algorithm}", bytes([112, algorithm, 1, 1, 0, 5, 0, 3]))


main()
