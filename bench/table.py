#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints Markdown tables of the results in bench/results/. Usage: table.py times PREFIX | memory FILE | cortex-m4 [DOCUMENT].

`times portable` reads results/portable-<algorithm>.json, as written by `moonbow bench ALGORITHM --against LIB --json FILE`;
`memory portable-memory.json` reads what `moonbow bench --memory --json FILE` wrote;
`cortex-m4` reads results/cortex-m4.json, kept by `moonbow-m4 bench --save`, and puts the table into DOCUMENT between its markers if one is given."""

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


CORTEX_M4_BEGIN, CORTEX_M4_END = "<!-- cortex-m4 table -->\n", "<!-- end of the table -->"


def cortex_m4_cell(rows, algorithm, operation, mode):
    """Cycles / scratch + stack; (x) where something lay beyond 512 KiB."""
    row = next((row for row in rows if (row["algorithm"], row["operation"], row["mode"]) == (algorithm, operation, mode)), None)
    if row is None:
        return ""
    scratch = next(item for item in row["memory"] if item["what"] == "scratch")
    beyond = any(item["memory"] == "external" for item in row["memory"])
    return f"{short(row['cycles']['mean'])} / {scratch['bytes'] + row['stack_bytes']:,}{' (x)' if beyond else ''}".replace(",", " ")


def cortex_m4_table():
    rows = load("cortex-m4.json")["rows"]
    columns = [(operation, mode) for operation in ("generate", "sign", "verify") for mode in ("fast", "small")]
    lines = ["| algorithm | " + " | ".join(f"{operation}, {mode}" for operation, mode in columns) + " |", "|---" * (1 + len(columns)) + "|"]
    for algorithm in dict.fromkeys(row["algorithm"] for row in rows):
        lines.append(f"| `{algorithm}` | " + " | ".join(cortex_m4_cell(rows, algorithm, *column) for column in columns) + " |")
    return "\n".join(lines) + "\n"


def cortex_m4(document=None):
    if document is None:
        print(cortex_m4_table(), end="")
        return
    path = pathlib.Path(document)
    before, rest = path.read_text(encoding="utf-8").split(CORTEX_M4_BEGIN)
    path.write_text(before + CORTEX_M4_BEGIN + cortex_m4_table() + CORTEX_M4_END + rest.split(CORTEX_M4_END)[1], encoding="utf-8")


if __name__ == "__main__":
    {"times": times, "memory": memory, "cortex-m4": cortex_m4}[sys.argv[1]](*sys.argv[2:])
