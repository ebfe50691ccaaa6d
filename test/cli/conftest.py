# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the tool that the environment variable MOONBOW_TOOL names."""

import os
import pathlib
import shutil
import subprocess

import pytest

TOOL = os.environ.get("MOONBOW_TOOL")


def pytest_configure():
    if not TOOL or not os.access(TOOL, os.X_OK):
        pytest.exit("MOONBOW_TOOL must name the moonbow executable", returncode=2)


class Result:
    """What one run of the tool did."""

    def __init__(self, status, stdout, stderr):
        self.status, self.stdout = status, stdout
        lines = stderr.decode(errors="replace").splitlines()
        self.cautions = [line for line in lines if line.startswith("moonbow: caution: ")]
        self.messages = [line for line in lines if line not in self.cautions]

    def good(self):
        assert (self.status, self.messages) == (0, []), (self.status, self.messages)
        return self

    def bad(self, *fragments, status=2):
        """Failed with exactly one message, which has all these fragments in it."""
        assert self.status == status, (self.status, self.messages)
        assert len(self.messages) == 1, self.messages
        assert self.messages[0].startswith("moonbow: ")
        for fragment in fragments:
            assert fragment in self.messages[0], self.messages[0]
        return self


class Bench:
    """A directory of one test, with the tool run in it."""

    def __init__(self, path):
        self.path = path

    def run(self, *arguments, input=b"", prefix=(), **keywords):
        run = subprocess.run(
            [*prefix, TOOL, *map(str, arguments)],
            cwd=self.path,
            input=input,
            timeout=120,
            stderr=subprocess.PIPE,
            **{"stdout": subprocess.PIPE, **keywords}
        )
        return Result(run.returncode, run.stdout or b"", run.stderr)

    def start(self, *arguments, **keywords):
        return subprocess.Popen(
            [TOOL, *map(str, arguments)],
            cwd=self.path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **keywords
        )

    def write(self, name, contents):
        (self.path / name).write_bytes(contents)
        return name

    def read(self, name):
        return (self.path / name).read_bytes()

    def contents(self):
        """Every file here, hidden ones too, with its contents; None for what is not a regular file."""
        return {entry.name: entry.read_bytes() if entry.is_file() else None for entry in self.path.iterdir()}

    def use(self, keys, *names):
        """Copies key pairs here."""
        for name in names:
            for suffix in ("", ".pub"):
                shutil.copy2(keys / (name + suffix), self.path / (name + suffix))


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


KEYS = ["rainbow-I-classic", "rainbow-I-circumzenithal", "rainbow-I-compressed", "rainbow-III-classic"]


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    """A directory with a key pair of some algorithms, each named as its algorithm."""
    path = tmp_path_factory.mktemp("keys")
    for name in KEYS:
        Bench(path).run("keygen", name, "-o", name).good()
    return path


@pytest.fixture(scope="session")
def compile_c(tmp_path_factory):
    """Compiles a C program or library of this directory."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if not compiler:
        pytest.skip("no C compiler")
    here = pathlib.Path(__file__).parent
    built = tmp_path_factory.mktemp("built")

    def compile_one(source, *options):
        target = built / ("-".join([pathlib.Path(source).stem, *(o.strip("-=") for o in options)]))
        if not target.exists():
            subprocess.run([compiler, "-O1", *options, "-o", target, here / source], check=True)
        return target

    return compile_one
