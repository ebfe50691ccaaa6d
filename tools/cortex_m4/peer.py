# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Other people's code under the same cycle model, kept beside ours: a program for the emulated board that has the marks of firmware/mark.h around
its operations and ends by semihosting. Nothing of it comes here but figures."""

import json
import pathlib
import subprocess
import tempfile

from . import build, measure

REGIONS = {"generate": 0, "sign": 1, "verify": 2}


def run(program):
    """What the plugin counted, a list of objects."""
    with tempfile.TemporaryDirectory(prefix="moonbow-m4-") as folder:
        output = pathlib.Path(folder) / "regions"
        command = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none",
                   "-semihosting-config", "enable=on,target=native", "-kernel", str(program), "-plugin", f"{build.PLUGIN},out={output}"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=3600, check=False)
        if done.returncode != 0:
            raise ValueError(f"{program} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return [json.loads(line) for line in output.read_text(encoding="ascii").splitlines()]


def rows_of(program, algorithm, name):
    """One row for each operation that the program marks."""
    lines, rows = run(program), []
    for operation, region in REGIONS.items():
        cycles = [line["cycles"] for line in lines if line.get("region") == region]
        if cycles:
            rows.append({"name": name, "algorithm": algorithm, "operation": operation, "count": len(cycles), "cycles": measure.summary(cycles)})
    return rows


def save(rows, about):
    """Puts the rows among the peers that are kept, in place of those of the same name."""
    kept = measure.load()
    peers = kept.get("peers", {"about": {}, "rows": []})
    old = {(row["name"], row["algorithm"], row["operation"]): row for row in peers["rows"]}
    old.update({(row["name"], row["algorithm"], row["operation"]): row for row in rows})
    peers["about"].update({row["name"]: about for row in rows})
    peers["rows"] = [old[key] for key in sorted(old)]
    measure.write({**kept, "peers": peers})
