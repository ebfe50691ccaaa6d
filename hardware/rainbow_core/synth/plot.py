#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Draws doc/area_time.svg from results/*.json and published.json, and prints the tables of the README (cores, layouts, blocks, ECP5): plot.py (needs matplotlib).
"""Area-time plane and tables of the signing cores."""

import json
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "moonbow"
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib import ticker  # noqa: E402

HERE = Path(__file__).resolve().parent


def main():
    results = {p.stem: json.loads(p.read_text()) for p in sorted((HERE / "results").glob("*.json"))}
    published = json.loads((HERE / "published.json").read_text())["cores"]
    cores = {n: r for n, r in results.items() if "ge_ms" in r}
    print("| configuration | key bytes a cycle | cycles | GE | critical path, ns | MHz | µs | GE·ms |\n|---|---|---|---|---|---|---|---|")
    for name, r in sorted(cores.items(), key=lambda item: (item[0].rsplit("_r", 1)[0], item[1]["cycles"])):
        print(f"| `{name}` | {r['key_bytes_per_cycle']:g} | {r['cycles']} | {r['gate_equivalents']} | {r['critical_path_ns']:.2f} | "
              f"{r['frequency_mhz']:.0f} | {r['time_us']:.2f} | {r['ge_ms']:.1f} |")
    print("\n| layout | cells | buffers for long nets | die, µm | wire, m | open nets | before layout, ns | placed, ns | LEF, ns | 0.1 fF/µm, ns | MHz | hold slack, ns | skew, ns |"
          "\n|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name, r in results.items():
        if name.startswith("layout_"):
            placed, routed = r["wires_estimated_0.1_fF_per_um"], r["ended_at"] is None
            lef, edges = (r["wires_as_in_lef"], r["wires_0.1_fF_per_um"]) if routed else (None, placed)
            wire = sum(r["wire_mm"].values()) if routed else sum(r["half_perimeter_mm"])
            print(f"| `{r['name']}` | {r['cells']} | {r.get('long_net_buffers', 0)} | {r['die_um'][0]} × {r['die_um'][1]} | {'' if routed else '> '}{wire / 1000:.2f} | "
                  f"{'%d of %d' % (r['opens'], r['nets']) if routed else 'not routed'} | {r['critical_path_before_layout_ns']:.2f} | {placed['critical_path_ns']:.2f} | "
                  f"{'%.2f' % lef['critical_path_ns'] if lef else ''} | {'%.2f' % edges['critical_path_ns'] if routed else ''} | {edges['frequency_mhz']:.0f} | "
                  f"{edges['hold_slack_ns']:.2f} | {edges['clock_skew_ns']:.2f} |")
    print("\n| blocks, each mapped alone | GE |\n|---|---|")
    for name, r in cores.items():
        for block, area in sorted(r.get("by_block_mapped_alone", {}).items(), key=lambda item: -item[1]):
            print(f"| `{name}`: `{block}` | {area} |")
    print("\n| ECP5 | LUTs | flip-flops | Fmax, MHz | cycles | µs |\n|---|---|---|---|---|---|")
    for name, r in sorted(results.items(), key=lambda item: item[1].get("time_us", 0)):
        if name.startswith("ecp5_"):
            print(f"| `{r['name']}` | {r['cells']['TRELLIS_COMB']} | {r['cells']['TRELLIS_FF']} | {r['fmax_mhz']:.0f} | {r['cycles']} | {r['time_us']:.2f} |")
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6))
    for name, r in cores.items():
        if not name.startswith(("rainbow1_", "classic_rainbow1")):
            continue
        classic = name.startswith("classic")
        label = "G-SMITH\nrebuilt" if classic else f"R = {r['parameters']['R']}"
        style = {"marker": "s" if classic else "o", "color": "tab:orange" if classic else "tab:blue"}
        left.plot(r["cycles"], r["gate_equivalents"] / 1000, **style)
        left.annotate(label, (r["cycles"], r["gate_equivalents"] / 1000), textcoords="offset points", xytext=(6, 4), fontsize=8)
        right.plot(r["time_us"], r["gate_equivalents"] / 1000, **style)
        right.annotate(label, (r["time_us"], r["gate_equivalents"] / 1000), textcoords="offset points", xytext=(6, 4), fontsize=8)
    for core in published:
        if core["gate_equivalents"]:
            left.plot(core["cycles"], core["gate_equivalents"] / 1000, "k^")
            left.annotate(core["name"], (core["cycles"], core["gate_equivalents"] / 1000), textcoords="offset points", xytext=(6, 4), fontsize=8)
            if core["mhz"]:
                time_us = core["cycles"] / core["mhz"]
                right.plot(time_us, core["gate_equivalents"] / 1000, "k^")
                right.annotate(core["name"], (time_us, core["gate_equivalents"] / 1000), textcoords="offset points", xytext=(-20, 8), fontsize=8)
        else:  # no area in gates: only its place on the axis of time
            for axes, x, y, align in ((left, core["cycles"], 8.3, "bottom"), (right, core["cycles"] / core["mhz"], 86, "top")):
                axes.axvline(x, color="0.4", linewidth=0.8, linestyle=":", zorder=0)
                axes.annotate(core["name"], (x, y), rotation=90, fontsize=7, color="0.3", ha="right", va=align)
    for product in (25, 50, 100, 200, 763):
        times = [product / area for area in (8, 90)]
        right.plot(times, [8, 90], color="0.85", linewidth=0.8, zorder=0)
        area = max(10, product / 24)  # where the line is inside the axes
        right.annotate(f"{product} GE·ms", (product / area, area), color="0.5", fontsize=7, rotation=-52, rotation_mode="anchor", ha="center", va="bottom")
    for axes, label in ((left, "cycles a signature"), (right, "µs a signature, before layout")):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_ylim(8, 90)
        axes.set_xlabel(label)
        axes.set_ylabel("kGE")
    right.set_xlim(0.5, 30)
    left.set_xlim(180, 5000)
    for axis, ticks in ((left.xaxis, (200, 400, 800, 1600, 3200)), (right.xaxis, (0.5, 1, 2, 5, 10, 20)), (left.yaxis, (10, 20, 40, 60)),
                        (right.yaxis, (10, 20, 40, 60))):
        axis.set_major_locator(ticker.FixedLocator(ticks))
        axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_locator(ticker.NullLocator())
    figure.suptitle("Rainbow1 (18, 30, 42): blue and orange this project, OSU 0.35 µm; triangles published, dotted lines published, area in gates not known", fontsize=10)
    figure.tight_layout()
    figure.savefig(HERE.parent / "doc" / "area_time.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
