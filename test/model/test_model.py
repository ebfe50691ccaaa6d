# SPDX-License-Identifier: Apache-2.0 OR MIT
# Checks the model itself: fields against their axioms, keys and signatures against the published answers in ../kat/.
# Run `pytest model` in test/; `-m "not slow"` leaves out levels III and V and the complete remake of vectors.json.
"""Tests of the model."""

import hashlib
import pathlib

import numpy as np
import pytest

from . import fields, rainbow, vectors
from .generator import Generator, expand_hash, nist_sequence, nist_vector_text, seeded_generator

KAT = pathlib.Path(__file__).parent.parent / "kat"
ALL_FIELDS = list(fields.FIELDS.values())
SLOW = pytest.mark.slow


def kat_lines(name):
    """The records of a file in ../kat/, split at spaces."""
    lines = (KAT / name).read_text().splitlines()
    return [line.split() for line in lines if not line.startswith("#")]


# -- fields --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ALL_FIELDS, ids=lambda field: field.name)
def test_field_axioms(field):
    elements = np.arange(field.size)
    mul = field.mul
    assert (mul == mul.T).all()
    assert (mul[1] == elements).all() and not mul[0].any()
    assert (mul[elements[1:], field.inv[1:]] == 1).all()
    for a in range(field.size):
        assert (mul[mul[a]] == mul[a][mul]).all()  # (a b) c = a (b c), all b and c at once
        assert (mul[a][elements[:, None] ^ elements[None, :]] == mul[a][:, None] ^ mul[a][None, :]).all()


def test_towers_stand_on_one_another():
    one, x, y, xy, big_x = 1, 2, 4, 8, 16
    mul = fields.GF256_TOWER.mul
    assert mul[x, x] == x ^ one
    assert mul[x, y] == xy
    assert mul[y, y] == y ^ x
    assert mul[big_x, big_x] == big_x ^ xy
    assert (mul[:16, :16] == fields.GF16_TOWER.mul).all()


def test_polynomial_fields():
    assert fields.GF16_POLYNOMIAL.mul[8, 2] == 0b0011
    assert fields.GF256_AES.mul[0x57, 0x83] == 0xC1  # the example of FIPS 197


def test_packing():
    assert fields.GF16_TOWER.pack([1, 2, 3, 4]) == bytes([0x21, 0x43])
    for field in ALL_FIELDS:
        data = bytes(range(256))
        assert field.pack(field.unpack(data)) == data
    with pytest.raises(ValueError):
        fields.GF16_TOWER.packed_bytes(3)


@pytest.mark.parametrize("field", ALL_FIELDS, ids=lambda field: field.name)
def test_inverse_matrices(field):
    random = np.random.default_rng(1)
    invertible = 0
    for _ in range(50):
        matrix = random.integers(0, field.size, (5, 5), dtype=np.uint8)
        inverse = field.inverse(matrix)
        if inverse is not None:
            invertible += 1
            assert (field.matrix_product(matrix, inverse) == np.eye(5)).all()
        matrix[3] = matrix[1] ^ matrix[4]
        assert field.inverse(matrix) is None
    assert invertible > 40


# -- generator -----------------------------------------------------------------------------------------------------------


def test_hash_expansion():
    first = hashlib.sha256(b"x").digest()
    assert expand_hash("sha256", b"x", 40) == first + hashlib.sha256(first).digest()[:8]
    assert expand_hash("sha256", b"x", 5) == first[:5]


def test_generator():
    assert seeded_generator("sha512", bytes(range(64))).draw(5) == Generator(bytes(range(48))).draw(5)
    # A draw discards the rest of its block and updates the state, so two draws are not one long one.
    once, twice = Generator(bytes(48)), Generator(bytes(48))
    together = once.draw(32)
    assert twice.draw(16) == together[:16]
    assert twice.draw(16) != together[16:]


@pytest.mark.parametrize("file", ["rainbow.kat", "uov.kat"])
def test_seeds_of_the_known_answers(file):
    seeds = {count: seed.hex() for count, seed, message in nist_sequence(100)}
    for name, count, seed, *rest in kat_lines(file):
        assert seeds[int(count)] == seed


# -- the scheme ----------------------------------------------------------------------------------------------------------

LEVELS = ["I", "I-tweaked", pytest.param("III", marks=SLOW), pytest.param("V", marks=SLOW)]


@pytest.mark.parametrize("key_format", rainbow.FORMATS)
@pytest.mark.parametrize("level", LEVELS)
def test_first_known_answer(level, key_format):
    p = rainbow.SETS[level]
    set_name, *tweaked = level.split("-")
    name = "-".join(["rainbow", set_name, key_format, *tweaked])
    count, seed, message = next(nist_sequence(1))
    public_key, secret_key = rainbow.generate_keys_from_random(p, key_format, Generator(seed).draw)
    signature = rainbow.sign(p, key_format, secret_key, message)
    assert rainbow.verify(p, key_format, public_key, message, signature)

    text = nist_vector_text(count, seed, message, public_key, secret_key, signature)
    published = [(function, value) for n, function, value in kat_lines("first-vector-hashes.txt") if n == name]
    assert published
    for function, value in published:
        assert hashlib.new(function.replace("sha3-256", "sha3_256"), text).hexdigest() == value

    if level != "I-tweaked":
        line = next(line for line in kat_lines("rainbow.kat") if line[:2] == [name, "0"])
        digests = [hashlib.sha256(key).hexdigest() for key in (public_key, secret_key)]
        assert line[2:] == [seed.hex(), *digests, signature.hex()]


