# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The hashes that an image must reproduce, from test/kat/."""

from . import build

FILES = {"first-vector-hashes.txt": {"sha256": "sha256", "sha3-256": "sha3-256"}, "uov-hashes.txt": {"first-single": "sha256"}}


def expected():
    """{algorithm: {hash function: value}}"""
    answers = {}
    for name, kinds in FILES.items():
        for line in (build.ROOT / "test" / "kat" / name).read_text(encoding="utf-8").splitlines():
            words = line.split()
            if len(words) == 3 and words[1] in kinds:
                answers.setdefault(words[0], {})[kinds[words[1]]] = words[2]
    return answers


def check(station, algorithm, answers):
    """Asks the station for the first vector's hashes. Returns the memory it took; raises ValueError if a hash is another."""
    reply = station.ask(f"kat {algorithm}")
    for function, value in answers[algorithm].items():
        if reply.words.get(function) != value:
            raise ValueError(f"{algorithm}: {function} is {reply.words.get(function)}, not {value}")
    return reply.places
