# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command line of moonbow-aarch64."""

import argparse
import json
import subprocess
import sys

from cortex_m4 import algorithms

from . import count, emulator, target_tests, trace

HEAD = f"{'algorithm':34} {'operation':9} {'processor':9} {'mode':6} " + " ".join(f"{event:>13}" for event in count.EVENTS)


def say(text):
    print(text, flush=True)


def table_row(row):
    return (f"{row['algorithm']:34} {row['operation']:9} {row['processor']:9} {row['mode']:6} "
            + " ".join(f"{row[event]:>13,}" for event in count.EVENTS))


def check_kept(options):
    wanted = options.algorithm or algorithms.ALL
    compared, moved = count.check(wanted, say)
    say(f"{compared} rows, {len(moved)} moved by more than {count.TOLERANCE:.0%}")
    return 1 if moved or not compared else 0


def command_count(options):
    emulator.build_programs()
    emulator.build_plugin()
    if options.check:
        return check_kept(options)
    kept = [(processor, mode) for processor, mode in count.KEPT if processor in (options.processor or emulator.PROCESSORS)
            and mode in (options.mode or ["fast", "small"])] if options.save else \
           [(processor, mode) for processor in options.processor or ["sha3"] for mode in options.mode or ["fast"]]
    say(HEAD)
    shown = []
    for algorithm in options.algorithm or algorithms.ALL:
        for processor, mode in kept:
            rows = [row for row in count.rows_of(algorithm, processor, mode) if row["operation"] in (options.operation or emulator.REGIONS)]
            for row in rows:
                say(table_row(row))
                if options.functions or (options.save and (processor, mode) == count.KEPT[0]):
                    row["functions"] = count.functions_of(row)
                if options.functions:
                    for function in row["functions"]:
                        say(f"    {function['instructions']:>13,} {function['instructions'] / row['instructions']:>6.1%} {function['name']}")
                if options.annotate:
                    say("\n".join(count.annotate(row, options.annotate)))
            shown += rows
            if options.save:
                count.save(rows)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({**count.header(), "rows": shown}, file, indent=1)
            file.write("\n")
    return 0


def command_peer(options):
    emulator.build_plugin()
    rows = count.peer_rows(options.program, options.algorithm, options.name)
    say(HEAD)
    for row in rows:
        say(table_row(row))
    count.save_peers(rows, options.about)
    return 0


def command_kat(options):
    emulator.build_programs()
    parts = options.part or target_tests.FIRST_ANSWERS
    return 1 if target_tests.known_answers(say, options.processor or target_tests.NATIVE, parts, not options.all) else 0


def command_trace(options):
    emulator.build_programs()
    emulator.build_plugin()
    leaking = 0
    for algorithm in options.algorithm or (algorithms.ALL if options.all else ["rainbow-I-classic", "uov-Is"]):
        for operation in options.operation or ["generate", "sign"]:
            for processor in options.processor or ["sha3"]:
                for mode in options.mode or ["fast"]:
                    paths = trace.compare(algorithm, operation, mode, options.keys, processor)
                    found = trace.shared.leaks(paths)
                    leaking += bool(found)
                    say(f"{algorithm:34} {operation:9} {processor:9} {mode:6} {'LEAKS' if found else 'alike'}: {trace.shared.describe(paths)}")
    return 1 if leaking else 0


def command_test(options):
    emulator.build_programs()
    emulator.build_plugin()
    wrong = target_tests.all_tests(say) if options.all else target_tests.quick_tests(say)
    return 1 if wrong + target_tests.planted_leaks(say) else 0


def parser():
    top = argparse.ArgumentParser(prog="moonbow-aarch64", description=__doc__)
    commands = top.add_subparsers(dest="command", required=True)
    native = target_tests.NATIVE

    test = commands.add_parser("test", help="unit tests on every emulated processor, and tests of the trace")
    test.add_argument("--all", action="store_true", help="every unit test, not only those of kernels")
    test.set_defaults(run=command_test)

    kat = commands.add_parser("kat", help="known answers, by default the first of every algorithm in both modes")
    kat.add_argument("--processor", action="append", choices=emulator.PROCESSORS)
    kat.add_argument("--part", action="append", choices=[*target_tests.FIRST_ANSWERS, "published_hashes"])
    kat.add_argument("--all", action="store_true", help="all counts, in small mode the first")
    kat.set_defaults(run=command_kat)

    counted = commands.add_parser("count", help="instructions of operations")
    counted.add_argument("algorithm", nargs="*", help="default: all")
    counted.add_argument("--operation", action="append", choices=emulator.REGIONS)
    counted.add_argument("--processor", action="append", choices=emulator.PROCESSORS, help="default: sha3")
    counted.add_argument("--mode", action="append", choices=["fast", "small"])
    counted.add_argument("--functions", action="store_true", help="by function too")
    counted.add_argument("--annotate", metavar="FUNCTION", help="by instruction of a function")
    counted.add_argument("--json", metavar="FILE")
    counted.add_argument("--save", action="store_true", help="keep the results in bench/results/aarch64.json, in all modes that are kept")
    counted.add_argument("--check", action="store_true", help="compare with the results that are kept; fail if one moved by more than 1 %%")
    counted.set_defaults(run=command_count)

    peer = commands.add_parser("peer", help="count other people's code, and keep it beside ours")
    peer.add_argument("program", help="built with tools/aarch64/mark.h; its argument is how many signatures to make")
    peer.add_argument("algorithm", choices=algorithms.ALL)
    peer.add_argument("--name", required=True)
    peer.add_argument("--about", required=True, help="what it is: commit, compiler and flags, what was changed")
    peer.set_defaults(run=command_peer)

    traced = commands.add_parser("trace", help="constant time: are executed and accessed addresses the same for all secret keys?")
    traced.add_argument("algorithm", nargs="*", help="default: rainbow-I-classic and uov-Is")
    traced.add_argument("--operation", action="append", choices=["generate", "sign"])
    traced.add_argument("--processor", action="append", choices=[*native, "portable"], help="default: sha3")
    traced.add_argument("--mode", action="append", choices=["fast", "small"])
    traced.add_argument("--keys", type=int, default=8, help="key pairs that differ in the secret seed alone")
    traced.add_argument("--all", action="store_true", help="all algorithms")
    traced.set_defaults(run=command_trace)
    return top


def main():
    options = parser().parse_args()
    try:
        return options.run(options)
    except (emulator.BuildFailed, ValueError, subprocess.CalledProcessError) as error:
        print(f"moonbow-aarch64: {error}", file=sys.stderr)
        return 1
