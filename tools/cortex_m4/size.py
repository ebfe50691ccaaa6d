# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Flash that one role of one algorithm takes: the difference between a program that has it and one that has nothing."""

import subprocess

from . import build

ROLES = ["verify", "sign", "generate"]


def flash_bytes(program):
    text = subprocess.run(["arm-none-eabi-size", str(program)], capture_output=True, text=True, check=True).stdout
    words = text.splitlines()[1].split()
    return int(words[0]) + int(words[1])


def measure(algorithms):
    """[{algorithm, verify, sign, generate}], in bytes."""
    build.run("cmake", "--build", "--preset", "cortex-m4", "--target", "sizes")
    nothing = flash_bytes(build.FIRMWARE / "only_nothing.elf")
    return [{"algorithm": algorithm,
             **{role: flash_bytes(build.FIRMWARE / f"only_{role}_{algorithm.replace('-', '_')}.elf") - nothing for role in ROLES}}
            for algorithm in algorithms]
