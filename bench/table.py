#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints Markdown tables of the results in bench/results/. Usage: table.py times PREFIX | memory FILE | scratch [DOCUMENT] | cortex-m4 [DOCUMENT] |
aarch64 [DOCUMENT] | sets TOOL [DOCUMENT].

`times portable` (or `x86`, `x86-avx2`) reads results/portable-<algorithm>.json, as written by `moonbow bench ALGORITHM --against LIB --json FILE`;
`memory portable-memory.json` reads what `moonbow bench --memory --json FILE` wrote;
`scratch` has of the same file what a device asks for, and puts it into DOCUMENT between its markers if one is given;
`cortex-m4` reads results/cortex-m4.json and results/cortex-m4-size.json, kept by `moonbow-m4 bench --save` and `moonbow-m4 size --json FILE`, likewise;
`aarch64` does the same with results/aarch64.json, kept by `moonbow-aarch64 count --save`;
`sets` puts every set's security, lengths (of `TOOL list --json`) and speeds on each target side by side."""

import json
import pathlib
import subprocess
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
    for path in sorted(path for family in ("rainbow", "uov") for path in RESULTS.glob(f"{prefix}-{family}-*.json")):
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


def put(table, name, document):
    """Prints a table, or puts it into a document between its markers."""
    if document is None:
        print(table, end="")
        return
    begin, end = f"<!-- {name} table -->\n", "<!-- end of the table -->"
    path = pathlib.Path(document)
    before, rest = path.read_text(encoding="utf-8").split(begin)
    path.write_text(before + begin + table + end + rest.split(end, 1)[1], encoding="utf-8")


def spaced(number):
    """1234567 -> 1 234 567"""
    return f"{number:,}".replace(",", "\N{NO-BREAK SPACE}")


def scratch(document=None):
    columns = [("verify", "fast"), ("verify", "small"), ("sign", "small")]
    lines = ["| algorithm | " + " | ".join(f"{operation}, {mode}" for operation, mode in columns) + " |", "|---" + "|---:" * len(columns) + "|"]
    for algorithm in load("portable-memory.json")["algorithms"]:
        needed = {(row["operation"], row["mode"]): row["scratch_bytes"] for row in algorithm["results"]}
        lines.append(f"| `{algorithm['algorithm']}` | " + " | ".join(spaced(needed[column]) for column in columns) + " |")
    put("\n".join(lines) + "\n", "scratch", document)


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


def cortex_m4_peers_table():
    """Their cycles over ours, fast mode; where their parameters are others, ours with theirs as well."""
    data = load("cortex-m4.json")
    peers = data["peers"]["rows"]
    ours = {(row["algorithm"], row["operation"]): row["cycles"]["mean"] for row in data["rows"] if row["mode"] == "fast"}
    alike = {(row["algorithm"], row["operation"]): row["cycles"]["mean"] for row in peers if row["name"].startswith("moonbow")}
    theirs = {(row["algorithm"], row["operation"]): row["cycles"]["mean"] for row in peers if not row["name"].startswith("moonbow")}
    operations = ["generate", "sign", "verify"]
    lines = ["| algorithm | " + " | ".join(operations) + " |", "|---" * (1 + len(operations)) + "|"]
    for algorithm in dict.fromkeys(row["algorithm"] for row in peers):
        cells = []
        for operation in operations:
            key = algorithm, operation
            cells.append(f"{short(theirs[key])} / {short(ours[key])} = {ratio(theirs[key], ours[key])}"
                         + (f"; {short(alike[key])}: {ratio(theirs[key], alike[key])}" if key in alike else ""))
        lines.append(f"| `{algorithm}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def cortex_m4_flash_table():
    rows = load("cortex-m4-size.json")["rows"]
    columns = [column for column in rows[0] if column != "algorithm"]
    lines = ["| algorithm | " + " | ".join(columns) + " |", "|---" + "|---:" * len(columns) + "|"]
    lines += [f"| `{row['algorithm']}` | " + " | ".join(f"{row[column]:,}".replace(",", " ") for column in columns) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def cortex_m4(document=None):
    put(cortex_m4_table(), "cortex-m4", document)
    put(cortex_m4_flash_table(), "cortex-m4-flash", document)
    put(cortex_m4_peers_table(), "cortex-m4-peers", document)


def ratio(other, ours):
    return f"{other / ours:.0f}" if other >= 100 * ours else f"{other / ours:.1f}" if other >= 10 * ours else f"{other / ours:.2f}"


def aarch64_cell(data, algorithm, operation):
    """Instructions, and how many times as many our portable code and other people's take."""
    def instructions(rows, **wanted):
        return next((row["instructions"] for row in rows if all(row[key] == value for key, value in wanted.items())), None)

    ours = {"algorithm": algorithm, "operation": operation}
    native = instructions(data["rows"], processor="sha3", mode="fast", **ours)
    portable = instructions(data["rows"], processor="portable", mode="fast", **ours)
    peer = instructions(data.get("peers", {"rows": []})["rows"], **ours)
    if native is None:
        return ""
    return short(native) + (f" / {ratio(portable, native)}" if portable else "") + (f" / {ratio(peer, native)}" if peer else "")


def aarch64_table():
    data = load("aarch64.json")
    operations = ["generate", "sign", "verify"]
    lines = ["| algorithm | " + " | ".join(operations) + " |", "|---" * (1 + len(operations)) + "|"]
    for algorithm in dict.fromkeys(row["algorithm"] for row in data["rows"]):
        lines.append(f"| `{algorithm}` | " + " | ".join(aarch64_cell(data, algorithm, operation) for operation in operations) + " |")
    return "\n".join(lines) + "\n"


def aarch64(document=None):
    put(aarch64_table(), "aarch64", document)


def sets(tool, document=None):
    listed = json.loads(subprocess.run([tool, "list", "--json"], check=True, capture_output=True).stdout)["algorithms"]
    cortex = load("cortex-m4.json")["rows"]
    sizes = ["| set | security | public key | secret key | signature |", "|---|---|---:|---:|---:|"]
    speeds = ["| set | x86-64: keygen | sign | verify | Cortex-M4: keygen | sign | verify |", "|---" + "|---:" * 6 + "|"]
    for row in listed:
        name = f"`{row['name']}`"
        lengths = [spaced(row[key]) for key in ("public_key_bytes", "secret_key_bytes", "signature_bytes")]
        sizes.append("| " + " | ".join([name, row["security"], *lengths]) + " |")
        path = RESULTS / f"x86-{row['name']}.json"
        results = load(path.name)["algorithms"][0]["results"] if path.exists() else []
        figures = {result["operation"]: result["ticks"]["median"] for result in results if result["implementation"] == "moonbow"}
        figures |= {("m4", item["operation"]): item["cycles"]["mean"] for item in cortex if (item["algorithm"], item["mode"]) == (row["name"], "fast")}
        columns = [*OPERATIONS, *(("m4", operation) for operation in ("generate", "sign", "verify"))]
        if figures:
            speeds.append("| " + " | ".join([name, *(short(figures[column]) if column in figures else "" for column in columns)]) + " |")
    put("\n".join([*sizes, "", *speeds]) + "\n", "sets", document)


if __name__ == "__main__":
    {"times": times, "memory": memory, "scratch": scratch, "cortex-m4": cortex_m4, "aarch64": aarch64, "sets": sets}[sys.argv[1]](*sys.argv[2:])
