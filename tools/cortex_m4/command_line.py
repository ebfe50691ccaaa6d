# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command line of moonbow-m4."""

import argparse
import json
import sys

from . import algorithms, board, bootloader_test, build, known_answers, measure, peer, profile, prove, size, stack, target_tests, trace
from .link import Emulator, StationError


def say(text):
    print(text, flush=True)


def open_station(options, **arguments):
    """The emulator with the cycle model, or the board on the serial line."""
    return board.Board(options.port) if options.port else Emulator(**arguments)


def table_row(row):
    cycles, memory = row["cycles"], {item["what"]: item for item in row["memory"]}
    scratch = memory.get("scratch", {"bytes": 0, "memory": "-"})
    return (f"{row['algorithm']:34} {row['operation']:9} {row['mode']:6} {row['count']:>5} {cycles['mean']:>13,} {cycles['minimum']:>13,} "
            f"{cycles['median']:>13,} {cycles['deviation']:>11,} {row['stack_bytes']:>6} {scratch['bytes']:>8} {scratch['memory']}")


TABLE_HEAD = (f"{'algorithm':34} {'operation':9} {'mode':6} {'runs':>5} {'mean':>13} {'minimum':>13} {'median':>13} {'deviation':>11} "
              f"{'stack':>6} {'scratch':>8} in")


def wanted(options, algorithm):
    """(operation, mode, count, memory of the key) of each row to measure."""
    if options.full:
        return [row for row in measure.plan(algorithm) if not options.operation or row[0] in options.operation]
    return [(operation, mode, options.count, options.key) for operation in options.operation or measure.OPERATIONS
            for mode in options.mode or ["fast"]]


def command_bench(options):
    build.build_programs()
    build.build_plugin()
    if options.check:
        rows = [row for row in measure.load()["rows"] if not options.algorithm or row["algorithm"] in options.algorithm]
        say(f"{'algorithm':34} {'operation':9} {'mode':6} {'kept':>13} {'now':>13} {'change':>8}")
        moved = measure.check(rows, say)
        say(f"{len(rows)} rows, {len(moved)} moved by more than {measure.TOLERANCE:.0%}")
        return 1 if moved or not rows else 0
    rows = []
    say(TABLE_HEAD)
    arguments = ["profile=on"] if options.profile or options.annotate else []
    for algorithm in options.algorithm or algorithms.RAINBOW_I:
        for operation, mode, count, place in wanted(options, algorithm):
            with open_station(options, model=True, arguments=arguments) as station:
                row = measure.measure(station, algorithm, operation, mode, count, place)
                rows.append(row)
                say(table_row(row))
                if arguments:
                    show_profile(station.end(), options)
            if options.save:
                measure.save([row])
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"rows": rows}, file, indent=1)
    return 0


def show_profile(blocks, options):
    program = build.station(Emulator.BOARD)
    if options.annotate:
        print("\n".join(profile.annotate(program, blocks, options.annotate)))
        return
    functions = profile.by_function(program, blocks)
    total = sum(cycles for _, cycles, _ in functions)
    for name, cycles, calls in functions:
        if cycles * 500 > total:
            say(f"    {cycles / options.count:>14,.0f} {cycles / total:>6.1%} {calls / options.count:>10,.1f} x {name}")


def command_peer(options):
    build.build_plugin()
    rows = peer.rows_of(options.program, options.algorithm, options.name)
    for row in rows:
        cycles = row["cycles"]
        say(f"{row['name']}: {row['algorithm']} {row['operation']} {row['count']} runs, mean {cycles['mean']:,}, median {cycles['median']:,}")
    if rows and options.about:
        peer.save(rows, options.about)
    return 0 if rows else 1


def command_kat(options):
    build.build_programs()
    answers, wrong = known_answers.expected(), 0
    for algorithm in options.algorithm or (algorithms.ALL if options.all else algorithms.LEVEL_1):
        with open_station(options) as station:
            try:
                places = known_answers.check(station, algorithm, answers)
                external = [item["what"] for item in places if item["memory"] == "external"]
                say(f"{algorithm:34} ok" + (f", beyond 512 KiB: {', '.join(external)}" if external else ""))
            except (ValueError, StationError) as error:
                say(f"{algorithm:34} WRONG: {error}")
                wrong += 1
    return 1 if wrong else 0


def command_trace(options):
    build.build_programs()
    build.build_plugin()
    leaking = 0
    for algorithm in options.algorithm or (algorithms.ALL if options.all else ["rainbow-I-classic"]):
        for operation in options.operation or ["generate", "sign"]:
            for mode in options.mode or ["fast"]:
                keys = options.keys or (16 if algorithm in algorithms.LEVEL_1 else 2)
                paths = trace.compare(algorithm, operation, mode, keys, options.key)
                found = trace.leaks(paths)
                leaking += bool(found)
                cipher = ", constant-time cipher for the public seed" if trace.follows_public_seed(algorithm, operation) else ""
                say(f"{algorithm:34} {operation:9} {mode:6} {'LEAKS' if found else 'alike'}: {trace.describe(paths)}{cipher}")
    return 1 if leaking else 0


def command_prove(_):
    build.build_programs()
    return 1 if prove.run_all(say) else 0


def command_test(_):
    build.build_programs()
    build.build_plugin()
    build.build_tool()
    return target_tests.run_all(say) or min(1, prove.run_all(say)) or bootloader_test.run_all(say)


