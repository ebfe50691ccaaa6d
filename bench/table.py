#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints Markdown tables of the results in bench/results/. Usage: table.py times PREFIX | memory FILE.

`times portable` reads results/portable-<algorithm>.json, as written by `moonbow bench ALGORITHM --against LIB --json FILE`;
`memory portable-memory.json` reads what `moonbow bench --memory --json FILE` wrote."""

import json
import pathlib
import sys

RESULTS = pathlib.Path(__file__).parent / "results"
OPERATIONS = ["keygen", "sign", "verify"]


def load(name):
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def short(ticks):
    """1234567 -> 1.23M"""
    return f"{ticks / 1e6:.2f}M" if ticks >= 1e6 else f"{ticks / 1e3:.1f}k"


def times(prefix):
    print("| algorithm | " + " | ".join(f"{operation} (x)" for operation in OPERATIONS) + " |")
    print("|---" * (1 + len(OPERATIONS)) + "|")
    for path in sorted(RESULTS.glob(f"{prefix}-*-*.json")):
        for algorithm in json.loads(path.read_text(encoding="utf-8"))["algorithms"]:
            cells = []
            for operation in OPERATIONS:
                rows = [row for row in algorithm["results"] if row["operation"] == operation]
                ours = next(row for row in rows if row["implementation"] == "moonbow")
                ratios = [row["ratio_to_moonbow"] for row in rows if "ratio_to_moonbow" in row]
                cells.append(short(ours["ticks"]["median"]) + "".join(f" ({ratio:.2f})" for ratio in ratios))
            print(f"| {algorithm['algorithm']} | " + " | ".join(cells) + " |")


def memory(name):
    print("| algorithm | operation | fast: scratch + stack | small: scratch + stack |")
    print("|---|---|---|---|")
    for algorithm in load(name)["algorithms"]:
        by_operation = {}
        for row in algorithm["results"]:
            by_operation.setdefault(row["operation"], {})[row["mode"]] = row
        for operation, modes in by_operation.items():
            cells = [f"{modes[mode]['scratch_bytes']} + {modes[mode]['stack_bytes']}" for mode in ("fast", "small")]
            print(f"| {algorithm['algorithm']} | {operation} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    {"times": times, "memory": memory}[sys.argv[1]](sys.argv[2])
