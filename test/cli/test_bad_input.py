# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One test for each row of the table in docs/guide/command-line.md ("What can go wrong").

Each checks for exactly one message, the status, and that no file appeared, changed or vanished.
"""

import contextlib
import hashlib
import os
import pathlib
import pty
import resource
import shutil
import signal
import subprocess
import time

import der
import pytest

CLASSIC = "rainbow-I-classic"
PUBLIC = CLASSIC + ".pub"
DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "guide" / "command-line.md"
ROWS = {}


def row(case):
    """Marks the test of a row."""

    def mark(test):
        ROWS.setdefault(case, test)
        return test

    return mark


def documented_rows():
    """case -> (message, status) of the table."""
    lines = DOCUMENT.read_text().split("\n## What can go wrong\n")[1].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return {case: (message, int(status)) for case, _, message, status in cells[2:]}


def test_every_row_has_a_test():
    assert set(ROWS) == set(documented_rows())


def refused(result, case, *fragments):
    """Ended as the table says. The message's parts between ellipses must all be there."""
    message, status = documented_rows()[case]
    parts = [part for part in message.split("…") if part.strip()]
    return result.bad(*parts, *fragments, status=status)


@pytest.fixture
def files(bench, keys):
    """A directory with a key pair, a file and its signature."""
    bench.use(keys, CLASSIC)
    bench.write("file", b"message")
    bench.run("sign", "-k", CLASSIC, "file").good()
    return bench


@contextlib.contextmanager
def unchanged(bench):
    before = bench.contents()
    yield
    assert bench.contents() == before


def refuse_public_key(bench, case, contents, *fragments):
    """A bad public key is refused by verify and by info with the same message."""
    bench.write("k", contents)
    with unchanged(bench):
        refused(bench.run("verify", "-p", "k", "file"), case, "k: ", *fragments)


# ---- Keys -------------------------------------------------------------------------------------------


@row("wrong-key-length")
@pytest.mark.parametrize("change", [-161600, -1, 1, 60192 - 161600])
def test_wrong_key_length(files, change):
    key = der.public_key_info(der.OIDS[CLASSIC], bytes(161600 + change))
    refuse_public_key(files, "wrong-key-length", der.pem("PUBLIC KEY", key), f"found {161600 + change}")


@pytest.mark.parametrize(
    "name, length",
    [
        (CLASSIC, 103647),
        (CLASSIC, 103648 + 32),
        ("rainbow-I-circumzenithal", 103648),
        ("rainbow-III-compressed", 64 + 264608),
    ],
)
def test_wrong_secret_key_length(files, name, length):
    """Under our own identifiers only our own layout is read."""
    files.write("k", der.pem("PRIVATE KEY", der.private_key_info(der.OIDS[name], bytes(length))))
    with unchanged(files):
        files.run("sign", "-k", "k", "file", "-o", "s").bad("k: expected a " + name, f"found {length}")


@row("pem-truncated")
@pytest.mark.parametrize("part", [0.0002, 0.5, 0.9999])
def test_pem_truncated(files, part):
    contents = files.read(PUBLIC)
    refuse_public_key(files, "pem-truncated", contents[: int(len(contents) * part)])


@row("pem-damaged")
@pytest.mark.parametrize("byte", [b"*", b"=", b"\0"])
def test_pem_damaged(files, byte):
    contents = files.read(PUBLIC)
    refuse_public_key(files, "pem-damaged", contents[:5000] + byte + contents[5001:])


def test_pem_with_another_end(files):
    files.write("k", files.read(PUBLIC).replace(b"END PUBLIC", b"END PRIVATE"))
    files.run("info", "k").bad("k: ", "cut off or damaged")


@row("pem-padded")
@pytest.mark.parametrize("padding", [b"x", b"\0" * 100, b"\n\n\n-----BEGIN PUBLIC KEY-----\n"])
def test_pem_padded(files, padding):
    refuse_public_key(files, "pem-padded", files.read(PUBLIC) + padding)


@row("der-truncated")
@pytest.mark.parametrize("length", [0, 1, 30, 100, 161600])
def test_der_truncated(files, length):
    _, key = der.from_pem(files.read(PUBLIC))
    contents = der.pem("PUBLIC KEY", key[:length])
    files.write("k", contents)
    with unchanged(files):
        files.run("verify", "-p", "k", "file").bad("k: ", "cut off or damaged")
    if length:
        refuse_public_key(files, "der-truncated", contents)
        refuse_public_key(files, "der-truncated", key[:length])


