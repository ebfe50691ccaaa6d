#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a call of the Python package costs beyond the C call that it makes.

Usage: python_overhead.py [--library build/src/libmoonbow.so] [--check MICROSECONDS] [ALGORITHM...]

Needs the installed package, the shared library of the same sources and a C compiler. Python's calls and C's (python_overhead.c,
in this process) alternate in short rounds, so that both meet the same machine; for each operation the table gives the median
of each and the median of the rounds' differences. With --check the exit status says whether all differences stay below; an
algorithm with one that does not gets two more chances, with another key: where memory happens to lie shows in the times."""

import argparse
import ctypes
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import moonbow

ROOT = pathlib.Path(__file__).resolve().parent.parent
MESSAGE = b"The message, of 32 bytes in all."


def compile_c_half(library, folder):
    module = pathlib.Path(folder) / "overhead.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", f"-I{ROOT / 'include'}", "-o", module, ROOT / "bench/python_overhead.c",
                    library, f"-Wl,-rpath,{library.parent}"], check=True)
    c = ctypes.CDLL(str(module))
    c.time_sign.restype = c.time_verify.restype = ctypes.c_double
    return c


def time_python(call, calls):
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    return time.perf_counter() - begin


def measure(python, c, rounds, calls):
    """Medians in microseconds for one call: Python, C, difference."""
    times = []
    for _ in range(rounds):
        pair = time_python(python, calls) / calls * 1e6, c(calls) / calls * 1e6
        assert pair[1] > 0
        times.append((*pair, pair[0] - pair[1]))
    return [statistics.median(column) for column in zip(*times)]


def operations(c, algorithm):
    key = moonbow.generate(algorithm)
    public, signature = key.public_key, key.sign(MESSAGE)
    name, out = str(algorithm).encode(), ctypes.create_string_buffer(algorithm.signature_bytes)
    size = ctypes.c_size_t(len(MESSAGE))
    raw, raw_public = key.to_bytes(), public.to_bytes()
    yield "sign", lambda: key.sign(MESSAGE), lambda n: c.time_sign(name, out, MESSAGE, size, raw, n)
    yield ("verify", lambda: public.verify(signature, MESSAGE),
           lambda n: c.time_verify(name, signature, MESSAGE, size, raw_public, n))


def show(c, algorithm, rounds):
    """Prints a line for each operation; returns the largest difference."""
    worst = 0.0
    for name, python, in_c in operations(c, algorithm):
        ours, theirs, difference = measure(python, in_c, rounds, 50)
        worst = max(worst, difference)
        print(f"{f'{algorithm} {name}':32}{ours:10.2f}{theirs:10.2f}{difference:12.2f}")
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--library", type=pathlib.Path, default=ROOT / "build/src/libmoonbow.so")
    parser.add_argument("--check", type=float, metavar="MICROSECONDS")
    parser.add_argument("--rounds", type=int, default=201)
    parser.add_argument("algorithms", nargs="*", metavar="ALGORITHM", default=["rainbow-I-classic", "uov-Is", "uov-Is-pkc"])
    options = parser.parse_args()
    warnings.simplefilter("ignore", moonbow.InsecureAlgorithmWarning)
    print(f"{'microseconds, medians':32}{'Python':>10}{'C':>10}{'difference':>12}")
    with tempfile.TemporaryDirectory() as folder:
        c = compile_c_half(options.library.resolve(), folder)
        for algorithm in map(moonbow.Algorithm, options.algorithms):
            for chances in (2, 1, 0):
                worst = show(c, algorithm, options.rounds)
                if options.check is None or worst <= options.check:
                    break
                if not chances:
                    sys.exit(f"expected at most {options.check} microseconds, found {worst:.2f}")


if __name__ == "__main__":
    main()
