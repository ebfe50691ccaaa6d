#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Verifies a large log of signatures over all cores, in memory that does not grow with the log.

Usage: verify_log.py make LOG --entries N [--algorithm NAME]    an example log LOG, and its public key LOG.pub
       verify_log.py LOG --key LOG.pub [--threads N]

The log is text: an entry a line, its signature in hexadecimal, one space, what was signed. Numbers of the lines whose signatures are
bad go to standard output; the exit status is 1 if there are any. verify_log_ray.py does the same on several machines."""

import argparse
import itertools
import sys
import time

import moonbow

TOGETHER = 8192  # entries in memory at once


def parse(line):
    """Signature and message of a line; what cannot be parsed gets an empty signature, which is never good."""
    signature, _, message = line.rstrip(b"\n").partition(b" ")
    try:
        return bytes.fromhex(signature.decode()), message
    except ValueError:
        return b"", message


def parts(lines, together=TOGETHER):
    """Number of the first line (from 1), and pairs (signature, message), part after part."""
    lines, first = iter(lines), 1
    while pairs := [parse(line) for line in itertools.islice(lines, together)]:
        yield first, pairs
        first += len(pairs)


def bad_lines(first, verdicts):
    return [first + i for i, good in enumerate(verdicts) if not good]


def make(path, entries, algorithm):
    key = moonbow.generate(algorithm).prepare()
    key.public_key.save(path + ".pub")
    with open(path, "xb") as log:
        for i in range(entries):
            message = b"entry %d of the log" % i
            log.write(key.sign(message).hex().encode() + b" " + message + b"\n")


def verify(path, key, threads):
    """Prints what is bad; returns numbers of entries and of bad ones."""
    entries = bad = 0
    with open(path, "rb") as log:
        for first, pairs in parts(log):
            for number in bad_lines(first, key.verify_many(pairs, threads=threads)):
                print(number)
                bad += 1
            entries += len(pairs)
    return entries, bad


def report(verify_all):
    """Runs it and says how it went; the exit status."""
    begin = time.monotonic()
    entries, bad = verify_all()
    seconds = time.monotonic() - begin
    print(f"{entries} entries, {bad} bad, {entries / max(seconds, 1e-9):.0f} a second", file=sys.stderr)
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("log", nargs="+", metavar="[make] LOG")
    parser.add_argument("--key", help="the public key's file")
    parser.add_argument("--threads", type=int, help="default: one for each core")
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--algorithm", default="uov-Is-pkc")
    options = parser.parse_args()
    if options.log[0] == "make" and len(options.log) == 2:
        make(options.log[1], options.entries, options.algorithm)
        return 0
    if len(options.log) != 1 or not options.key:
        parser.error("expected one LOG and its --key")
    key = moonbow.PublicKey.load(options.key).prepare()
    return report(lambda: verify(options.log[0], key, options.threads))


if __name__ == "__main__":
    sys.exit(main())