@row("der-padded")
def test_der_padded(files):
    _, key = der.from_pem(files.read(PUBLIC))
    refuse_public_key(files, "der-padded", der.pem("PUBLIC KEY", key + b"\0\0"), "found 2 more")
    refuse_public_key(files, "der-padded", key + b"\0\0", "found 2 more")
    _, key = der.from_pem(files.read(CLASSIC))
    files.write("k", der.pem("PRIVATE KEY", key + b"\0\0"))
    files.run("sign", "-k", "k", "file", "-o", "s").bad("expected the end of the secret key, found 2 more")


def test_unused_bits(files):
    files.write(
        "k", der.pem("PUBLIC KEY", der.public_key_info(der.OIDS[CLASSIC], bytes(161600), unused_bits=3))
    )
    files.run("verify", "-p", "k", "file").bad("k: expected a public key of whole bytes, found 3 unused bits")


@row("not-pem")
@pytest.mark.parametrize("contents", [b"\0", b"x" * 161600, b"-----BEGIN\n", b"PUBLIC KEY\n" * 10])
def test_not_pem(files, contents):
    refuse_public_key(files, "not-pem", contents, f"found {len(contents)} bytes")


@row("empty-key")
def test_empty_key(files):
    refuse_public_key(files, "empty-key", b"")


@row("key-too-large")
def test_key_too_large(files):
    refuse_public_key(files, "key-too-large", files.read(PUBLIC) + b"\n" * (8 << 20))


@row("other-pem")
def test_other_pem(files):
    refuse_public_key(files, "other-pem", der.pem("CERTIFICATE", b"\x30\0"))


@row("old-encryption")
def test_old_encryption(files):
    headers = b"Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n"
    headers = b"-----BEGIN PRIVATE KEY-----\n" + headers + b"AAAA\n-----END PRIVATE KEY-----\n"
    files.write("k", headers)
    with unchanged(files):
        refused(files.run("sign", "-k", "k", "file", "-o", "s"), "old-encryption", "k: ")


@pytest.fixture(scope="session")
def encrypted(tmp_path_factory, keys):
    """PEM of an encrypted key; its passphrase is in the file `passphrase` of `locked`."""
    from conftest import Bench

    bench = Bench(tmp_path_factory.mktemp("encrypted"))
    bench.write("passphrase", b"moonlight\n")
    bench.run("keygen", "uov-Is-pkc-skc", "-o", "k", "--encrypt", "--passphrase-file", "passphrase").good()
    return bench.read("k")


@pytest.fixture
def locked(bench, encrypted):
    """A directory with an encrypted key k, its passphrase and a file."""
    bench.write("k", encrypted)
    bench.write("passphrase", b"moonlight\n")
    bench.write("file", b"message")
    return bench


def sign_locked(bench, passphrase_file="passphrase"):
    return bench.run("sign", "-k", "k", "--passphrase-file", passphrase_file, "file")


@row("unknown-encryption")
@pytest.mark.parametrize(
    "encryption, name",
    [
        (der.tlv(0x30, der.oid("1.2.840.113549.1.12.1.3") + der.tlv(0x30, b"")), "pbeWithSHA1And3-KeyTripleDES-CBC"),
        (der.pbes2("1.2.3.4", b""), "1.2.3.4"),
        (der.pbes2(der.PBKDF2, der.pbkdf2_parameters(b"salt", 1000), "1.2.840.113549.3.7"), "des-ede3-cbc"),
        (der.tlv(0x30, der.oid("2.999." + ".".join(["4294967296"] * 30))), "2.999.4294967296"),
    ],
)
def test_unknown_encryption(locked, encryption, name):
    for contents in (
        der.encrypted_info(encryption, bytes(16)),
        der.pem("ENCRYPTED PRIVATE KEY", der.encrypted_info(encryption, bytes(16))),
    ):
        locked.write("k", contents)
        with unchanged(locked):
            refused(sign_locked(locked), "unknown-encryption", "k: ", name)


@row("too-much-work")
@pytest.mark.parametrize(
    "derivation, parameters",
    [
        (der.SCRYPT, der.scrypt_parameters(b"salt", 1 << 15, 8, 1)),  # a little more than 32 MiB
        (der.SCRYPT, der.scrypt_parameters(b"salt", 1 << 14, 8, 129)),
        (der.SCRYPT, der.scrypt_parameters(b"salt", 1 << 14, 1 << 31, 1 << 31)),
        (der.SCRYPT, der.scrypt_parameters(b"salt", 1 << 40, 8, 1)),
        (der.SCRYPT, der.scrypt_parameters(b"salt", 1000, 8, 1)),
        (der.SCRYPT, der.scrypt_parameters(b"salt", 0, 8, 1)),
        (der.SCRYPT, b"\x05\0"),
        (der.PBKDF2, der.pbkdf2_parameters(b"salt", 10000001)),
        (der.PBKDF2, der.pbkdf2_parameters(b"salt", 1 << 64)),
        (der.PBKDF2, der.pbkdf2_parameters(b"salt", 0)),
        (der.PBKDF2, der.octet_string(b"salt") + der.tlv(2, b"\xff")),
        (der.PBKDF2, b""),
    ],
)
def test_too_much_work(locked, derivation, parameters):
    locked.write("k", der.encrypted_info(der.pbes2(derivation, parameters), bytes(16)))
    start = time.monotonic()
    with unchanged(locked):
        refused(sign_locked(locked), "too-much-work", "k: ")
    assert time.monotonic() - start < 30


