# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The programs, how they are built, and the processors under which qemu-aarch64 runs them."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from cortex_m4.build import ROOT, BuildFailed, run

BUILD = ROOT / "build-aarch64"
PROGRAMS = BUILD / "tools" / "aarch64"
PLUGIN = ROOT / "build" / "tools" / "cycle_model" / "instructions_aarch64.so"
PREFIX = "aarch64-linux-gnu-"
REGIONS = {"generate": 0, "sign": 1, "verify": 2}  # operations.c

# What a processor offers, and which backend that gives. No processor that QEMU emulates lacks the cryptographic instructions.
PROCESSORS = {
    "sha3": {"cpu": "max"},                                              # neon-sha3, and every cryptographic instruction
    "neon": {"cpu": "cortex-a72"},                                       # neon, AES and SHA-256
    "plain": {"cpu": "cortex-a72", "preload": "without_extensions.so"},  # neon, portable AES and hashes
    "portable": {"cpu": "max", "set": "MOONBOW_BACKEND=portable"},       # portable, and every cryptographic instruction
}


def build_programs():
    """Library, tests and programs, by the preset aarch64."""
    if shutil.which("aarch64-linux-gnu-gcc") is None or shutil.which("qemu-aarch64") is None:
        raise BuildFailed("aarch64-linux-gnu-gcc or qemu-aarch64 is missing: tools/install_packages.sh installs them")
    run(str(ROOT / "tools" / "foreign_packages.sh"), "arm64")
    run("cmake", "--preset", "aarch64")
    run("cmake", "--build", "--preset", "aarch64")


def build_plugin():
    """The instruction counter, by the preset host."""
    if not (ROOT / "build" / "CMakeCache.txt").exists():
        run("cmake", "--preset", "host")
    run("cmake", "--build", "--preset", "host", "--target", "instructions_aarch64")


def environment(processor):
    """For programs under the emulator, and for test drivers that run them."""
    choice = PROCESSORS[processor]
    settings = [f"LD_PRELOAD={PROGRAMS / choice['preload']}"] if "preload" in choice else []
    settings += [choice["set"]] if "set" in choice else []
    variables = {**os.environ, "QEMU_CPU": choice["cpu"]}
    variables.pop("MOONBOW_BACKEND", None)
    return {**variables, "QEMU_SET_ENV": ",".join(settings)} if settings else variables


def command(program, *arguments):
    return ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", str(program), *map(str, arguments)]


def meter(processor, words, options=(), program=None):
    """What the plugin counted while `operations` (or another program with its marks) ran: a list of objects, one for each line."""
    with tempfile.TemporaryDirectory(prefix="moonbow-aarch64-") as folder:
        output = pathlib.Path(folder) / "counts"
        line = command(program or PROGRAMS / "operations", *words)
        line[1:1] = ["-plugin", ",".join([str(PLUGIN), f"out={output}", *options])]
        done = subprocess.run(line, env=environment(processor), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ValueError(f"{' '.join(map(str, words))}: {done.stderr.strip() or done.returncode}")
        return [json.loads(text) for text in output.read_text(encoding="ascii").splitlines()]
