#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Place and route with qflow (graywolf, qrouter) of a netlist that synthesize.py makes, timing of the routed netlist by OpenSTA, and a picture.
# Needs also the Debian package qflow, and matplotlib. Hours for large netlists. Writes results/layout_NAME.json and ../doc/layout_NAME.png.
"""Lay out configurations of the cores on the OSU 0.35 µm cells."""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import synthesize
from picture import draw
from synthesize import BUILD, HERE, INPUT_DELAY_NS, OUTPUT_DELAY_NS, configurations, corrected_liberty, run, versions

LAYOUT = BUILD.parent / "layout"
DEFAULT_DENSITY = 0.65  # share of the rows that cells fill; the rest are fill cells, which give the router room


def prepare(configuration, netlist, liberty, directory, density):
    """A qflow project whose synthesis only reads the netlist that is already mapped; qflow then builds the trees of large nets."""
    top = configuration["top"]
    for part in ("source", "synthesis", "layout", "log"):
        (directory / part).mkdir(parents=True, exist_ok=True)
    shutil.copy(netlist, directory / "source" / f"{top}.v")
    (directory / "source" / "map.ys").write_text(f"""read_liberty -lib -ignore_miss_dir -setattr blackbox {liberty}
read_verilog {top}.v
hierarchy -check -top {top}
setundef -zero
clean
rename -enumerate
write_blif -buf BUFX2 A Y {top}_mapped.blif
stat
""")
    (directory / "project_vars.sh").write_text(f"""#!/usr/bin/tcsh -f
set yosys_options = "-s map.ys"
set initial_density = {density}
set qrouter_options = "-nog"
""")


