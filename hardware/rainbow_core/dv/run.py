#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs the tests of the hardware: run.py quick (lint, field units, one configuration each), run.py full (all configurations, many trials).
# Needs verilator 5 and cocotb 1.9.2; builds below build-hardware/ at the root of the repository.
"""Lint and simulate all configurations."""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = HERE.parent
ROOT = CORE.parents[1]
BUILD = Path(os.environ.get("RAINBOW_CORE_BUILD", ROOT / "build-hardware"))
sys.path.insert(0, str(CORE))

from model import system  # noqa: E402

FAST_RTL = ["rb_gf_prepare", "rb_gf_mul", "rb_gf_inv", "rb_mesh", "rb_ring", "rb_multiplicands", "rb_control", "rainbow_core"]
CLASSIC_RTL = ["rb_gf_prepare", "rb_gf_mul", "rb_gf_inv", "gsmith_mesh", "gsmith_core"]


def fast(shape, rows):
    s = system.SHAPES[shape]
    parameters = {"FieldBits": s.bits, "V1": s.v1, "O1": s.o1, "O2": s.o2, "Squares": int(s.squares), "R": rows}
    return {"name": f"fast_{shape}_r{rows}", "top": "rainbow_core", "rtl": FAST_RTL, "parameters": parameters,
            "environment": {"CORE": "fast", "SHAPE": shape, "ROWS": str(rows)}}


def classic(shape):
    s = system.SHAPES[shape]
    return {"name": f"classic_{shape}", "top": "gsmith_core", "rtl": CLASSIC_RTL,
            "parameters": {"V1": s.v1, "O1": s.o1, "O2": s.o2}, "environment": {"CORE": "classic", "SHAPE": shape}}


# (configuration, effort in quick, effort in full); None: not in that run. A unit of effort is about 60 attempts.
CONFIGURATIONS = [
    (fast("tiny", 4), 2, 40), (fast("tiny", 2), 2, 40), (fast("tiny", 1), None, 40), (fast("tiny16", 2), None, 40),
    (fast("unequal", 4), None, 20), (fast("unequal_iii", 4), 1, 20),
    (fast("rainbow1", 12), 1, 5), (fast("rainbow1", 6), None, 2), (fast("rainbow1", 4), None, 1), (fast("rainbow1", 3), None, 2),
    (fast("rainbow1", 2), None, 1), (fast("rainbow1", 1), None, 1),
    (fast("rainbow2", 14), None, 2), (fast("rainbow2", 7), None, 1), (fast("rainbow_i", 32), None, 1), (fast("rainbow_i", 8), 1, 1),
    (fast("rainbow_i", 4), None, 1), (classic("tiny"), 2, 40), (classic("rainbow1"), 1, 5), (classic("rainbow2"), None, 2),
]


def sources(names):
    return [str(CORE / "rtl" / f"{name}.sv") for name in names]


def lint(configuration):
    command = ["verilator", "--lint-only", "-Wall", "--top-module", configuration["top"]]
    command += [f"-G{k}={v}" for k, v in configuration["parameters"].items()]
    subprocess.run(command + sources(configuration["rtl"]), check=True)


def simulate(name, top, files, parameters, module, environment, coverage=False):
    from cocotb.runner import get_results, get_runner

    runner = get_runner("verilator")
    directory = BUILD / "dv" / name
    arguments = ["--public-flat-rw", "-Wno-fatal", "-O3", "--x-initial", "unique", "--x-assign", "unique"]
    arguments += ["--coverage-line", "--coverage-toggle"] if coverage else []
    runner.build(verilog_sources=files, hdl_toplevel=top, parameters=parameters, build_dir=directory, always=True,
                 build_args=arguments)
    results = runner.test(hdl_toplevel=top, test_module=module, build_dir=directory, test_dir=HERE,
                          extra_env={**environment, "PYTHONDONTWRITEBYTECODE": "1", "COCOTB_LOG_LEVEL": "INFO"},
                          plusargs=["+verilator+rand+reset+2"], results_xml=str(directory / "results.xml"))
    tests, failures = get_results(results)
    return tests, failures


def modules(configuration):
    """Test modules of a configuration, separated by commas: third-round shapes are compared with the software too."""
    return "test_core,test_round3" if configuration["environment"]["SHAPE"] == "rainbow_i" else "test_core"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("quick", "full"))
    parser.add_argument("--only", help="run the configurations whose names contain this")
    parser.add_argument("--effort", type=int, help="override the number of trials")
    arguments = parser.parse_args()
    summary, failed = [], 0

    def record(name, tests, failures, since):
        nonlocal failed
        failed += failures
        summary.append(f"{name:28} {tests - failures}/{tests} passed, {time.time() - since:.0f} s")

    for bits in (4, 8):
        name = f"field_{bits}"
        if not arguments.only or arguments.only in name:
            since = time.time()
            files = sources(["rb_gf_prepare", "rb_gf_mul", "rb_gf_inv"]) + [str(HERE / "field_bench.sv")]
            record(name, *simulate(name, "field_bench", files, {"FieldBits": bits}, "test_field", {"FIELD_BITS": str(bits)}), since)
    for configuration, quick, full in CONFIGURATIONS:
        effort = arguments.effort or (quick if arguments.what == "quick" else full)
        if arguments.only and arguments.only not in configuration["name"]:
            continue
        if effort is None and not arguments.only:
            continue
        since = time.time()
        lint(configuration)
        environment = {**configuration["environment"], "EFFORT": str(effort or 1)}
        record(configuration["name"], *simulate(configuration["name"], configuration["top"], sources(configuration["rtl"]),
                                                configuration["parameters"], modules(configuration), environment), since)
    print("\n".join(summary))
    return 1 if failed or not summary else 0


if __name__ == "__main__":
    sys.exit(main())
