# SPDX-License-Identifier: Apache-2.0 OR MIT
# Writes vectors.json: deterministic test vectors for shapes nobody ships, made with the model. Run `python -m model.vectors` in test/.
# The structure of the file is described in README.md.
"""Test vectors of unusual shapes for all formats and fields, with retries, failures and tampered signatures."""

import argparse
import hashlib
import json
import pathlib

from . import fields, rainbow
from .generator import Generator, expand_hash, hash_bytes

DEFAULT_OUTPUT = pathlib.Path(__file__).with_name("vectors.json")
HEX_LIMIT = 600  # keys longer than this many bytes are given by their hash only

HASHES = ("sha256", "sha384", "sha512")

# Shapes (v1, o1, o2): tiny ones, layers of unequal size either way round, counts on both sides of 16 and 32, and
# level I's shape with other hashes. Odd counts exist over GF(256) only.
SHAPES = {
    4: ((2, 2, 2), (4, 2, 2), (6, 4, 2), (2, 2, 6), (8, 6, 4), (2, 6, 4), (12, 2, 10), (18, 16, 14), (36, 32, 32)),
    8: ((1, 1, 1), (4, 2, 2), (5, 3, 4), (7, 1, 3), (3, 7, 1), (13, 5, 9), (17, 16, 15), (33, 31, 34)),
}

# The first message of a key is short, because its tampered signatures repeat it; the others have lengths around the
# block and padding boundaries of SHA-256 (64, 55/56) and of SHA-384 and SHA-512 (128, 111/112).
FIRST_MESSAGE_LENGTHS = (0, 1, 2, 31, 32, 33, 17)
OTHER_MESSAGE_LENGTHS = (55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 300)

# Messages for `attempt_limit_record`, found by trying "attempt limit 0", "attempt limit 1", … with the limit lifted.
# In the comments: how many vinegar draws + salt draws the two loops would take until both succeed.
ATTEMPT_LIMIT_MESSAGES = (
    0,
    182,  # 126 + 1: the last that may succeed
    1581,  # 125 + 2: likewise
    194,  # 127 + 1: fails, although attempt 128 succeeds
    1210,  # 126 + 2: likewise
    370,  # 128 + …: fails at the end of the first loop, although attempt 128 finds an invertible matrix
    143,  # 127 + 3: fails in the second loop
)


def expand(label, length):
    """Bytes that depend on nothing but a label."""
    return hashlib.shake_256(b"moonbow vectors: " + label.encode()).digest(length)


def sign_entry(message, signing):
    """One element of "sign"; a failed signature is null."""
    return {
        "message": message.hex(),
        "signature": None if signing.signature is None else signing.signature.hex(),
        "vinegar_draws": signing.vinegar_draws,
        "salt_draws": signing.salt_draws,
    }


def verify_entry(p, key_format, public_key, case, message, signature):
    """One element of "verify"; the verdict is the model's."""
    return {
        "case": case,
        "message": message.hex(),
        "signature": signature.hex(),
        "accept": rainbow.verify(p, key_format, public_key, message, signature),
    }


def flip(data, position, bit):
    changed = bytearray(data)
    changed[position] ^= 1 << bit
    return bytes(changed)


def tampered(message, signature):
    """(case, message, signature) of what must be refused, but for chance in the smallest shapes."""
    salt_at = len(signature) - rainbow.SALT_BYTES
    yield "first byte of w changed", message, flip(signature, 0, 0)
    yield "last byte of w changed", message, flip(signature, salt_at - 1, 7)
    yield "last byte of salt changed", message, flip(signature, -1, 3)
    yield "message longer by a zero byte", message + b"\0", signature
    yield "signature too short", message, signature[:-1]
    yield "signature too long", message, signature + b"\0"


def forge(p, key_format, public_key, message, w):
    """A valid signature with a w chosen beforehand: salts are tried until the hash fits. For m of 16 bits or so."""
    forms = rainbow.read_public_key(p, key_format, public_key)
    digest = hash_bytes(p.hash, message)
    value = p.field.pack(rainbow.evaluate(p, forms, p.field.unpack(w)))
    for count in range(1 << 22):
        salt = count.to_bytes(rainbow.SALT_BYTES, "big")
        if expand_hash(p.hash, digest + salt, len(value)) == value:
            return w + salt
    raise AssertionError("no salt found")


