#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# From RTL to area and timing in one command: yosys and abc onto the OSU 0.35 µm cells, OpenSTA for the critical path, both before layout.
# Needs the Debian packages yosys, opensta and qflow-tech-osu035. Writes results/NAME.json; see ../README.md for how to read it.
"""Synthesise configurations of the cores and record gate equivalents, critical paths and tool versions."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = HERE.parent
ROOT = CORE.parents[1]
BUILD = Path(os.environ.get("RAINBOW_CORE_BUILD", ROOT / "build-hardware")) / "synth"
LIBERTY = Path("/usr/share/qflow/tech/osu035/osu035_stdcells.lib")
sys.path.insert(0, str(CORE))
sys.path.insert(0, str(CORE / "dv"))

from model import cycles, schedule, system  # noqa: E402
from run import CLASSIC_RTL, classic, fast, sources  # noqa: E402

NAND2_AREA = 96.0
# The areas that the liberty file has wrong against the LEF of the same package.
AREA_CORRECTIONS = {"OAI21X1": 128, "NAND3X1": 128, "LATCH": 224}
# A register outside drives each input and takes each output: its clock-to-output and its set-up time.
INPUT_DELAY_NS, OUTPUT_DELAY_NS = 0.5, 0.3
BLOCKS = ["rb_mesh", "rb_ring", "rb_multiplicands", "rb_control", "gsmith_mesh"]
ABC_SCRIPT = "strash; ifraig; scorr; {rewrite}dch -f; map -B 0.9 -D {period}; topo; buffer -c -p -N {fanout}; topo; upsize -D {period}; dnsize -D {period}; stime -p"
REWRITES, FANOUT = 2, 16  # passes of dc2; loads a buffer may have
SPREAD_EFFORTS = [(1, 16), (3, 16), (2, 12), (2, 24)]  # other values of both, for --spread


def need(**packages):
    """Ends the program if one of the named programs is missing, and says which package has it."""
    missing = [f"{program} ({package})" for program, package in packages.items() if not shutil.which(program)]
    missing += [] if LIBERTY.exists() else [f"{LIBERTY} (apt install qflow-tech-osu035)"]
    if missing:
        sys.exit("missing: " + ", ".join(missing))


def corrected_liberty():
    """The liberty file with the areas of the LEF file of the same package."""
    text = LIBERTY.read_text()
    for cell, area in AREA_CORRECTIONS.items():
        text, count = re.subn(r"(cell\s*\(\s*%s\s*\)\s*\{.*?area\s*:\s*)[\d.]+" % cell, r"\g<1>%d" % area, text, count=1, flags=re.S)
        assert count == 1, cell
    BUILD.mkdir(parents=True, exist_ok=True)
    path = BUILD / "osu035_corrected.lib"
    path.write_text(text)
    return path


def cell_areas(liberty):
    return {m[1]: float(m[2]) for m in re.finditer(r"cell\s*\(\s*(\w+)\s*\)\s*\{.*?area\s*:\s*([\d.]+)", liberty.read_text(), re.S)}


def run(command, directory, log):
    with open(directory / log, "w") as out:
        try:
            subprocess.run(command, cwd=directory, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, timeout=1800, check=True)
        except subprocess.SubprocessError as error:
            sys.exit(f"{command[0]} {'ran over its time' if isinstance(error, subprocess.TimeoutExpired) else 'failed'}, see {directory / log}")
    return (directory / log).read_text()


def synthesise(configuration, period_ns, liberty, keep=False, rewrites=REWRITES, fanout=FANOUT):
    directory = BUILD / configuration["name"]
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "abc.constr").write_text("set_driving_cell BUFX2\nset_load 0.05 [all_outputs]\n")
    script = ABC_SCRIPT.format(period=round(period_ns * 1000), rewrite="dc2; " * rewrites, fanout=fanout)
    (directory / "abc.script").write_text("\n".join(part.strip() for part in script.split(";")) + "\n")
    files = " ".join(str(CORE / "rtl" / f"{name}.sv") for name in configuration["rtl"])
    chparam = " ".join(f"-set {k} {v}" for k, v in configuration["parameters"].items())
    chparam = f"chparam {chparam} {configuration['top']}" if chparam else ""
    keeps = "".join(f"setattr -mod -set keep_hierarchy 1 *{b}*\n" for b in BLOCKS if keep and b in configuration["rtl"])
    (directory / "synth.ys").write_text(f"""read_verilog -sv {files}
{chparam}
hierarchy -top {configuration['top']}
{keeps}
synth -flatten -top {configuration['top']}
dfflibmap -liberty {liberty}
opt
abc -liberty {liberty} -constr abc.constr -script abc.script
opt_clean -purge
rename -enumerate t:*
tee -o stat.json stat -json -liberty {liberty}
setattr -mod -unset keep_hierarchy *
flatten
opt_clean -purge
splitnets
insbuf -buf BUFX2 A Y
opt_clean
write_verilog -noattr netlist.v
write_json netlist.json
""")
    run(["yosys", "-q", "-l", "yosys.log", "synth.ys"], directory, "yosys.out")
    areas = cell_areas(liberty)
    text = (directory / "stat.json").read_text()
    modules = json.loads(text[text.index("{"):])["modules"]
    plain = lambda name: re.sub(r"^(\\)?(\$paramod(\$[0-9a-f]+)?\\)?|\\", "", name).split("\\")[0]
    blocks, flops = {}, 0
    for name, module in modules.items():
        cells = module["num_cells_by_type"]
        unknown = [c for c in cells if c not in areas and not any(b in c for b in BLOCKS)]
        assert not unknown, unknown
        blocks[plain(name)] = round(sum(areas.get(c, 0) * k for c, k in cells.items()) / NAND2_AREA)
        flops += sum(k for c, k in cells.items() if c.startswith("DFF"))
    (directory / "sta.tcl").write_text(f"""read_liberty {liberty}
