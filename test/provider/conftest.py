# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the system's `openssl` with the provider that MOONBOW_PROVIDER names, and the tool that MOONBOW_TOOL names."""

import os
import pathlib
import subprocess

import pytest

PROVIDER, TOOL = os.environ.get("MOONBOW_PROVIDER"), os.environ.get("MOONBOW_TOOL")

CONFIGURATION = """openssl_conf = openssl_init
[openssl_init]
providers = providers
[providers]
default = default_provider
moonbow = moonbow_provider
[default_provider]
activate = 1
[moonbow_provider]
module = {module}
{switch}
activate = 1
[req]
distinguished_name = subject
prompt = no
[subject]
CN = Moonbow test
[authority]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[leaf]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
"""


def pytest_configure():
    for name, path, mode in (("MOONBOW_PROVIDER", PROVIDER, os.R_OK), ("MOONBOW_TOOL", TOOL, os.X_OK)):
        if not path or not os.access(path, mode):
            pytest.exit(f"{name} must name a file of the build", returncode=2)


class Result:
    """What one command did."""

    def __init__(self, command, status, stdout, stderr, peak_bytes):
        self.command, self.status, self.stdout, self.stderr = command, status, stdout, stderr
        self.peak_bytes = peak_bytes

    @property
    def text(self):
        return self.stdout.decode(errors="replace")

    @property
    def messages(self):
        return self.stderr.decode(errors="replace")

    def good(self):
        assert self.status == 0, (self.command, self.status, self.text[:2000], self.messages)
        return self

    def bad(self, *fragments):
        """Failed by itself, not by a signal, and said all this."""
        assert self.status > 0, (self.command, self.status, self.text[:2000], self.messages)
        said = self.text + self.messages
        for fragment in fragments:
            assert fragment in said, (self.command, fragment, said[-3000:])
        return self


class Bench:
    """A directory of one test, with commands run in it."""

    def __init__(self, path):
        self.path = path
        self.switch = ""

    def configure(self, switch):
        """Sets a line of the provider's section."""
        self.switch = switch

    def run(self, *command, input=b""):
        configuration = self.path / "openssl.cnf"
        configuration.write_text(CONFIGURATION.format(module=pathlib.Path(PROVIDER).resolve(), switch=self.switch))
        (self.path / "input").write_bytes(input)
        environment = {**os.environ, "OPENSSL_CONF": str(configuration)}
        with open(self.path / "out", "wb") as out, open(self.path / "err", "wb") as err, open(self.path / "input", "rb") as stdin:
            process = subprocess.Popen([str(part) for part in command], cwd=self.path, env=environment, stdin=stdin, stdout=out, stderr=err)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return Result(
            command, process.returncode, (self.path / "out").read_bytes(), (self.path / "err").read_bytes(), 1024 * usage.ru_maxrss
        )

    def openssl(self, *arguments, **keywords):
        return self.run("openssl", *arguments, **keywords)

    def tool(self, *arguments, **keywords):
        return self.run(pathlib.Path(TOOL).resolve(), *arguments, **keywords)

    def write(self, name, contents):
        (self.path / name).write_bytes(contents)

    def read(self, name):
        return (self.path / name).read_bytes()


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)
