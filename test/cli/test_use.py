# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the tool is for: the ways through it that end well."""

import hashlib
import json
import os
import pty
import random
import shutil
import subprocess
import sys
import time

import der
import pytest

SETS = list(der.OIDS)
SIZES = {  # public key, secret key, signature
    "rainbow-I-classic": (161600, 103648, 66),
    "rainbow-I-circumzenithal": (60192, 103648, 66),
    "rainbow-I-compressed": (60192, 64, 66),
    "rainbow-III-classic": (882080, 626048, 164),
    "rainbow-III-circumzenithal": (264608, 626048, 164),
    "rainbow-III-compressed": (264608, 64, 164),
    "rainbow-V-classic": (1930600, 1408736, 212),
    "rainbow-V-circumzenithal": (536136, 1408736, 212),
    "rainbow-V-compressed": (536136, 64, 212),
}
for _format in ("classic", "circumzenithal", "compressed"):
    SIZES[f"rainbow-I-{_format}-tweaked"] = SIZES[f"rainbow-I-{_format}"]


def fingerprint(raw_public_key):
    return "SHA256:" + hashlib.sha256(raw_public_key).hexdigest()[:16]


def test_list_names_every_set_with_its_status(bench):
    text = bench.run("list").good().stdout.decode()
    for name in SETS:
        row = next(line for line in text.splitlines() if line.split()[:1] == [name])
        assert row.split() == [name, "broken" if "-I-" in name else "legacy", *map(str, SIZES[name])]
    assert "Beullens" in text


def test_list_as_json(bench):
    algorithms = json.loads(bench.run("list", "--json").good().stdout)["algorithms"]
    found = {
        a["name"]: (a["public_key_bytes"], a["secret_key_bytes"], a["signature_bytes"]) for a in algorithms
    }
    assert {name: found[name] for name in SETS} == SIZES
    assert all(a["caution"] and a["title"] and a["security"] for a in algorithms)


@pytest.mark.parametrize("name", SETS)
def test_round_trip(bench, name):
    """keygen, sign, verify, reject, info, public; files as documented."""
    public_bytes, secret_bytes, signature_bytes = SIZES[name]
    made = bench.run("keygen", name, "-o", "key").good()
    assert len(made.cautions) == 1 and name in made.cautions[0]
    assert (bench.path / "key").stat().st_mode & 0o777 == 0o600
    seed_bytes = 32 if "circumzenithal" in name else 0
    public_key = der.raw_public_key(bench.read("key.pub"), der.OIDS[name], public_bytes)
    secret_key = der.raw_secret_key(bench.read("key"), der.OIDS[name], secret_bytes + seed_bytes)
    assert secret_key[secret_bytes:] == public_key[:seed_bytes]
    assert fingerprint(public_key) in made.stdout.decode()

    bench.write("file", b"A rainbow by moonlight.\n")
    assert len(bench.run("sign", "-k", "key", "file").good().cautions) == 1
    assert len(bench.read("file.sig")) == signature_bytes
    verified = bench.run("verify", "-p", "key.pub", "file").good()
    assert len(verified.cautions) == 1
    assert verified.stdout.decode() == f"file: good signature by {name} key {fingerprint(public_key)}\n"
    bench.write("file", b"A rainbow by moonlight!\n")
    bench.run("verify", "-p", "key.pub", "file").bad("file: ", fingerprint(public_key), status=1)

    for key, kind in (("key", "secret key"), ("key.pub", "public key")):
        facts = json.loads(bench.run("info", "--json", key).good().stdout)
        assert (facts["kind"], facts["algorithm"]) == (kind, name)
        assert facts["fingerprint"] == fingerprint(public_key)
        assert facts["object_identifier"] == der.OIDS[name]
    assert bench.run("public", "key").good().stdout == bench.read("key.pub")
    bench.run("public", "key", "-o", "again.pub").good()
    assert bench.read("again.pub") == bench.read("key.pub")
    assert not [entry for entry in bench.contents() if entry.startswith(".")]


def test_umask_holds_for_public_files(bench):
    bench.run("keygen", "rainbow-I-compressed", "-o", "key", preexec_fn=lambda: os.umask(0o027)).good()
    assert (bench.path / "key").stat().st_mode & 0o777 == 0o600
    assert (bench.path / "key.pub").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", ["uov-Is-pkc-skc", "rainbow-I-circumzenithal"])
