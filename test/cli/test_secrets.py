# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No secret where others could find it: in a core dump, in memory that one would show, in an argument."""

import os
import pathlib
import re
import resource
import signal

import der
import pytest

SANITIZED = b"__asan_init" in pathlib.Path(os.environ["MOONBOW_TOOL"]).read_bytes()
PASSPHRASE = b"a rainbow by moonlight, rare and pale"


class Mapping:
    def __init__(self, start, end, flags):
        self.start, self.end, self.flags = start, end, flags


def mappings(process):
    """The readable mappings of a process, with the kernel's flags: dd is left out of core dumps, lo is locked."""
    found, range_ = [], None
    for line in pathlib.Path(f"/proc/{process}/smaps").read_text().splitlines():
        if match := re.match(r"([0-9a-f]+)-([0-9a-f]+) r", line):
            range_ = int(match[1], 16), int(match[2], 16)
        elif re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            range_ = None
        elif line.startswith("VmFlags:") and range_:
            found.append(Mapping(*range_, set(line.split()[1:])))
    return found


def read_memory(process, mapping):
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        memory.seek(mapping.start)
        try:
            return memory.read(mapping.end - mapping.start)
        except OSError:  # the kernel's own pages
            return b""


def pieces(secret, length, count=200):
    """Parts of a secret from all over it."""
    step = max(1, (len(secret) - length) // count)
    return [secret[i : i + length] for i in range(0, len(secret) - length + 1, step)]


def places_of(process, secrets):
    """(flags, secret) for each mapping in which one of the secrets lies."""
    found = []
    for mapping in mappings(process):
        contents = read_memory(process, mapping)
        found += [(mapping.flags, secret) for secret in secrets if secret in contents]
    return found


def can_look_into(process):
    try:
        os.close(os.open(f"/proc/{process}/mem", os.O_RDONLY))
        return True
    except PermissionError:
        return False


def wait_until_blocked(process, path):
    """Until the tool has begun its output, so that it holds the key and waits for the message."""
    from test_bad_input import wait_for_temporary

    wait_for_temporary(path)
    for _ in range(1000):
        if "S (sleeping)" in pathlib.Path(f"/proc/{process.pid}/status").read_text():
            return
    raise AssertionError("the tool does not wait")


@pytest.mark.skipif(SANITIZED, reason="memory comes from the sanitizer's heap")
@pytest.mark.parametrize("name", ["rainbow-I-classic", "uov-Is-pkc-skc", "uov-Is"])
@pytest.mark.parametrize("form", ["plain", "encrypted"])
def test_a_core_dump_would_show_no_secret(bench, name, form):
    """Everything that a core dump would contain is searched, while the tool waits with the key in its hands."""
    bench.write("passphrase", PASSPHRASE)
    options = ["--encrypt", "--passphrase-file", "passphrase"] if form == "encrypted" else []
    bench.write("seed", os.urandom(32).hex().encode())
    bench.run("keygen", name, "-o", "plain", "--seed-file", "seed").good()
    bench.run("keygen", name, "-o", "key", "--seed-file", "seed", *options).good()
    text = bench.read("plain")
    raw = der.from_pem(text)[1]
    key = raw[-32:] if name.endswith("skc") else raw[100:]
    base64_text = b"".join(text.splitlines()[1:-1])
    base64_key = base64_text[-40:-4] if name.endswith("skc") else base64_text[200:]

    process = bench.start("sign", "--no-check", "-k", "key", "-", "-o", "s", *options[1:])
    try:
        if not can_look_into(process.pid):
            pytest.skip("only root may look into the tool's memory, as it should be")
        wait_until_blocked(process, bench.path)
        in_key = places_of(process.pid, pieces(key, 24))
        elsewhere = places_of(process.pid, pieces(base64_key, 32) + [PASSPHRASE])
    finally:
        output, errors = process.communicate(b"message", timeout=60)
    assert process.returncode == 0, errors
    assert in_key, "the search is blind: the key must be somewhere"
    assert all("dd" in flags for flags, _ in in_key), "a core dump would show the key"
    assert any("lo" in flags for flags, _ in in_key) or resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] == 0
    assert elsewhere == [], "the encoded key or its passphrase was not wiped"


def core_dumped(process, number):
    process.send_signal(number)
    status = os.waitpid(process.pid, 0)[1]
    process.returncode = os.waitstatus_to_exitcode(status)
    process.communicate()
    assert process.returncode == -number
    return os.WCOREDUMP(status)


def allow_core_dumps():
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)


def test_no_core_dump_with_a_key(bench, keys):
    bench.use(keys, "rainbow-I-classic")
    process = bench.start("sign", "--no-check", "-k", "rainbow-I-classic", "-", "-o", "s", preexec_fn=allow_core_dumps)
    wait_until_blocked(process, bench.path)
    limits = pathlib.Path(f"/proc/{process.pid}/limits").read_text()
    assert re.search(r"Max core file size +0 +0 ", limits)
    assert not core_dumped(process, signal.SIGABRT)


def test_no_core_dump_while_a_passphrase_is_typed(bench):
    bench.run("keygen", "uov-Is-pkc-skc", "-o", "key", "--encrypt", "--passphrase-file", "-", input=PASSPHRASE).good()
    typist = bench.type("info", "key")
    typist.wait_for(b"Passphrase of key: ")
    os.write(typist.ours, PASSPHRASE)
    limits = pathlib.Path(f"/proc/{typist.process.pid}/limits").read_text()
    assert re.search(r"Max core file size +0 +0 ", limits)
    os.write(typist.ours, b"\x1c\x1a\n")  # the keys that would end it with a core dump, or stop it, mean nothing
    typist.finish().bad("the passphrase does not open")


def test_the_passphrase_file_is_no_argument(bench):
    """Help offers no way to give a passphrase or a seed in an argument."""
    for command in ("keygen", "sign", "info", "public"):
        text = bench.run(command, "--help").good().stdout.decode()
        assert re.findall(r"--(?:passphrase|seed)\S*", text.replace("--passphrase-file", "").replace("--seed-file", "")) == []
