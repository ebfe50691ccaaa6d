# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stack by painting, checked against the frames that the compiler states (-fstack-usage) along the calls that occurred.

The plugin records calls and jumps; the deepest chain of calls, each function with its whole frame, is a bound of what the stack held. Painting can
show less, if the last bytes of the deepest frame were not written or if the chain joins calls that did not occur together, but never more. Frames
are read from the instructions as well: assembly functions and the C library have no stated ones, and the compiler leaves out of its statement the
arguments that a function pushes because they came by value in registers."""

import bisect
import collections
import os
import re
import subprocess

from . import build, measure, profile
from .link import Emulator

SLACK_BYTES = 512  # what the bound may be above the painted stack; more would make the comparison empty
ROOT = {"generate": "moonbow_generate_from_seed", "sign": "moonbow_sign", "verify": "moonbow_verify"}


def unnumbered(name):
    """lay_out.constprop.0 -> lay_out.constprop: the compiler's copies, as it names them in either place."""
    return re.sub(r"\.\d+", "", name)


def stated_frames():
    """{(source file, function): bytes}"""
    frames = {}
    for path in build.FIRMWARE.parent.rglob("*.su"):
        for line in path.read_text(encoding="utf-8").splitlines():
            place, size, kind = line.split("\t")
            if "dynamic" in kind and "bounded" not in kind:
                raise ValueError(f"{place}: its frame has no bound")
            source, _, _, name = place.rsplit(":", 3)
            key = os.path.realpath(build.FIRMWARE.parent / source), unnumbered(name)
            frames[key] = max(frames.get(key, 0), int(size))
    return frames


def sources(program, starts):
    """The source file of the function at each address."""
    text = subprocess.run(["arm-none-eabi-addr2line", "-e", str(program), *map(hex, starts)], capture_output=True, text=True, check=True).stdout
    return [os.path.realpath(build.FIRMWARE.parent / line.rsplit(":", 1)[0]) for line in text.splitlines()]


def registers(text):
    """How many words a list such as "r4, r5, lr", "r4-r7" or "d8-d15" holds."""
    count = 0
    for item in text.split(","):
        ends = re.findall(r"\d+", item)
        words = 2 if item.strip().startswith("d") else 1
        count += words * (int(ends[1]) - int(ends[0]) + 1 if len(ends) == 2 else 1)
    return count


def frame_of(lines):
    """Bytes that a function's instructions take from the stack, each counted once."""
    total = 0
    for line in lines:
        if found := re.search(r"\b(?:v?push|stmdb\s+sp!,|vstmdb\s+sp!,)(?:\.w)?\s*\{([^}]*)\}", line):
            total += 4 * registers(found[1])
        elif found := re.search(r"\bsub(?:w|\.w)?\s+sp, (?:sp, )?#(\d+)", line):
            total += int(found[1])
        elif found := re.search(r"\bstr(?:d|\.w)?\s.*\[sp, #-(\d+)\]!", line):
            total += int(found[1])
    return total


def read_frames(program):
    """{address: bytes} of every function, from the disassembly."""
    text = subprocess.run(["arm-none-eabi-objdump", "-d", "--no-show-raw-insn", str(program)], capture_output=True, text=True, check=True).stdout
    frames, start, lines = collections.defaultdict(int), None, []
    for line in text.splitlines() + ["0 <end>:"]:
        if found := re.match(r"([0-9a-f]+) <\S+>:", line):
            if start is not None:
                frames[start] = frame_of(lines)
            start, lines = int(found[1], 16), []
        else:
            lines.append(line)
    return frames


class Chain:
    """The calls that occurred, and the deepest chain of them."""

    def __init__(self, program, edges):
        self.starts, self.names = profile.functions(program)
        self.calls, self.jumps, self.known = collections.defaultdict(set), collections.defaultdict(set), {}
        stated, read = stated_frames(), read_frames(program)
        self.frames = {start: max(stated.get((source, unnumbered(self.names[start])), 0), read[start])
                       for start, source in zip(self.starts, sources(program, self.starts))}
        for edge in edges:
            caller, callee = self.function(edge["from"]), edge["to"]
            if callee in self.names and (edge["calls"] or caller != callee):
                (self.calls if edge["calls"] else self.jumps)[caller].add(callee)

    def function(self, address):
        return self.starts[bisect.bisect_right(self.starts, address) - 1]

    def deepest(self, start, above=()):
        """Bytes from the entry of the function at this address on, and the functions' names. A jump to another leaves nothing behind."""
        if start in above:
            raise ValueError("a loop of calls: " + " > ".join(self.names[s] for s in (*above, start)))
        if start not in self.known:
            above = (*above, start)
            best = (self.frames[start], [self.names[start]])
            for callee in self.calls[start]:
                size, chain = self.deepest(callee, above)
                best = max(best, (self.frames[start] + size, [self.names[start], *chain]))
            for other in self.jumps[start]:
                size, chain = self.deepest(other, above)
                best = max(best, (size, [f"({self.names[start]})", *chain]))
            self.known[start] = best
        return self.known[start]

    def deepest_from(self, name):
        return self.deepest(next(start for start, other in self.names.items() if other == name))


def check(algorithm, operation, mode, place="internal"):
    """(painted, deepest chain's bytes, its functions); raises ValueError if they do not fit."""
    program = build.station(Emulator.BOARD)
    with Emulator(model=True, arguments=["calls=on"]) as station:
        count = 1 if operation == "generate" else 3
        painted = measure.measure(station, algorithm, operation, mode, count, place)["stack_bytes"]
        station.ask("end")
        station.process.wait(timeout=600)
        edges = [line for line in station.lines() if "from" in line]
    size, functions = Chain(program, edges).deepest_from(ROOT[operation])
    if not painted <= size <= painted + SLACK_BYTES:
        raise ValueError(f"{algorithm} {operation} {mode}: painted {painted}, but the chain has {size}: {' > '.join(functions)}")
    return painted, size, functions
