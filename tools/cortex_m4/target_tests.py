# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Unit tests that run on the emulated board (firmware/CMakeLists.txt, moonbow_target_test), and the tests of these tests."""

import subprocess

from . import build, trace

PROGRAMS = ["test_field", "test_linear"]
PLANTED = [("branch", "sign"), ("branch", "generate"), ("address", "sign"), ("address", "generate")]
FAULT_STATUS = 2  # firmware/boards/startup.c


def run_program(name):
    """Exit status and output."""
    command = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none",
               "-semihosting-config", "enable=on,target=native", "-kernel", str(build.FIRMWARE / f"{name}_mps2_an386.elf")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
    return done.returncode, done.stdout


def run_all(say):
    """0 if all is as it must be, else 1."""
    wrong = 0
    for name in PROGRAMS:
        status, output = run_program(name)
        say(f"{name}: {'ok' if status == 0 else 'FAILED'}")
        if status != 0:
            say(output)
            wrong += 1
    status, _ = run_program("overrun")
    say(f"a read beyond guarded memory: {'stopped' if status == FAULT_STATUS else 'NOT NOTICED'}")
    wrong += status != FAULT_STATUS
    for leak, operation in PLANTED:
        found = trace.leaks(trace.compare("rainbow-I-classic", operation, "fast", 8, program=build.FIRMWARE / f"planted_{leak}_mps2_an386.elf"))
        say(f"planted {leak}, {operation}: {'found' if found else 'NOT FOUND'}")
        wrong += not found
    return 1 if wrong else 0
