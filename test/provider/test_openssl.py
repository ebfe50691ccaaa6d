# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The provider as users of Debian's `openssl` meet it: keys, certificates, signatures, exchange with `moonbow`, refusals.

Only the module is ours on OpenSSL's side. The commands are those of docs/guide/openssl.md."""

import base64
import hashlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import time

import pytest
from conftest import PROVIDER, TOOL

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/cli")
import der  # noqa: E402

UOV = [f"uov-{name}{form}" for name in ("Ip", "Is", "III", "V") for form in ("", "-pkc", "-pkc-skc")]
# One whose secret key is stored with a part of its public key, and one that is quick to make.
RAINBOW = ["rainbow-I-circumzenithal", "rainbow-III-compressed"]
PASSPHRASE = "a passphrase"
# Of the library, which may be newer than the command.
VERSION = tuple(map(int, re.findall(r"OpenSSL (\d+)\.(\d+)", subprocess.run(["openssl", "version"], capture_output=True, text=True).stdout)[-1]))
MESSAGE = b"Moonbow\n" * 1000


@pytest.fixture(params=UOV + RAINBOW)
def algorithm(request, bench):
    """Each algorithm, turned on if it needs to be, with a key pair in PEM: key.pem, public.pem."""
    make_pair(bench, request.param, switch="enable-broken = yes" if request.param.startswith("rainbow") else "")
    return request.param


def make_pair(bench, algorithm, name="key", public="public", switch=""):
    bench.configure(switch)
    bench.openssl("genpkey", "-algorithm", algorithm, "-out", f"{name}.pem").good()
    bench.openssl("pkey", "-in", f"{name}.pem", "-pubout", "-out", f"{public}.pem").good()


def contents(pem):
    """The DER in a PEM block."""
    return base64.b64decode(b"".join(line for line in pem.splitlines() if not line.startswith(b"-----")))


def listed(bench):
    return {entry["name"]: entry for entry in json.loads(bench.tool("list", "--json").good().text)["algorithms"]}


# ---- What is offered --------------------------------------------------------------------------------


def test_provider_describes_itself(bench):
    text = bench.openssl("list", "-providers", "-verbose").good().text
    version = bench.tool("--version").good().text.split()[-1]
    assert re.search(rf"moonbow\n +name: Moonbow.*\n +version: {re.escape(version)}\n +status: active", text), text


def offered(bench, *what):
    text = bench.openssl("list", *what, "-provider", "moonbow").good().text
    return set(re.findall(r"\b((?:uov|rainbow)-[\w-]+)", text))


def test_every_algorithm_is_offered(bench):
    """Those that are off too, so that the reason is said; and they are told apart."""
    algorithms = listed(bench)
    assert len(algorithms) >= 24 and set(algorithms) >= {*UOV, *RAINBOW}
    for what in ("-public-key-algorithms", "-signature-algorithms", "-encoders", "-decoders"):
        assert offered(bench, what) == set(algorithms)
    off = sum(entry["security"] != "candidate" for entry in algorithms.values())
    command = ("list", "-public-key-algorithms", "-provider", "moonbow")
    assert bench.openssl(*command).good().text.count(", off\n") == off
    bench.configure("enable-broken = yes")
    assert ", off\n" not in bench.openssl(*command).good().text


# ---- Keys -------------------------------------------------------------------------------------------


def test_keys(bench, algorithm):
    """Text, both halves, both forms; what is written again is the same."""
    public = bench.openssl("pkey", "-in", "key.pem", "-pubout").good().stdout
    text = bench.openssl("pkey", "-in", "key.pem", "-noout", "-text").good().text
    facts = listed(bench)[algorithm]
    assert f"{algorithm} Private-Key: ({8 * facts['public_key_bytes']} bit)" in text
    assert facts["security"] in text and facts["caution"] in text
    raw = contents(public)[-facts["public_key_bytes"] :]
    digest = hashlib.sha256(raw).hexdigest()
    assert digest in text
    public_text = bench.openssl("pkey", "-pubin", "-in", "public.pem", "-noout", "-text").good().text
    assert f"{algorithm} Public-Key:" in public_text and digest in public_text and "priv" not in public_text
    secret = contents(bench.read("key.pem"))
    shown = text.replace(":", "").replace("\n", "").replace(" ", "")
    assert secret[-16:].hex() not in shown, "the private key is shown"

    for form in ("DER", "PEM"):
        bench.openssl("pkey", "-in", "key.pem", "-outform", form, "-out", "again").good()
        bench.openssl("pkey", "-in", "again", "-inform", form, "-out", "again.pem").good()
        assert bench.read("again.pem") == bench.read("key.pem")
        bench.openssl("pkey", "-pubin", "-in", "public.pem", "-outform", form, "-out", "again").good()
        bench.openssl("pkey", "-pubin", "-in", "again", "-inform", form, "-out", "again.pem").good()
        assert bench.read("again.pem") == public
    assert bench.openssl("pkey", "-in", "key.pem", "-check", "-noout").good().text.strip().endswith("valid")
    bench.openssl("pkey", "-pubin", "-in", "public.pem", "-pubcheck", "-noout").good()


