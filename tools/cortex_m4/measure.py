# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures operations, keeps results in bench/results/cortex-m4.json, and compares with them."""

import json
import statistics
import subprocess

from . import algorithms, build
from .link import Emulator, StationError

OPERATIONS = ["generate", "sign", "verify"]
RESULTS = build.ROOT / "bench" / "results" / "cortex-m4.json"
TOLERANCE = 0.01  # what a figure may move before it is reported
CHECKED = 3       # of a row's runs are repeated by the check

EVENTS = ["cycles", "instructions", "loads", "stores", "branches", "taken"]


def summary(values):
    return {"mean": round(statistics.fmean(values)), "minimum": min(values), "median": round(statistics.median(values)),
            "maximum": max(values), "deviation": round(statistics.pstdev(values))}


def measure(station, algorithm, operation, mode, count, place="internal"):
    """One row of results: `count` runs on inputs 0, 1, 2, ..."""
    reply = station.ask(f"{operation} {algorithm} {mode} {count} 0 {place}")
    runs = station.regions()
    if reply.cycles:
        runs = [{"cycles": cycles} for cycles in reply.cycles]
    if len(runs) != count:
        raise StationError(f"{algorithm} {operation}: {len(runs)} measurements of {count}")
    row = {"algorithm": algorithm, "operation": operation, "mode": mode, "count": count,
           "cycles": summary([run["cycles"] for run in runs]),
           "first": {"count": min(count, CHECKED), "cycles": round(statistics.fmean(run["cycles"] for run in runs[:CHECKED]))}}
    for event in EVENTS[1:]:
        if event in runs[0]:
            row[event] = round(statistics.fmean(run[event] for run in runs))
    row["stack_bytes"] = int(reply.words["stack"])
    row["memory"] = [item for item in reply.places if item["what"] != "setup"]
    row["key"] = place
    return row


def identity(row):
    return row["algorithm"], row["operation"], row["mode"], row["key"]


def load():
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {"rows": []}


def plan(algorithm):
    """What the kept results hold of an algorithm: (operation, mode, count, memory of the key). At level 1 a thousand signatures, whose number of
    attempts varies, and a hundred of the rest; keys in RAM where they fit. Above, ten, and keys where flash is. Small mode reads the public
    key from flash."""
    level_1 = algorithm in algorithms.LEVEL_1
    place, signatures, count = ("internal", 1000, 100) if level_1 else ("code", 10, 10)
    return [("generate", "fast", 1, place), ("generate", "small", 1, place), ("sign", "fast", signatures, place),
            ("sign", "small", count, place), ("verify", "fast", count, place), ("verify", "small", count, "code")]


def header():
    def first_line(*command):
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]

    return {"about": "cycles of the model in tools/cycle_model, written by tools/moonbow-m4 bench --save",
            "compiler": first_line("arm-none-eabi-gcc", "--version"), "emulator": first_line("qemu-system-arm", "--version")}


def write(results):
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def save(rows):
    """Puts the rows among those that are kept, in place of those of the same name. What else the file holds (other people's code) stays."""
    before = load()
    kept = {identity(row): row for row in before["rows"]}
    kept.update({identity(row): row for row in rows})
    write({**before, **header(), "rows": [kept[key] for key in sorted(kept)]})


def ram_bytes(row):
    """Scratch memory and stack."""
    return row["stack_bytes"] + sum(item["bytes"] for item in row["memory"] if item["what"] == "scratch")


def check(rows, say):
    """Measures the first runs of each kept row again. Returns the rows whose cycles or RAM moved by more than the tolerance."""
    moved = []
    for row in rows:
        with Emulator(model=True) as station:
            now = measure(station, row["algorithm"], row["operation"], row["mode"], row["first"]["count"], row["key"])
        before, after = row["first"]["cycles"], now["first"]["cycles"]
        change, ram_change = after / before - 1, ram_bytes(now) / ram_bytes(row) - 1
        remarks = ["moved"] if abs(change) > TOLERANCE else []
        remarks += [f"RAM moved: {ram_bytes(row):,}, now {ram_bytes(now):,}"] if abs(ram_change) > TOLERANCE else []
        if remarks:
            moved.append(row)
        say(f"{row['algorithm']:34} {row['operation']:9} {row['mode']:6} {before:>13,} {after:>13,} {change:+8.2%}"
            + (f"  <-- {'; '.join(remarks)}" if remarks else ""))
    return moved
