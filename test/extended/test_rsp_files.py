# SPDX-License-Identifier: Apache-2.0 OR MIT
# Streams `moonbow kat` and compares hashes of whole known-answer files, 100 counts each (up to 1.2 GB of text), with the
# ones of test/kat. The tool's path comes from the environment variable MOONBOW_TOOL.
import hashlib
import os
import pathlib
import subprocess

import pytest

KAT = pathlib.Path(__file__).parent.parent / "kat"


def rows(kind):
    lines = [line for file in ("rainbow-hashes.txt", "uov-hashes.txt") for line in (KAT / file).read_text().splitlines()]
    for line in lines:
        if line and not line.startswith("#"):
            name, what, digest = line.split()
            if what == kind:
                yield name, digest


def hash_of_kat(name, count):
    """SHA-256 of the first `count` vectors' text, header included."""
    digest = hashlib.sha256()
    command = [os.environ["MOONBOW_TOOL"], "kat", name, "--count", str(count)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        while piece := process.stdout.read(1 << 20):
            digest.update(piece)
    assert process.returncode == 0
    return digest.hexdigest()


@pytest.mark.parametrize("name,digest", list(rows("file")))
def test_whole_file(name, digest):
    assert hash_of_kat(name, 100) == digest


@pytest.mark.parametrize("name,digest", list(rows("header-and-first-ten")))
def test_first_ten(name, digest):
    assert hash_of_kat(name, 10) == digest
