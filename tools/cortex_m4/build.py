# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where the programs and the plugin are built, and how."""

import contextlib
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRESET = "cortex-m4"
FIRMWARE = ROOT / f"build-{PRESET}" / "firmware"
PLUGIN = ROOT / "build" / "tools" / "cycle_model" / "cycles_cortex_m4.so"


class BuildFailed(Exception):
    pass


def run(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        told = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("[")]  # without ninja's progress
        raise BuildFailed("\n".join([" ".join(map(str, command)), *told]))


def use(preset):
    """Programs are from now on those of this preset."""
    global PRESET, FIRMWARE  # pylint: disable=global-statement
    PRESET, FIRMWARE = preset, ROOT / f"build-{preset}" / "firmware"


@contextlib.contextmanager
def small_code():
    """Within it programs are those of the library built for little code."""
    before = PRESET
    use("cortex-m4-small-code")
    try:
        yield
    finally:
        use(before)


def build_programs(*targets):
    """Library and programs for the boards, by the preset; or these alone."""
    if shutil.which("arm-none-eabi-gcc") is None:
        raise BuildFailed("arm-none-eabi-gcc is missing: tools/install_packages.sh installs it")
    run("cmake", "--preset", PRESET)
    run("cmake", "--build", "--preset", PRESET, *(["--target", *targets] if targets else []))


def build_plugin():
    """The cycle model, by the preset host."""
    if not (ROOT / "build" / "CMakeCache.txt").exists():
        run("cmake", "--preset", "host")
    run("cmake", "--build", "--preset", "host", "--target", "cycles_cortex_m4")


def build_tool():
    """The command line, by the preset host."""
    if not (ROOT / "build" / "CMakeCache.txt").exists():
        run("cmake", "--preset", "host")
    run("cmake", "--build", "--preset", "host", "--target", "moonbow_cli")


def station(board):
    return FIRMWARE / f"station_{board}.elf"
