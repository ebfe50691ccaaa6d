# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Constant time, on the binary: the sequence of executed and accessed addresses must not depend on the secret seed of the key.

Everything else is the same in all runs: message, randomness, the public seed, lengths. Attempts at signing are public, so runs are compared
with those of the same path: how often the solver's `factor` (one for each attempt), and in Rainbow the hashing of a new salt, was entered, and
in which order."""

import collections
import subprocess

from . import build
from .link import Emulator
from .profile import ARM

SALT = "mb_rainbow_target"


def address_of(program, symbol, prefix=ARM):
    text = subprocess.run([f"{prefix}nm", str(program)], capture_output=True, text=True, check=True).stdout
    return next(int(line.split()[0], 16) & ~(prefix == ARM) for line in text.splitlines() if line.split()[-1] == symbol)


def compare(algorithm, operation, mode, keys, place="internal", program=None):
    """{path: {hash: number of runs}} over `keys` key pairs."""
    program = program or program_for(algorithm, operation)
    with Emulator(program) as station:
        factor = int(station.ask(f"solver {algorithm} {mode} 0").words["factor"])
    arguments = ["trace=on", f"watch={factor}", f"watch={address_of(program, SALT)}"]
    with Emulator(program, model=True, arguments=arguments) as station:
        command = "trace" if operation == "sign" else operation
        station.ask(f"{command} {algorithm} {mode} {keys} 0 {place}")
        return by_path(station.regions())


def by_path(runs):
    """{path: {hash: number of runs}}"""
    paths = collections.defaultdict(collections.Counter)
    for run in runs:
        paths[run["path"]][run["trace"]] += 1
    return paths


def follows_public_seed(algorithm, operation):
    """1 where the addresses follow a public seed that the secret one decides: UOV's, whose expansion by table AES is variable in time
    [UOV3 §4]. Such runs can be compared over secret seeds only with the constant-time AES in the table's place."""
    return algorithm.startswith("uov-") and (operation == "generate" or algorithm.endswith("-skc"))


def program_for(algorithm, operation):
    return build.FIRMWARE / "constant_cipher_mps2_an386.elf" if follows_public_seed(algorithm, operation) else build.station(Emulator.BOARD)


def leaks(paths):
    """The paths on which not all runs were alike."""
    return [path for path, hashes in paths.items() if len(hashes) > 1]


def describe(paths):
    return ", ".join(f"{sum(hashes.values())} by path {path or '-'}: {len(hashes)} trace{'s' if len(hashes) > 1 else ''}"
                     for path, hashes in sorted(paths.items(), key=lambda item: (len(item[0]), item[0])))
