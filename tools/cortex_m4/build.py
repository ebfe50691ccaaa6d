# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where the programs and the plugin are built, and how."""

import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "build-cortex-m4" / "firmware"
PLUGIN = ROOT / "build" / "tools" / "cycle_model" / "cycles_cortex_m4.so"


class BuildFailed(Exception):
    pass


def run(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        told = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("[")]  # without ninja's progress
        raise BuildFailed("\n".join([" ".join(map(str, command)), *told]))


def build_programs():
    """Library and programs for the boards, by the preset cortex-m4."""
    if shutil.which("arm-none-eabi-gcc") is None:
        raise BuildFailed("arm-none-eabi-gcc is missing: tools/install_packages.sh installs it")
    run("cmake", "--preset", "cortex-m4")
    run("cmake", "--build", "--preset", "cortex-m4")


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