def sign_with_other_randomness(p, key_format, secret_key, message, label):
    """A valid signature that `sign` does not produce: another generator in step 1 of [RB3 §6]."""
    trapdoor = rainbow.read_secret_key(p, key_format, secret_key)
    for attempt in range(10):
        generator = Generator(expand(f"{label} other randomness {attempt}", 48))
        signature = rainbow.sign_with_generator(p, trapdoor, hash_bytes(p.hash, message), generator).signature
        if signature is not None:
            return signature
    return None


def key_fields(name, data):
    return {
        f"{name}_bytes": len(data),
        f"{name}_sha256": hashlib.sha256(data).hexdigest(),
        name: data.hex() if len(data) <= HEX_LIMIT else None,
    }


def head(name, p, key_format):
    return {
        "name": name, "field": p.field.name, "v1": p.v1, "o1": p.o1, "o2": p.o2, "hash": p.hash, "format": key_format,
    }


def seeded_record(p, key_format, serial):
    """Keys from seeds, signatures of a few messages, and signatures to verify."""
    shape = f"{p.field.name}-{p.v1}-{p.o1}-{p.o2}-{p.hash}"
    name = f"{shape}-{key_format}"
    seed = expand(f"{shape} seeds", 2 * rainbow.SEED_BYTES)  # the same for the three formats
    sk_seed, pk_seed = seed[: rainbow.SEED_BYTES], seed[rainbow.SEED_BYTES :]
    public_key, secret_key = rainbow.generate_keys(p, key_format, sk_seed, pk_seed)

    lengths = [
        FIRST_MESSAGE_LENGTHS[serial % len(FIRST_MESSAGE_LENGTHS)],
        OTHER_MESSAGE_LENGTHS[2 * serial % len(OTHER_MESSAGE_LENGTHS)],
        OTHER_MESSAGE_LENGTHS[(2 * serial + 1) % len(OTHER_MESSAGE_LENGTHS)],
    ]
    sign, verify = [], []
    for index, length in enumerate(lengths if p.n <= 32 else lengths[:2]):
        message = expand(f"{name} message {index}", length)
        signing = rainbow.sign_in_detail(p, key_format, secret_key, message)
        sign.append(sign_entry(message, signing))
        if signing.signature is None:
            continue
        assert rainbow.verify(p, key_format, public_key, message, signing.signature)
        if index == 0:
            other = sign_with_other_randomness(p, key_format, secret_key, message, name)
            if other is not None:
                verify.append(verify_entry(p, key_format, public_key, "other randomness", message, other))
            for case, other_message, signature in tampered(message, signing.signature):
                verify.append(verify_entry(p, key_format, public_key, case, other_message, signature))
    if p.field.packed_bytes(p.m) <= 2:
        w_bytes = p.field.packed_bytes(p.n)
        for case, w in (("w is zero", bytes(w_bytes)), ("w is all ones", b"\xff" * w_bytes)):
            message = expand(f"{name} {case}", 7)
            signature = forge(p, key_format, public_key, message, w)
            verify.append(verify_entry(p, key_format, public_key, case, message, signature))
    return {
        **head(name, p, key_format), "seed": seed.hex(),
        **key_fields("pk", public_key), **key_fields("sk", secret_key), "sign": sign, "verify": verify,
    }


def secret_key_record(name, p, trapdoor, messages):
    """A made-up classic secret key, of which no seed is known, given in full."""
    secret_key = rainbow.write_secret_key(p, "classic", trapdoor)
    public_key = rainbow.public_key_from_secret_key(p, "classic", secret_key)
    sign = []
    for message in messages:
        signing = rainbow.sign_in_detail(p, "classic", secret_key, message)
        sign.append(sign_entry(message, signing))
        if signing.signature is not None:
            assert rainbow.verify(p, "classic", public_key, message, signing.signature)
    record = {
        **head(name, p, "classic"), "seed": None,
        **key_fields("pk", public_key), **key_fields("sk", secret_key), "sign": sign, "verify": [],
    }
    record["sk"] = secret_key.hex()
    return record


