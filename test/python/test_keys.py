# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys in files and memory: PEM, DER, passphrases, exchange with the tool, what must not be done with secrets."""

import copy
import os
import pickle
import re
import stat
import subprocess
import sys

import pytest

import moonbow
from moonbow import KeyFormatError, PassphraseError, PublicKey, SecretKey

# ---- Encodings ------------------------------------------------------------------------------------


def test_pem_and_der(key):
    for encoded in (key.to_pem(), key.to_der()):
        for read in (SecretKey.from_pem, SecretKey.from_der):
            assert read(encoded).to_bytes() == key.to_bytes()
            assert read(memoryview(encoded)).algorithm is key.algorithm
    for encoded in (key.public_key.to_pem(), key.public_key.to_der()):
        for read in (PublicKey.from_pem, PublicKey.from_der):
            assert read(encoded) == key.public_key
    assert key.to_pem().startswith(b"-----BEGIN PRIVATE KEY-----\n")
    assert key.public_key.to_pem().startswith(b"-----BEGIN PUBLIC KEY-----\n")


def test_public_key_of_a_key_that_was_read(key):
    again = SecretKey.from_pem(key.to_pem())
    assert again.public_key == key.public_key
    assert again.public_key is again.public_key
    assert again.prepare().public_key == key.public_key


def test_passphrase(keys):
    key = keys["uov-Is-pkc-skc"]
    pem, der = key.to_pem("Mondschein – é"), key.to_der("Mondschein – é".encode())
    assert pem.startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
    for encoded in (pem, der):
        assert SecretKey.from_pem(encoded, "Mondschein – é").to_bytes() == key.to_bytes()
        with pytest.raises(PassphraseError, match="passphrase is needed"):
            SecretKey.from_pem(encoded)
        with pytest.raises(PassphraseError, match="does not open"):
            SecretKey.from_pem(encoded, bytearray(b"other"))
    for wrong in ("", "x" * 1025):
        with pytest.raises(ValueError, match="1 to 1024"):
            key.to_pem(wrong)
    with pytest.raises(TypeError):
        key.to_pem(7)


