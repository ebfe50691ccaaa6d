#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draws the figures of docs/figures/ from bench/results/. Usage: plot.py [TOOL] (needs matplotlib; `make figures` brings it).

TOOL is the command line whose `list --json` gives the sizes, build/cli/moonbow if none is named.

ratios.svg             how many times as fast as each peer, by set and operation
sizes_and_speeds.svg   lengths, and cycles to sign and to verify, beside quoted figures of other schemes
cortex_m4.svg          cycles of the Cortex-M4 model"""

import json
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "moonbow", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib import ticker  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE / "results"
FIGURES = HERE.parent / "docs" / "figures"
OPERATIONS = ("keygen", "sign", "verify")
COLOURS = {"candidate": "tab:blue", "legacy": "tab:orange", "broken": "tab:red", "quoted": "0.35"}
# Series of results: files' prefix, what it is, marker, colour, filled.
SERIES = (
    ("x86", "the backend that the machine chooses (GFNI, AVX-512), beside AVX2 (Rainbow) and GFNI (UOV) codes", "o", "tab:blue", True),
    ("x86-avx2", "the AVX2 backend, beside AVX2 codes", "D", "tab:green", True),
    ("portable", "portable C, beside the designers' portable C", "o", "tab:blue", False),
)
SETS = ("rainbow-I", "rainbow-III", "rainbow-V", "uov-Ip", "uov-Is", "uov-III", "uov-V")
FORMATS = {"rainbow": ("-classic", "-circumzenithal", "-compressed"), "uov": ("", "-pkc", "-pkc-skc")}
NAMES = [name + suffix for name in SETS for suffix in FORMATS[name.split("-")[0]]]


def results(prefix):
    """{algorithm: {operation: row of ours with the best peer's ratio under "ratio"}} of one series."""
    found = {}
    for name in NAMES:
        path = RESULTS / f"{prefix}-{name}.json"
        if not path.exists():
            continue
        for algorithm in json.loads(path.read_text(encoding="utf-8"))["algorithms"]:
            for row in algorithm["results"]:
                cell = found.setdefault(algorithm["algorithm"], {}).setdefault(row["operation"], {})
                if row["implementation"] == "moonbow":
                    cell["ticks"] = row["ticks"]["median"]
                else:  # beside several peers the quickest one counts
                    cell["ratio"] = min(row["ratio_to_moonbow"], cell.get("ratio", float("inf")))
    return found


def save(figure, name):
    FIGURES.mkdir(exist_ok=True)
    figure.savefig(FIGURES / name, metadata={"Date": None})
    plt.close(figure)


def log_axis(axis, ticks, form="{:g}"):
    axis.set_major_locator(ticker.FixedLocator(ticks))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: form.format(value)))
    axis.set_minor_locator(ticker.NullLocator())


def kilo(value, _=None):
    if value >= 1e9:
        return f"{value / 1e9:g}G"
    return f"{value / 1e6:g}M" if value >= 1e6 else f"{value / 1e3:g}k" if value >= 1e3 else f"{value:g}"


def rows_of_sets(axes, names):
    """Algorithms from top to bottom, a thin line between sets."""
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), names)
    for position in range(3, len(names), 3):
        axes.axhline(position - 0.5, color="0.9", linewidth=0.8, zorder=0)


def ratios():
    figure, panels = plt.subplots(1, 3, figsize=(10, 6.2), sharey=True)
    for axes, operation in zip(panels, OPERATIONS):
        rows_of_sets(axes, NAMES)
        for prefix, label, marker, colour, filled in SERIES:
            cells = results(prefix)
            points = [(cells[name][operation]["ratio"], NAMES.index(name)) for name in cells if "ratio" in cells[name].get(operation, {})]
            if points:
                axes.plot(*zip(*points), marker, color=colour, markerfacecolor=colour if filled else "white", label=label, markersize=5.5)
        axes.set_xscale("log")
        axes.set_xlim(0.7, 64)
        log_axis(axes.xaxis, (1, 2, 4, 8, 16, 32, 64), "{:g}x")
        axes.axvline(1, color="0.6", linewidth=0.8, zorder=0)
        axes.grid(axis="x", color="0.92", linewidth=0.6)
        axes.set_title(operation)
    panels[0].legend(loc="upper left", bbox_to_anchor=(-0.5, -0.07), frameon=False, ncols=1)
    figure.suptitle("Times as fast as the published implementation, in one run (right is better)")
    figure.subplots_adjust(left=0.21, right=0.985, top=0.88, bottom=0.17, wspace=0.08)
    save(figure, "ratios.svg")


