#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Place and route of a netlist that synthesize.py makes: Coloquinte places (place.py), qrouter routes, OpenSTA times the routed netlist, and a picture.
# Needs the Debian packages of synthesize.py and qrouter, and coloquinte and matplotlib (PyPI). Hours for large netlists.
# Writes results/layout_NAME.json and ../doc/layout_NAME.png; when the time is up, the result says how far it came.
"""Lay out configurations of the cores on the OSU 0.35 µm cells."""

import argparse
import importlib.metadata
import json
import os
import re
import signal
import subprocess
import time
from collections import defaultdict

import synthesize
from check import check, wires
from geometry import LEF, UNITS, routes, segments
from picture import draw
from place import Netlist, Placement, read_lef
from synthesize import BUILD, HERE, INPUT_DELAY_NS, OUTPUT_DELAY_NS, configurations, corrected_liberty, need, run, versions

LAYOUT = BUILD.parent / "layout"
# The share of the rows that cells fill, the height of the die over its width, and the load above which a net gets a buffer (pF; 0: none does).
# The rest of the rows are fill cells: without room between cells their pins block each other. One layer runs across that cells leave free and two
# run upwards, so large layouts route better on a high die.
OPTIONS = {"gsmith_n4": (0.5, 1.0, 0.2), "gsmith_n12": (0.35, 1.8, 0.2), "rainbow1_r12": (0.25, 1.8, 0.2)}
DEFAULT_OPTIONS = (0.4, 1.8, 0.2)

# Wire capacitance. LEF has that of areas only (pF/µm²); of a wire of 0.35 µm processes most is at its edges and to its neighbours.
WIRES = {"metal1": (0.6, 3e-5), "metal2": (0.6, 1.7e-5), "metal3": (0.6, 7e-6), "metal4": (1.2, 4e-6)}  # width µm, pF/µm²
WITH_EDGES = 1e-4  # pF/µm, any layer
RESISTANCE = 0.07 / 0.6  # ohm/µm


def router_script(top, placement, nets, deadline):
    """All nets once, one step each so that the deadline can end it, then the failed ones again in ever wider areas, with others ripped up. (qrouter
    writes a route once only: at the end.)"""
    obstructions = "\n".join(f"obstruction {x0:.2f} {y0:.2f} {x1:.2f} {y1:.2f} {layer}" for x0, y0, x1, y1, layer in placement.obstructions())
    return f"""verbose 1
read_lef {LEF}
catch {{layers 4}}
via stack all
vdd vdd
gnd gnd
{obstructions}
read_def {top}.def
proc report {{stage failed}} {{ puts "STAGE $stage FAILED $failed AT [clock seconds]"; flush stdout }}
puts "STAGE start AT [clock seconds]"
set failed 0
for {{set tried 0}} {{$tried < {nets} && [clock seconds] <= {int(deadline)}}} {{incr tried}} {{ set failed [stage1 step] }}
puts "TRIED $tried"
report stage1 $failed
foreach {{mask effort}} {{10 10 30 10 60 20 100 20 none 20 none 50 none 100 none 100}} {{
  if {{$failed == 0 || [clock seconds] > {int(deadline)}}} {{ break }}
  set failed [stage2 mask $mask effort $effort]
  report "stage2,mask=$mask,effort=$effort" $failed
}}
cleanup all
write_def {top}_route.def
report end $failed
quit
"""


def route(top, placement, nets, directory, hours):
    """The log of the router. It begins no net of the first stage and no other stage after the deadline, and is ended half an hour later."""
    deadline = time.time() + hours * 3600
    (directory / "route.tcl").write_text(router_script(top, placement, nets, deadline))
    with open(directory / "route.log", "w") as out:
        process = subprocess.Popen(["qrouter", "-nog", "-s", "route.tcl"], cwd=directory, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT, process_group=0)
        try:
            process.wait(timeout=deadline - time.time() + 1800)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    return (directory / "route.log").read_text(errors="replace")


