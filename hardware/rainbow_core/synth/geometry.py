# SPDX-License-Identifier: Apache-2.0 OR MIT
# Reads the LEF file of the OSU 0.35 µm cells and the routes of DEF files: used by place.py, layout.py, check.py and picture.py. Lengths are in the unit
# of the DEF files, hundredths of a µm.
"""Cells' outlines and metal, and nets' wires."""

import re
from pathlib import Path

LEF = Path("/usr/share/qflow/tech/osu035/osu035_stdcells.lef")
UNITS = 100  # of a DEF file to the µm


def macros():
    """(name, text, width, height) of each macro in the LEF file that has a size."""
    for macro in re.finditer(r"^MACRO (\w+)\n(.*?)^END \1", LEF.read_text(), re.M | re.S):
        size = re.search(r"SIZE\s+([\d.]+) BY ([\d.]+)", macro[2])
        if size:
            yield macro[1], macro[2], *(round(UNITS * float(v)) for v in size.groups())


def entries(text, section):
    """(name, text) of the nets of NETS or SPECIALNETS."""
    found = re.search(rf"^{section} .*?^END {section}", text, re.M | re.S)
    return re.findall(r"^- (\S+)\n(.*?);", found[0], re.M | re.S) if found else []


def routes(text, sections=("NETS", "SPECIALNETS")):
    """(net, layer, width or 0 for the layer's own, path) of each part of a route; a path has points (x, y) and names of vias at the point before.

    Special nets are the router's short ends of other widths, and the power stripes.
    """
    for section in sections:
        for net, body in entries(text, section):
            for part in re.split(r"\bROUTED\b|\bNEW\b", body)[1:]:
                layer, width = part.split()[:2]
                path, last = [], None
                for word in re.finditer(r"\( (\S+) (\S+) \)|(M\d_M\d)", part):
                    if word[3]:
                        path.append(word[3])
                    else:  # a point repeats a coordinate of the one before as '*'
                        last = tuple(last[i] if v == "*" else int(v) for i, v in enumerate(word.groups()[:2]))
                        path.append(last)
                yield net, layer, int(width) if width.isdigit() else 0, path


def segments(path):
    """Pairs of points of a path that a wire joins."""
    points = [p for p in path if not isinstance(p, str)]
    return list(zip(points, points[1:]))
