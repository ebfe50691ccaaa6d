# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Constant time, on the binary: the sequence of executed blocks and accessed addresses must not depend on the secret seed of the key. What is
compared with what, and why by paths, says tools/cortex_m4/trace.py, which compares.

With AES in instructions the addresses do not follow UOV's public seed either, so that all algorithms are compared."""

import subprocess

from cortex_m4 import trace as shared

from . import emulator


def compare(algorithm, operation, mode, keys, processor="sha3", program=None):
    """{path: {hash: number of runs}} over `keys` key pairs."""
    program = program or emulator.PROGRAMS / "operations"
    found = subprocess.run(emulator.command(program, "solver", mode), env=emulator.environment(processor), capture_output=True, text=True,
                           check=True).stdout
    options = ["trace=on", f"watch={int(found, 16)}", f"watch={shared.address_of(program, shared.SALT, emulator.PREFIX)}",
               f"region={emulator.REGIONS[operation]}"]
    return shared.by_path(emulator.meter(processor, ["trace", algorithm, mode, operation, keys], options, program))