def wire_lengths(definition):
    """{net: {layer: µm}} of the routed nets of a DEF file."""
    lengths = defaultdict(lambda: defaultdict(float))
    for net, layer, _, path in routes(definition.read_text(), ["NETS"]):
        lengths[net][layer] += sum(abs(x1 - x0) + abs(y1 - y0) for (x0, y0), (x1, y1) in segments(path)) / UNITS
    return lengths


def join_vias(text):
    """The router leaves out the metal between a via beside its grid and the one over it, when the wire's next part begins there: puts it in."""
    def joined(match):
        points, via, layer, x, y = match.groups()
        end = [None, None]
        for point in re.findall(r"\( (\S+) (\S+) \)", points):
            end = [old if new == "*" else int(new) for old, new in zip(end, point)]
        off = [abs(end[0] - int(x)), abs(end[1] - int(y))]
        apart = f"metal{via[1]}" == layer and min(off) == 0 < max(off) < 100  # hundredths of a µm, below the grid's pitch
        return match[0] + (f"( {end[0]} {end[1]} ) " if apart else "")

    return re.sub(r"((?:\( \S+ \S+ \)\s+)+)(M\d_M\d) \n  NEW (metal\d) (?=\( (\d+) (\d+) \))", joined, text)


def add_stripes(routed, placement, out):
    """Joins the power stripes to the special nets of the router, its ends of other widths."""
    text = join_vias(routed.read_text())
    stripes = placement.special_nets([(layer, box) for _, layer, box, _ in wires(text)])
    special = re.search(r"^SPECIALNETS (\d+) ;\n", text, re.M)
    if special:
        text = text[:special.start()] + f"SPECIALNETS {int(special[1]) + 2} ;\n" + stripes + text[special.end():]
    else:
        text = text.replace("END NETS\n", "END NETS\nSPECIALNETS 2 ;\n" + stripes + "END SPECIALNETS\n", 1)
    out.write_text(text)


def write_parasitics(netlist, placement, lengths, with_edges, path):
    """SPEF: half of a net's wire capacitance at the driver and half at its loads, each behind the resistance of its distance. Total in pF."""
    lines = ['*SPEF "IEEE 1481-1998"', f'*DESIGN "{netlist.top}"', '*DATE ""', '*VENDOR ""', '*PROGRAM "layout.py"', '*VERSION ""', '*DESIGN_FLOW ""', "*DIVIDER /",
             "*DELIMITER :", "*BUS_DELIMITER [ ]", "*T_UNIT 1 NS", "*C_UNIT 1 PF", "*R_UNIT 1 OHM", "*L_UNIT 1 HENRY", ""]
    total = 0.0
    for net, of_layer in lengths.items():
        driver = netlist.driver(net) if net in netlist.nets else None
        if driver is None:
            continue
        capacitance = sum(length * (WITH_EDGES if with_edges else WIRES[layer][0] * WIRES[layer][1]) for layer, length in of_layer.items())
        total += capacitance
        node = lambda p: p[1] if p[0] is None else f"{netlist.name(p[0])}:{p[1]}"
        connection = lambda p, way: f"*P {p[1]} {way}" if p[0] is None else f"*I {node(p)} {way}"
        loads = [p for p in netlist.nets[net] if p != driver]
        x, y = placement.point(driver)
        ohms = [max(0.1, RESISTANCE * (abs(x - px) + abs(y - py))) for px, py in map(placement.point, loads)]
        lines += [f"*D_NET {net} {capacitance:.6g}", "*CONN", connection(driver, "I" if driver[0] is None else "O"),
                  *(connection(p, "O" if p[0] is None else "I") for p in loads), "*CAP", f"1 {node(driver)} {capacitance / 2:.6g}",
                  *(f"{i + 2} {node(p)} {capacitance / 2 / len(loads):.6g}" for i, p in enumerate(loads)), "*RES",
                  *(f"{i + 1} {node(driver)} {node(p)} {r:.4g}" for i, (p, r) in enumerate(zip(loads, ohms))), "*END", ""]
    path.write_text("\n".join(lines) + "\n")
    return total


