#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Builds the driver in C over the Verilated rainbow_system, tests it, and signs with key files of the tool: the signatures must verify and be those
# of `moonbow sign`. Needs verilator, cmocka, OpenSSL, and `make build` before it.
"""Test of the driver; run.py [--rows R]."""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = HERE.parents[1]
ROOT = CORE.parents[1]
LIBRARY = Path(os.environ.get("MOONBOW_BUILD", ROOT / "build"))
sys.path.insert(0, str(CORE))
sys.path.insert(0, str(HERE.parent))

from model import cycles, system  # noqa: E402
from run import BUILD, SYSTEM_RTL, fast, sources  # noqa: E402

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wstrict-prototypes", "-Werror"]


def run(*command, **keywords):
    return subprocess.run([str(c) for c in command], check=True, **keywords)


def build(directory, rows):
    """The programs test_system and sign_with_core."""
    configuration = fast("rainbow_i", rows, "rainbow_system", SYSTEM_RTL)
    model = directory / "model"
    run("verilator", "--cc", "--build", "-j", "2", "-O3", "--x-initial", "unique", "-CFLAGS", "-O1", "--Mdir", model, "--top-module",
        "system_bench", *(f"-G{k}={v}" for k, v in configuration["parameters"].items()), *sources(SYSTEM_RTL), HERE / "system_bench.sv")
    runtime = Path(subprocess.run(["verilator", "-getenv", "VERILATOR_ROOT"], check=True, capture_output=True, text=True).stdout.strip()) / "include"
    runtime_sources = [runtime / "verilated.cpp", runtime / "verilated_threads.cpp"]
    for name in (HERE / "verilated_bus.cpp", *runtime_sources):
        run("g++", "-std=c++17", "-O1", f"-I{model}", f"-I{runtime}", f"-I{runtime / 'vltstd'}", f"-I{CORE / 'driver'}", "-c", name, "-o",
            directory / f"{name.stem}.o")
    shape = system.RAINBOW_I
    expected = {"CYCLES_SIGNED": cycles.fast(shape, rows), "CYCLES_SINGULAR_1": cycles.fast(shape, rows, 0),
                "CYCLES_SINGULAR_2": cycles.fast(shape, rows, 1)}
    folders = [f"-I{p}" for p in (CORE / "driver", ROOT / "include", ROOT / "src", ROOT)]
    for name in ("test_system.c", "sign_with_core.c", "../../driver/rainbow_core.c", "../../driver/rainbow_core_key.c"):
        run("gcc", "-std=c11", "-O1", *WARNINGS, *folders, *(f"-D{k}={v}" for k, v in expected.items()), "-c", HERE / name, "-o",
            directory / f"{Path(name).stem}.o")
    shared = [directory / "rainbow_core.o", directory / "rainbow_core_key.o", directory / "verilated_bus.o", *model.glob("*__ALL.a"),
              *(directory / f"{name.stem}.o" for name in runtime_sources)]
    for name, libraries in (("test_system", ["-lcmocka"]), ("sign_with_core", [LIBRARY / "container" / "libmoonbow_container.a"])):
        run("g++", "-o", directory / name, directory / f"{name}.o", *shared, *libraries, LIBRARY / "src" / "libmoonbow.a", "-lcrypto",
            "-pthread")


def sign_and_compare(directory, algorithm, seed_bytes, messages):
    """Key files of the tool, signatures of the core: verified by the tool, and equal to the tool's own. All from a seed, so that the messages meet
    singular systems of both layers (which the caller checks) in every run alike."""
    tool = LIBRARY / "cli" / "moonbow"
    place = directory / algorithm
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    quiet = {"cwd": place, "stderr": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    (place / "seed").write_text("2008" * (seed_bytes // 2) + "\n")
    run(tool, "keygen", algorithm, "-o", "key", "--seed-file", "seed", **quiet)
    names = [f"message {i}" for i in range(messages)]
    for i, name in enumerate(names):
        (place / name).write_bytes(hashlib.shake_256(name.encode()).digest(1000 * i))
    attempts = run(directory / "sign_with_core", "key", *names, cwd=place, stdout=subprocess.PIPE, text=True).stdout
    for name in names:
        run(tool, "verify", "-p", "key.pub", name, **quiet)
    of_core = [(place / f"{name}.sig").read_bytes() for name in names]
    for name in names:
        (place / f"{name}.sig").unlink()
        run(tool, "sign", "-k", "key", name, **quiet)
    assert [(place / f"{name}.sig").read_bytes() for name in names] == of_core, "not the software's signatures"
    (place / names[0]).write_bytes(b"forged")
    (place / f"{names[0]}.sig").write_bytes(of_core[0])
    assert subprocess.run([tool, "verify", "-p", "key.pub", names[0]], **quiet).returncode == 1, "a forgery verifies"
    print(f"{algorithm}: {len(names)} signatures verify and are those of the software")
    return attempts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=8)
    rows = parser.parse_args().rows
    directory = BUILD / f"driver_r{rows}"
    directory.mkdir(parents=True, exist_ok=True)
    build(directory, rows)
    run(directory / "test_system")
    attempts = "".join(sign_and_compare(directory, *a) for a in (("rainbow-I-classic", 32, 16), ("rainbow-I-circumzenithal", 64, 4)))
    assert "layer 1 singular" in attempts and "layer 2 singular" in attempts, "no attempt was repeated"


if __name__ == "__main__":
    main()