def sizes_and_speeds(tool):
    listed = {row["name"]: row for row in json.loads(subprocess.run([tool, "list", "--json"], check=True, capture_output=True).stdout)["algorithms"]}
    ours, quoted = results("x86"), json.loads((RESULTS / "quoted.json").read_text(encoding="utf-8"))["rows"]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 5))

    def label(axes, point, name, kind, side="above"):
        offset, align = {"above": ((0, 5), "center"), "right": ((7, -3), "left"), "left": ((-7, -3), "right")}[side]
        axes.annotate(name, point, textcoords="offset points", xytext=offset, fontsize=7.5, color=COLOURS[kind], ha=align)

    def pair(axes, first, second, name, kind, side):
        """A set's quickest format (full) and its shortest keys (hollow), joined."""
        axes.plot(*zip(first, second), "-", color=COLOURS[kind], linewidth=0.6, zorder=1)
        axes.plot(*first, "o", color=COLOURS[kind], markersize=5)
        axes.plot(*second, "o", color=COLOURS[kind], markerfacecolor="white", markersize=5)
        label(axes, first, name, kind, side)

    for row in quoted:
        for axes, x, y in ((left, "public_key_bytes", "signature_bytes"), (right, "sign", "verify")):
            axes.plot(row[x], row[y], "D", color=COLOURS["quoted"], markersize=5)
            label(axes, (row[x], row[y]), row["name"], "quoted", "left" if row["name"] == "Ed25519" and axes is right else "right")
    for name in SETS:
        long, middle, short = (name + suffix for suffix in FORMATS[name.split("-")[0]])
        kind = listed[long]["security"]
        points = [(listed[key]["public_key_bytes"], listed[key]["signature_bytes"]) for key in (long, middle)]
        pair(left, *points, name, kind, "above" if name == "uov-III" else "right")
        if long in ours and short in ours:
            points = [tuple(ours[key][operation]["ticks"] for operation in ("sign", "verify")) for key in (long, short)]
            pair(right, *points, name, kind, "left")
    for axes in (left, right):
        axes.set_xscale("log")
        axes.set_yscale("log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_minor_locator(ticker.NullLocator())
            axis.set_major_formatter(ticker.FuncFormatter(kilo))
        axes.grid(color="0.93", linewidth=0.6)
    left.set_xlim(15, 5e7)
    left.set_ylim(50, 4000)
    log_axis(left.yaxis, (64, 100, 200, 400, 1000, 2000))
    right.set_xlim(4e3, 8e6)
    right.set_ylim(5e3, 1e6)
    left.set_xlabel("public key, bytes")
    left.set_ylabel("signature, bytes")
    right.set_xlabel("signing, processor ticks")
    right.set_ylabel("verification, processor ticks")
    figure.suptitle("Blue: candidates, orange: weakened, red: broken; full: classic keys, hollow: seeded keys. Grey: other schemes as quoted, on other machines", fontsize=9)
    figure.tight_layout()
    save(figure, "sizes_and_speeds.svg")


def cortex_m4():
    rows = json.loads((RESULTS / "cortex-m4.json").read_text(encoding="utf-8"))["rows"]
    names = [name for name in NAMES if any(row["algorithm"] == name for row in rows)]
    figure, panels = plt.subplots(1, 3, figsize=(10, 1.6 + 0.21 * len(names)), sharey=True)
    for axes, operation in zip(panels, ("generate", "sign", "verify")):
        rows_of_sets(axes, names)
        for mode, filled in (("fast", True), ("small", False)):
            points = {row["algorithm"]: row["cycles"]["mean"] for row in rows if (row["operation"], row["mode"]) == (operation, mode)}
            points = [(cycles, names.index(name)) for name, cycles in points.items() if name in names]
            if points:
                axes.plot(*zip(*points), "o", color="tab:blue", markerfacecolor="tab:blue" if filled else "white", label=f"{mode} mode", markersize=5.5)
        axes.set_xscale("log")
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        axes.xaxis.set_major_locator(ticker.LogLocator(subs=(1, 3)))
        axes.xaxis.set_major_formatter(ticker.FuncFormatter(kilo))
        axes.grid(axis="x", color="0.92", linewidth=0.6)
        axes.set_title({"generate": "keygen"}.get(operation, operation))
    panels[0].legend(loc="upper left", bbox_to_anchor=(-0.5, -0.09), frameon=False, ncols=2)
    figure.suptitle("Cortex-M4: cycles of the model")
    figure.subplots_adjust(left=0.21, right=0.985, top=0.85, bottom=0.16, wspace=0.08)
    save(figure, "cortex_m4.svg")


if __name__ == "__main__":
    ratios()
    sizes_and_speeds(sys.argv[1] if len(sys.argv) > 1 else HERE.parent / "build" / "cli" / "moonbow")
    cortex_m4()