@pytest.mark.parametrize("form", ["pem", "der"])
def test_encrypted_keys(bench, name, form):
    """What is in the file is what key-files.md says, opened here by Python's scrypt and OpenSSL's AES."""
    bench.write("passphrase", "m\u00f6\u00f6nlight with spaces\n".encode())
    bench.write("seed", b"5a" * 64 if "rainbow" in name else b"5a" * 32)
    options = ["--seed-file", "seed"] + (["--der"] if form == "der" else [])
    bench.run("keygen", name, "-o", "plain", *options).good()
    made = bench.run("keygen", name, "-o", "key", *options, "--encrypt", "--passphrase-file", "passphrase", "--json")
    assert json.loads(made.good().stdout)["encrypted"] is True
    assert (bench.path / "key").stat().st_mode & 0o777 == 0o600
    assert bench.read("key.pub") == bench.read("plain.pub")

    info, plain = bench.read("key"), bench.read("plain")
    if form == "pem":
        (label, info), (_, plain) = der.from_pem(info), der.from_pem(plain)
        assert label == "ENCRYPTED PRIVATE KEY"
    ((_, sequence),) = der.elements(info)
    (_, encryption), (_, content) = der.elements(sequence)
    salt = encryption[encryption.index(der.scrypt_parameters(bytes(16), 1 << 14, 8, 5)[:2]) + 2 :][:16]
    iv = encryption[-16:]
    assert der.tlv(0x30, encryption) == der.pbes2(der.SCRYPT, der.scrypt_parameters(salt, 1 << 14, 8, 5), iv=iv)
    passphrase = "m\u00f6\u00f6nlight with spaces".encode()
    key = hashlib.scrypt(passphrase, salt=salt, n=1 << 14, r=8, p=5, dklen=32, maxmem=1 << 26)
    assert der.aes_cbc("-d", key, iv, content) == plain

    bench.write("file", b"message")
    bench.run("sign", "-k", "key", "--passphrase-file", "passphrase", "file").good()
    bench.run("verify", "-p", "key.pub", "file").good()
    public = bench.run("public", "key", "--passphrase-file", "-", input=passphrase).good().stdout
    bench.write("again.pub", public)
    assert bench.run("info", "again.pub").good().stdout.split()[1:] == bench.run("info", "key.pub").good().stdout.split()[1:]
    facts = json.loads(bench.run("info", "--json", "key", "--passphrase-file", "passphrase").good().stdout)
    assert facts["encrypted"] is True and facts["kind"] == "secret key"
    assert json.loads(bench.run("info", "--json", "plain").good().stdout)["encrypted"] is False


def test_two_encryptions_have_nothing_in_common(bench):
    bench.write("seed", b"00" * 32)
    for name in "ab":
        bench.run(
            "keygen", "uov-Is-pkc-skc", "-o", name, "--seed-file", "seed", "--encrypt", "--passphrase-file", "-", input=b"x"
        ).good()
    a, b = (der.elements(der.elements(der.from_pem(bench.read(name))[1])[0][1])[1][1] for name in "ab")
    assert len(a) == len(b) and not set(a[i : i + 8] for i in range(0, len(a), 8)) & set(b[i : i + 8] for i in range(0, len(b), 8))


def test_passphrase_on_the_terminal(bench):
    typist = bench.type("keygen", "uov-Is-pkc-skc", "-o", "key\x1b[31m", "--encrypt")
    typist.type(b"New passphrase for key?[31m: ", b"moonlight")
    typist.type(b"The same again: ", b"moonlight")
    typist.finish().good()
    assert b"moonlight" not in typist.shown
    os.rename(bench.path / "key\x1b[31m", bench.path / "key")
    bench.write("file", b"message")
    typist = bench.type("sign", "-k", "key", "file")
    typist.type(b"Passphrase of key: ", b"moonlight")
    typist.finish().good()
    # The key on standard input, its passphrase on the terminal.
    with open(bench.path / "key", "rb") as key:
        typist = bench.type("info", "-", stdin=key)
        typist.type(b"Passphrase of standard input: ", b"moonlight")
        assert b"uov-Is-pkc-skc" in typist.finish().good().stdout