@pytest.mark.parametrize("algorithm", ["uov-Is", "uov-V-pkc-skc", "rainbow-I-circumzenithal"])
def test_encrypted_keys(bench, algorithm):
    make_pair(bench, algorithm, switch="enable-broken = yes")
    bench.openssl("pkey", "-in", "key.pem", "-aes-256-cbc", "-passout", f"pass:{PASSPHRASE}", "-out", "encrypted.pem").good()
    assert b"ENCRYPTED PRIVATE KEY" in bench.read("encrypted.pem")
    opened = bench.openssl("pkey", "-in", "encrypted.pem", "-passin", f"pass:{PASSPHRASE}").good().stdout
    assert opened == bench.read("key.pem")
    bench.openssl("pkey", "-in", "encrypted.pem", "-passin", "pass:wrong", "-noout").bad()
    structure = bench.openssl("asn1parse", "-in", "encrypted.pem").good().text
    assert all(name in structure for name in ("PBES2", "scrypt", "aes-256-cbc"))


@pytest.mark.parametrize("cipher", ["aes-128-cbc", "aes-192-cbc"])
def test_other_ciphers(bench, cipher):
    bench.openssl("genpkey", "-algorithm", "uov-Is-pkc-skc", f"-{cipher}", "-pass", f"pass:{PASSPHRASE}", "-out", "key.pem").good()
    assert cipher in bench.openssl("asn1parse", "-in", "key.pem").good().text
    bench.openssl("pkey", "-in", "key.pem", "-passin", f"pass:{PASSPHRASE}", "-noout", "-check").good()


def test_pkcs8_command(bench):
    make_pair(bench, "uov-Is-pkc-skc")
    bench.openssl("pkcs8", "-topk8", "-in", "key.pem", "-v2", "aes256", "-passout", f"pass:{PASSPHRASE}", "-out", "p8.pem").good()
    bench.openssl("pkcs8", "-in", "p8.pem", "-passin", f"pass:{PASSPHRASE}", "-out", "again.pem").good()
    assert bench.read("again.pem") == bench.read("key.pem")


def test_cipher_that_cannot_be(bench):
    """PBES2 is for ciphers in CBC mode."""
    make_pair(bench, "uov-Is-pkc-skc")
    bench.openssl("pkey", "-in", "key.pem", "-aes-256-cfb", "-passout", f"pass:{PASSPHRASE}").bad("encrypting the private key")


def test_seed(bench, algorithm):
    """A key pair from a seed is the one that `moonbow` makes of it."""
    seed = bytes(range(64 if algorithm.startswith("rainbow") else 32))
    bench.openssl("genpkey", "-algorithm", algorithm, "-pkeyopt", f"hexseed:{seed.hex()}", "-out", "seeded.pem").good()
    bench.tool("keygen", algorithm, "-o", "tool", "--seed-file", "-", input=seed.hex().encode()).good()
    assert bench.read("seeded.pem") == bench.read("tool")
    assert bench.openssl("pkey", "-in", "seeded.pem", "-pubout").good().stdout == bench.read("tool.pub")
    bench.openssl("genpkey", "-algorithm", algorithm, "-pkeyopt", "hexseed:00").bad("expected a seed of", "found 1")


def test_generated_keys_differ(bench):
    made = {bench.openssl("genpkey", "-algorithm", "uov-Is-pkc-skc").good().stdout for _ in range(3)}
    assert len(made) == 3


# ---- Signatures -------------------------------------------------------------------------------------


def dgst_verify(bench, public="public.pem", signature="signature", message="message"):
    return bench.openssl("dgst", "-verify", public, "-signature", signature, message)


