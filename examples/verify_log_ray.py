#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Verifies a large log of signatures on a Ray cluster: verify_log.py for more than one machine.

Usage: verify_log_ray.py LOG --key LOG.pub [--address ADDRESS]

Without an address a cluster is started on this machine. Each task has one core and takes a part of the log;
the key goes to each machine once. No more tasks wait than keep the cores busy, so that memory does not grow with the log."""

import argparse
import sys

import moonbow
import ray
from verify_log import bad_lines, parse, report

TOGETHER = 4096  # entries of a task
TASKS_OF_A_CORE = 3  # one running, two waiting


def parts(log):
    """Number of the first line, and lines."""
    first = 1
    while lines := [line for _, line in zip(range(TOGETHER), log)]:
        yield first, lines
        first += len(lines)


@ray.remote(num_cpus=1)
def verify_part(key, first, lines):
    pairs = [parse(line) for line in lines]
    return len(pairs), bad_lines(first, key.verify_many(pairs, threads=1))


def verify(path, key):
    entries = bad = 0
    most = TASKS_OF_A_CORE * max(1, int(ray.cluster_resources().get("CPU", 1)))
    shared, running = ray.put(key), []

    def take_one():
        nonlocal entries, bad, running
        done, running = ray.wait(running, num_returns=1)
        seen, numbers = ray.get(done[0])
        for number in numbers:
            print(number)
        entries, bad = entries + seen, bad + len(numbers)

    with open(path, "rb") as log:
        for first, lines in parts(log):
            running.append(verify_part.remote(shared, first, lines))
            while len(running) >= most:
                take_one()
    while running:
        take_one()
    return entries, bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("log", metavar="LOG")
    parser.add_argument("--key", required=True, help="the public key's file")
    parser.add_argument("--address", help="of a running cluster; 'auto' finds the one of this machine")
    options = parser.parse_args()
    ray.init(address=options.address, include_dashboard=False, log_to_driver=False, configure_logging=False)
    key = moonbow.PublicKey.load(options.key)
    return report(lambda: verify(options.log, key))


if __name__ == "__main__":
    sys.exit(main())
