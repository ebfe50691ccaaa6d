#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# A picture of a routed layout: picture.py FILE.def OUT.png. Cells by kind below, wires by layer above. Needs matplotlib.
"""Draw a DEF file of the OSU 0.35 µm flow."""

import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import LineCollection, PatchCollection  # noqa: E402
from matplotlib.patches import Patch, Rectangle  # noqa: E402

from geometry import UNITS, macros, routes, segments  # noqa: E402

KINDS = [("flip-flops", r"DFF|LATCH", "tab:blue"), ("exclusive or", r"XOR|XNOR", "tab:orange"), ("buffers", r"BUF|INV", "tab:green"),
         ("other gates", r"(?!FILL)", "0.65")]
LAYERS = {"metal1": "#3050a0", "metal2": "#b03030", "metal3": "#308030", "metal4": "#905090"}


def microns(*lengths):
    return tuple(length / UNITS for length in lengths)


def draw(definition, out):
    text = Path(definition).read_text()
    corners = microns(*map(int, re.search(r"DIEAREA \( (\S+) (\S+) \) \( (\S+) (\S+) \)", text).groups()))
    sizes, boxes = {name: microns(width, height) for name, _, width, height in macros()}, {kind: [] for kind, _, _ in KINDS}
    for m in re.finditer(r"^- \S+ (\w+) \+ (?:PLACED|FIXED) \( (-?\d+) (-?\d+) \)", text, re.M):
        kind = next((k for k, pattern, _ in KINDS if re.match(pattern, m[1])), None)
        if kind and m[1] in sizes:
            boxes[kind].append(Rectangle(microns(int(m[2]), int(m[3])), *sizes[m[1]]))
    figure, (left, right) = plt.subplots(1, 2, figsize=(16, 7))
    for kind, _, colour in KINDS:
        left.add_collection(PatchCollection(boxes[kind], facecolor=colour, edgecolor="none"))
    left.legend(handles=[Patch(color=c, label=f"{k}: {len(boxes[k])}") for k, _, c in KINDS], loc="upper center", bbox_to_anchor=(0.5, -0.04),
                ncol=4, fontsize=8)
    lines_of = {layer: [] for layer in LAYERS}
    for _, layer, _, path in routes(text):
        lines_of[layer] += [(microns(*start), microns(*end)) for start, end in segments(path)]
    for layer, lines in lines_of.items():
        right.add_collection(LineCollection(lines, colors=LAYERS[layer], linewidths=0.3))
    right.legend(handles=[Patch(color=c, label=k) for k, c in LAYERS.items()], loc="upper center", bbox_to_anchor=(0.5, -0.04), ncol=4, fontsize=8)
    for axes, title in ((left, "cells"), (right, "wires")):
        axes.set_xlim(corners[0], corners[2])
        axes.set_ylim(corners[1], corners[3])
        axes.set_aspect("equal")
        axes.set_title(title)
        axes.set_xlabel("µm")
    figure.tight_layout()
    figure.savefig(out, dpi=110, metadata={"Software": None})
    plt.close(figure)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: picture.py FILE.def OUT.png")
    draw(sys.argv[1], sys.argv[2])