@pytest.mark.parametrize("cipher_bytes", [16, 24, 32])
def test_keys_under_pbkdf2(bench, cipher_bytes):
    """As OpenSSL's pkcs8 -topk8 writes by default."""
    bench.run("keygen", "uov-Is-pkc-skc", "-o", "key", "--der").good()
    salt, iv = os.urandom(8), os.urandom(16)
    key = hashlib.pbkdf2_hmac("sha256", b"moonlight", salt, 2048, cipher_bytes)
    encryption = der.pbes2(der.PBKDF2, der.pbkdf2_parameters(salt, 2048), der.AES_CBC[cipher_bytes], iv)
    theirs = der.encrypted_info(encryption, der.aes_cbc("-e", key, iv, bench.read("key")))
    for contents in (theirs, der.pem("ENCRYPTED PRIVATE KEY", theirs)):
        bench.write("theirs", contents)
        public = bench.run("public", "--der", "theirs", "--passphrase-file", "-", input=b"moonlight\r\n").good().stdout
        assert public == bench.read("key.pub")


@pytest.mark.parametrize("options", [["-v2", "aes-256-cbc"], ["-scrypt"], ["-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA512"]])
def test_openssl_encrypts_and_we_decrypt(bench, options):
    """An elliptic-curve key is none of ours, but its identifier shows only when the envelope was opened."""
    openssl = lambda *arguments: subprocess.run(["openssl", *arguments], cwd=bench.path, check=True, capture_output=True)
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "plain")
    openssl("pkcs8", "-topk8", "-in", "plain", "-out", "key", "-passout", "pass:moonlight", *options)
    bench.run("info", "key", "--passphrase-file", "-", input=b"moonlight").bad("1.2.840.10045.2.1")
    bench.run("info", "key", "--passphrase-file", "-", input=b"moonlighT").bad("the passphrase does not open")


def test_openssl_reads_the_envelope(bench):
    bench.run("keygen", "uov-Is-pkc-skc", "-o", "key", "--encrypt", "--passphrase-file", "-", input=b"moonlight").good()
    command = ["openssl", "asn1parse", "-in", "key"]
    text = subprocess.run(command, cwd=bench.path, check=True, capture_output=True).stdout.decode()
    for item in (":PBES2", ":scrypt", ":aes-256-cbc", ":4000"):
        assert item in text
    # It opens the envelope as well, and then has no name for the algorithm; a wrong passphrase is another error.
    command = ["openssl", "pkcs8", "-in", "key", "-passin"]
    right = subprocess.run([*command, "pass:moonlight"], cwd=bench.path, capture_output=True).stderr
    wrong = subprocess.run([*command, "pass:moonlighT"], cwd=bench.path, capture_output=True).stderr
    assert b"Error converting key" in right and b"Error decrypting key" in wrong


@pytest.mark.parametrize("name", ["rainbow-I-circumzenithal", "rainbow-III-classic"])
def test_der(bench, keys, name):
    bench.use(keys, name)
    secret_key, public_key = (der.from_pem(bench.read(file))[1] for file in (name, name + ".pub"))
    bench.write("key", secret_key)
    assert bench.run("public", name, "--der").good().stdout == public_key
    bench.run("public", "key", "--der", "-o", "key.pub").good()
    assert bench.read("key.pub") == public_key
    assert bench.run("public", "key").good().stdout == bench.read(name + ".pub")
    for file in ("key", "key.pub"):
        pem = json.loads(bench.run("info", "--json", file.replace("key", name)).good().stdout)
        assert json.loads(bench.run("info", "--json", file).good().stdout) == {**pem, "file": file}
    bench.write("file", b"message")
    bench.run("sign", "-k", "key", "file").good()
    bench.run("verify", "-p", "key.pub", "file").good()


def test_keygen_der(bench):
    bench.run("keygen", "rainbow-I-classic", "-o", "key", "--der").good()
    raw = bench.read("key")
    assert raw == der.private_key_info(der.OIDS["rainbow-I-classic"], raw[-103648:])
    raw = bench.read("key.pub")
    assert raw == der.public_key_info(der.OIDS["rainbow-I-classic"], raw[-161600:])


