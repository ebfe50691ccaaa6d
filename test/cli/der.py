# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys in DER and PEM, written by hand so that the tool's reader meets what it does not write itself."""

import base64
import subprocess
import textwrap

ARC = "2.25.249554165151903866214008171210770098451"
OIDS = {
    f"rainbow-{name}": f"{ARC}.1.{numbers}"
    for name, numbers in {
        "I-classic": "1.1",
        "I-circumzenithal": "1.2",
        "I-compressed": "1.3",
        "III-classic": "2.1",
        "III-circumzenithal": "2.2",
        "III-compressed": "2.3",
        "V-classic": "3.1",
        "V-circumzenithal": "3.2",
        "V-compressed": "3.3",
        "I-classic-tweaked": "4.1",
        "I-circumzenithal-tweaked": "4.2",
        "I-compressed-tweaked": "4.3",
    }.items()
}
OPEN_QUANTUM_SAFE = {
    "rainbow-III-classic": "1.3.9999.5.2.1.1",
    "rainbow-III-circumzenithal": "1.3.9999.5.2.3.1",
    "rainbow-III-compressed": "1.3.9999.5.2.5.1",
    "rainbow-V-classic": "1.3.9999.5.3.1.1",
    "rainbow-V-circumzenithal": "1.3.9999.5.3.3.1",
    "rainbow-V-compressed": "1.3.9999.5.3.5.1",
}


def tlv(tag, value):
    """One DER element."""
    length = len(value)
    if length < 128:
        return bytes([tag, length]) + value
    length_bytes = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length_bytes)]) + length_bytes + value


def base128(number):
    digits = [number & 127]
    while number := number >> 7:
        digits.append(128 | number & 127)
    return bytes(reversed(digits))


def oid(dotted):
    first, second, *rest = map(int, dotted.split("."))
    return tlv(6, b"".join(base128(part) for part in [40 * first + second, *rest]))


def octet_string(value):
    return tlv(4, value)


def public_key_info(dotted, key, parameters=b"", unused_bits=0):
    return tlv(0x30, tlv(0x30, oid(dotted) + parameters) + tlv(3, bytes([unused_bits]) + key))


def private_key_info(dotted, key, parameters=b""):
    return tlv(0x30, tlv(2, b"\0") + tlv(0x30, oid(dotted) + parameters) + octet_string(key))


def integer(value):
    return tlv(2, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def aes_cbc(direction, key, iv, data):
    """By OpenSSL's command; direction is -e or -d."""
    command = ["openssl", "enc", direction, f"-aes-{8 * len(key)}-cbc", "-K", key.hex(), "-iv", iv.hex()]
    return subprocess.run(command, input=data, check=True, capture_output=True).stdout


PBES2, PBKDF2, SCRYPT = "1.2.840.113549.1.5.13", "1.2.840.113549.1.5.12", "1.3.6.1.4.1.11591.4.11"
AES_CBC = {16: "2.16.840.1.101.3.4.1.2", 24: "2.16.840.1.101.3.4.1.22", 32: "2.16.840.1.101.3.4.1.42"}
SHA256_PRF = tlv(0x30, oid("1.2.840.113549.2.9") + b"\x05\0")


def encrypted_info(encryption, content):
    """EncryptedPrivateKeyInfo of an AlgorithmIdentifier and what was encrypted."""
    return tlv(0x30, encryption + octet_string(content))


def pbes2(derivation, parameters, cipher=AES_CBC[32], iv=bytes(16), scheme=PBES2):
    return tlv(
        0x30,
        oid(scheme)
        + tlv(
            0x30,
            tlv(0x30, oid(derivation) + tlv(0x30, parameters)) + tlv(0x30, oid(cipher) + octet_string(iv)),
        ),
    )


def scrypt_parameters(salt, n, r, p):
    return octet_string(salt) + integer(n) + integer(r) + integer(p)


def pbkdf2_parameters(salt, iterations):
    return octet_string(salt) + integer(iterations) + SHA256_PRF


def elements(der):
    """The contents of the elements that stand side by side, each with its tag."""
    found = []
    while der:
        tag, length, header = der[0], der[1], 2
        if length >= 128:
            header = 2 + length - 128
            length = int.from_bytes(der[2:header], "big")
        assert header + length <= len(der)
        found.append((tag, der[header : header + length]))
        der = der[header + length :]
    return found


def pem(label, der):
    body = "\n".join(textwrap.wrap(base64.b64encode(der).decode(), 64))
    return f"-----BEGIN {label}-----\n{body}\n-----END {label}-----\n".encode()


def from_pem(text):
    """Label and DER of a PEM file with one block."""
    lines = text.decode().splitlines()
    assert lines[0].startswith("-----BEGIN ") and lines[-1].startswith("-----END ")
    return lines[0][11:-5], base64.b64decode("".join(lines[1:-1]), validate=True)


def raw_public_key(text, dotted, length):
    """The raw key of a public key file that looks exactly as it should."""
    label, der = from_pem(text)
    assert label == "PUBLIC KEY"
    key = der[-length:]
    assert der == public_key_info(dotted, key)
    return key


def raw_secret_key(text, dotted, length):
    label, der = from_pem(text)
    assert label == "PRIVATE KEY"
    key = der[-length:]
    assert der == private_key_info(dotted, key)
    return key
