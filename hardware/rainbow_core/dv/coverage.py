#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Coverage of lines and toggles over all simulations that `run.py … --coverage` has made: coverage.py [OUT.json]. A point counts as covered if any
# instance in any configuration reached it. Lists the holes; ../README.md explains them.
"""Merge Verilator's coverage files and report."""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from run import BUILD


def points(path):
    """((file, line, page, what), count) of each point of one file."""
    for line in path.read_text(errors="replace").splitlines():
        match = re.match(r"C '(.*)' (\d+)$", line)
        if match:
            fields = dict(f.split("\x02", 1) for f in match[1].split("\x01") if "\x02" in f)
            kind = fields.get("page", "").split("/")[0].removeprefix("v_")
            yield (Path(fields["f"]).name, int(fields["l"]), kind, fields.get("o", "")), int(match[2])


def verilator_version():
    return subprocess.run(["verilator", "--version"], capture_output=True, text=True).stdout.strip()


def main():
    files = sorted((BUILD / "verilator").glob("*/coverage.dat"))
    merged = defaultdict(int)
    for path in files:
        for point, count in points(path):
            merged[point] += count
    table, holes = defaultdict(lambda: [0, 0]), defaultdict(list)
    for (file, line, kind, what), count in merged.items():
        table[file, kind][0] += count > 0
        table[file, kind][1] += 1
        if not count:
            holes[file].append(f"{line} {kind} {what}".strip())
    for (file, kind), (covered, total) in sorted(table.items()):
        print(f"{file:24} {kind:8} {covered:6} of {total:6}  {100 * covered / total:5.1f} %")
    for file, names in sorted(holes.items()):
        print(f"{file}: " + "; ".join(sorted(names)[:40]) + (" …" if len(names) > 40 else ""))
    if len(sys.argv) > 1:
        result = {"simulations": [p.parent.name for p in files], "tools": {"verilator": verilator_version()},
                  "made_by": "hardware/rainbow_core/dv/coverage.py, after dv/run.py full --coverage",
                  "covered": {f"{file} {kind}": list(counts) for (file, kind), counts in sorted(table.items())},
                  "holes": {file: sorted(names) for file, names in sorted(holes.items())}}
        Path(sys.argv[1]).write_text(json.dumps(result, indent=1) + "\n")
    return 0 if files else 1


if __name__ == "__main__":
    sys.exit(main())
