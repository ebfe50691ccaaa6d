#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs the tests of the hardware: run.py fast (lint, field units, one full signature a configuration, the driver in C; two minutes),
# run.py quick (many trials of some configurations), run.py full (all configurations, thousands of trials; hours).
# Needs verilator 5, iverilog 11 and cocotb 1.9.2; builds below build-hardware/ at the root of the repository.
"""Lint and simulate all configurations."""

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = HERE.parent
ROOT = CORE.parents[1]
BUILD = Path(os.environ.get("RAINBOW_CORE_BUILD", ROOT / "build-hardware")) / "dv"
sys.path.insert(0, str(CORE))

from model import system  # noqa: E402

UNITS_RTL = ["rb_gf_prepare", "rb_gf_mul", "rb_gf_inv"]
FAST_RTL = UNITS_RTL + ["rb_mesh", "rb_ring", "rb_multiplicands", "rb_control", "rainbow_core"]
CLASSIC_RTL = UNITS_RTL + ["gsmith_mesh", "gsmith_core"]
SYSTEM_RTL = FAST_RTL + ["rb_key_memory", "rainbow_system"]


def fast(shape, rows, top="rainbow_core", rtl=FAST_RTL):
    s = system.SHAPES[shape]
    parameters = {"FieldBits": s.bits, "V1": s.v1, "O1": s.o1, "O2": s.o2, "Squares": int(s.squares), "R": rows}
    return {"name": f"fast_{shape}_r{rows}", "top": top, "rtl": rtl, "parameters": parameters,
            "environment": {"CORE": "fast", "SHAPE": shape, "ROWS": str(rows)}}


def classic(shape):
    s = system.SHAPES[shape]
    return {"name": f"classic_{shape}", "top": "gsmith_core", "rtl": CLASSIC_RTL,
            "parameters": {"V1": s.v1, "O1": s.o1, "O2": s.o2}, "environment": {"CORE": "classic", "SHAPE": shape}}


# (configuration, simulator in fast, effort in quick, effort in full); None: not in that run, but for lint. A unit of effort is about 80 attempts,
# 20 of them cut short; some 40 special systems come in any case.
# In fast, Rainbow I (R = 8) is signed with by the driver's test. The classic core takes Verilator: an event-driven simulator
# follows every glitch of its long paths.
CONFIGURATIONS = [
    (fast("tiny", 4), "icarus", 2, 40), (fast("tiny", 2), "icarus", 2, 40), (fast("tiny", 1), "icarus", None, 40),
    (fast("tiny16", 2), "icarus", None, 40), (fast("tiny_left", 2), "icarus", 1, 20), (fast("unequal", 4), "icarus", None, 20),
    (fast("unequal_iii", 4), "icarus", 1, 20), (fast("wide_first", 2), "icarus", None, 20), (fast("rainbow1", 12), "icarus", 1, 20),
    (fast("rainbow1", 6), "icarus", None, 2), (fast("rainbow1", 4), "icarus", None, 1), (fast("rainbow1", 3), "icarus", None, 2),
    (fast("rainbow1", 2), "icarus", None, 1), (fast("rainbow1", 1), "icarus", None, 1), (fast("rainbow2", 14), "icarus", None, 2),
    (fast("rainbow2", 7), "icarus", None, 1), (fast("rainbow_i", 32), None, None, 1), (fast("rainbow_i", 8), None, 1, 1),
    (fast("rainbow_i", 4), "verilator", None, 1), (classic("tiny"), "verilator", 2, 40), (classic("rainbow1"), "verilator", 1, 5),
    (classic("rainbow2"), "verilator", None, 2),
]


def sources(names):
    return [str(CORE / "rtl" / f"{name}.sv") for name in names]


def lint(configuration):
    command = ["verilator", "--lint-only", "-Wall", "--top-module", configuration["top"]]
    command += [f"-G{k}={v}" for k, v in configuration["parameters"].items()]
    subprocess.run(command + sources(configuration["rtl"]), check=True)


