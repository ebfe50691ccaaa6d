# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts instructions, keeps them in bench/results/aarch64.json, and compares with what is kept."""

import json
import subprocess

from cortex_m4 import algorithms, profile

from . import emulator

RESULTS = emulator.ROOT / "bench" / "results" / "aarch64.json"
EVENTS = ["instructions", "simd", "loads", "stores", "branches"]
TOLERANCE = 0.01  # what a figure may move before it is reported
SIGNATURES = 4    # signatures and verifications that are counted, under one key; the mean is kept
SHARE = 0.02      # of an operation's instructions that a function must have to be named

# (processor, mode) that are kept. Small mode takes the portable solver and gatherer.
KEPT = [("sha3", "fast"), ("sha3", "small"), ("neon", "fast"), ("portable", "fast")]


def mean(runs):
    return {event: round(sum(run[event] for run in runs) / len(runs)) for event in EVENTS}


def rows_of(algorithm, processor, mode, program=None, words=None):
    """One row for each operation: means over the runs of it."""
    lines = emulator.meter(processor, words or ["count", algorithm, mode, SIGNATURES], program=program)
    rows = []
    for operation, region in emulator.REGIONS.items():
        runs = [line for line in lines if line.get("region") == region]
        rows.append({"algorithm": algorithm, "operation": operation, "processor": processor, "mode": mode, "runs": len(runs), **mean(runs)})
    return rows


def functions_of(row):
    """[{name, instructions}] of an operation's row, the most first."""
    options = ["profile=on", f"region={emulator.REGIONS[row['operation']]}"]
    lines = emulator.meter(row["processor"], ["count", row["algorithm"], row["mode"], SIGNATURES], options)
    blocks = [line for line in lines if "block" in line]
    counted = profile.by_function(emulator.PROGRAMS / "operations", blocks, emulator.PREFIX)
    return [{"name": name, "instructions": round(instructions / row["runs"])} for name, instructions, _ in counted
            if instructions >= SHARE * row["instructions"] * row["runs"]]


def annotate(row, function):
    options = ["profile=on", f"region={emulator.REGIONS[row['operation']]}"]
    lines = emulator.meter(row["processor"], ["count", row["algorithm"], row["mode"], SIGNATURES], options)
    return profile.annotate(emulator.PROGRAMS / "operations", [line for line in lines if "block" in line], function, emulator.PREFIX)


def peer_rows(program, algorithm, name):
    """Rows of other people's code: a program with the marks of mark.h around its operations, told how many signatures to make."""
    return [{**row, "name": name} for row in rows_of(algorithm, "sha3", "fast", program, [SIGNATURES])]


def save_peers(rows, about):
    kept = load()
    peers = kept.get("peers", {"about": {}, "rows": []})
    old = {(row["name"], row["algorithm"], row["operation"]): row for row in peers["rows"]}
    old.update({(row["name"], row["algorithm"], row["operation"]): row for row in rows})
    peers["about"].update({row["name"]: about for row in rows})
    peers["rows"] = sorted(old.values(), key=lambda row: (row["name"], *order(row)[:2]))
    RESULTS.write_text(json.dumps({**header(), "rows": [], **kept, "peers": peers}, indent=1) + "\n", encoding="utf-8")


def identity(row):
    return row["algorithm"], row["operation"], row["processor"], row["mode"]


def order(row):
    return algorithms.ALL.index(row["algorithm"]), list(emulator.REGIONS).index(row["operation"]), KEPT.index((row["processor"], row["mode"]))


def load():
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {"rows": []}


def header():
    def first_line(*command):
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]

    return {"about": "instructions counted by tools/cycle_model/aarch64.c, written by tools/moonbow-aarch64 count --save; not times",
            "compiler": first_line("aarch64-linux-gnu-gcc", "--version"), "flags": "-O3",
            "emulator": first_line("qemu-aarch64", "--version"), "signatures": SIGNATURES}


def save(rows):
    """Puts the rows among those that are kept, in place of those of the same name. What else the file holds (other people's code) stays."""
    before = load()
    kept = {identity(row): row for row in before["rows"]}
    kept.update({identity(row): row for row in rows})
    parts = {**before, **header(), "rows": sorted(kept.values(), key=order)}
    RESULTS.write_text(json.dumps(parts, indent=1) + "\n", encoding="utf-8")


def check(wanted, say):
    """Counts again what is kept of these algorithms. Returns how many figures were compared, and the rows that moved by more than the tolerance."""
    kept = {identity(row): row for row in load()["rows"] if row["algorithm"] in wanted}
    moved = []
    for algorithm, processor, mode in dict.fromkeys((row["algorithm"], row["processor"], row["mode"]) for row in kept.values()):
        for now in rows_of(algorithm, processor, mode):
            before = kept[identity(now)]
            changes = {event: now[event] / before[event] - 1 for event in EVENTS}
            worst = max(changes, key=lambda event: abs(changes[event]))
            if abs(changes[worst]) > TOLERANCE:
                moved.append(now)
                say(f"{algorithm:34} {now['operation']:9} {processor:9} {mode:6} {worst}: {before[worst]:,} was kept, now {now[worst]:,} "
                    f"({changes[worst]:+.2%})")
    return len(kept), moved