def estimated_lengths(netlist, placement):
    """The half perimeter of each net's box as its wire, before routing. Nets with many pins become longer than that."""
    return {net: {"metal3": sum(max(v) - min(v) for v in zip(*map(placement.point, points)))}
            for net, points in netlist.nets.items() if len(points) > 1 and net not in ("gnd", "vdd")}


def timing(netlist, placement, lengths, with_edges, period_ns, liberty, directory, label):
    """Worst paths of the placed netlist with its clock tree and wires of these lengths, of the capacitance in the LEF file or with edges."""
    (directory / "netlist.v").write_text(netlist.verilog())
    total = write_parasitics(netlist, placement, lengths, with_edges, directory / f"{label}.spef")
    (directory / f"{label}.tcl").write_text(f"""read_liberty {liberty}
read_verilog netlist.v
link_design {netlist.top}
read_spef {label}.spef
create_clock -name clk -period {period_ns} [get_ports clk_i]
set_propagated_clock [all_clocks]
set_input_delay {INPUT_DELAY_NS} -clock clk [all_inputs]
set_output_delay {OUTPUT_DELAY_NS} -clock clk [all_outputs]
set_driving_cell -lib_cell BUFX4 [all_inputs]
if {{[llength [get_ports -quiet rst_ni]]}} {{ set_false_path -from [get_ports rst_ni] }}
report_checks -path_delay max -fields {{slew cap}} -digits 3
puts "REGISTERS"
report_checks -path_delay max -from [all_registers -clock_pins] -to [all_registers -data_pins] -digits 3
puts "HOLD"
report_checks -path_delay min -from [all_registers -clock_pins] -to [all_registers -data_pins] -digits 3
puts "SKEW"
report_clock_skew -setup
exit
""")
    report = run(["sta", "-exit", f"{label}.tcl"], directory, f"{label}.log")
    assert "Error" not in report, f"see {directory / label}.log"
    slack = lambda text: float(re.search(r"(-?[\d.]+)\s+slack \(", text)[1])
    parts = re.split(r"^(?:REGISTERS|HOLD|SKEW)$", report, flags=re.M)
    return {"critical_path_ns": round(period_ns - slack(parts[0]), 3), "frequency_mhz": round(1000 / (period_ns - slack(parts[0])), 1),
            "between_registers_ns": round(period_ns - slack(parts[1]), 3), "hold_slack_ns": slack(parts[2]),
            "clock_skew_ns": float(re.findall(r"-?\d+\.\d+", parts[3])[-1]), "wire_capacitance_pf": round(total, 2)}


