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

LEF = Path("/usr/share/qflow/tech/osu035/osu035_stdcells.lef")
KINDS = [("flip-flops", r"DFF|LATCH", "tab:blue"), ("exclusive or", r"XOR|XNOR", "tab:orange"), ("buffers", r"BUF|INV", "tab:green"),
         ("other gates", r"(?!FILL)", "0.65")]
LAYERS = {"metal1": "#3050a0", "metal2": "#b03030", "metal3": "#308030", "metal4": "#905090"}


def cell_sizes():
    return {m[1]: (float(m[2]), float(m[3])) for m in re.finditer(r"MACRO (\w+)\n.*?SIZE ([\d.]+) BY ([\d.]+)", LEF.read_text(), re.S)}


def wires(text, units):
    """Segments of the routed nets by layer. A point repeats a coordinate of the one before as '*'."""
    segments = {layer: [] for layer in LAYERS}
    nets = text[re.search(r"^NETS ", text, re.M).start():]
    for part in re.split(r"\bROUTED\b|\bNEW\b", nets)[1:]:
        words = part.split()
        layer, last = words[0], None
        for point in re.finditer(r"\( (\S+) (\S+)(?: \S+)? \)", part.split(";")[0]):
            x = last[0] if point[1] == "*" else int(point[1]) / units
            y = last[1] if point[2] == "*" else int(point[2]) / units
            if last and layer in segments:
                segments[layer].append((last, (x, y)))
            last = (x, y)
    return segments


def draw(definition, out):
    text = Path(definition).read_text()
    units = int(re.search(r"UNITS DISTANCE MICRONS (\d+)", text)[1])
    corners = [int(v) / units for v in re.search(r"DIEAREA \( (\S+) (\S+) \) \( (\S+) (\S+) \)", text).groups()]
    sizes, boxes = cell_sizes(), {kind: [] for kind, _, _ in KINDS}
    for m in re.finditer(r"^- \S+ (\w+) \+ (?:PLACED|FIXED) \( (-?\d+) (-?\d+) \)", text, re.M):
        kind = next((k for k, pattern, _ in KINDS if re.match(pattern, m[1])), None)
        if kind and m[1] in sizes:
            boxes[kind].append(Rectangle((int(m[2]) / units, int(m[3]) / units), *sizes[m[1]]))
    figure, (left, right) = plt.subplots(1, 2, figsize=(16, 7))
    for kind, _, colour in KINDS:
        left.add_collection(PatchCollection(boxes[kind], facecolor=colour, edgecolor="none"))
    left.legend(handles=[Patch(color=c, label=f"{k}: {len(boxes[k])}") for k, _, c in KINDS], loc="upper center", bbox_to_anchor=(0.5, -0.04),
                ncol=4, fontsize=8)
    for layer, lines in wires(text, units).items():
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
    draw(sys.argv[1], sys.argv[2])