def damaged_encodings(key):
    pem, der = key.to_pem(), key.to_der()
    yield b"", "empty"
    yield b"nothing of the kind", "neither"
    yield pem[: len(pem) // 2], "cut off or damaged"
    yield der[:-1], "does not decode"
    yield der + b"\0", "1 more byte"
    yield pem + b"x", "1 more byte"
    yield pem.replace(b"A", b"*"), "damaged"
    yield b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "found CERTIFICATE"
    yield key.public_key.to_pem(), "expected a secret key, found a public key"
    yield bytes(9 << 20), "longer than any key file"


def test_damaged_encodings(keys):
    for encoded, fragment in damaged_encodings(keys["rainbow-I-compressed"]):
        with pytest.raises(KeyFormatError, match=fragment):
            SecretKey.from_pem(encoded)


def test_secret_where_public_belongs(key):
    with pytest.raises(KeyFormatError, match="expected a public key, found a secret key"):
        PublicKey.from_pem(key.to_pem())


def test_raw_keys_of_wrong_lengths(key):
    name = str(key.algorithm)
    for made, kind in ((key, SecretKey), (key.public_key, PublicKey)):
        raw = made.to_bytes()
        for wrong in (b"", raw[1:], raw + b"\0"):
            with pytest.raises(ValueError, match=f"{len(raw)} bytes, found {len(wrong)}"):
                kind.from_bytes(name, wrong)


def test_damaged_secret_key(keys):
    raw = bytearray(keys["uov-Is"].to_bytes())
    raw[-1] ^= 1
    with pytest.raises(KeyFormatError):
        SecretKey.from_bytes("uov-Is", raw).public_key


# ---- Files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["pem", "der"])
def test_files(key, tmp_path, form):
    secret, public = tmp_path / "kéy", tmp_path / "key.pub"
    key.save(secret, form=form)
    key.public_key.save(str(public), form=form)
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert SecretKey.load(os.fsencode(secret)).public_key == PublicKey.load(public) == key.public_key
    for made, path in ((key, secret), (key.public_key, public)):
        before = path.read_bytes()
        assert before == getattr(made, f"to_{form}")()
        with pytest.raises(FileExistsError, match=re.escape(str(path))):
            made.save(path)
        assert path.read_bytes() == before
        made.save(path, form="der", overwrite=True)
        assert path.read_bytes() == made.to_der()
    assert sorted(os.listdir(tmp_path)) == ["key.pub", "kéy"]


def test_files_that_cannot_be(keys, tmp_path):
    key = keys["uov-Is-pkc-skc"]
    with pytest.raises(OSError, match="No such file"):
        SecretKey.load(tmp_path / "none")
    with pytest.raises(OSError):
        key.save(tmp_path / "no folder" / "key")
    with pytest.raises(ValueError, match="'pem' or 'der'"):
        key.save(tmp_path / "key", form="PEM")
    with pytest.raises(ValueError):
        key.save("a\0b")
    (tmp_path / "bad").write_text("bad")
    with pytest.raises(KeyFormatError, match="bad: expected a secret key in PEM or DER"):
        SecretKey.load(tmp_path / "bad")
    assert os.listdir(tmp_path) == ["bad"]


def test_exchange_with_the_tool(key, tool, tmp_path):
    (tmp_path / "message").write_bytes(b"message")
    assert tool("keygen", str(key.algorithm), "-o", "theirs") == 0
    assert tool("sign", "-k", "theirs", "message") == 0
    theirs = SecretKey.load(tmp_path / "theirs")
    public = PublicKey.load(tmp_path / "theirs.pub")
    assert theirs.public_key == public
    public.verify((tmp_path / "message.sig").read_bytes(), b"message")

    key.save(tmp_path / "ours", "secret of ours")
    key.public_key.save(tmp_path / "ours.pub", form="der")
    (tmp_path / "passphrase").write_text("secret of ours\n")
    (tmp_path / "message.sig").write_bytes(key.sign(b"message"))
    assert tool("verify", "-p", "ours.pub", "message") == 0
    assert tool("verify", "-p", "theirs.pub", "message") == 1
    os.remove(tmp_path / "message.sig")
    assert tool("sign", "-k", "ours", "--passphrase-file", "passphrase", "message") == 0
    key.public_key.verify((tmp_path / "message.sig").read_bytes(), b"message")


# ---- Objects --------------------------------------------------------------------------------------


def test_secrets_stay_where_they_are(key):
    signer = key.signer()
    for action in (pickle.dumps, copy.copy, copy.deepcopy):
        for secret in (key, key._key, signer):
            with pytest.raises(TypeError):
                action(secret)
    assert repr(key) == str(key) == f"<moonbow.SecretKey {key.algorithm}>"
    assert not hasattr(key, "__dict__")


def test_public_keys_are_values(key):
    public = key.public_key
    for again in (pickle.loads(pickle.dumps(public)), copy.copy(public), copy.deepcopy(public), public.prepare(),
                  pickle.loads(pickle.dumps(public.prepare()))):
        assert again == public and hash(again) == hash(public)
        again.verify(key.sign(b"message"), b"message")
    assert public != moonbow.generate(key.algorithm).public_key
    assert public != "key" and public != key
    assert repr(public) == f"<moonbow.PublicKey {key.algorithm} SHA256:{public.fingerprint().hex()[:16]}>"


def test_objects_are_made_by_their_makers(key):
    for kind in (PublicKey, SecretKey, moonbow.Signer, moonbow.Verifier, type(key._key), type(key.signer()._stream)):
        with pytest.raises(TypeError):
            kind()
    for kind in (type(key._key), type(key.signer()._stream)):
        with pytest.raises(TypeError):
            kind.__new__(kind)


def test_core_checks_kinds(key):
    """The private module is as safe as the public one."""
    secret, public = key._key, key.public_key._key
    for call in (lambda: public.sign(b""), lambda: secret.verify(b"", b""), lambda: secret.verify_batch([]), public.begin_sign,
                 lambda: secret.begin_verify(b""), public.derive_public, lambda: secret.sign_checked(b"", secret),
                 lambda: secret.sign_checked(b"", None), lambda: secret.verify(b""), lambda: public.verify_batch(())):
        with pytest.raises((TypeError, SystemError)):
            call()
    with pytest.raises(KeyFormatError):
        secret.digest()
    other = moonbow.generate("uov-Ip-pkc").public_key._key
    with pytest.raises(KeyFormatError):
        secret.sign_checked(b"", other)


# ---- Memory ---------------------------------------------------------------------------------------

CHILD = """
import gc, sys, moonbow
def wait(word):
    print(word, flush=True)
    sys.stdin.readline()
key = moonbow.SecretKey.load("key", "passphrase" if "-e" in sys.argv else None)
prepared = key.prepare()
assert len(prepared.sign(b"message", check=True)) == len(key.sign(b"message"))
signer = key.signer()
signer.update(b"message")
signer.finish()
wait("held")
del key, prepared, signer
gc.collect()
wait("released")
"""


def found_in_memory(process, pieces):
    """How many of these pieces are somewhere in the process's memory."""
    found = set()
    with open(f"/proc/{process.pid}/maps") as maps, open(f"/proc/{process.pid}/mem", "rb", buffering=0) as memory:
        for line in maps:
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            if line.split()[1].startswith("rw") and "[vv" not in line:
                memory.seek(start)
                contents = memory.read(end - start)
                found |= {piece for piece in pieces if piece in contents}
    return len(found)


@pytest.mark.parametrize("encrypted", [False, True])
@pytest.mark.parametrize("name", ["rainbow-I-compressed", "rainbow-I-classic", "uov-Is-pkc"])
def test_secret_keys_are_wiped(keys, name, tmp_path, encrypted):
    """Pieces of the secret key, raw and as PEM, are in the memory of a process that holds it, and gone once it is released."""
    key = keys.get(name) or moonbow.generate(name)
    key.save(tmp_path / "key", "passphrase" if encrypted else None)
    raw, text = key.to_bytes()[: key.algorithm.secret_key_bytes], key.to_pem().split(b"\n")[1:-2]
    pieces = [raw[at : at + 24] for at in range(0, len(raw) - 23, max(24, len(raw) // 64))]
    lines = [line[:24] for line in text[:: max(1, len(text) // 64)]]
    child = subprocess.Popen([sys.executable, "-W", "ignore", "-c", CHILD, *(["-e"] if encrypted else [])], cwd=tmp_path,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with child:
        assert child.stdout.readline() == b"held\n"
        assert found_in_memory(child, pieces) == len(pieces)
        child.stdin.write(b"\n")
        child.stdin.flush()
        assert child.stdout.readline() == b"released\n"
        assert found_in_memory(child, pieces) == 0
        assert found_in_memory(child, lines) == 0
        child.stdin.write(b"\n")
        child.stdin.flush()
    assert child.returncode == 0
