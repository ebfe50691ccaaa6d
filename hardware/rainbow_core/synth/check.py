#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Opens and shorts of a routed layout, from its geometry alone: check.py FILE.def. The router's own word is not asked.
"""Compare the metal of a DEF file of the OSU 0.35 µm flow with its netlist."""

import re
import sys
from collections import defaultdict
from pathlib import Path

from geometry import UNITS, entries, macros, routes

HALF = {"metal1": 30, "metal2": 30, "metal3": 30, "metal4": 60}  # of a wire's width, hundredths of a µm
VIAS = {"M2_M1": (("metal1", 40), ("metal2", 40)), "M3_M2": (("metal2", 40), ("metal3", 40)), "M4_M3": (("metal3", 40), ("metal4", 60))}
BIN = 1000  # hundredths of a µm
OBSTRUCTION = "OBS"


def cell_metal():
    """{macro: (width, height, [(pin or OBS, layer, x0, y0, x1, y1)])} in hundredths of a µm."""
    cells = {}
    for name, text, width, height in macros():
        rectangles = []
        for part in re.finditer(r"^  (?:PIN (\w+)|OBS)(.*?)^  END", text, re.M | re.S):
            layer = None
            for word in re.finditer(r"LAYER (\w+)|RECT (\S+) (\S+) (\S+) (\S+)", part[2]):
                layer = word[1] or layer
                if word[2] and layer in HALF:
                    rectangles.append((part[1] or OBSTRUCTION, layer, *(round(UNITS * float(v)) for v in word.groups()[1:])))
        cells[name] = (width, height, rectangles)
    return cells


def turned(rectangle, width, height, orientation):
    """A rectangle of a cell whose placed orientation is N, S, FN or FS."""
    x0, y0, x1, y1 = rectangle
    if orientation in ("S", "FN"):
        x0, x1 = width - x1, width - x0
    if orientation in ("S", "FS"):
        y0, y1 = height - y1, height - y0
    return x0, y0, x1, y1


class Metal:
    """Rectangles in bins, each with an owner; rectangles of one group are joined by whoever adds them."""

    def __init__(self):
        self.bins, self.parent = defaultdict(list), []

    def find(self, i):
        while self.parent[i] != i:
            self.parent[i] = self.parent[self.parent[i]]
            i = self.parent[i]
        return i

    def node(self):
        self.parent.append(len(self.parent))
        return self.parent[-1]

    def add(self, node, owner, layer, box):
        for x in range(box[0] // BIN, box[2] // BIN + 1):
            for y in range(box[1] // BIN, box[3] // BIN + 1):
                self.bins[layer, x, y].append((box, node, owner))

    def join(self):
        """Joins what overlaps; the pairs of owners that overlap and should not. Cells are taken as they are: only overlaps with wires count."""
        shorts = set()
        for boxes in self.bins.values():
            wires = [b for b in boxes if b[2][0] == "wire"]
            for box, node, owner in wires:
                for other, node2, owner2 in boxes:
                    overlap = min(box[2], other[2]) - max(box[0], other[0]), min(box[3], other[3]) - max(box[1], other[1])
                    if owner[1] == owner2[1] and min(overlap) >= 0:
                        self.parent[self.find(node)] = self.find(node2)
                    elif owner[1] != owner2[1] and min(overlap) > 0:
                        shorts.add((owner[1], owner2[1]))
        return shorts


def wires(text):
    """(net, layer, box, number of the part of the route) of all wires and vias."""
    for number, (name, layer, width, path) in enumerate(routes(text)):
        half, last = width // 2 or HALF[layer], None
        for step in path:
            if isinstance(step, str):
                for via_layer, h in VIAS[step]:
                    yield name, via_layer, (last[0] - h, last[1] - h, last[0] + h, last[1] + h), number
                continue
            if last:
                (x0, x1), (y0, y1) = map(sorted, zip(last, step))
                yield name, layer, (x0 - half, y0 - half, x1 + half, y1 + half), number
            last = step


def check(path):
    """(nets that do not hang together, pairs of what touches and should not)."""
    text, cells, metal = Path(path).read_text(), cell_metal(), Metal()
    nets, parts = entries(text, "NETS"), {}
    net_of = {(cell, pin): name for name, body in nets for cell, pin in re.findall(r"\( (\S+) (\S+) \)", body.split("ROUTED")[0])}
    pins = {}
    for cell, macro, x, y, orientation in re.findall(r"^- (\S+) (\w+) \+ PLACED \( (\S+) (\S+) \) (\w+)", text, re.M):
        width, height, rectangles = cells[macro]
        nodes = {}
        for pin, layer, *rectangle in rectangles:
            x0, y0, x1, y1 = turned(rectangle, width, height, orientation)
            owner = {"vdd": "vdd", "gnd": "gnd"}.get(pin) or net_of.get((cell, pin)) or f"{cell}/{pin}"
            node = nodes.setdefault(pin if owner in ("vdd", "gnd") or pin != OBSTRUCTION else len(nodes), metal.node())
            metal.add(node, ("cell", owner), layer, (int(x) + x0, int(y) + y0, int(x) + x1, int(y) + y1))
        pins.update({(cell, pin): node for pin, node in nodes.items()})
    for port, layer, x, y in re.findall(r"^- (\S+) \+ NET \S+\n  \+ LAYER (\w+).*?\n  \+ PLACED \( (\S+) (\S+) \)", text, re.M):
        pins["PIN", port] = metal.node()
        metal.add(pins["PIN", port], ("cell", port), layer, (int(x) - 10, int(y) - 10, int(x) + 10, int(y) + 10))
    for name, layer, box, part in wires(text):
        metal.add(parts.setdefault(part, metal.node()), ("wire", name), layer, box)
    shorts = metal.join()
    opens = []  # vdd and gnd hang together through rails and stripes; their pins are not looked at
    for name, body in nets:
        points = [pins[p] for p in re.findall(r"\( (\S+) (\S+) \)", body.split("ROUTED")[0])]
        if name not in ("vdd", "gnd") and len({metal.find(p) for p in points}) > 1:
            opens.append(name)
    return opens, sorted(shorts)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check.py FILE.def")
    found = check(sys.argv[1])
    print(f"opens: {len(found[0])} {found[0][:10]}\nshorts: {len(found[1])} {found[1][:10]}")
    sys.exit(1 if any(found) else 0)