@pytest.mark.parametrize("form", ["pem", "der"])
def test_keys_on_standard_input(bench, keys, form):
    bench.use(keys, "rainbow-I-classic")
    secret_key, public_key = bench.read("rainbow-I-classic"), bench.read("rainbow-I-classic.pub")
    if form == "der":
        secret_key, public_key = der.from_pem(secret_key)[1], der.from_pem(public_key)[1]
    bench.write("file", b"message")
    bench.run("sign", "-k", "-", "file", input=secret_key).good()
    bench.run("verify", "-p", "-", "file", input=public_key).good()
    bench.run("verify", "-p", "-", "file", input=secret_key).bad("standard input: expected a public key")
    assert bench.run("public", "-", input=secret_key).good().stdout == bench.read("rainbow-I-classic.pub")
    assert bench.run("info", "-", input=secret_key).good().stdout.startswith(b"standard input\n")
    assert b"66 bytes" in bench.run("info", "-", input=bench.read("file.sig")).good().stdout


def test_a_signature_that_looks_like_der(bench):
    """Its first bytes are those of a SEQUENCE as long as the rest, as one signature in 65536 may have it."""
    bench.write("s", b"\x30\x40" + bytes(64))
    assert json.loads(bench.run("info", "--json", "s").good().stdout)["kind"] == "signature"


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl command")
@pytest.mark.parametrize(
    "file, items",
    [("rainbow-I-classic", ["INTEGER", "OCTET STRING"]), ("rainbow-I-classic.pub", ["BIT STRING"])],
)
def test_openssl_reads_the_structure(keys, file, items):
    text = subprocess.run(
        ["openssl", "asn1parse", "-in", file], cwd=keys, check=True, capture_output=True
    ).stdout.decode()
    assert f":{der.OIDS['rainbow-I-classic']}" in text
    for item in items:
        assert item in text


def test_standard_input_and_output(bench, keys):
    bench.use(keys, "rainbow-I-classic")
    signature = bench.run("sign", "--no-check", "-k", "rainbow-I-classic", "-", input=b"message").good().stdout
    assert len(signature) == 66
    bench.write("signature", signature)
    bench.run("verify", "-p", "rainbow-I-classic.pub", "-s", "signature", "-", input=b"message").good()
    bench.run("verify", "-p", "rainbow-I-classic.pub", "-s", "signature", "-", input=b"massage").bad(status=1)
    bench.write("file", b"message")
    bench.run("verify", "-p", "rainbow-I-classic.pub", "-s", "-", "file", input=signature).good()
    assert bench.run("sign", "-k", "rainbow-I-classic", "file", "-o", "-").good().stdout == signature
    bench.run("sign", "--no-check", "-k", "rainbow-I-classic", "-", "-o", "other", input=b"message").good()
    assert bench.read("other") == signature


def test_a_pipe_is_signed_without_check_and_says_so(bench, keys):
    bench.use(keys, "rainbow-I-classic")
    run = bench.run("sign", "-k", "rainbow-I-classic", "--json", "-", "-o", "s", input=b"message")
    assert run.status == 0 and len(run.messages) == 1
    assert run.messages[0].startswith("moonbow: note: standard input ") and "not checked" in run.messages[0]
    assert json.loads(run.stdout)["files"][0]["checked"] is False
    run = bench.run("sign", "-k", "rainbow-I-classic", "-", "-o", "t", input=b"message")
    assert run.stdout == b"t: signature of -, not checked\n"
    assert bench.read("s") == bench.read("t")


def test_a_damaged_uov_key_signs_nothing(bench):
    """Its public key is derived before the first signature, and then the damage shows."""
    bench.run("keygen", "uov-Is", "-o", "key").good()
    label, key = der.from_pem(bench.read("key"))
    bench.write("damaged", der.pem(label, key[:-200000] + random.Random(1).randbytes(200000)))
    bench.write("file", b"message")
    bench.run("sign", "-k", "damaged", "file").bad("not the expected one")
    assert "file.sig" not in bench.contents()
    bench.run("sign", "-k", "damaged", "--no-check", "file").good()
    bench.run("verify", "-p", "key.pub", "file").bad(status=1)


def test_check_of_redirected_input(bench, keys):
    bench.use(keys, "rainbow-I-classic")
    bench.write("file", b"message")
    with open(bench.path / "file", "rb") as file:
        run = subprocess.run(
            [os.environ["MOONBOW_TOOL"], "sign", "--check", "-k", "rainbow-I-classic", "-", "-o", "s"],
            stdin=file,
            cwd=bench.path,
            capture_output=True,
        )
    assert run.returncode == 0, run.stderr
    bench.run("verify", "-p", "rainbow-I-classic.pub", "file", "-s", "s").good()


