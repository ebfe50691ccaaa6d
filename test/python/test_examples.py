# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The examples, and the pieces of Python in the documents."""

import doctest
import pathlib
import re
import subprocess
import sys

import pytest

import moonbow

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(script, *arguments, cwd, status=0):
    done = subprocess.run([sys.executable, ROOT / "examples" / script, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == status, done.stderr
    return done


def make_log(folder, entries):
    """A log, and the numbers of the lines that are then spoilt: a message, a signature, its length, and no hexadecimal."""
    run("verify_log.py", "make", "log", "--entries", entries, cwd=folder)
    lines = (folder / "log").read_bytes().splitlines()
    spoilt = {3: lines[2] + b"!", 70: b"00" + lines[69][2:] if lines[69][:2] != b"00" else b"01" + lines[69][2:],
              entries - 1: lines[entries - 2][2:], entries: b"no signature"}
    for number, line in spoilt.items():
        lines[number - 1] = line
    return lines, sorted(spoilt)


def check_log(script, folder, entries, *options):
    lines, spoilt = make_log(folder, entries)
    assert f"{entries} entries, 0 bad" in run(script, "log", "--key", "log.pub", *options, cwd=folder).stderr
    (folder / "log").write_bytes(b"\n".join(lines) + b"\n")
    done = run(script, "log", "--key", "log.pub", *options, cwd=folder, status=1)
    assert sorted(map(int, done.stdout.split())) == spoilt
    assert f"{entries} entries, 4 bad" in done.stderr


@pytest.mark.parametrize("threads", [[], ["--threads", "1"]])
def test_log(tmp_path, threads):
    check_log("verify_log.py", tmp_path, 9000, *threads)


@pytest.mark.slow
def test_log_on_ray(tmp_path):
    pytest.importorskip("ray", reason="pip install ray")
    check_log("verify_log_ray.py", tmp_path, 30000)


def test_docstring():
    failed, attempted = doctest.testmod(moonbow)
    assert failed == 0 and attempted >= 3


def test_guide(tmp_path, monkeypatch):
    """The pieces of a document run one after another."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "firmware.bin").write_bytes(bytes(100_000))
    for document, pieces_least in (("README.md", 1), ("docs/guide/python.md", 4)):
        pieces = re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(), re.DOTALL)
        assert len(pieces) >= pieces_least
        names = {}
        for piece in pieces:
            exec(compile(piece, document, "exec"), names)