def command_size(options):
    rows = size.measure(options.algorithm or algorithms.ALL)
    say(f"{'flash in bytes, of one role alone':34} " + " ".join(f"{name:>9}" for name in size.COLUMNS))
    for row in rows:
        say(f"{row['algorithm']:34} " + " ".join(f"{row[name]:>{max(9, len(name))},}" for name in size.COLUMNS))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"about": "tools/moonbow-m4 size: flash in bytes of a program with one role alone, less one with none", "rows": rows}, file, indent=1)
            file.write("\n")
    return 0


def command_stack(options):
    build.build_programs()
    build.build_plugin()
    wrong = 0
    for algorithm in options.algorithm or ["rainbow-I-classic", "rainbow-I-compressed", "uov-Is-pkc-skc"]:
        for operation in measure.OPERATIONS:
            for mode in ("fast", "small"):
                try:
                    painted, size, functions = stack.check(algorithm, operation, mode)
                    say(f"{algorithm:34} {operation:9} {mode:6} painted {painted:>5}, frames {size:>5}: {' > '.join(functions)}")
                except ValueError as error:
                    say(f"WRONG: {error}")
                    wrong += 1
    return 1 if wrong else 0


def command_flash(options):
    board.prepare(options.board, options.probe)
    return 0


def parser():
    top = argparse.ArgumentParser(prog="moonbow-m4", description=__doc__)
    top.add_argument("--small-code", action="store_true", help="programs with the library built for little code (MOONBOW_SMALL_CODE)")
    top.add_argument("--port", metavar="DEVICE", help="serial line of a board that runs the station; without it the emulator is used")
    commands = top.add_subparsers(dest="command", required=True)

    bench = commands.add_parser("bench", help="cycles, memory and profile of operations")
    bench.add_argument("algorithm", nargs="*", help="default: Rainbow I")
    bench.add_argument("--operation", action="append", choices=measure.OPERATIONS)
    bench.add_argument("--mode", action="append", choices=["fast", "small"])
    bench.add_argument("--count", type=int, default=10, help="runs of each operation, on different inputs")
    bench.add_argument("--key", default="internal", choices=["internal", "code", "external"], help="memory that the key is read from")
    bench.add_argument("--profile", action="store_true", help="cycles by function")
    bench.add_argument("--annotate", metavar="FUNCTION", help="cycles by instruction of a function")
    bench.add_argument("--json", metavar="FILE")
    bench.add_argument("--save", action="store_true", help="keep the results in bench/results/cortex-m4.json")
    bench.add_argument("--full", action="store_true", help="the rows that are kept: all operations and modes, a thousand messages at level 1")
    bench.add_argument("--check", action="store_true", help="compare with the results that are kept; fail if cycles or RAM of one moved by more than 1 %%")
    bench.set_defaults(run=command_bench)

    other = commands.add_parser("peer", help="count other people's code, and keep it beside ours")
    other.add_argument("program", help="for the emulated board, with the marks of firmware/mark.h: region 0 key generation, 1 signing, 2 verification")
    other.add_argument("algorithm", choices=algorithms.ALL)
    other.add_argument("--name", required=True)
    other.add_argument("--about", help="what it is: commit, compiler and flags, what was changed; keeps the results in bench/results/cortex-m4.json")
    other.set_defaults(run=command_peer)

    kat = commands.add_parser("kat", help="known answers, reproduced by the program on the board")
    kat.add_argument("algorithm", nargs="*", help="default: all of level I")
    kat.add_argument("--all", action="store_true", help="levels III and V too")
    kat.set_defaults(run=command_kat)

    traced = commands.add_parser("trace", help="constant time: are executed and accessed addresses the same for all secret keys?")
    traced.add_argument("algorithm", nargs="*", help="default: rainbow-I-classic")
    traced.add_argument("--operation", action="append", choices=["generate", "sign"])
    traced.add_argument("--mode", action="append", choices=["fast", "small"])
    traced.add_argument("--keys", type=int, help="key pairs that differ in the secret seed alone; default: 16 at level 1, 2 above")
    traced.add_argument("--key", default="internal", choices=["internal", "code", "external"], help="memory of the secret key")
    traced.add_argument("--all", action="store_true", help="all algorithms")
    traced.set_defaults(run=command_trace)

    proved = commands.add_parser("prove", help="the kernels' machine code computes what it is to, for all vectors")
    proved.set_defaults(run=command_prove)

    sized = commands.add_parser("size", help="flash of each role alone")
    sized.add_argument("algorithm", nargs="*", help="default: all")
    sized.add_argument("--json", metavar="FILE")
    sized.set_defaults(run=command_size)

    deep = commands.add_parser("stack", help="stack by painting, checked against the compiler's frames along the calls that occurred")
    deep.add_argument("algorithm", nargs="*")
    deep.set_defaults(run=command_stack)

    flashed = commands.add_parser("flash", help="write the station program into a board")
    flashed.add_argument("board", choices=sorted(board.BOARDS))
    flashed.add_argument("--probe", choices=["jlink", "openocd"], default="jlink")
    flashed.set_defaults(run=command_flash)

    test = commands.add_parser("test", help="unit tests on the emulated board, and tests of these tests")
    test.set_defaults(run=command_test)
    return top


def main():
    options = parser().parse_args()
    if options.small_code:
        build.use("cortex-m4-small-code")
    try:
        return options.run(options)
    except (build.BuildFailed, StationError, ValueError) as error:
        print(f"moonbow-m4: {error}", file=sys.stderr)
        return 1