@row("encrypted-truncated")
@pytest.mark.parametrize("length", [-1, 100, 20])
def test_encrypted_truncated(locked, encrypted, length):
    _, info = der.from_pem(encrypted)
    for contents in (der.pem("ENCRYPTED PRIVATE KEY", info[:length]), info[:length]):
        locked.write("k", contents)
        with unchanged(locked):
            run = sign_locked(locked)
            if contents[:1] == b"-" or length != 20:
                refused(run, "encrypted-truncated", "k: ")
            else:
                run.bad("k: expected the DER structure of a secret key")  # not enough left to tell


@row("encrypted-padded")
def test_encrypted_padded(locked, encrypted):
    _, info = der.from_pem(encrypted)
    for contents in (der.pem("ENCRYPTED PRIVATE KEY", info + b"\0"), info + b"\0"):
        locked.write("k", contents)
        with unchanged(locked):
            refused(sign_locked(locked), "encrypted-padded", "k: ", "found 1 more")


@row("wrong-passphrase")
def test_wrong_passphrase(locked, encrypted):
    _, info = der.from_pem(encrypted)
    for passphrase in (b"moonlighT", b"moonligh", b"moonlight ", b"x" * 1024):
        locked.write("wrong", passphrase)
        with unchanged(locked):
            refused(sign_locked(locked, "wrong"), "wrong-passphrase", "k: ")
            refused(locked.run("info", "k", "--passphrase-file", "wrong"), "wrong-passphrase", "k: ")
            refused(locked.run("public", "k", "-o", "p", "--passphrase-file", "wrong"), "wrong-passphrase", "k: ")
    locked.write("k", info[:-1] + bytes([info[-1] ^ 1]))
    refused(sign_locked(locked), "wrong-passphrase", "k: ")


def test_wrong_passphrase_with_good_padding(locked):
    """One wrong passphrase in some hundred leaves the padding of CBC as if it were right: the same message."""
    salt, iv = bytes(8), bytes(16)
    key = hashlib.pbkdf2_hmac("sha256", b"moonlight", salt, 1, 32)
    for plaintext in (b"", b"\x30", bytes(100), der.tlv(0x30, der.integer(0))):
        encryption = der.pbes2(der.PBKDF2, der.pbkdf2_parameters(salt, 1), iv=iv)
        locked.write("k", der.encrypted_info(encryption, der.aes_cbc("-e", key, iv, plaintext)))
        with unchanged(locked):
            refused(sign_locked(locked), "wrong-passphrase", "k: ")


@row("no-terminal")
def test_no_terminal(locked):
    with unchanged(locked):
        for arguments in (["sign", "-k", "k", "file"], ["info", "k"], ["public", "k"], ["keygen", CLASSIC, "-o", "new", "--encrypt"]):
            run = locked.run(*arguments, input=b"moonlight\nmoonlight\n", preexec_fn=os.setsid)
            refused(run, "no-terminal")


@row("empty-passphrase")
def test_empty_passphrase(locked):
    for passphrase in (b"", b"\n", b"\r\n"):
        locked.write("empty", passphrase)
        with unchanged(locked):
            refused(sign_locked(locked, "empty"), "empty-passphrase", "empty: ")
            run = locked.run("keygen", CLASSIC, "-o", "new", "--encrypt", "--passphrase-file", "empty")
            refused(run, "empty-passphrase", "empty: ")
    with unchanged(locked):
        typist = locked.type("keygen", CLASSIC, "-o", "new", "--encrypt")
        typist.type(b"New passphrase for new: ", b"")
        refused(typist.finish(), "empty-passphrase", "new: ")


@row("long-passphrase")
def test_long_passphrase(locked):
    for passphrase in (b"x" * 1025, b"x" * 1025 + b"\n", b"x" * 100000):
        locked.write("long", passphrase)
        with unchanged(locked):
            refused(sign_locked(locked, "long"), "long-passphrase", "long: ")
    typist = locked.type("info", "k")
    typist.type(b"Passphrase of k: ", b"x" * 1025)
    refused(typist.finish(), "long-passphrase", "k: ")


@row("passphrase-lines")
def test_passphrase_lines(locked):
    for passphrase in (b"moonlight\n\n", b"moonlight\nx", b"\nmoonlight\n"):
        locked.write("lines", passphrase)
        with unchanged(locked):
            refused(sign_locked(locked, "lines"), "passphrase-lines", "lines: ")


