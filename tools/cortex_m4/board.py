# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A real board: flashing by J-Link or OpenOCD, and its serial line. The flash commands have not been tried: no board was at hand."""

import os
import subprocess
import tempfile
import termios
import tty

from . import build
from .link import Link

BOARDS = {"efm32gg11": {"jlink_device": "EFM32GG11B820F2048", "openocd_target": "target/efm32.cfg"}}


def jlink_command(board, script):
    return ["JLinkExe", "-device", BOARDS[board]["jlink_device"], "-if", "SWD", "-speed", "4000", "-autoconnect", "1",
            "-ExitOnError", "1", "-CommandFile", script]


def openocd_command(board, program):
    return ["openocd", "-f", "interface/jlink.cfg", "-c", "transport select swd", "-f", BOARDS[board]["openocd_target"],
            "-c", f"program {{{program}}} verify reset exit"]


def flash(board, program, probe):
    """Writes the program into the board's flash and starts it."""
    if probe == "openocd":
        subprocess.run(openocd_command(board, program), check=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        image, script = os.path.join(folder, "image.hex"), os.path.join(folder, "script")
        subprocess.run(["arm-none-eabi-objcopy", "-O", "ihex", str(program), image], check=True)
        with open(script, "w", encoding="ascii") as file:
            file.write(f"r\nloadfile {image}\nr\ng\nq\n")
        subprocess.run(jlink_command(board, script), check=True)


class Board:
    """The station over a serial line, with the interface of link.Emulator; the board counts its own cycles."""

    def __init__(self, port):
        self.descriptor = os.open(port, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.descriptor)
        settings = termios.tcgetattr(self.descriptor)
        settings[4] = settings[5] = termios.B115200
        termios.tcsetattr(self.descriptor, termios.TCSAFLUSH, settings)
        self.link = Link(self.descriptor, self.descriptor)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.descriptor)

    def ask(self, command, **options):
        return self.link.ask(command, **options)

    def regions(self, region=0):
        del region
        return []


def prepare(board, probe):
    """Builds and flashes the station."""
    build.build_programs()
    flash(board, build.station(board), probe)