@pytest.mark.parametrize("name", ["rainbow-I-classic", "rainbow-I-circumzenithal", "rainbow-I-compressed"])
@pytest.mark.parametrize("files_len", [2, 5])
def test_many_files(bench, keys, name, files_len):
    """Several files at once, with a prepared key where there is one; one forged among them."""
    bench.use(keys, name)
    files = [bench.write(f"file {i}", os.urandom(i * 1000)) for i in range(files_len)]
    signed = bench.run("sign", "-k", name, *files).good()
    assert signed.stdout.decode().splitlines() == [f"{file}.sig: signature of {file}" for file in files]
    assert len(bench.run("verify", "-p", name + ".pub", *files).good().stdout.splitlines()) == files_len
    bench.write("file 1", b"forged")
    run = bench.run("verify", "-p", name + ".pub", *files).bad("file 1: ", "file 1.sig", status=1)
    assert len(run.stdout.splitlines()) == files_len - 1


@pytest.mark.parametrize("name", ["rainbow-I-classic", "uov-Is-pkc", "uov-III"])
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_batches(bench, name, jobs):
    """More files than two batches hold; a verdict for each, in order, whatever is wrong with others."""
    bench.run("keygen", name, "-o", "key").good()
    files = [f"file-{i}" for i in range(150)]
    for i, file in enumerate(files):
        bench.write(file, b"%d" % i * (1 + i % 7))
    bench.run("sign", "-k", "key", *files).good()
    bench.write(files[0], b"changed")
    bench.write(files[70] + ".sig", b"short")
    (bench.path / (files[149] + ".sig")).unlink()
    result = bench.run("verify", "-p", "key.pub", "-j", jobs, "--json", *files)
    assert result.status == 2 and len(result.messages) == 3
    verdicts = [entry["verdict"] for entry in json.loads(result.stdout)["files"]]
    wrong = {0: "bad", 70: "bad", 149: "not checked"}
    assert verdicts == [wrong.get(i, "good") for i in range(150)]
    assert bench.run("verify", "-p", "key.pub", "-j", jobs, *files[1:70]).good().stdout.count(b"good signature") == 69


def test_json_of_keygen_sign_and_verify(bench):
    made = json.loads(bench.run("keygen", "rainbow-I-classic", "-o", "key", "--json").good().stdout)
    assert made["secret_key"] == "key" and made["public_key"] == "key.pub" and made["security"] == "broken"
    for name in "ab":
        bench.write(name, name.encode())
    bench.write("b.sig", b"")
    signed = bench.run("sign", "-k", "key", "--check", "--json", "a", "b").bad("b.sig: exists")
    signed = json.loads(signed.stdout)
    assert signed["fingerprint"] == made["fingerprint"]
    assert [entry["checked"] for entry in signed["files"]] == [True, False]
    assert [entry["signed"] for entry in signed["files"]] == [True, False]
    verified = bench.run("verify", "-p", "key.pub", "--json", "a", "b", "c")
    assert verified.status == 2 and len(verified.messages) == 2
    verified = json.loads(verified.stdout)
    assert verified["algorithm"] == "rainbow-I-classic" and verified["fingerprint"] == made["fingerprint"]
    assert [entry["verdict"] for entry in verified["files"]] == ["good", "bad", "not checked"]
    assert "problem" in verified["files"][1] and "problem" not in verified["files"][0]


def test_json_survives_strange_file_names(bench, keys):
    bench.use(keys, "rainbow-I-classic")
    name = os.fsdecode(b'\xff"\n')
    bench.write(name, b"x")
    run = bench.run("sign", "-k", "rainbow-I-classic", "--json", name).good()
    assert json.loads(run.stdout)["files"][0]["file"] == '\ufffd"\n'
    os.unlink(bench.path / name)
    bench.run("verify", "-p", "rainbow-I-classic.pub", name).bad("?")


def test_info_of_a_signature(bench):
    bench.write("s", bytes(164))
    facts = json.loads(bench.run("info", "--json", "s").good().stdout)
    assert facts["kind"] == "signature"
    assert [a["name"] for a in facts["algorithms"]] == [name for name in SETS if "-III-" in name]
    assert "rainbow-III-classic (legacy)" in bench.run("info", "s").good().stdout.decode()