@row("missing-passphrase-file")
def test_missing_passphrase_file(locked):
    with unchanged(locked):
        refused(sign_locked(locked, "none"), "missing-passphrase-file", "none: ")
        run = locked.run("keygen", CLASSIC, "-o", "new", "--encrypt", "--passphrase-file", "none")
        refused(run, "missing-passphrase-file", "none: ")


@row("passphrases-differ")
@pytest.mark.parametrize("second", [b"moonlighT", b"", b"moonlight and more"])
def test_passphrases_differ(files, second):
    with unchanged(files):
        typist = files.type("keygen", CLASSIC, "-o", "new", "--encrypt")
        typist.type(b"New passphrase for new: ", b"moonlight")
        typist.type(b"The same again: ", second)
        refused(typist.finish(), "passphrases-differ", "new: ")


@row("encrypted-for-public")
def test_encrypted_for_public(locked, encrypted):
    for contents in (encrypted, der.from_pem(encrypted)[1]):
        locked.write("k", contents)
        with unchanged(locked):
            refused(locked.run("verify", "-p", "k", "file"), "encrypted-for-public", "k: ")


@row("unknown-oid")
@pytest.mark.parametrize(
    "dotted",
    [
        "1.2.840.113549.1.1.1",
        der.ARC,
        der.ARC + ".1.9.1",
        "1.3.9999.5.2.1",
        "1.3.9999.5.1.1.1",
        "1.3." + ".".join(["4294967296"] * 30),
    ],
)
def test_unknown_oid(files, dotted):
    contents = der.pem("PUBLIC KEY", der.public_key_info(dotted, bytes(161600)))
    refuse_public_key(files, "unknown-oid", contents, dotted[:80])


@row("key-parameters")
def test_key_parameters(files):
    for parameters in (b"\x05\0", b"\x30\0"):
        key = der.public_key_info(der.OIDS[CLASSIC], bytes(161600), parameters)
        refuse_public_key(files, "key-parameters", der.pem("PUBLIC KEY", key))


@row("secret-for-public")
def test_secret_for_public(files):
    with unchanged(files):
        refused(files.run("verify", "-p", CLASSIC, "file"), "secret-for-public", CLASSIC + ": ")
    files.write("k", der.from_pem(files.read(CLASSIC))[1])
    refused(files.run("verify", "-p", "k", "file"), "secret-for-public", "k: ")


@row("public-for-secret")
def test_public_for_secret(files):
    with unchanged(files):
        refused(files.run("sign", "-k", PUBLIC, "file", "-o", "s"), "public-for-secret", PUBLIC + ": ")
        refused(files.run("public", PUBLIC, "-o", "p"), "public-for-secret", PUBLIC + ": ")
    files.write("k", der.from_pem(files.read(PUBLIC))[1])
    refused(files.run("sign", "-k", "k", "file", "-o", "s"), "public-for-secret", "k: ")


def test_label_of_the_other_kind(files):
    """A public key's structure behind a secret key's label, and the reverse."""
    for name, label in ((CLASSIC, "PUBLIC KEY"), (PUBLIC, "PRIVATE KEY")):
        files.write("k", der.pem(label, der.from_pem(files.read(name))[1]))
        files.run("info", "k").bad("k: expected the DER structure of a ")


def no_permissions():
    """A command line before the tool's, so that permissions count even for root."""
    if os.geteuid() != 0:
        return ()
    if not shutil.which("setpriv"):
        pytest.skip("root needs setpriv to feel permissions")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


@row("unreadable-key")
def test_unreadable_key(files):
    os.chmod(files.path / PUBLIC, 0)
    run = files.run("verify", "-p", PUBLIC, "file", prefix=no_permissions())
    refused(run, "unreadable-key", PUBLIC + ": ")


@row("missing-key")
def test_missing_key(files):
    with unchanged(files):
        refused(files.run("verify", "-p", "none", "file"), "missing-key", "none: ")
        refused(files.run("sign", "-k", "none", "file", "-o", "s"), "missing-key", "none: ")
        refused(files.run("info", "none"), "missing-key", "none: ")
        refused(files.run("public", "none", "-o", "p"), "missing-key", "none: ")


@row("directory-as-key")
def test_directory_as_key(files):
    with unchanged(files):
        refused(files.run("verify", "-p", ".", "file"), "directory-as-key", ".: ")


# ---- Signatures -------------------------------------------------------------------------------------


@row("key-of-another-set")
def test_key_of_another_set(files, keys):
    files.use(keys, "rainbow-III-classic")
    with unchanged(files):
        refused(
            files.run("verify", "-p", "rainbow-III-classic.pub", "file"),
            "key-of-another-set",
            "file.sig: ",
            "found 66",
        )