def test_signatures(bench, algorithm):
    """By pieces (dgst) and at once (pkeyutl); by either, for the other; and for `moonbow`, and by it."""
    bench.write("message", MESSAGE)
    expected_bytes = listed(bench)[algorithm]["signature_bytes"]
    sign = {
        "dgst": ("openssl", "dgst", "-sign", "key.pem", "-out", "signature", "message"),
        "pkeyutl": ("openssl", "pkeyutl", "-sign", "-rawin", "-inkey", "key.pem", "-in", "message", "-out", "signature"),
    }
    for command in sign.values():
        bench.run(*command).good()
        signature = bench.read("signature")
        assert len(signature) == expected_bytes
        dgst_verify(bench).good()
        verify = ("pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "public.pem", "-in", "message", "-sigfile")
        bench.openssl(*verify, "signature").good()
        bench.tool("verify", "-p", "public.pem", "message", "-s", "signature").good()
        bench.write("changed", bytes([signature[0] ^ 1]) + signature[1:])
        dgst_verify(bench, signature="changed").bad("Verification failure")
        bench.openssl(*verify, "changed").bad("Verification Failure")
        bench.write("short", signature[:-1])
        dgst_verify(bench, signature="short").bad(f"expected a signature of {algorithm} of {expected_bytes} bytes, found {expected_bytes - 1}")
        bench.write("other", MESSAGE + b"x")
        dgst_verify(bench, message="other").bad("Verification failure")

    bench.tool("sign", "-k", "key.pem", "message", "-o", "signature", "--force").good()
    dgst_verify(bench).good()
    bench.tool("keygen", algorithm, "-o", "tool").good()
    bench.tool("sign", "-k", "tool", "message", "-o", "signature", "--force").good()
    dgst_verify(bench, "tool.pub").good()
    bench.openssl("dgst", "-sign", "tool", "-out", "signature", "message").good()
    bench.tool("verify", "-p", "tool.pub", "message", "-s", "signature").good()


def test_empty_message(bench):
    make_pair(bench, "uov-Is-pkc")
    bench.write("message", b"")
    bench.openssl("dgst", "-sign", "key.pem", "-out", "signature", "message").good()
    dgst_verify(bench).good()
    bench.tool("verify", "-p", "public.pem", "message", "-s", "signature").good()


def test_messages_are_not_kept(bench):
    """A message of 200 MB in pieces is signed and verified in the memory that a short one needs, or little more."""
    make_pair(bench, "uov-Is-pkc-skc")
    with open(bench.path / "message", "wb") as file:
        file.truncate(200_000_000)
    bench.write("short", b"short")
    short = bench.openssl("dgst", "-sign", "key.pem", "-out", "signature", "short").good().peak_bytes
    assert bench.openssl("dgst", "-sign", "key.pem", "-out", "signature", "message").good().peak_bytes < short + 4_000_000
    assert dgst_verify(bench).good().peak_bytes < short + 4_000_000


def test_keys_of_the_tool_under_a_passphrase(bench):
    bench.write("passphrase", PASSPHRASE.encode())
    bench.tool("keygen", "uov-Ip-pkc-skc", "-o", "tool", "--encrypt", "--passphrase-file", "passphrase").good()
    public = bench.openssl("pkey", "-in", "tool", "-passin", f"pass:{PASSPHRASE}", "-pubout").good().stdout
    assert public == bench.read("tool.pub")
    bench.openssl(
        "pkey", "-in", "tool", "-passin", f"pass:{PASSPHRASE}", "-aes-256-cbc", "-passout", f"pass:{PASSPHRASE}", "-out", "again"
    ).good()
    assert bench.tool("public", "again", "--passphrase-file", "passphrase").good().stdout == public


# ---- Certificates -----------------------------------------------------------------------------------


def test_self_signed(bench, algorithm):
    bench.openssl("req", "-x509", "-key", "key.pem", "-subj", "/CN=self", "-days", "2", "-out", "self.pem").good()
    bench.openssl("verify", "-CAfile", "self.pem", "self.pem").good()
    text = bench.openssl("x509", "-in", "self.pem", "-noout", "-text").good().text
    assert f"Signature Algorithm: {algorithm}" in text and f"Public Key Algorithm: {algorithm}" in text
    assert bench.openssl("x509", "-in", "self.pem", "-noout", "-pubkey").good().stdout == bench.read("public.pem")


def test_new_key_with_request(bench):
    bench.openssl("req", "-x509", "-newkey", "uov-Is-pkc", "-nodes", "-keyout", "key.pem", "-subj", "/CN=new", "-out", "self.pem").good()
    bench.openssl("verify", "-CAfile", "self.pem", "self.pem").good()


def make_certificate(bench, name, algorithm, issuer, extensions):
    make_pair(bench, algorithm, f"{name}-key", f"{name}-public")
    bench.openssl("req", "-new", "-key", f"{name}-key.pem", "-subj", f"/CN={name}", "-out", f"{name}.csr").good()
    assert "verify OK" in bench.openssl("req", "-in", f"{name}.csr", "-noout", "-verify").good().messages
    signed_by = ("-CA", f"{issuer}.pem", "-CAkey", f"{issuer}-key.pem", "-CAcreateserial") if issuer else ("-signkey", f"{name}-key.pem")
    bench.openssl(
        "x509", "-req", "-in", f"{name}.csr", *signed_by, "-days", "9", "-extfile", "openssl.cnf", "-extensions", extensions,
        "-out", f"{name}.pem",
    ).good()  # fmt: skip


@pytest.fixture
def chain(bench):
    make_certificate(bench, "root", "uov-III-pkc", None, "authority")
    make_certificate(bench, "intermediate", "uov-Is", "root", "authority")
    make_certificate(bench, "leaf", "uov-Ip-pkc", "intermediate", "leaf")
    return bench


def test_three_level_chain(chain):
    chain.openssl("verify", "-purpose", "sslserver", "-CAfile", "root.pem", "-untrusted", "intermediate.pem", "leaf.pem").good()
    if VERSION == (3, 0):  # as the guide says
        chain.openssl("verify", "-auth_level", "1", "-CAfile", "root.pem", "-untrusted", "intermediate.pem", "leaf.pem").bad("digest algorithm too weak")
    chain.openssl("verify", "-CAfile", "root.pem", "leaf.pem").bad("unable to get local issuer certificate")
    damaged = bytearray(contents(chain.read("leaf.pem")))
    damaged[-1] ^= 1
    chain.write("damaged.pem", der.pem("CERTIFICATE", bytes(damaged)))
    chain.openssl("verify", "-CAfile", "root.pem", "-untrusted", "intermediate.pem", "damaged.pem").bad("certificate signature failure")
    chain.openssl(
        "x509", "-req", "-in", "leaf.csr", "-CA", "root.pem", "-CAkey", "intermediate-key.pem", "-out", "wrong.pem"
    ).bad("do not match")  # fmt: skip


def test_chain_with_ordinary_keys(chain):
    """A certificate of an Ed25519 key, issued by ours."""
    make_certificate(chain, "ordinary", "ED25519", "intermediate", "leaf")
    chain.openssl("verify", "-CAfile", "root.pem", "-untrusted", "intermediate.pem", "ordinary.pem").good()


def test_revocation_list(chain):
    chain.write("index", b"")
    chain.write("ca.cnf", b"[ca]\ndatabase = index\ndefault_crl_days = 3\n")
    authority = ("-cert", "intermediate.pem", "-keyfile", "intermediate-key.pem")
    chain.openssl("ca", "-gencrl", "-config", "ca.cnf", "-name", "ca", "-md", "null", *authority, "-out", "crl.pem").good()
    text = chain.openssl("crl", "-in", "crl.pem", "-CAfile", "intermediate.pem", "-noout", "-text").good()
    assert "verify OK" in text.messages and "Signature Algorithm: uov-Is" in text.text
    chain.openssl(
        "verify", "-crl_check", "-CRLfile", "crl.pem", "-CAfile", "root.pem", "-untrusted", "intermediate.pem", "leaf.pem"
    ).good()  # fmt: skip


# ---- TLS --------------------------------------------------------------------------------------------


FROM_3_2 = pytest.mark.skipif(VERSION < (3, 2), reason="OpenSSL asks providers for TLS signatures from 3.2 on")


@pytest.mark.parametrize(
    "algorithm, other",
    [
        ("ED25519", "ecdsa_secp256r1_sha256"),  # as before, with the provider there
        pytest.param("uov-Ip-pkc", "ed25519", marks=FROM_3_2),
        pytest.param("uov-Is-pkc-skc", "ed25519", marks=FROM_3_2),
    ],
)
def test_tls(bench, algorithm, other):
    """A handshake, and none with a client that wants another algorithm."""
    make_pair(bench, algorithm)
    bench.openssl("req", "-x509", "-key", "key.pem", "-subj", "/CN=localhost", "-days", "2", "-out", "self.pem").good()
    with socket.create_server(("127.0.0.1", 0)) as probe:
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    server = ("openssl", "s_server", "-accept", address, "-cert", "self.pem", "-key", "key.pem", "-naccept", "2", "-quiet")
    client = ("openssl", "s_client", "-connect", address, "-CAfile", "self.pem", "-verify_return_error", "-sigalgs")
    environment = {**os.environ, "OPENSSL_CONF": str(bench.path / "openssl.cnf")}
    with subprocess.Popen(server, cwd=bench.path, env=environment, stdin=subprocess.PIPE) as running:
        try:
            for _ in range(100):
                result = bench.run(*client, algorithm.replace("ED", "ed"))
                if "Connection refused" not in result.messages:
                    break
                time.sleep(0.1)
            text = result.good().text
            assert "New, TLSv1.3" in text and "Verify return code: 0 (ok)" in text, text
            bench.run(*client, other).bad("handshake failure")
        finally:
            running.kill()


# ---- The guide --------------------------------------------------------------------------------------


def test_commands_of_the_guide(bench):
    """Every command of docs/guide/openssl.md, in its order, with its configuration files."""
    guide = (pathlib.Path(__file__).parents[2] / "docs/guide/openssl.md").read_text()
    configuration, extensions = [block for block in re.findall(r"^```\n(.*?)^```", guide, re.MULTILINE | re.DOTALL) if "[" in block]
    module = pathlib.Path(PROVIDER).resolve()
    text, count = re.subn(r"^module = .*$", f"module = {module}", configuration, flags=re.MULTILINE)
    assert count == 1
    for name, contents_ in (("guide.cnf", text), ("extensions.cnf", extensions), ("passphrase", PASSPHRASE), ("file", "Moonbow")):
        bench.write(name, contents_.encode())
    (bench.path / "tool").mkdir()
    (bench.path / "tool/moonbow").symlink_to(pathlib.Path(TOOL).resolve())
    commands = re.findall(r"^    ((?:openssl|moonbow) .*(?:\n        .*)*)", guide, re.MULTILINE)
    assert len(commands) >= 20
    for command in commands:
        if "-provider-path" in command:
            script = "unset OPENSSL_CONF; " + command.replace("build/provider", str(module.parent))
        else:
            script = "export OPENSSL_CONF=guide.cnf PATH=tool:$PATH; " + command
        bench.run("sh", "-ec", script).good()


# ---- Refusals ---------------------------------------------------------------------------------------


def test_what_is_broken_is_off(bench):
    """Its keys are shown, with the reason; they are not made, and nothing is signed or verified with them."""
    bench.write("message", MESSAGE)
    for name, algorithm in (("broken", "rainbow-I-compressed"), ("legacy", "rainbow-V-compressed")):
        bench.tool("keygen", algorithm, "-o", name).good()
        bench.tool("sign", "-k", name, "message", "-o", f"{name}.sig").good()
    reason = ("rainbow-I-compressed is broken and off", "enable-broken = yes in this provider's section of openssl.cnf turns it on", "Beullens")
    for line in ("", "enable-broken = no"):
        bench.configure(line)
        bench.openssl("genpkey", "-algorithm", "rainbow-I-compressed").bad(*reason)
        bench.openssl("genpkey", "-algorithm", "rainbow-V-compressed").bad("rainbow-V-compressed is legacy and off", "2^206")
        bench.openssl("dgst", "-sign", "broken", "-out", "signature", "message").bad(*reason)
        bench.openssl("dgst", "-verify", "broken.pub", "-signature", "broken.sig", "message").bad(*reason)
        bench.openssl("req", "-x509", "-key", "broken", "-subj", "/CN=x").bad(*reason)
        assert "status: broken. " in bench.openssl("pkey", "-in", "broken", "-noout", "-text").good().text
        assert "status: legacy. " in bench.openssl("pkey", "-pubin", "-in", "legacy.pub", "-noout", "-text").good().text
    bench.configure("enable-broken = yes")
    for name in ("broken", "legacy"):
        bench.openssl("dgst", "-verify", f"{name}.pub", "-signature", f"{name}.sig", "message").good()


@pytest.mark.parametrize("word", ["yes", "on", "TRUE", "1"])
def test_words_that_turn_it_on(bench, word):
    bench.configure(f"enable-broken = {word}")
    bench.openssl("genpkey", "-algorithm", "rainbow-I-compressed").good()


def test_misspelt_configuration(bench):
    bench.configure("enable-broken = perhaps")
    bench.openssl("genpkey", "-algorithm", "rainbow-I-compressed").bad("and there is enable-broken = perhaps")
    bench.openssl("genpkey", "-algorithm", "uov-Is-pkc-skc").good()


@pytest.mark.parametrize("digest", ["sha256", "sha3-512"])
def test_a_digest_is_refused(bench, digest):
    make_pair(bench, "uov-Is-pkc-skc")
    bench.write("message", MESSAGE)
    bench.openssl("dgst", f"-{digest}", "-sign", "key.pem", "-out", "signature", "message").bad("expected no digest")


def test_public_keys_do_not_sign(bench):
    make_pair(bench, "uov-Is-pkc-skc")
    bench.write("message", MESSAGE)
    bench.openssl("pkeyutl", "-sign", "-rawin", "-pubin", "-inkey", "public.pem", "-in", "message").bad()


def test_another_algorithms_key(bench):
    """A signature under a key of another type, and of another key of the type."""
    make_pair(bench, "uov-Is-pkc")
    make_pair(bench, "uov-Is", "other-key", "other-public")
    make_pair(bench, "uov-Is-pkc", "second-key", "second-public")
    bench.write("message", MESSAGE)
    bench.openssl("dgst", "-sign", "key.pem", "-out", "signature", "message").good()
    dgst_verify(bench, "other-public.pem").bad("Verification failure")
    dgst_verify(bench, "second-public.pem").bad("Verification failure")
    bench.openssl("genpkey", "-algorithm", "ED25519", "-out", "ed.pem").good()
    bench.openssl("pkey", "-in", "ed.pem", "-pubout", "-out", "ed-public.pem").good()
    bench.openssl("pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "ed-public.pem", "-in", "message", "-sigfile", "signature").bad()


def read_secret(bench, key):
    bench.write("key.der", key)
    return bench.openssl("pkey", "-in", "key.der", "-inform", "DER", "-noout")


def test_damaged_secret_keys(bench):
    """OpenSSL 3.0's commands do not pass on what a decoder says: test_provider.c looks at that."""
    bench.openssl("genpkey", "-algorithm", "uov-Ip", "-outform", "DER", "-out", "good.der").good()
    key = bench.read("good.der")
    read_secret(bench, key).good()
    for length in (0, 1, 3, 7, 20, 39, 40, 60, 100, len(key) // 2, len(key) - 1):
        read_secret(bench, key[:length]).bad()
    oid = bytes.fromhex(der.oid(f"{der.ARC}.2.1.1").hex())
    assert oid in key
    raw = key[-278087:]
    read_secret(bench, der.private_key_info(f"{der.ARC}.2.1.1", raw)).good()
    read_secret(bench, der.private_key_info(f"{der.ARC}.2.1.1", raw[:-1])).bad()
    read_secret(bench, der.private_key_info(f"{der.ARC}.2.1.1", raw, b"\5\0")).bad()
    read_secret(bench, der.private_key_info(f"{der.ARC}.2.1.9", raw)).bad()

    changed = bytearray(key)  # reads well, but its parts contradict one another
    changed[-1000] ^= 4
    bench.write("changed.der", bytes(changed))
    bench.write("message", MESSAGE)
    damaged = "the parts of the private key contradict one another"
    bench.openssl("pkey", "-in", "changed.der", "-inform", "DER", "-noout", "-check").bad("invalid", damaged)
    bench.openssl("pkey", "-in", "changed.der", "-inform", "DER", "-pubout").bad(damaged)
    bench.openssl("dgst", "-keyform", "DER", "-sign", "changed.der", "-out", "signature", "message").bad(damaged)
    bench.openssl("req", "-x509", "-keyform", "DER", "-key", "changed.der", "-subj", "/CN=x").bad()
    assert not (bench.path / "signature").exists() or bench.read("signature") == b""


def test_damaged_public_keys(bench):
    oid, length = f"{der.ARC}.2.2.2", 66576

    def read(key):
        bench.write("key.der", key)
        return bench.openssl("pkey", "-pubin", "-in", "key.der", "-inform", "DER", "-noout")

    good = der.public_key_info(oid, bytes(length))
    read(good).good()
    for cut in (0, 1, 4, 9, 20, 38, 39, 40, 41, 64, 65, length // 2, len(good) - 1):
        read(good[:cut]).bad()
    read(der.public_key_info(oid, bytes(length - 1))).bad()
    read(der.public_key_info(oid, bytes(length), unused_bits=3)).bad()
    read(der.public_key_info(oid, bytes(length), b"\5\0")).bad()


def test_open_quantum_safes_numbers_are_the_tools_alone(bench):
    read_secret(bench, der.private_key_info("1.3.9999.9.9.1", bytes(32))).bad()
