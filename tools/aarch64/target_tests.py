# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The unit tests and known answers under the emulated processors, and the tests of these tests."""

import subprocess
import time

from . import emulator, trace

QUICK = ["test_linear", "test_symmetric_backends", "test_field"]
FIRST_ANSWERS = ["rainbow_fast", "rainbow_small", "uov_fast", "uov_small"]
PLANTED = [("branch", "sign"), ("branch", "generate"), ("address", "sign"), ("address", "generate")]
NATIVE = ["sha3", "neon", "plain"]


def run_program(processor, *words):
    """(exit status, seconds, output) of a test program."""
    started = time.monotonic()
    done = subprocess.run(emulator.command(*words), env=emulator.environment(processor), cwd=emulator.BUILD / "test", capture_output=True,
                          text=True, check=False)
    return done.returncode, time.monotonic() - started, done.stdout + done.stderr


def unit_tests(say, programs=None):
    """All of `programs`, by default every test that ctest knows and that QEMU runs, on every processor. Returns how many failed."""
    wrong = 0
    for processor in NATIVE:
        if programs is None:
            # What ctest runs beside these needs the host's compiler only.
            status = subprocess.run(["ctest", "--preset", "aarch64", "--parallel", "2", "--label-exclude", "host"], cwd=emulator.ROOT,
                                    env=emulator.environment(processor), capture_output=True, text=True, check=False)
            say(f"{processor:9} all unit tests: {'ok' if status.returncode == 0 else 'FAILED'}")
            if status.returncode != 0:
                say(status.stdout)
            wrong += status.returncode != 0
            continue
        for name in programs:
            status, seconds, output = run_program(processor, emulator.BUILD / "test" / name)
            say(f"{processor:9} {name}: {'ok' if status == 0 else 'FAILED'}, {seconds:.0f} s")
            if status != 0:
                say(output)
            wrong += status != 0
    return wrong


def known_answers(say, processors, parts, first_only):
    """test_known_answers, some of its parts. Returns how many failed."""
    wrong = 0
    for processor in processors:
        for part in parts:
            words = [emulator.BUILD / "test" / "test_known_answers", "1" if first_only else "10", part]
            status, seconds, output = run_program(processor, *words)
            say(f"{processor:9} {part}, {'first' if first_only else 'all'}: {'ok' if status == 0 else 'FAILED'}, {seconds:.0f} s")
            if status != 0:
                say(output)
            wrong += status != 0
    return wrong


def planted_leaks(say):
    """What a comparison of traces must find."""
    wrong = 0
    for leak, operation in PLANTED:
        program = emulator.PROGRAMS / f"planted_{leak}_operations"
        found = trace.shared.leaks(trace.compare("rainbow-I-classic", operation, "fast", 4, program=program))
        say(f"planted {leak}, {operation}: {'found' if found else 'NOT FOUND'}")
        wrong += not found
    return wrong
