#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the first inputs of the fuzz targets to fuzz/corpus/. Usage: make_corpus.py

What the fuzzers find later is added by `fuzz_NAME -merge=1 fuzz/corpus/NAME FOUND`, as long as it stays small."""

import hashlib
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
    yield "public-unused-bits", "PUBLIC KEY", der.public_key_info(oid, bytes(100), unused_bits=3)
    yield "public-unknown", "PUBLIC KEY", der.public_key_info("1.2.840.113549.1.1.1", bytes(100), b"\5\0")
    yield "secret-wrong-length", "PRIVATE KEY", der.private_key_info(oid, bytes(100))
    yield "secret-parameters", "PRIVATE KEY", der.private_key_info(der.OIDS["rainbow-I-compressed"], bytes(64), b"\5\0")
    oid = der.OPEN_QUANTUM_SAFE["rainbow-III-compressed"]
    yield "secret-open-quantum-safe", "PRIVATE KEY", der.private_key_info(oid, der.octet_string(bytes(64)))


def encrypted_keys():
    """The same under the passphrase of cheap_decrypt.h, at little cost."""
    passphrase, salt, iv = b"moonbow", bytes(range(16)), bytes(16)
    content = der.private_key_info(der.OIDS["rainbow-I-compressed"], bytes(range(64)))
    key = hashlib.scrypt(passphrase, salt=salt, n=16, r=1, p=1, dklen=32)
    scrypt = der.pbes2(der.SCRYPT, der.scrypt_parameters(salt, 16, 1, 1), iv=iv)
    yield "scrypt", der.encrypted_info(scrypt, der.aes_cbc("-e", key, iv, content))
    yield "scrypt-other-content", der.encrypted_info(scrypt, der.aes_cbc("-e", key, iv, b"something else"))
    yield "scrypt-dear", der.encrypted_info(der.pbes2(der.SCRYPT, der.scrypt_parameters(salt, 1 << 14, 8, 5)), bytes(80))
    key = hashlib.pbkdf2_hmac("sha256", passphrase, salt, 10, 16)
    pbkdf2 = der.pbes2(der.PBKDF2, der.pbkdf2_parameters(salt, 10), cipher=der.AES_CBC[16], iv=iv)
    yield "pbkdf2", der.encrypted_info(pbkdf2, der.aes_cbc("-e", key, iv, content))
    yield "other-scheme", der.encrypted_info(der.pbes2(der.PBKDF2, der.pbkdf2_parameters(salt, 10), scheme="1.2.3"), bytes(32))


def provider():
    """(name, choice of structure, form and half, contents) for fuzz_provider: the keys above, and UOV's."""
    secret, public, any_structure, der_form, pem_form, any_form = 0, 1, 2, 0, 3, 6
    for name, label, key in keys():
        structure = secret if label == "PRIVATE KEY" else 9 + public
        yield "der-" + name, structure + der_form, key
        yield "pem-" + name, structure + pem_form, der.pem(label, key)
        yield "any-" + name, 18 + any_structure + any_form, key
    for name, key in encrypted_keys():
        yield "encrypted-" + name, secret + any_form, der.pem("ENCRYPTED PRIVATE KEY", key)
    for number, name in enumerate(("Ip", "Is", "III", "V"), 1):
        yield f"secret-uov-{name}", secret + der_form, der.private_key_info(f"{der.ARC}.2.{number}.3", bytes(32))
    yield "public-uov-Ip-pkc", 9 + public + der_form, der.public_key_info(f"{der.ARC}.2.1.2", bytes(46591))
    yield "long-lengths", secret + der_form, bytes.fromhex("3084000000300284000000010030840000001906176982f7beb192bf97ba97a388ff8ab0c4c9b8d213020103")


def files():
    """(name, reader, parameter, contents) for fuzz_files."""
    for name, label, key in keys():
        yield "key-" + name, 0, int(label == "PRIVATE KEY"), der.pem(label, key)
    yield "key-der", 0, 1, der.private_key_info(*SEEDED_SECRETS["rainbow-I-compressed"][:1], bytes(64))
    for name, key in encrypted_keys():
        yield "key-encrypted-" + name, 0, 1, der.pem("ENCRYPTED PRIVATE KEY", key)
    seed = bytes(range(64)).hex().encode()
    yield "seed-32", 1, 0, seed[:64] + b"\n"
    yield "seed-64", 1, 1, seed[:64].upper() + b" \r\n\t" + seed[64:]
    yield "seed-short", 1, 0, seed[:63]
    yield "seed-none", 1, 0, b"0x" + seed[:64]
    yield "bounded", 2, 10, bytes(100)
    yield "bounded-long", 2, 10, bytes(101)
    yield "message", 3, 16, bytes(range(200))
    yield "message-empty", 3, 0, b""
    yield "passphrase", 4, 0, b"correct horse\r\n"
    yield "passphrase-two-lines", 4, 0, b"correct\nhorse\n"
    yield "passphrase-long", 4, 0, 1025 * b"x"


def verify_subjects():
    """(name, byte that chooses it) of small and shipped subjects of fuzz/subject.c."""
    for i in range(13):
        yield f"small-{i}", i
    for i in range(240, 248):
        yield f"shipped-{i % 8}", i


def main():
    for number, (name, reader, parameter, contents) in enumerate(files()):
        way = number % 3
        write("files", f"{name}-{way}", bytes([reader, parameter, way]) + contents)
    for name, label, key in keys():
        kind = b"\1" if label == "PRIVATE KEY" else b"\0"
        write("keys", "der-" + name, kind + key)
        write("keys", "pem-" + name, b"\2" + b"Some text before.\n" + der.pem(label, key))
    for name, key in encrypted_keys():
        write("keys", "encrypted-der-" + name, b"\4" + key)
        write("keys", "encrypted-pem-" + name, b"\5" + der.pem("ENCRYPTED PRIVATE KEY", key))
        write("keys", "encrypted-no-passphrase-" + name, b"\1" + key)
    for name, choice, contents in provider():
        write("provider", name, bytes([choice]) + contents)
    whole = der.public_key_info(der.OIDS["rainbow-I-circumzenithal"], bytes(60192))
    write("keys", "der-public-rainbow-I-circumzenithal", b"\0" + whole)
    write("keys", "pem-public-cut", b"\0" + der.pem("PUBLIC KEY", whole)[:2000])
    write("keys", "pem-certificate", b"\0-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    write("keys", "pem-headers", b"\1-----BEGIN PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END PRIVATE KEY-----\n")
    for name, subject in verify_subjects():
        backends = subject % 16
        write("verify", f"pieces-{name}", bytes([subject % 2, subject, backends, 255, 0]) + bytes([0, 9, 1, 200, 7] * 20))
        write("verify", f"changed-{name}", bytes([14, subject, backends, 1, 0, 3, 0, 1, 1, 2, 5, 0, 128, 1, 0, 9, 0, 2]))
        write("verify", f"short-{name}", bytes([112, subject, backends, 1, 1, 0, 5, 0, 3]))
        write("verify", f"pinned-{name}", bytes([0, subject, backends, 0, 7, 254, 0, 1, 60]))
        write("verify", f"pinned-to-another-{name}", bytes([0, subject, backends, 253, 0, 1, 60, 255, 0]))


main()
