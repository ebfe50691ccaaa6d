#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Simulates the cells that a core became against the model (../dv/test_netlist.py), in Icarus Verilog with the cells' models and delays of their own
# package: simulate.py [--placed] NAMES, after synthesize.py NAMES, or after layout.py for the netlist with its clock tree and buffers on long nets.
# Writes ../dv/results/netlists.json. Needs iverilog and the Python environment of the tests.
"""Simulate synthesised or placed netlists."""

import argparse
import json
import re
import sys
import time

from synthesize import BUILD, CORE, LIBERTY, configurations, need, package  # also puts ../dv on the path
from run import simulate  # isort: skip

RESULTS = CORE / "dv" / "results" / "netlists.json"


def wrapper(ports_of, top, directory):
    """A module with the buses of the synthesised netlist around the placed one, whose ports are single lines. Its path."""
    text = ports_of.read_text()
    names = re.search(rf"^module {top}\((.*?)\);", text, re.M)[1].split(", ")
    ports = {name: (way, width) for way, width, name in re.findall(r"^  (input|output) (?:\[(\d+):0\] )?(\w+);$", text, re.M) if name in names}
    lines = [f"module {top}_buses ({', '.join(names)});", *(f"  {way} {f'[{width}:0] ' if width else ''}{name};" for name, (way, width) in ports.items())]
    single = [f".{name}({name})" if not width else ", ".join(f".{name}_{i}_({name}[{i}])" for i in range(int(width) + 1))
              for name, (_, width) in ports.items()]
    lines += [f"  {top} u_netlist ({', '.join(single)});", "endmodule", ""]
    path = directory / "buses.v"
    path.write_text("\n".join(lines))
    return path


def run(configuration, name, placed, effort):
    """(tests, failures) of one netlist."""
    synthesised, top = BUILD / configuration["name"] / "netlist.v", configuration["top"]
    netlist = BUILD.parent / "layout" / name / "netlist.v" if placed else synthesised
    for path, script in ((synthesised, "synthesize.py"), (netlist, "layout.py")):
        if not path.exists():
            sys.exit(f"{path} is missing: first {script} {name}")
    files, environment = [str(LIBERTY.with_suffix(".v")), str(netlist)], {"EFFORT": str(effort), "NETLIST": str(netlist), "PLACED": str(int(placed))}
    if placed:
        files.append(str(wrapper(synthesised, top, netlist.parent)))
        top += "_buses"
    return simulate(f"{'placed' if placed else 'synthesised'}_{name}", top, files, {}, "test_netlist", {**configuration["environment"], **environment},
                    "icarus", extra=["-gspecify", "-Ttyp"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    table = {name: c for name, c in configurations().items() if "environment" in c}
    parser.add_argument("names", nargs="+", choices=table, metavar="NAME", help=", ".join(table))
    parser.add_argument("--placed", action="store_true", help="the netlist of layout.py instead of that of synthesize.py")
    parser.add_argument("--effort", type=int, default=1, help="multiplies the number of trials")
    arguments = parser.parse_args()
    need(iverilog="apt install iverilog")
    failed = 0
    for name in arguments.names:
        since = time.time()
        tests, failures = run(table[name], name, arguments.placed, arguments.effort)
        row = {"name": name, "netlist": "placed" if arguments.placed else "synthesised", "effort": arguments.effort, "tests": tests, "failures": failures,
               "seconds": round(time.time() - since), "tools": {"iverilog": package("iverilog"), "qflow-tech-osu035": package("qflow-tech-osu035")}}
        rows = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
        rows = [r for r in rows if (r["name"], r["netlist"]) != (name, row["netlist"])] + [row]
        RESULTS.write_text(json.dumps(rows, indent=1) + "\n")
        print(f"{row['netlist']} {name}: {tests - failures}/{tests} passed, {row['seconds']} s", flush=True)
        failed += failures
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
