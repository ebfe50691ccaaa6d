# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Signing and verifying: known answers, all sets, buffers of all sorts, streams, batches."""

import array
import hashlib
import io
import mmap

import pytest
from conftest import SOME, TEST

import moonbow
from moonbow import Algorithm, InvalidSignature, PublicKey, SecretKey

# ---- Known answers --------------------------------------------------------------------------------


def known_answers():
    for file in ("rainbow.kat", "uov.kat"):
        for line in (TEST / "kat" / file).read_text().splitlines():
            if not line.startswith("#"):
                name, count, *rest = line.split()
                yield name, int(count), *map(bytes.fromhex, rest)


def nist_sequence(counts):
    """Seed and message of each count [test/kat/README.md], and NIST's generator."""
    from model.generator import Generator  # needs a package that not every Python has

    outer = Generator(bytes(range(48)))
    return [(outer.draw(48), outer.draw(33 * (count + 1))) for count in range(counts)], Generator


def test_known_answers():
    """Keys from the seeds of the known answers, whose signatures verify; both are those of the files. (What draws
    while it signs has its known answers in the tests of the library: the package lets nobody choose what is drawn.)"""
    (sequence, Generator), seen = nist_sequence(100), set()
    for name, count, seed, public_hash, secret_hash, signature in known_answers():
        expected_seed, message = sequence[count]
        assert seed == expected_seed
        if count > 1 and count < 10:  # the library's own tests take all
            continue
        algorithm, draws = Algorithm(name), Generator(seed)
        key = moonbow.generate(algorithm, seed=b"".join(draws.draw(32) for _ in range(algorithm.seed_bytes // 32)))
        assert hashlib.sha256(key.public_key.to_bytes()).digest() == public_hash
        assert hashlib.sha256(key.to_bytes()[: algorithm.secret_key_bytes]).digest() == secret_hash
        key.public_key.verify(signature, message)
        with pytest.raises(InvalidSignature):
            key.public_key.verify(signature, message + b"x")
        seen.add(name)
    assert seen >= {str(a) for a in Algorithm if not str(a).endswith("tweaked")}


# ---- All sets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", list(Algorithm), ids=str)
def test_round_trip(algorithm):
    key = moonbow.generate(algorithm)
    public = key.public_key
    message = b"message of " + str(algorithm).encode()
    for signing in (key, key.prepare()):
        signature = signing.sign(message)
        assert len(signature) == algorithm.signature_bytes
        for verifying in (public, public.prepare()):
            verifying.verify(signature, message)
            with pytest.raises(InvalidSignature):
                verifying.verify(signature, message[1:])
    changed = bytearray(signature)
    for position in (0, len(changed) // 2, len(changed) - 1):
        changed[position] ^= 1
        with pytest.raises(InvalidSignature):
            public.verify(changed, message)
        changed[position] ^= 1
    assert PublicKey.from_bytes(algorithm, public.to_bytes()) == public
    assert SecretKey.from_bytes(algorithm, key.to_bytes()).public_key == public
    assert len(public.to_bytes()) == algorithm.public_key_bytes
    assert len(key.to_bytes()) == algorithm.secret_key_bytes + algorithm.public_seed_bytes


def test_seed():
    algorithm = Algorithm.UOV_IS_PKC_SKC
    seed = bytes(range(algorithm.seed_bytes))
    assert moonbow.generate(algorithm, seed=seed).public_key == moonbow.generate(algorithm, seed=bytearray(seed)).public_key
    assert moonbow.generate(algorithm).public_key != moonbow.generate(algorithm).public_key
    for wrong in (b"", seed[1:], seed + b"x"):
        with pytest.raises(ValueError, match=f"{algorithm.seed_bytes} bytes, found {len(wrong)}"):
            moonbow.generate(algorithm, seed=wrong)


# ---- Lengths, types, buffers ----------------------------------------------------------------------


def test_signature_of_a_wrong_length(key):
    signature = key.sign(b"message")
    for wrong in (b"", signature[:-1], signature + b"\0"):
        with pytest.raises(InvalidSignature):
            key.public_key.verify(wrong, b"message")
        with pytest.raises(InvalidSignature):
            key.public_key.verifier(wrong)


def buffers_of(data, path):
    path.write_bytes(data)
    with open(path, "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    padded = memoryview(b"-" + data + b"-")
    return [bytearray(data), memoryview(data), padded[1:-1], mapped, array.array("B", data), array.array("H", data),
            memoryview(data).cast("B", (2, len(data) // 2)), io.BytesIO(data).getbuffer()]


def test_buffers(key, tmp_path):
    message = bytes(range(256)) * 3
    signature = key.sign(message)
    for buffer in buffers_of(message, tmp_path / "message"):
        key.public_key.verify(signature, buffer)
        key.public_key.verify(key.sign(buffer), message)
        stream = key.public_key.verifier(signature)
        stream.update(buffer)
        stream.finish()
    for buffer in buffers_of(signature, tmp_path / "signature"):
        key.public_key.verify(buffer, message)
        assert key.public_key.verify_many([(buffer, message)]) == [True]


def test_what_is_no_buffer(key):
    signature = key.sign(b"")
    for wrong in ("text", None, 7, [1, 2]):
        for call in (key.sign, lambda m: key.sign(m, check=True), key.signer().update, key.public_key.verifier,
                     lambda m: key.public_key.verify(signature, m), lambda s: key.public_key.verify(s, b""),
                     lambda m: key.public_key.verify_many([(signature, m)])):
            with pytest.raises(TypeError):
                call(wrong)


def test_buffers_with_gaps_are_refused(key):
    signature = key.sign(b"\1\2\3\4")
    gaps = memoryview(b"\1-\2-\3-\4-")[::2]
    backwards = memoryview(b"\4\3\2\1")[::-1]
    for wrong in (gaps, backwards):
        for call in (key.sign, key.signer().update, lambda m: key.public_key.verify(signature, m),
                     lambda m: key.public_key.verify_many([(signature, m)])):
            with pytest.raises(BufferError):
                call(wrong)


def test_buffers_are_let_go(key):
    message = bytearray(b"message")
    signature = bytearray(key.sign(message))
    key.public_key.verify(signature, message)
    key.public_key.verify_many([(signature, message), (signature, b"")])
    with pytest.raises(TypeError):
        key.public_key.verify_many([(signature, message), (signature, None)])
    with pytest.raises(TypeError):
        key.public_key.verify(signature, None)
    key.public_key.verifier(signature).update(message)
    message.append(0)  # a BufferError if anybody held it
    signature.append(0)


def test_empty_and_long_messages(key):
    for message in (b"", b"x", bytes(3_000_001)):
        key.public_key.verify(key.sign(message), message)


# ---- Checked signing ------------------------------------------------------------------------------


def test_checked(key):
    message = b"message"
    for signing in (key, key.prepare()):
        key.public_key.verify(signing.sign(message, check=True), message)


def test_checked_signing_with_a_damaged_key():
    key = moonbow.generate("rainbow-I-classic")
    raw = bytearray(key.to_bytes())
    for i in range(len(raw) // 4, 3 * len(raw) // 4):  # so much that it shows in every signature
        raw[i] ^= i * i % 251 + 1
    damaged = SecretKey.from_bytes(key.algorithm, raw)
    damaged._public = key.public_key  # as if the public key had been stored
    with pytest.raises(moonbow.OperationError):
        damaged.sign(b"message", check=True)


# ---- Streams --------------------------------------------------------------------------------------


@pytest.mark.parametrize("pieces", [[], [0], [1], [5000], [1, 2, 3, 4096, 0, 10000], [100] * 50])
def test_streams(key, pieces):
    message = bytes(i % 251 for i in range(sum(pieces)))
    signer = key.signer()
    verifiers = [key.public_key.verifier(key.sign(message)), key.public_key.prepare().verifier(key.sign(message))]
    at = 0
    for piece in pieces:
        for stream in (signer, *verifiers):
            stream.update(message[at : at + piece])
        at += piece
    key.public_key.verify(signer.finish(), message)
    for verifier in verifiers:
        assert verifier.finish() is None


def test_stream_of_a_changed_message(key):
    verifier = key.public_key.verifier(key.sign(b"message"))
    verifier.update(b"massage")
    with pytest.raises(InvalidSignature):
        verifier.finish()


def test_streams_end_once(key):
    signer = key.signer()
    signature = signer.finish()
    verifier = key.public_key.verifier(signature)
    verifier.finish()
    for stream in (signer, verifier):
        for call in (stream.finish, lambda s=stream: s.update(b"more")):
            with pytest.raises(ValueError, match="finished"):
                call()


def test_files(key, tmp_path):
    path = tmp_path / "message"
    path.write_bytes(bytes(range(256)) * 4096)
    signer = key.signer()
    with open(path, "rb") as file:
        signer.update_from(file)
    signature = signer.finish()
    key.public_key.verify(signature, path.read_bytes())
    verifier = key.public_key.verifier(signature)
    with open(path, "rb", buffering=0) as file:
        assert file.read(1000) == path.read_bytes()[:1000]
        verifier.update(path.read_bytes()[:1000])
        verifier.update_from(file)  # the rest
    verifier.finish()


def test_abandoned_streams(key):
    """Neither scratch memory nor a half-hashed message stays with the key."""
    for _ in range(200):
        key.signer().update(b"abandoned")
        key.public_key.verifier(bytes(key.algorithm.signature_bytes)).update(b"abandoned")
    key.public_key.verify(key.sign(b"message"), b"message")


# ---- Many -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 2, 63, 64, 65, 128, 129, 300])
@pytest.mark.parametrize("threads", [None, 1, 3])
def test_verify_many(keys, count, threads):
    key = keys["rainbow-I-circumzenithal"]
    public = key.public_key.prepare() if count % 2 else key.public_key
    pairs = [(key.sign(b"%d" % i), b"%d" % i) for i in range(count)]
    expected = [True] * count
    for bad in range(0, count, 7):
        pairs[bad] = (pairs[bad][0], b"another") if bad % 2 else (pairs[bad][0][1:], pairs[bad][1])
        expected[bad] = False
    assert public.verify_many(iter(pairs), threads=threads) == expected


@pytest.mark.parametrize("name", SOME)
def test_verify_many_of_each_format(keys, name):
    key = keys[name]
    pairs = [(key.sign(b"%d" % i), b"%d" % (i - i % 5)) for i in range(40)]
    assert key.public_key.verify_many(pairs) == [i % 5 == 0 for i in range(40)]


def test_verify_many_of_what_is_no_pair(key):
    signature = key.sign(b"")
    for wrong, error in (([b"no pair"], ValueError), ([b"no"], TypeError), ([(signature,)], ValueError), ([(signature, b"", b"")], ValueError), ([7], TypeError),
                         (7, TypeError)):
        with pytest.raises(error):
            key.public_key.verify_many(wrong)
    for threads in (0, -1):
        with pytest.raises(ValueError):
            key.public_key.verify_many([], threads=threads)
