# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A conversation with the station program (firmware/programs/station.c), on the emulator or over a serial line."""

import json
import os
import pathlib
import select
import subprocess
import tempfile
import time

from . import build


class StationError(Exception):
    """The station answered with an error, fell silent, or ended."""


class Reply:
    """The lines of an answer: `words["stack"]` is the last word of the line that begins with it; `cycles` the board's own counts."""

    def __init__(self, lines):
        self.words, self.places, self.cycles = {}, [], []
        for line in lines:
            key, *rest = line.split()
            if key == "place":
                self.places.append({"what": rest[0], "memory": rest[1], "bytes": int(rest[2])})
            elif key == "cycles":
                self.cycles.append(int(rest[0]))
            else:
                self.words[key] = " ".join(rest)


class Link:
    """Lines in and out of file descriptors."""

    def __init__(self, reader, writer):
        self.reader, self.writer, self.pending = reader, writer, b""

    def read_line(self, timeout):
        end = time.monotonic() + timeout
        while b"\n" not in self.pending:
            ready, _, _ = select.select([self.reader], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise StationError(f"no answer in {timeout} seconds")
            piece = os.read(self.reader, 4096)
            if not piece:
                raise StationError("the program ended")
            self.pending += piece
        line, self.pending = self.pending.split(b"\n", 1)
        return line.decode("ascii", "replace").strip()

    def ask(self, command, timeout=3600):
        os.write(self.writer, (command + "\n").encode("ascii"))
        lines = []
        while True:
            line = self.read_line(timeout)
            if line == "ok":
                return Reply(lines)
            if line.startswith(("error", "fault")):
                raise StationError(f"{command}: {line}")
            if line:
                lines.append(line)


class Emulator:
    """The station under qemu-system-arm. With `model`, regions() gives what the cycle model counted since it was last asked."""

    BOARD = "mps2_an386"

    def __init__(self, program=None, model=False, arguments=()):
        self.folder = tempfile.TemporaryDirectory(prefix="moonbow-m4-")
        self.output = pathlib.Path(self.folder.name) / "regions"
        self.read_so_far = 0
        command = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "stdio",
                   "-semihosting", "-kernel", str(program or build.station(self.BOARD))]
        if model:
            command += ["-plugin", ",".join([str(build.PLUGIN), f"out={self.output}", *arguments])]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.link = Link(self.process.stdout.fileno(), self.process.stdin.fileno())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.folder.cleanup()

    def ask(self, command, **options):
        return self.link.ask(command, **options)

    def lines(self):
        """New complete lines of the plugin's output, as objects."""
        with open(self.output, encoding="ascii") as file:
            file.seek(self.read_so_far)
            text = file.read()
        self.read_so_far += len(text)
        return [json.loads(line) for line in text.splitlines()]

    def regions(self, region=0):
        return [line for line in self.lines() if line.get("region") == region]

    def end(self):
        """Ends the program, so that the plugin writes its profile, and gives that."""
        self.ask("end")
        self.process.wait(timeout=600)
        return [line for line in self.lines() if "block" in line]