@row("key-of-another-format")
def test_key_of_another_format(files, keys):
    files.use(keys, "rainbow-I-circumzenithal")
    with unchanged(files):
        refused(
            files.run("verify", "-p", "rainbow-I-circumzenithal.pub", "file"),
            "key-of-another-format",
            "SHA256:",
        )


@row("another-key")
def test_another_key(files):
    files.run("keygen", CLASSIC, "-o", "other").good()
    with unchanged(files):
        refused(files.run("verify", "-p", "other.pub", "file"), "another-key", "another key signed it")


@row("changed-file")
def test_changed_file(files):
    for contents in (b"", b"Message", b"message\n"):
        files.write("file", contents)
        with unchanged(files):
            refused(
                files.run("verify", "-p", PUBLIC, "file"),
                "changed-file",
                "file: ",
                "file.sig",
                "the file or the signature",
            )


@row("changed-signature")
def test_changed_signature(files):
    signature = bytearray(files.read("file.sig"))
    for i in range(66):
        changed = signature.copy()
        changed[i] ^= 1 << i % 8
        files.write("file.sig", changed)
        refused(files.run("verify", "-p", PUBLIC, "file"), "changed-signature")


@row("signature-too-short")
def test_signature_too_short(files):
    files.write("file.sig", files.read("file.sig")[:-1])
    with unchanged(files):
        refused(files.run("verify", "-p", PUBLIC, "file"), "signature-too-short", "file.sig: ")


@row("signature-too-long")
def test_signature_too_long(files):
    files.write("file.sig", files.read("file.sig") + b"\0")
    with unchanged(files):
        refused(files.run("verify", "-p", PUBLIC, "file"), "signature-too-long", "file.sig: ")


@row("signature-empty")
def test_signature_empty(files):
    files.write("file.sig", b"")
    with unchanged(files):
        refused(files.run("verify", "-p", PUBLIC, "file"), "signature-empty", "file.sig: ")


@row("missing-signature")
def test_missing_signature(files):
    os.unlink(files.path / "file.sig")
    with unchanged(files):
        refused(files.run("verify", "-p", PUBLIC, "file"), "missing-signature", "file.sig: ")


# ---- Messages ---------------------------------------------------------------------------------------


@row("missing-file")
def test_missing_file(files):
    files.write("other", b"x")
    run = refused(files.run("sign", "-k", CLASSIC, "none", "other"), "missing-file", "none: ")
    assert run.stdout == b"other.sig: signature of other\n"
    assert set(files.contents()) == {CLASSIC, PUBLIC, "file", "file.sig", "other", "other.sig"}
    with unchanged(files):
        run = refused(files.run("verify", "-p", PUBLIC, "none", "other"), "missing-file", "none: ")
        assert run.stdout.startswith(b"other: good")


@row("unreadable-file")
def test_unreadable_file(files):
    files.write("locked", b"x")
    os.chmod(files.path / "locked", 0)
    run = files.run("sign", "-k", CLASSIC, "locked", prefix=no_permissions())
    refused(run, "unreadable-file", "locked: ")
    assert not (files.path / "locked.sig").exists()


@row("directory-as-file")
def test_directory_as_file(files):
    (files.path / "folder").mkdir()
    with unchanged(files):
        refused(files.run("sign", "-k", CLASSIC, "folder"), "directory-as-file", "folder: ")


@row("info-of-something-else")
@pytest.mark.parametrize("length", [1, 65, 67, 4096, 4097, 100000])
def test_info_of_something_else(files, length):
    files.write("k", bytes(length))
    refused(
        files.run("info", "k"),
        "info-of-something-else",
        "k: ",
        str(length) if length <= 4096 else "more than 4096",
    )


@row("info-of-nothing")
def test_info_of_nothing(files):
    files.write("k", b"")
    refused(files.run("info", "k"), "info-of-nothing", "k: ")


# ---- Outputs ----------------------------------------------------------------------------------------


@row("output-exists")
def test_output_exists(files):
    for name in ("new.pub", "other"):
        files.write(name, b"precious")
    with unchanged(files):
        refused(files.run("keygen", CLASSIC, "-o", "new"), "output-exists", "new.pub: ")
        refused(files.run("keygen", CLASSIC, "-o", "other"), "output-exists", "other: ")
        refused(files.run("sign", "-k", CLASSIC, "file"), "output-exists", "file.sig: ")
        refused(files.run("public", CLASSIC, "-o", "other"), "output-exists", "other: ")
        refused(files.run("sign", "-k", CLASSIC, "file", "-o", "other"), "output-exists", "other: ")


def wait_for_temporary(path, count=1):
    """Waits until the tool has begun its files."""
    for _ in range(1000):
        if len(list(path.glob(".moonbow-*.tmp"))) == count:
            return
        time.sleep(0.01)
    raise AssertionError("no temporary file appeared")