def routed_timing(netlist, placement, opens, *arguments):
    """The timing of the routed netlist with both capacitances, and the wire of each layer. Nets that the router left open count as long as before routing."""
    *_, directory = arguments
    lengths = wire_lengths(directory / f"{netlist.top}_route.def")
    estimated = estimated_lengths(netlist, placement)
    lengths.update((net, estimated[net]) for net in opens if net in estimated)
    result = {label: timing(netlist, placement, lengths, with_edges, *arguments, label)
              for label, with_edges in (("wires_as_in_lef", False), ("wires_0.1_fF_per_um", True))}
    result["wire_mm"] = {layer: round(sum(of_layer.get(layer, 0) for of_layer in lengths.values()) / 1000, 1) for layer in WIRES}
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    table = configurations()
    parser.add_argument("name", choices=table)
    parser.add_argument("--density", type=float, help="share of the rows that cells fill")
    parser.add_argument("--aspect", type=float, help="height of the die over its width")
    parser.add_argument("--buffer-above", type=float, metavar="PF", help="buffer nets with more load than this; 0: none")
    parser.add_argument("--period", type=float, help="clock period asked of abc, ns")
    parser.add_argument("--hours", type=float, default=3.0, help="give up routing after this time; 0: place only")
    parser.add_argument("--reuse", action="store_true", help="do not route: take what an earlier run with the same arguments routed (all before it is deterministic)")
    arguments = parser.parse_args()
    need(yosys="apt install yosys", sta="apt install opensta", qrouter="apt install qrouter")
    configuration, name, liberty = table[arguments.name], arguments.name, corrected_liberty()
    top, directory = configuration["top"], LAYOUT / arguments.name
    period = arguments.period or synthesize.default_period(configuration)
    asked = arguments.density, arguments.aspect, arguments.buffer_above
    density, aspect, buffer_above = (default if a is None else a for a, default in zip(asked, OPTIONS.get(name, DEFAULT_OPTIONS)))
    directory.mkdir(parents=True, exist_ok=True)
    since, seconds = time.time(), {}
    before = synthesize.synthesise(configuration, period, liberty)
    seconds["synthesis"], since = round(time.time() - since), time.time()
    netlist = Netlist(BUILD / configuration["name"] / "netlist.json", top, read_lef())
    placement = Placement(netlist, density, aspect, buffer_above)
    placement.run()
    definition = placement.definition()
    seconds["place"] = round(time.time() - since)
    if arguments.reuse:
        assert (directory / f"{top}.def").read_text() == definition, "not the placement that was routed"
    (directory / f"{top}.def").write_text(definition)
    areas = synthesize.cell_areas(liberty)
    result = {"name": name, "parameters": configuration["parameters"], "gate_equivalents": before["gate_equivalents"],
              "critical_path_before_layout_ns": before["critical_path_ns"], "density": density, "aspect": aspect, "buffer_above_pf": buffer_above, "seconds": seconds,
              "die_um": placement.die(), "cells": len(netlist.kinds), "clock_buffers": placement.clock_buffers, "long_net_buffers": placement.long_buffers, "fill_cells": placement.fills,
              "gate_equivalents_placed": round(sum(areas[k] for k in netlist.kinds) / synthesize.NAND2_AREA),
              "nets": sum(len(points) > 1 for points in netlist.nets.values())}
    across, upwards = placement.half_perimeters()
    result["half_perimeter_mm"] = [round(across / 1000, 1), round(upwards / 1000, 1)]
    result["wires_estimated_0.1_fF_per_um"] = timing(netlist, placement, estimated_lengths(netlist, placement), True, period, liberty, directory, "estimated")
    print(json.dumps(result), flush=True)
    if arguments.reuse:
        log = (directory / "route.log").read_text(errors="replace")
    else:
        log = route(top, placement, result["nets"], directory, arguments.hours) if arguments.hours else ""
    stages = [(m[1], int(m[2]), int(m[3])) for m in re.finditer(r"STAGE (\S+) FAILED (\d+) AT (\d+)", log)]
    start = re.search(r"STAGE start AT (\d+)", log)
    result["stages"] = [{"stage": s, "failed_nets": f, "seconds": at - int(start[1])} for s, f, at in stages]
    tried = re.search(r"^TRIED (\d+)", log, re.M)  # not there if the router was ended in its first stage
    result["nets_tried"] = int(tried[1]) if tried else len(re.findall("^(?:Finished routing|Failed to route) net", log, re.M))
    whole = bool(stages) and stages[-1][0] == "end" and result["nets_tried"] == result["nets"]
    result["ended_at"] = None if whole else "routing: time is up" if log else "placed"
    result["failed_nets"] = stages[-1][1] if stages else None
    if whole:
        seconds["route"] = result["stages"][-1]["seconds"]
        add_stripes(directory / f"{top}_route.def", placement, directory / f"{top}_power.def")
        result["rails_without_via"] = placement.rails_without_via
        opens, shorts = check(directory / f"{top}_power.def")
        result["opens"], result["shorts"] = len(opens), len(shorts)
        result.update(routed_timing(netlist, placement, opens, period, liberty, directory))
        draw(directory / f"{top}_power.def", HERE.parent / "doc" / f"layout_{name}.png")
    result["tools"] = {**versions(), "qrouter": synthesize.package("qrouter"), "coloquinte": importlib.metadata.version("coloquinte")}
    result["made_by"] = f"hardware/rainbow_core/synth/layout.py --density {density} --aspect {aspect} --buffer-above {buffer_above} --hours {arguments.hours:g} --period {period} {name}"
    (HERE / "results" / f"layout_{name}.json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
