# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the tool that the environment variable MOONBOW_TOOL names."""

import fcntl
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import termios
import time

import pytest

TOOL = os.environ.get("MOONBOW_TOOL")


def pytest_configure():
    if not TOOL or not os.access(TOOL, os.X_OK):
        pytest.exit("MOONBOW_TOOL must name the moonbow executable", returncode=2)
    # Whoever started the tests in the background of a script ignores SIGINT, or by nohup SIGHUP, which processes inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


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

    def type(self, *arguments, **keywords):
        return Typist(self.path, *arguments, **keywords)

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


class Typist:
    """Runs the tool with a controlling terminal, and types on it."""

    def __init__(self, path, *arguments, **keywords):
        self.ours, self.theirs = pty.openpty()
        self.shown = b""

        def take_terminal():
            os.setsid()
            fcntl.ioctl(self.theirs, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [TOOL, *map(str, arguments)],
            cwd=path,
            stderr=subprocess.PIPE,
            preexec_fn=take_terminal,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **keywords},
        )

    def wait_for(self, prompt):
        end = time.monotonic() + 60
        while not self.shown.endswith(prompt):
            assert time.monotonic() < end, self.shown
            if select.select([self.ours], [], [], 0.1)[0]:
                self.shown += os.read(self.ours, 4096)

    def type(self, prompt, text):
        """Waits for the prompt, sees that the echo is off, and types a line."""
        self.wait_for(prompt)
        assert not self.echoes()
        self.shown = b""
        os.write(self.ours, text + b"\n")

    def echoes(self):
        return bool(termios.tcgetattr(self.theirs)[3] & termios.ECHO)

    def finish(self, input=None):
        output, errors = self.process.communicate(input, timeout=120)
        assert self.echoes()
        while select.select([self.ours], [], [], 0)[0]:
            self.shown += os.read(self.ours, 4096)
        os.close(self.ours)
        os.close(self.theirs)
        return Result(self.process.returncode, output or b"", errors)


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