def test_seeded_key_generation_repeats(bench):
    seed = bytes(range(32)).hex()
    bench.write("seed", (seed[:20] + "\n" + seed[20:].upper() + "\n").encode())
    bench.run("keygen", "rainbow-I-classic", "-o", "a", "--seed-file", "seed").good()
    bench.run("keygen", "rainbow-I-classic", "-o", "b", "--seed-file", "-", input=seed.encode()).good()
    assert bench.read("a") == bench.read("b") and bench.read("a.pub") == bench.read("b.pub")
    raw = der.raw_secret_key(bench.read("a"), der.OIDS["rainbow-I-classic"], 103648)
    assert raw[:32] == bytes(range(32))  # sk begins with sk_seed, the first draw [RB3 §5]


def test_force_replaces(bench):
    bench.run("keygen", "rainbow-I-compressed", "-o", "key").good()
    before = bench.contents()
    os.chmod(bench.path / "key", 0o644)
    bench.run("keygen", "rainbow-I-compressed", "-o", "key", "--force").good()
    after = bench.contents()
    assert (
        before.keys() == after.keys()
        and before["key"] != after["key"]
        and before["key.pub"] != after["key.pub"]
    )
    assert (bench.path / "key").stat().st_mode & 0o777 == 0o600


def test_force_replaces_a_link_not_its_target(bench, keys):
    bench.use(keys, "rainbow-I-classic")
    bench.write("file", b"x")
    bench.write("precious", b"precious")
    os.symlink("precious", bench.path / "file.sig")
    bench.run("sign", "-k", "rainbow-I-classic", "file").bad("file.sig: exists")
    bench.run("sign", "-k", "rainbow-I-classic", "--force", "file").good()
    assert bench.read("precious") == b"precious" and not (bench.path / "file.sig").is_symlink()


def test_explanatory_text_before_a_key(bench, keys):
    bench.use(keys, "rainbow-I-classic")
    bench.write("k", b"My key\r\n" + bench.read("rainbow-I-classic.pub").replace(b"\n", b"\r\n") + b"\n \n")
    bench.run("info", "k").good()


@pytest.mark.parametrize("layout", ["raw", "raw and seed", "wrapped with the public key"])
@pytest.mark.parametrize(
    "name", ["rainbow-III-classic", "rainbow-III-circumzenithal", "rainbow-III-compressed"]
)
def test_open_quantum_safe_keys(bench, name, layout):
    public_bytes, secret_bytes, _ = SIZES[name]
    bench.run("keygen", name, "-o", "key").good()
    _, key_der = der.from_pem(bench.read("key"))
    seed_bytes = 32 if "circumzenithal" in name else 0
    secret_key = key_der[len(key_der) - secret_bytes - seed_bytes :]
    public_key = der.from_pem(bench.read("key.pub"))[1][-public_bytes:]
    content = {
        "raw": secret_key,
        "raw and seed": secret_key,
        "wrapped with the public key": der.octet_string(secret_key[:secret_bytes] + public_key),
    }[layout]
    number = der.OPEN_QUANTUM_SAFE[name]
    bench.write("theirs", der.pem("PRIVATE KEY", der.private_key_info(number, content)))
    bench.write("theirs.pub", der.pem("PUBLIC KEY", der.public_key_info(number, public_key)))
    assert bench.run("public", "theirs").good().stdout == bench.read("key.pub")
    bench.write("file", b"x")
    bench.run("sign", "-k", "theirs", "file").good()
    bench.run("verify", "-p", "theirs.pub", "file").good()


@pytest.mark.parametrize("name", list(der.OPEN_QUANTUM_SAFE))
def test_open_quantum_safe_numbers(bench, name):
    key = bytes(SIZES[name][0])
    bench.write("k", der.pem("PUBLIC KEY", der.public_key_info(der.OPEN_QUANTUM_SAFE[name], key)))
    assert json.loads(bench.run("info", "--json", "k").good().stdout)["algorithm"] == name


def test_a_large_file_in_constant_memory(bench, keys):
    bench.use(keys, "rainbow-I-classic")
    with open(bench.path / "file", "wb") as file:
        file.truncate(200 << 20)
    for arguments in (
        ["sign", "-k", "rainbow-I-classic", "file"],
        ["verify", "-p", "rainbow-I-classic.pub", "file"],
    ):
        # A child's peak begins with what its parent held: a small parent is put between the tool and this process.
        probe = (
            "import resource, subprocess, sys; status = subprocess.run(sys.argv[1:], stdout=sys.stderr).returncode; "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(status)"
        )
        run = bench.run(*arguments, prefix=[sys.executable, "-c", probe])
        assert run.status == 0, run.messages
        assert int(run.stdout) < 64 << 10  # KiB