read_verilog netlist.v
link_design {configuration['top']}
set inputs [all_inputs]
if {{[llength [get_ports -quiet clk_*]]}} {{
  create_clock -name clk -period {period_ns} [get_ports clk_i]
}} else {{
  create_clock -name clk -period {period_ns}
}}
set_input_delay {INPUT_DELAY_NS} -clock clk [all_inputs]
set_output_delay {OUTPUT_DELAY_NS} -clock clk [all_outputs]
set_driving_cell -lib_cell BUFX4 [all_inputs]
if {{[llength [get_ports -quiet rst_ni]]}} {{ set_false_path -from [get_ports rst_ni] }}
report_checks -path_delay max -fields {{slew cap fanout}} -digits 3
exit
""")
    report = run(["sta", "-exit", "sta.tcl"], directory, "sta.log")
    assert "Error" not in report, f"see {directory / 'sta.log'}"
    slack = float(re.search(r"(-?[\d.]+)\s+slack \(", report)[1])  # of the worst path
    start = re.search(r"Startpoint: (\S+)", report)
    end = re.search(r"Endpoint: (\S+)", report)
    return {"gate_equivalents": sum(blocks.values()), "by_block": blocks, "flip_flops": flops,
            "period_asked_ns": period_ns, "critical_path_ns": round(period_ns - slack, 3),
            "frequency_mhz": round(1000 / (period_ns - slack), 1), "critical_from": start and start[1], "critical_to": end and end[1]}


def package(name):
    """Version of an installed Debian package."""
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True).stdout


def versions():
    first = lambda command: subprocess.run(command, capture_output=True, text=True).stdout.strip().splitlines()[0]
    return {"yosys": first(["yosys", "-V"]), "opensta": package("opensta"), "qflow-tech-osu035": package("qflow-tech-osu035")}


def unit(name, bits=8):
    return {"name": f"{name}_{bits}", "top": name, "rtl": [name], "parameters": {"FieldBits": bits}}


def default_period(configuration):
    """The clock period asked of abc, ns. The classic mesh eliminates a column in one cycle."""
    return 14.0 if configuration["top"].startswith("gsmith") else 3.3


def configurations():
    table = {}
    for rows in (12, 6, 4, 3, 2, 1):
        table[f"rainbow1_r{rows}"] = fast("rainbow1", rows)
    table["rainbow2_r14"] = fast("rainbow2", 14)
    table["rainbow2_r7"] = fast("rainbow2", 7)
    table["rainbow_i_r8"] = fast("rainbow_i", 8)
    table["rainbow_i_r4"] = fast("rainbow_i", 4)
    table["classic_rainbow1"] = classic("rainbow1")
    table["classic_rainbow2"] = classic("rainbow2")
    for size in (12, 4):
        table[f"gsmith_n{size}"] = {"name": f"gsmith_n{size}", "top": "gsmith_mesh", "rtl": CLASSIC_RTL[:-1], "parameters": {"O": size, "N": 0}}
    for name in ("rb_gf_mul", "rb_gf_prepare", "rb_gf_inv"):
        table[name] = unit(name)
    return table


def spread(name, configuration, periods, liberty):
    """The same core for several periods asked of abc and, at the usual period, several mapping efforts, beside those recorded before: how much of
    a figure is chance."""
    path = HERE / "results" / f"spread_{name}.json"
    runs = json.loads(path.read_text())["runs"] if path.exists() else []
    shape, rows = system.SHAPES[configuration["environment"]["SHAPE"]], configuration["parameters"]["R"]
    apart = {**configuration, "name": configuration["name"] + "_spread"}
    for period, rewrites, fanout in [(p, REWRITES, FANOUT) for p in periods] + [(default_period(configuration), *e) for e in SPREAD_EFFORTS]:
        key = {"period_asked_ns": period, "rewrites": rewrites, "fanout": fanout}
        result = synthesise(apart, period, liberty, rewrites=rewrites, fanout=fanout)
        ge_ms = result["gate_equivalents"] * cycles.fast(shape, rows) * result["critical_path_ns"] / 1e6
        runs = [r for r in runs if not key.items() <= r.items()]
        runs.append({**key, "gate_equivalents": result["gate_equivalents"], "critical_path_ns": result["critical_path_ns"], "ge_ms": round(ge_ms, 2)})
        runs.sort(key=lambda r: (r["period_asked_ns"], r["rewrites"], r["fanout"]))
        print({**key, "ge_ms": round(ge_ms, 2)}, flush=True)
        asked = ",".join(str(r["period_asked_ns"]) for r in runs if (r["rewrites"], r["fanout"]) == (REWRITES, FANOUT))
        record = {"name": name, "runs": runs, "tools": versions(), "made_by": f"hardware/rainbow_core/synth/synthesize.py --spread {asked} {name}"}
        path.write_text(json.dumps(record, indent=1) + "\n")


def named(parser, arguments, default):
    """The names on the command line, or the default ones."""
    unknown = [name for name in arguments.names if name not in configurations()]
    if unknown:
        parser.error(f"no configuration {', '.join(unknown)}; there are {', '.join(configurations())}")
    return arguments.names or list(default)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    table = configurations()
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(table)}; none: all")
    parser.add_argument("--period", type=float, help="clock period asked of abc, ns")
    parser.add_argument("--blocks", action="store_true", help="also map block by block, for the gate equivalents of each")
    parser.add_argument("--spread", help="periods separated by commas: synthesise for each, and with other mapping efforts, and record how the figures scatter")
    arguments = parser.parse_args()
    names = named(parser, arguments, table)
    if arguments.spread and not all("R" in table[name]["parameters"] for name in names):
        parser.error("--spread is for the fast core: name configurations of it")
    need(yosys="apt install yosys", sta="apt install opensta")
    liberty = corrected_liberty()
    for name in names:
        if arguments.spread:
            spread(name, table[name], [float(p) for p in arguments.spread.split(",")], liberty)
            continue
        since = time.time()
        configuration = table[name]
        period = arguments.period or default_period(configuration)
        result = {"name": name, "parameters": configuration["parameters"], **synthesise(configuration, period, liberty)}
        del result["by_block"]
        if arguments.blocks:  # each block mapped alone: no buffers between blocks, so the sum differs from the whole
            apart = {**configuration, "name": configuration["name"] + "_blocks"}
            result["by_block_mapped_alone"] = synthesise(apart, period, liberty, keep=True)["by_block"]
        if configuration["top"] in ("rainbow_core", "gsmith_core"):
            shape = system.SHAPES[configuration["environment"]["SHAPE"]]
            rows = configuration["parameters"].get("R")
            result["cycles"] = cycles.fast(shape, rows) if rows else cycles.classic(shape)
            result["key_bytes_per_cycle"] = cycles.key_bytes(shape, rows) if rows else cycles.classic_key_bytes(shape)
            result["time_us"] = round(result["cycles"] * result["critical_path_ns"] / 1000, 4)
            result["ge_ms"] = round(result["gate_equivalents"] * result["time_us"] / 1000, 2)
        result["tools"] = versions()
        result["made_by"] = f"hardware/rainbow_core/synth/synthesize.py {'--blocks ' * arguments.blocks}--period {period} {name}"
        path = HERE / "results" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(result, indent=1) + "\n")
        print(f"{name}: {result['gate_equivalents']} GE, {result['critical_path_ns']} ns", result.get("cycles", ""), result.get("ge_ms", ""),
              f"({time.time() - since:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