def finish(process, input=b""):
    from conftest import Result

    output, errors = process.communicate(input, timeout=60)
    return Result(process.returncode, output, errors)


SEED = b"00" * 32


@row("output-appears")
def test_output_appears(files):
    """The file appears after the tool looked and before it is done."""
    process = files.start("sign", "--no-check", "-k", CLASSIC, "-", "-o", "s")
    wait_for_temporary(files.path)
    files.write("s", b"precious")
    before = {name for name in files.contents() if not name.startswith(".")}
    refused(finish(process, b"message"), "output-appears", "s: ")
    assert files.read("s") == b"precious" and set(files.contents()) == before


@row("second-output-fails")
@pytest.mark.parametrize("obstacle", ["file", "directory"])
def test_second_output_fails(files, obstacle):
    process = files.start("keygen", CLASSIC, "-o", "new", "--seed-file", "-")
    wait_for_temporary(files.path, 2)
    if obstacle == "file":
        files.write("new.pub", b"precious")
    else:
        (files.path / "new.pub").mkdir()
    before = {name: value for name, value in files.contents().items() if not name.startswith(".")}
    finish(process, SEED).bad("new.pub: exists")
    assert files.contents() == before


def test_second_output_fails_under_force(files):
    """What the first output had replaced is restored."""
    files.run("keygen", CLASSIC, "-o", "old").good()
    old = files.read("old")
    process = files.start("keygen", CLASSIC, "-o", "old", "--seed-file", "-", "--force")
    wait_for_temporary(files.path, 2)
    os.unlink(files.path / "old.pub")
    (files.path / "old.pub").mkdir()
    finish(process, SEED).bad("old.pub: cannot put in place: Is a directory")
    assert files.read("old") == old and (files.path / "old").stat().st_mode & 0o777 == 0o600
    assert not [name for name in files.contents() if name.startswith(".")]


@row("output-is-device")
def test_output_is_device(files):
    with unchanged(files):
        refused(
            files.run("sign", "-k", CLASSIC, "file", "-o", "/dev/null", "--force"),
            "output-is-device",
            "/dev/null: ",
        )
        files.run("sign", "-k", CLASSIC, "file", "-o", ".", "--force").bad(".: is not a regular file")
    assert pathlib.Path("/dev/null").is_char_device()


@row("output-nowhere")
def test_output_nowhere(files):
    with unchanged(files):
        refused(files.run("keygen", CLASSIC, "-o", "none/key"), "output-nowhere", "none/key: ")
        refused(files.run("sign", "-k", CLASSIC, "file", "-o", "none/s"), "output-nowhere", "none/s: ")


@row("output-read-only")
def test_output_read_only(files):
    folder = files.path / "folder"
    folder.mkdir(mode=0o500)
    run = files.run("keygen", CLASSIC, "-o", "folder/key", prefix=no_permissions())
    refused(run, "output-read-only", "folder/key: ")
    assert not list(folder.iterdir())


@pytest.fixture
def small_disk(tmp_path):
    """Makes a prefix that runs the tool with a nearly full file system mounted on `disk`."""
    prefix = ["unshare", "--mount", "sh", "-c"]
    mount = "mount -t tmpfs -o size=8k tmpfs disk"
    (tmp_path / "disk").mkdir()
    probe = subprocess.run([*prefix, mount], cwd=tmp_path, capture_output=True)
    if probe.returncode != 0:
        pytest.skip("cannot mount a small file system")

    def make(kibibytes_left):
        script = (
            f"{mount} && {{ [ {kibibytes_left} != 0 ] || head -c 8192 /dev/zero > disk/full; }} && "
            '"$0" "$@"; status=$?; rm -f disk/full; ls -A disk >left; exit $status'
        )
        return [*prefix, script]

    return make


@row("disk-full-keygen")
def test_disk_full_keygen(files, small_disk):
    run = files.run("keygen", CLASSIC, "-o", "disk/key", prefix=small_disk(8))
    refused(run, "disk-full-keygen", "disk/key: ")
    assert files.read("left") == b""


def test_disk_full_at_the_second_key(files, small_disk):
    """The secret key of this set is small and fits, its public key does not: neither is left."""
    run = files.run("keygen", "rainbow-I-compressed", "-o", "disk/key", prefix=small_disk(8))
    run.bad("disk/key.pub: cannot write: No space left on device")
    assert files.read("left") == b""


@row("disk-full-sign")
def test_disk_full_sign(files, small_disk):
    run = files.run("sign", "-k", CLASSIC, "file", "-o", "disk/s", prefix=small_disk(0))
    refused(run, "disk-full-sign", "disk/s: ")
    assert files.read("left") == b""