def step(name, top, directory, deadline):
    """One step of qflow, in a session of its own so that all of its programs end at the deadline: (seconds, ended by itself)."""
    since = time.time()
    with open(directory / f"{name}.out", "w") as out:
        process = subprocess.Popen(["qflow", "-T", "osu035", name, top], cwd=directory, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            process.wait(timeout=max(1, deadline - time.time()))
            ended = True
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            ended = False
    return round(time.time() - since), ended


def write_parasitics(top, directory, factor, path):
    """The router's wire capacitances, times a factor, as SPEF: what loads the drivers. (The delays along wires come from its SDF.)"""
    lines = ['*SPEF "IEEE 1481-1998"', f'*DESIGN "{top}"', '*DATE ""', '*VENDOR ""', '*PROGRAM "layout.py"', '*VERSION ""', '*DESIGN_FLOW ""', "*DIVIDER /",
             "*DELIMITER :", "*BUS_DELIMITER [ ]", "*T_UNIT 1 PS", "*C_UNIT 1 PF", "*R_UNIT 1 OHM", "*L_UNIT 1 HENRY", ""]
    total = 0.0
    for line in (directory / "layout" / f"{top}.rc").read_text().splitlines():
        net = re.match(r"(\S+) \d+ (\S+) \d+ \(", line)
        if not net or "PIN" in net[2]:
            continue
        capacitance = factor * sum(float(c) for c in re.findall(r"\( [\d.e+-]+ ([\d.e+-]+) ", line))
        total += capacitance
        driver = net[2].replace("/", ":")
        loads = [f"{cell}:{pin}" for cell, pin in re.findall(r" (\w+)/(\w+)", line[net.end():]) if cell != "PIN"]
        name = re.sub(r"\W", "_", net[1])  # as qflow writes them in its netlist
        lines += [f"*D_NET {name} {capacitance:.6g}", "*CONN", f"*I {driver} O", *(f"*I {load} I" for load in loads), "*CAP",
                  f"1 {driver} {capacitance:.6g}", "*RES", *(f"{i + 1} {driver} {load} 0.001" for i, load in enumerate(loads)), "*END", ""]
    path.write_text("\n".join(lines) + "\n")
    return total


def timing(top, period_ns, liberty, directory):
    """Worst paths of the routed netlist, the clock tree as laid out, with the router's wire capacitances, and with more of them: the LEF file has
    the capacitance of areas only, about 0.01 fF/µm, where wires of 0.35 µm have some ten times that with their edges."""
    result = {}
    for label, factor in (("as_extracted", 1), ("ten_times_the_wire_capacitance", 10)):
        total = write_parasitics(top, directory, factor, directory / f"{label}.spef")
        (directory / f"{label}.tcl").write_text(f"""read_liberty {liberty}
read_verilog synthesis/{top}.rtlnopwr.v
link_design {top}
read_spef {label}.spef
read_sdf synthesis/{top}.sdf
create_clock -name clk -period {period_ns} [get_ports clk_i]
set_propagated_clock [all_clocks]
set_input_delay {INPUT_DELAY_NS} -clock clk [all_inputs]
set_output_delay {OUTPUT_DELAY_NS} -clock clk [all_outputs]
set_driving_cell -lib_cell BUFX4 [all_inputs]
set_false_path -from [get_ports -quiet rst_ni]
report_checks -path_delay max -fields {{slew cap}} -digits 3
exit
""")
        slack = float(re.search(r"(-?[\d.]+)\s+slack \(", run(["sta", "-exit", f"{label}.tcl"], directory, f"{label}.log"))[1])
        result[label] = {"critical_path_ns": round(period_ns - slack, 3), "frequency_mhz": round(1000 / (period_ns - slack), 1),
                         "wire_capacitance_pf": round(total, 2)}
    return result


def summary(top, directory):
    """Figures of the DEF file and of the router's log."""
    text = (directory / "layout" / f"{top}.def").read_text()
    units = int(re.search(r"UNITS DISTANCE MICRONS (\d+)", text)[1])
    corners = [int(v) / units for v in re.search(r"DIEAREA \( (\S+) (\S+) \) \( (\S+) (\S+) \)", text).groups()]
    placed = [m[1] for m in re.finditer(r"^- \S+ (\w+) \+ (?:PLACED|FIXED)", text, re.M)]
    log = (directory / "log" / "route.log").read_text(errors="replace")
    failed = re.findall(r"Failed net routes: (\d+)|([Nn]o failed routes)", log)
    areas = synthesize.cell_areas(corrected_liberty())
    return {"die_um": [round(corners[2] - corners[0], 1), round(corners[3] - corners[1], 1)],
            "cells": sum(not c.startswith("FILL") for c in placed), "fill_cells": sum(c.startswith("FILL") for c in placed),
            "gate_equivalents_placed": round(sum(areas.get(c, 0) for c in placed) / synthesize.NAND2_AREA),
            "nets": int(re.search(r"^NETS (\d+)", text, re.M)[1]),
            "failed_nets": int(failed[-1][0] or 0) if failed else None}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    table = configurations()
    parser.add_argument("name", choices=table)
    parser.add_argument("--density", type=float, default=DEFAULT_DENSITY)
    parser.add_argument("--period", type=float, help="clock period asked of abc, ns")
    parser.add_argument("--hours", type=float, default=3.0, help="give up after this time")
    arguments = parser.parse_args()
    configuration, name, liberty = table[arguments.name], arguments.name, corrected_liberty()
    top, directory = configuration["top"], LAYOUT / arguments.name
    period = arguments.period or synthesize.default_period(configuration)
    deadline = time.time() + arguments.hours * 3600
    before = synthesize.synthesise(configuration, period, liberty)
    prepare(configuration, BUILD / configuration["name"] / "netlist.v", liberty, directory, arguments.density)
    result = {"name": name, "parameters": configuration["parameters"], "gate_equivalents": before["gate_equivalents"],
              "critical_path_before_layout_ns": before["critical_path_ns"], "density": arguments.density, "seconds": {}, "ended_at": None}
    (directory / "synthesis" / f"{top}.sdc").write_text(f"create_clock -name clk -period {period} [get_ports clk_i]\n")
    for part in ("synthesize", "place", "route", "backanno"):
        result["seconds"][part], ended = step(part, top, directory, deadline)
        text = (directory / f"{part}.out").read_text(errors="replace")
        print(f"{part}: {result['seconds'][part]} s", flush=True)
        if not ended or "Premature exit" in text or "stopped on error" in text:
            result["ended_at"] = f"{part}: " + ("time is up" if not ended else "failed")
            break
    if result["ended_at"] is None or (directory / "layout" / f"{top}.def").exists():
        result.update(summary(top, directory))
    if result["ended_at"] is None:
        result.update(timing(top, period, liberty, directory))
    result["tools"] = {**versions(), **{p: synthesize.package(p) for p in ("qflow", "graywolf", "qrouter")}}
    result["made_by"] = f"hardware/rainbow_core/synth/layout.py --density {arguments.density} --period {period} {name}"
    (HERE / "results" / f"layout_{name}.json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))
    if result["ended_at"] is None:
        draw(directory / "layout" / f"{top}.def", HERE.parent / "doc" / f"layout_{name}.png")


if __name__ == "__main__":
    main()
