# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The unit tests and known answers under the emulated processors, and the tests of these tests."""

import concurrent.futures
import subprocess
import time

from . import emulator, trace

# One processor runs the kernels of every backend; AES and hashes differ from one to the next.
QUICK = [("sha3", "test_linear"), ("sha3", "test_symmetric_backends"), ("neon", "test_symmetric_backends"), ("plain", "test_symmetric_backends")]
FIRST_ANSWERS = ["rainbow_fast", "rainbow_small", "uov_fast", "uov_small"]
PLANTED = [("branch", "sign"), ("branch", "generate"), ("address", "sign"), ("address", "generate")]
NATIVE = ["sha3", "neon", "plain"]


def run_program(processor, *words):
    """(exit status, seconds, output) of a test program."""
    started = time.monotonic()
    done = subprocess.run(emulator.command(*words), env=emulator.environment(processor), cwd=emulator.BUILD / "test", capture_output=True,
                          text=True, check=False)
    return done.returncode, time.monotonic() - started, done.stdout + done.stderr


def report(say, what, result):
    """Says it, and returns 1 if it failed."""
    status, seconds, output = result
    say(f"{what}: {'ok' if status == 0 else 'FAILED'}, {seconds:.0f} s")
    if status != 0:
        say(output)
    return int(status != 0)


def quick_tests(say):
    """Returns how many failed."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda pair: run_program(pair[0], emulator.BUILD / "test" / pair[1]), QUICK))
    return sum(report(say, f"{processor:9} {name}", result) for (processor, name), result in zip(QUICK, results))


def all_tests(say):
    """Every test that ctest knows and that is not too long for an emulator, on every processor. Returns how many processors failed."""
    def run(processor):
        started = time.monotonic()
        done = subprocess.run(["ctest", "--preset", "aarch64", "--parallel", "2", "--label-exclude", "long"], cwd=emulator.ROOT,
                              env=emulator.environment(processor), capture_output=True, text=True, check=False)
        return done.returncode, time.monotonic() - started, done.stdout

    return sum(report(say, f"{processor:9} all unit tests", run(processor)) for processor in NATIVE)


def known_answers(say, processors, parts, first_only):
    """test_known_answers, some of its parts. Returns how many failed."""
    return sum(report(say, f"{processor:9} {part}, {'first' if first_only else 'all'}",
                      run_program(processor, emulator.BUILD / "test" / "test_known_answers", "1" if first_only else "10", part))
               for processor in processors for part in parts)


def planted_leaks(say):
    """What a comparison of traces must find."""
    wrong = 0
    for leak, operation in PLANTED:
        program = emulator.PROGRAMS / f"planted_{leak}_operations"
        found = trace.shared.leaks(trace.compare("rainbow-I-classic", operation, "fast", 4, program=program))
        say(f"planted {leak}, {operation}: {'found' if found else 'NOT FOUND'}")
        wrong += not found
    return wrong