@pytest.mark.parametrize("key_format", rainbow.FORMATS)
@pytest.mark.parametrize("level", [pytest.param(level, marks=SLOW) for level in ("I", "III", "V")])
def test_second_known_answer(level, key_format):
    p = rainbow.SETS[level]
    count, seed, message = list(nist_sequence(2))[1]
    public_key, secret_key = rainbow.generate_keys_from_random(p, key_format, Generator(seed).draw)
    signature = rainbow.sign(p, key_format, secret_key, message)
    line = next(line for line in kat_lines("rainbow.kat") if line[:2] == [f"rainbow-{level}-{key_format}", "1"])
    digests = [hashlib.sha256(key).hexdigest() for key in (public_key, secret_key)]
    assert line[2:] == [seed.hex(), *digests, signature.hex()]


SMALL = [
    rainbow.Parameters(field, *shape, "sha256")
    for field in ALL_FIELDS
    for shape in ((4, 2, 2), (2, 2, 6), (8, 6, 4))
] + [rainbow.Parameters(fields.GF256_TOWER, 7, 1, 3, "sha384")]


@pytest.mark.parametrize("p", SMALL, ids=str)
def test_seeded_public_blocks_come_back(p):
    """The public map made from F has exactly the blocks that pk_seed stands for [RB3 §5, step 4]."""
    pk_seed = bytes(range(32))
    trapdoor = rainbow.generate_trapdoor(p, "compressed", bytes(32), pk_seed)
    layer1, layer2 = rainbow.public_map(p, trapdoor)
    drawn1, drawn2 = rainbow.draw_public_blocks(p, pk_seed)
    assert (rainbow.keep_blocks(p, layer1, rainbow.LAYER1_BLOCKS) == drawn1).all()
    assert (rainbow.keep_blocks(p, layer2, rainbow.LAYER2_BLOCKS) == drawn2).all()


@pytest.mark.parametrize("p", SMALL, ids=str)
def test_public_map_is_the_composition(p):
    """P(w) = S(F(T(w))) at a point, and T⁻¹ inverts T [RB3 §4]."""
    trapdoor = rainbow.generate_trapdoor(p, "classic", bytes(32))
    w = np.random.default_rng(2).integers(0, p.field.size, p.n, dtype=np.uint8)
    x = p.field.matrix_vector(trapdoor.t(p), w)
    assert (p.field.matrix_vector(trapdoor.t_inverse(p), x) == w).all()
    y1, y2 = rainbow.evaluate(p, trapdoor.layer1, x), rainbow.evaluate(p, trapdoor.layer2, x)
    z = np.concatenate([y1 ^ p.field.matrix_vector(trapdoor.s1, y2), y2])
    assert (rainbow.evaluate(p, np.concatenate(rainbow.public_map(p, trapdoor)), w) == z).all()


@pytest.mark.parametrize("key_format", rainbow.FORMATS)
@pytest.mark.parametrize("p", SMALL, ids=str)
def test_round_trips(p, key_format):
    pk_seed = None if key_format == "classic" else bytes(32)
    public_key, secret_key = rainbow.generate_keys(p, key_format, b"\x01" * 32, pk_seed)
    assert rainbow.public_key_from_secret_key(p, key_format, secret_key, pk_seed) == public_key
    trapdoor = rainbow.read_secret_key(p, key_format, secret_key)
    assert rainbow.write_secret_key(p, key_format, trapdoor, pk_seed) == secret_key
    signature = rainbow.sign(p, key_format, secret_key, b"")
    assert rainbow.verify(p, key_format, public_key, b"", signature)
    with pytest.raises(ValueError):
        rainbow.verify(p, key_format, public_key + b"\0", b"", signature)
    with pytest.raises(ValueError):
        rainbow.verify(p, key_format, public_key[:-1], b"", signature)


def test_odd_counts_over_gf16_are_refused():
    for shape in ((3, 2, 2), (4, 1, 2), (4, 2, 3)):
        with pytest.raises(ValueError):
            rainbow.Parameters(fields.GF16_TOWER, *shape, "sha256")


# -- vectors.json --------------------------------------------------------------------------------------------------------


def test_attempt_limit():
    """127 attempts succeed, 128 do not, whichever loop the last one belongs to [RB3 §6, step 4]."""
    outcomes = [
        (entry["vinegar_draws"], entry["salt_draws"], entry["signature"] is not None)
        for entry in vectors.attempt_limit_record()["sign"]
    ][1:]
    assert outcomes == [(126, 1, True), (125, 2, True), (127, 1, False), (126, 2, False), (128, 0, False), (127, 1, False)]


@SLOW
def test_vectors_are_current():
    assert vectors.as_text(vectors.records()) == vectors.DEFAULT_OUTPUT.read_text()