def simulate(name, top, files, parameters, module, environment, simulator="verilator", coverage=False, extra=()):
    """(tests, failures) of one test module. Icarus starts at once and knows X; Verilator takes its time to compile and then runs fast."""
    from cocotb.runner import get_results, get_runner

    if environment.get("TESTCASE"):
        os.environ["MAKEFLAGS"] = "OPT_FAST=-O0"  # one signature is sooner done than the compiler
    runner = get_runner(simulator)
    directory = BUILD / simulator / name
    if simulator == "icarus":
        arguments, plusargs = ["-g2012", *extra], []
    else:
        arguments = ["--public-flat-rw", "-Wno-fatal", "-O3", "--x-initial", "unique", "--x-assign", "unique"]
        arguments += ["--coverage-line", "--coverage-toggle"] if coverage else []
        plusargs = ["+verilator+rand+reset+2"]
    runner.build(verilog_sources=files, hdl_toplevel=top, parameters=parameters, build_dir=directory, always=True,
                 timescale=("1ns", "1ps"), build_args=arguments)
    results = runner.test(hdl_toplevel=top, test_module=module, build_dir=directory, test_dir=directory,
                          extra_env={**environment, "PYTHONDONTWRITEBYTECODE": "1", "COCOTB_LOG_LEVEL": "INFO"},
                          plusargs=plusargs, results_xml=str(directory / "results.xml"))
    return get_results(results)


def modules(configuration):
    """Test modules of a configuration, separated by commas: third-round shapes are compared with the software too."""
    return "test_core,test_round3" if configuration["environment"]["SHAPE"] == "rainbow_i" else "test_core"


def run_field(bits, simulator):
    files = sources(UNITS_RTL) + [str(HERE / "field_bench.sv")]
    return simulate(f"field_{bits}", "field_bench", files, {"FieldBits": bits}, "test_field", {"FIELD_BITS": str(bits)}, simulator)


def run_configuration(configuration, what, simulator, effort, coverage):
    lint(configuration)
    if simulator is None:
        return 1, 0  # lint only
    environment = {**configuration["environment"], "EFFORT": str(effort or 1)}
    module = modules(configuration)
    if what == "fast":
        environment["TESTCASE"], module = "one_signature", "test_core"
    return simulate(configuration["name"], configuration["top"], sources(configuration["rtl"]), configuration["parameters"], module, environment,
                    simulator, coverage)


def run_driver(_):
    """The driver in C on the system with registers; lint included."""
    lint(fast("rainbow_i", 32, "rainbow_system", SYSTEM_RTL))
    return 1, subprocess.run([sys.executable, str(HERE / "driver" / "run.py")]).returncode != 0


def job(name, function, *arguments):
    """Runs in a process of its own, all output to a file: (name, tests, failures, seconds)."""
    since = time.time()
    BUILD.mkdir(parents=True, exist_ok=True)
    with open(BUILD / f"{name}.log", "w") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        try:
            tests, failures = function(*arguments)
        except (Exception, SystemExit) as error:
            print(error, flush=True)
            tests, failures = 1, 1
    return name, tests, failures, round(time.time() - since)


def jobs_of(arguments):
    simulator = "icarus" if arguments.what == "fast" else "verilator"
    if arguments.what == "fast":
        yield ("driver", run_driver, None)
    for bits in (8, 4):
        yield (f"field_{bits}", run_field, bits, simulator)
    # The longest first.
    for configuration, fast_simulator, quick, full in reversed(CONFIGURATIONS):
        effort = arguments.effort or (quick if arguments.what == "quick" else full)
        if arguments.what != "fast" and effort is None and not arguments.only:
            continue
        yield (configuration["name"], run_configuration, configuration, arguments.what,
               fast_simulator if arguments.what == "fast" else simulator, effort, arguments.coverage)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("fast", "quick", "full"))
    parser.add_argument("--only", help="only what has this in its name")
    parser.add_argument("--effort", type=int, help="override the number of trials")
    parser.add_argument("--coverage", action="store_true", help="record coverage; coverage.py reports it")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", help="write the summary to this file; with --only, beside what the file holds of other configurations")
    arguments = parser.parse_args()
    path = arguments.json and Path(arguments.json)
    summary = {row["name"]: row for row in json.loads(path.read_text())} if path and arguments.only and path.exists() else {}
    ran, failed = 0, 0
    with ProcessPoolExecutor(arguments.jobs, max_tasks_per_child=1) as pool:
        waiting = [(j, pool.submit(job, *j)) for j in jobs_of(arguments) if not arguments.only or arguments.only in j[0]]
        for (_, function, *rest), future in waiting:
            name, tests, failures, seconds = future.result()
            effort = {"effort": rest[3]} if function is run_configuration and arguments.what != "fast" else {}
            summary[name] = {"name": name, "run": arguments.what, **effort, "tests": tests, "failures": failures, "seconds": seconds}
            ran, failed = ran + 1, failed + failures
            if path:  # after each, so that a run that is stopped leaves what it did
                path.write_text(json.dumps(list(summary.values()), indent=1) + "\n")
            print(f"{name:24} {tests - failures}/{tests} passed, {seconds} s", flush=True)
            if failures:
                print((BUILD / f"{name}.log").read_text(errors="replace")[-4000:], flush=True)
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
