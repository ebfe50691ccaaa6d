# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Unit tests that run on the emulated board (firmware/CMakeLists.txt, moonbow_target_test), and the tests of these tests."""

import subprocess

from . import build, known_answers, size, trace
from .link import Emulator, StationError

PROGRAMS = ["test_field", "test_linear", "test_symmetric_backends"]
PLANTED = [("branch", "rainbow-I-classic", "sign"), ("branch", "rainbow-I-classic", "generate"), ("address", "rainbow-I-classic", "sign"),
           ("address", "rainbow-I-classic", "generate"), ("constant_cipher", "uov-Is", "generate"), ("constant_cipher", "uov-Is-pkc-skc", "sign")]
SELF_TESTED = ["rainbow-I-classic", "rainbow-I-circumzenithal", "rainbow-I-compressed-tweaked", "uov-Is", "uov-Is-pkc", "uov-Ip-pkc-skc"]
NOT_WITH_HOOKS = ["mb_m4_sha256_compress", "mb_m4_aes_blocks_vartime", "mb_m4_aes_pairs"]
FAULT_STATUS = 2  # firmware/boards/startup.c
SMALL_VERIFIER, SMALL_VERIFIER_BYTES = "rainbow-I-classic", 6000 - 566  # with MOONBOW_SMALL_CODE; newlib's memcpy, memset, memcmp come on top
NOT_IN_SMALL_CODE = ["mb_m4_gather_classes_vartime", "mb_m4_gather_planes_vartime", "mb_m4_sha256_compress"]


def run_program(name):
    """Exit status and output."""
    command = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none",
               "-semihosting-config", "enable=on,target=native", "-kernel", str(build.FIRMWARE / f"{name}_mps2_an386.elf")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
    return done.returncode, done.stdout


def self_test(algorithm, program=None):
    with Emulator(program) as station:
        return station.ask(f"test {algorithm}").words["random"]


def check_rules():
    """The table of rules in tools/cycle_model/README.md is the plugin's."""
    command = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "stdio", "-semihosting",
               "-kernel", str(build.station(Emulator.BOARD)), "-plugin", f"{build.PLUGIN},rules=on,out=/dev/null"]
    printed = subprocess.run(command, input="end\n", capture_output=True, text=True, timeout=60, check=True).stdout.splitlines()
    table = [line for line in printed if line.startswith("| `")]
    readme = (build.ROOT / "tools" / "cycle_model" / "README.md").read_text(encoding="utf-8").splitlines()
    missing = [line for line in table if line not in readme]
    if not table or missing:
        raise ValueError(f"not in the README: {missing}")


def check_linked(program, unwanted):
    names = subprocess.run(["arm-none-eabi-nm", str(program)], capture_output=True, text=True, check=True).stdout.split()
    linked = [name for name in unwanted if name in names]
    if linked:
        raise ValueError(f"linked, but not wanted: {', '.join(linked)}")


def check_hooks():
    """The image whose board supplies AES, SHA-256 and randomness gives the same answers without the library's own."""
    program = build.FIRMWARE / "hooked_mps2_an386.elf"
    check_linked(program, NOT_WITH_HOOKS)
    with Emulator(program) as station:
        known_answers.check(station, "rainbow-I-circumzenithal", known_answers.expected())
    if self_test("uov-Is-pkc", program) != "yes":
        raise ValueError("the board's randomness is not used")


def check_small_code():
    """MOONBOW_SMALL_CODE: what is left out, what is left, and that it works."""
    with build.small_code():
        build.build_programs("station_mps2_an386", *(f"{name}_mps2_an386" for name in PROGRAMS))
        flash = size.measure_role("verify", [SMALL_VERIFIER])[SMALL_VERIFIER]
        check_linked(build.FIRMWARE / f"{size.program('verify', SMALL_VERIFIER)}.elf", NOT_IN_SMALL_CODE)
        if flash > SMALL_VERIFIER_BYTES:
            raise ValueError(f"a verifier of {SMALL_VERIFIER} takes {flash} bytes")
        for name in PROGRAMS:
            status, output = run_program(name)
            if status != 0:
                raise ValueError(f"{name}\n{output}")
        for algorithm in SELF_TESTED:
            self_test(algorithm)
        with Emulator() as station:
            known_answers.check(station, SMALL_VERIFIER, known_answers.expected())


def run_all(say):
    """0 if all is as it must be, else 1."""
    wrong = 0

    def judge(what, good, yes="ok", no="FAILED"):
        nonlocal wrong
        say(f"{what}: {yes if good else no}")
        wrong += not good

    for name in PROGRAMS:
        status, output = run_program(name)
        judge(name, status == 0)
        if status != 0:
            say(output)
    judge("a read beyond guarded memory", run_program("overrun")[0] == FAULT_STATUS, "stopped", "NOT NOTICED")
    checks = [(f"self-test {name}", lambda name=name: self_test(name)) for name in SELF_TESTED]
    checks += [("hooks of a board", check_hooks), ("rules in the README", check_rules), ("built for little code", check_small_code)]
    for what, check in checks:
        try:
            check()
            judge(what, True)
        except (ValueError, StationError) as error:
            judge(what, False, no=f"FAILED: {error}")
    for leak, algorithm, operation in PLANTED:
        paths = trace.compare(algorithm, operation, "fast", 8, program=build.FIRMWARE / f"planted_{leak}_mps2_an386.elf")
        judge(f"planted {leak}, {algorithm} {operation}", trace.leaks(paths), "found", "NOT FOUND")
    return 1 if wrong else 0