def test_progress_on_a_terminal(bench, keys):
    bench.use(keys, "rainbow-I-classic")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [os.environ["MOONBOW_TOOL"], "sign", "--no-check", "-k", "rainbow-I-classic", "-", "-o", "s"],
        cwd=bench.path,
        stdin=subprocess.PIPE,
        stderr=theirs,
    )
    for _ in range(14):
        process.stdin.write(bytes(1000))
        process.stdin.flush()
        time.sleep(0.1)
    process.stdin.close()
    assert process.wait(30) == 0
    assert b"standard input: 1" in os.read(ours, 65536)
    os.close(ours)
    os.close(theirs)


FIRST_VECTORS = {  # published hashes of the text of the first vector [RB3 §8]
    "rainbow-I-classic": "5cef855ed222382139f2fd91a84c3c651c5c4f8f59f5bb9cb3c8648b6ca34c52",
    "rainbow-I-circumzenithal": "819bd33be86eea97c3da516b7dfbe4885ea7dfad6c44d196f5fd7c1c8b00b8a7",
    "rainbow-I-compressed": "6ff3ff91f17c85593317f18a9de09acf4204c45d620250cb948c9fbc9042f1e9",
    "rainbow-III-classic": "1eb9bb6e63cfdbd05a6eaca9989e969fd234b110b67ff7e6373e1af080b35f41",
    "rainbow-III-circumzenithal": "1b5cbbdef12492ba8176309a44461d3d64a05b049f78edb85af1d166f4b64f32",
    "rainbow-III-compressed": "8f895e88918df9e26123b5e0be722e952f3603bfc1f6b2859a8155edf3907969",
    "rainbow-V-classic": "3b13607b2761cd4b5ccf3206d3fec04f2568e0b01d6f370a336d0de7c70051ff",
    "rainbow-V-circumzenithal": "fba7a186c7f809da0d7ee0dcbc64d2573d824b44e539539b30c7ef1a36911760",
    "rainbow-V-compressed": "452159bbc353bcb8e209d466df8c2ba3816d66a8dcf2059aa96185e10016feec",
    "rainbow-I-classic-tweaked": "fc8fc96bd292e7280e8bb1357ea257672d36135b634873a4cf022035a506e542",
    "rainbow-I-circumzenithal-tweaked": "789884b6fcbc1303b04853cc93e7b916d19daedaf2650f6f26030191ac8c6e7a",
    "rainbow-I-compressed-tweaked": "d5b0d8cc63b4a1e7978c28c7087c0ab1ae1ca5b08a133b7c3db561f402849919",
}


@pytest.mark.parametrize("name", SETS)
def test_known_answers(bench, name):
    numbers = {"I": "16,36,32,32", "III": "256,68,32,48", "V": "256,96,36,64"}[name.split("-")[1]]
    text = bench.run("kat", name, "--count", 1).good().stdout
    header, blank, *vector, last_blank, rest = text.decode().split("\n")
    assert (
        header.startswith(f"# RAINBOW({numbers}) - {name.split('-')[2]}")
        and blank == last_blank == rest == ""
    )
    digest = hashlib.sha3_256 if "tweaked" in name else hashlib.sha256
    assert digest(("\n".join(vector) + "\n").encode()).hexdigest() == FIRST_VECTORS[name]


def test_known_answers_of_several_counts(bench):
    one = bench.run("kat", "rainbow-I-compressed", "--count", 1).good().stdout
    three = bench.run("kat", "rainbow-I-compressed", "--count", 3).good().stdout
    assert three.startswith(one)
    assert [line for line in three.decode().splitlines() if line.startswith(("count", "mlen", "smlen"))] == [
        line
        for i in range(3)
        for line in (f"count = {i}", f"mlen = {33 * (i + 1)}", f"smlen = {33 * (i + 1) + 66}")
    ]


def test_help_everywhere(bench):
    assert b"moonbow" in bench.run("--version").good().stdout
    text = bench.run("--help").good().stdout.decode()
    for command in ("list", "keygen", "sign", "verify", "info", "public", "kat", "bench"):
        assert f"\n  {command}" in text
        assert bench.run(command, "--help").good().stdout.startswith(b"")