@row("file-size-limit")
def test_file_size_limit(files):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40))

    with unchanged(files):
        refused(files.run("keygen", CLASSIC, "-o", "key", preexec_fn=limit), "file-size-limit", "key: ")
        refused(
            files.run("sign", "-k", CLASSIC, "file", "-o", "s", preexec_fn=limit), "file-size-limit", "s: "
        )


@row("disk-full-output")
@pytest.mark.parametrize(
    "arguments",
    [
        ["list"],
        ["public", CLASSIC],
        ["kat", CLASSIC, "--count", "1"],
        ["info", PUBLIC],
        ["sign", "-k", CLASSIC, "file", "-o", "-"],
        ["verify", "-p", PUBLIC, "file"],
    ],
)
def test_disk_full_output(files, arguments):
    with open("/dev/full", "wb") as full, unchanged(files):
        refused(files.run(*arguments, stdout=full), "disk-full-output")


@row("closed-pipe")
def test_closed_pipe(files):
    reader, writer = os.pipe()
    os.close(reader)
    refused(files.run("kat", CLASSIC, "--count", "1", stdout=writer), "closed-pipe")
    os.close(writer)


@row("no-random")
def test_no_random(files, compile_c):
    with unchanged(files):
        refused(
            files.run("keygen", CLASSIC, "-o", "key", prefix=[compile_c("no_random.c")]), "no-random", "key: "
        )


@row("bad-seed")
@pytest.mark.parametrize(
    "seed, found",
    [
        (b"", "0"),
        (b"00" * 31 + b"0", "63"),
        (b"00" * 33, "66"),
        (b"zz" * 32, "a character"),
        (b"00" * 4000, "more than 4096 characters"),
    ],
)
def test_bad_seed(files, seed, found):
    with unchanged(files):
        run = files.run("keygen", CLASSIC, "-o", "key", "--seed-file", "-", input=seed)
        refused(run, "bad-seed", "found " + found)


# ---- Interruptions ----------------------------------------------------------------------------------


@row("interrupted-passphrase")
@pytest.mark.parametrize("how", ["signal", "key"])
def test_interrupted_passphrase(files, how):
    with unchanged(files):
        typist = files.type("keygen", CLASSIC, "-o", "new", "--encrypt")
        typist.wait_for(b"New passphrase for new: ")
        assert not typist.echoes()
        if how == "signal":
            typist.process.send_signal(signal.SIGINT)
        else:
            os.write(typist.ours, b"moon\x03")
        refused(typist.finish(), "interrupted-passphrase")


@row("interrupted-keygen")
@pytest.mark.parametrize(
    "number, message",
    [
        (signal.SIGINT, "interrupted (SIGINT)"),
        (signal.SIGTERM, "terminated (SIGTERM)"),
        (signal.SIGHUP, "hung up (SIGHUP)"),
    ],
)
def test_interrupted_keygen(files, number, message):
    before = files.contents()
    process = files.start("keygen", CLASSIC, "-o", "key", "--seed-file", "-")
    wait_for_temporary(files.path, 2)
    process.send_signal(number)
    process.wait(30)
    result = finish(process)
    result.bad(message + "; nothing unfinished was left behind")
    if number == signal.SIGINT:
        refused(result, "interrupted-keygen")
    assert files.contents() == before


@pytest.mark.parametrize("delay_ms", [0, 5, 20, 50, 100, 200, 400, 800])
def test_interrupted_at_any_time(files, delay_ms):
    """Both keys or none, whenever the signal comes; what was there before is not lost."""
    for name in ("key", "key.pub"):
        files.write(name, b"precious")
    before = files.contents()
    process = files.start("keygen", "rainbow-V-classic", "-o", "key", "--force")
    time.sleep(delay_ms / 1000)
    process.send_signal(signal.SIGINT)
    result = finish(process)
    after = files.contents()
    assert before.keys() == after.keys()
    assert (after["key"] == b"precious") == (after["key.pub"] == b"precious")
    assert result.status in (0, 2, -signal.SIGINT)  # the last: before the tool had begun
    if result.status == 0:
        assert after["key"] != b"precious"


@row("interrupted-sign")
def test_interrupted_sign(files):
    before = files.contents()
    process = files.start("sign", "--no-check", "-k", CLASSIC, "-", "-o", "s")
    process.stdin.write(bytes(3 << 20))
    process.stdin.flush()
    wait_for_temporary(files.path)
    process.send_signal(signal.SIGTERM)
    process.wait(30)
    refused(finish(process), "interrupted-sign")
    assert files.contents() == before


def test_an_ignored_signal_stays_ignored(files):
    """As under nohup."""
    process = files.start(
        "sign", "--no-check", "-k", CLASSIC, "-", "-o", "s", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    )
    wait_for_temporary(files.path)
    process.send_signal(signal.SIGHUP)
    finish(process, b"message").good()
    assert len(files.read("s")) == 66


