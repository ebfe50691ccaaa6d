# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Flash that one role of one algorithm takes: the difference between a program that has it and one that has nothing."""

import subprocess

from . import build

ROLES = ["verify", "sign", "generate"]
SMALL_VERIFIER = "verify, MOONBOW_SMALL_CODE"
COLUMNS = [*ROLES, SMALL_VERIFIER]


def flash_bytes(program):
    text = subprocess.run(["arm-none-eabi-size", str(program)], capture_output=True, text=True, check=True).stdout
    words = text.splitlines()[1].split()
    return int(words[0]) + int(words[1])


def program(role, algorithm):
    return f"only_{role}_{algorithm.replace('-', '_')}"


def measure_role(role, algorithms):
    """{algorithm: bytes}"""
    build.build_programs("only_nothing", *(program(role, algorithm) for algorithm in algorithms))
    nothing = flash_bytes(build.FIRMWARE / "only_nothing.elf")
    return {algorithm: flash_bytes(build.FIRMWARE / f"{program(role, algorithm)}.elf") - nothing for algorithm in algorithms}


def measure(algorithms):
    """[{algorithm, verify, sign, generate, verify in little code}], in bytes."""
    columns = {role: measure_role(role, algorithms) for role in ROLES}
    with build.small_code():
        columns[SMALL_VERIFIER] = measure_role("verify", algorithms)
    return [{"algorithm": algorithm, **{name: column[algorithm] for name, column in columns.items()}} for algorithm in algorithms]
