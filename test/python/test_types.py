# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Types: the package is strict, its stub is true of the extension module, and a user's program is checked."""

import os
import pathlib
import re
import subprocess
import sys

CONFIGURATION = pathlib.Path(__file__).resolve().parents[2] / "pyproject.toml"

PROGRAM = """
import moonbow
key = moonbow.generate("uov-Is-pkc", seed=bytearray(32))
signature = key.sign(memoryview(b"text"))
reveal_type(signature)
reveal_type(key.public_key.verify_many([(signature, b"text")]))
key.sign("text")
moonbow.Algorithm.UOV_IS_PKC.public_key_bytes = 7
"""


def mypy(*arguments, module="mypy", **keywords):
    return subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, timeout=300, **keywords)


def test_package_is_strict(tmp_path):
    run = mypy("--config-file", str(CONFIGURATION), "--cache-dir", str(tmp_path), "--package", "moonbow", cwd=tmp_path)
    assert run.returncode == 0, run.stdout


def test_stub_is_true(tmp_path):
    run = mypy("moonbow", "--mypy-config-file", str(CONFIGURATION), module="mypy.stubtest", cwd=tmp_path)
    assert run.returncode == 0, run.stdout


def test_users_program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    run = mypy("--strict", "--no-incremental", "program.py", cwd=tmp_path, env={**os.environ, "MYPY_FORCE_COLOR": "0"})
    said = re.findall(r"program.py:(\d+): (\w+): (.*)", run.stdout)
    notes = [(int(line), text.replace("builtins.", "")) for line, kind, text in said if kind == "note"]
    errors = [int(line) for line, kind, _ in said if kind == "error"]
    assert notes == [(5, 'Revealed type is "bytes"'), (6, 'Revealed type is "list[bool]"')], run.stdout
    assert errors == [7, 8], run.stdout