# ---- Usage ------------------------------------------------------------------------------------------


@row("check-of-pipe")
def test_check_of_pipe(files):
    with unchanged(files):
        run = files.run("sign", "--check", "-k", CLASSIC, "-", "-o", "s", input=b"message")
        refused(run, "check-of-pipe", "standard input: ")


@row("two-inputs")
@pytest.mark.parametrize(
    "arguments, roles",
    [
        (["sign", "-k", "-", "-"], "the secret key and the message"),
        (["sign", "-k", "-", "--passphrase-file", "-", "file"], "the secret key and the passphrase"),
        (["sign", "-k", CLASSIC, "--passphrase-file", "-", "-"], "the passphrase and the message"),
        (["verify", "-p", "-", "-s", "file.sig", "-"], "the public key and the message"),
        (["verify", "-p", "-", "-s", "-", "file"], "the public key and the signature"),
        (["verify", "-p", PUBLIC, "-s", "-", "-"], "the message and the signature"),
        (["info", "-", "--passphrase-file", "-"], "what is described and the passphrase"),
        (["public", "-", "--passphrase-file", "-"], "the secret key and the passphrase"),
        (["keygen", CLASSIC, "-o", "new", "--encrypt", "--passphrase-file", "-", "--seed-file", "-"], "the seed and the passphrase"),
    ],
)
def test_two_inputs(files, arguments, roles):
    with unchanged(files):
        refused(files.run(*arguments), "two-inputs", roles)


@row("one-input-twice")
def test_one_input_twice(files):
    with unchanged(files):
        refused(files.run("sign", "-k", CLASSIC, "-", "-", input=b"message"), "one-input-twice")


@row("der-on-terminal")
def test_der_on_terminal(files):
    ours, theirs = pty.openpty()
    refused(files.run("public", CLASSIC, "--der", stdout=theirs), "der-on-terminal", "standard output: ")
    os.close(ours)
    os.close(theirs)


@row("signature-on-terminal")
def test_signature_on_terminal(files):
    ours, theirs = pty.openpty()
    refused(
        files.run("sign", "-k", CLASSIC, "-", stdout=theirs), "signature-on-terminal", "standard output: "
    )
    os.close(ours)
    os.close(theirs)


@row("two-files-one-output")
def test_two_files_one_output(files):
    with unchanged(files):
        refused(
            files.run("sign", "-k", CLASSIC, "file", "file", "-o", "s"), "two-files-one-output", "--output: "
        )
        refused(
            files.run("verify", "-p", PUBLIC, "file", "file", "-s", "file.sig"),
            "two-files-one-output",
            "--signature: ",
        )


@row("unknown-algorithm")
@pytest.mark.parametrize("name", ["rainbow-II-classic", "", "Rainbow-I-classic", "rainbow-I-classic "])
def test_unknown_algorithm(files, name):
    with unchanged(files):
        refused(files.run("keygen", name, "-o", "key"), "unknown-algorithm", name)
        refused(files.run("kat", name), "unknown-algorithm", name)
        refused(files.run("bench", name), "unknown-algorithm", name)


@row("wrong-usage")
@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nothing"],
        ["sign"],
        ["sign", "-k", CLASSIC],
        ["sign", "file"],
        ["verify", "file"],
        ["verify", "-p", PUBLIC],
        ["keygen", CLASSIC],
        ["keygen", "-o", "key"],
        ["keygen", CLASSIC, "-o", "key", "--seed", "00"],
        ["keygen", CLASSIC, "-o", "key", "--passphrase-file", "x"],
        ["keygen", CLASSIC, "-o", "key", "--encrypt", "--passphrase", "x"],
        ["list", "--nothing"],
        ["kat", CLASSIC, "--count", "0"],
        ["kat", CLASSIC, "--count", "x"],
        ["kat"],
        ["info"],
        ["public"],
        ["bench", "--mode", "quick"],
        ["bench", "--operations", "hash"],
        ["sign", "-k"],
        ["list", "list"],
    ],
)
def test_wrong_usage(files, arguments):
    with unchanged(files):
        refused(files.run(*arguments), "wrong-usage")


def test_wrong_combinations(files):
    with unchanged(files):
        files.run("keygen", CLASSIC, "-o", "-").bad("expected a file name")
        files.run("sign", "-k", CLASSIC, "--json", "-").bad("--json: ")
        files.run("verify", "-p", PUBLIC, "-").bad("name it with -s")
        files.run("verify", "-p", PUBLIC, "-", "-s", "-").bad("cannot be both")
        files.run("verify", "-p", PUBLIC, "-", "-", "-s", "file.sig").bad("--signature: ")