def singular_records():
    """Keys under which signing always fails, in the first loop or in the second [RB3 §6, step 4]."""
    for p in (
        rainbow.Parameters(fields.GF256_TOWER, 5, 3, 4, "sha256"),
        rainbow.Parameters(fields.GF16_TOWER, 4, 2, 2, "sha512"),
    ):
        shape = f"{p.field.name}-{p.v1}-{p.o1}-{p.o2}"
        messages = [expand(f"{shape} singular", length) for length in (0, 20)]
        vinegar, oil1, oil2 = p.groups

        trapdoor = rainbow.generate_trapdoor(p, "classic", expand(f"{shape} singular seed", rainbow.SEED_BYTES))
        trapdoor.layer1[:, :, oil1] = 0
        yield secret_key_record(f"{shape}-layer-1-always-singular", p, trapdoor, messages)

        trapdoor = rainbow.generate_trapdoor(p, "classic", expand(f"{shape} singular seed", rainbow.SEED_BYTES))
        trapdoor.layer2[:, :, oil2[-1]] = 0  # the last column of layer 2's matrix is zero
        yield secret_key_record(f"{shape}-layer-2-always-singular", p, trapdoor, messages)


def attempt_limit_trapdoor(p):
    """A trapdoor whose first loop ends only once in about a hundred times, and whose second does every other time.

    The matrices are diagonal: an entry of layer 1 is a linear form of two vinegar values, which vanishes on one of the 17
    lines through the origin of GF(16)²; sixteen lines of the plane of x0, x1 are covered and fourteen of that of x2, x3.
    Likewise layer 2 with eight lines in the first two oil variables of layer 1.
    """
    assert (p.v1, p.o1, p.o2) == (4, 30, 8) and p.field.size == 16
    trapdoor = rainbow.generate_trapdoor(p, "classic", expand("attempt limit seed", rainbow.SEED_BYTES))
    vinegar, oil1, oil2 = p.groups
    trapdoor.layer1[:, :, oil1] = 0
    for k in range(p.o1):
        plane, slope = (0, k) if k < 16 else (2, k - 16)
        trapdoor.layer1[k, plane, oil1[k]] = 1
        trapdoor.layer1[k, plane + 1, oil1[k]] = slope
    trapdoor.layer2[:, :, oil2] = 0
    for k in range(p.o2):
        trapdoor.layer2[k, oil1[0], oil2[k]] = 1
        trapdoor.layer2[k, oil1[1], oil2[k]] = k
    return trapdoor


ATTEMPT_LIMIT_PARAMETERS = rainbow.Parameters(fields.GF16_TOWER, 4, 30, 8, "sha256")


def attempt_limit_record():
    """Signing just below, at and above the limit of 128 attempts of both loops together [RB3 §6, step 4]."""
    p = ATTEMPT_LIMIT_PARAMETERS
    messages = [f"attempt limit {index}".encode() for index in ATTEMPT_LIMIT_MESSAGES]
    return secret_key_record("attempt-limit", p, attempt_limit_trapdoor(p), messages)


def records():
    """All vectors, in the order of the file."""
    serial = 0
    for position, field in enumerate(fields.FIELDS.values()):
        for index, shape in enumerate(SHAPES[field.bits]):
            p = rainbow.Parameters(field, *shape, HASHES[(index + position) % len(HASHES)])
            for key_format in rainbow.FORMATS:
                yield seeded_record(p, key_format, serial)
                serial += 1
    yield from singular_records()
    yield attempt_limit_record()


def as_text(vectors):
    """JSON with one vector a line, so that differences can be read and simple programs can split it."""
    lines = ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in vectors)
    return '{"license":"Apache-2.0 OR MIT","made_by":"python -m model.vectors","vectors":[\n' + lines + "\n]}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", nargs="?", type=pathlib.Path, default=DEFAULT_OUTPUT, help="default: vectors.json beside the model")
    arguments = parser.parse_args()
    arguments.output.write_text(as_text(records()))


if __name__ == "__main__":
    main()
