#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A bound on the stack of each public operation, from the frames and calls that gcc writes down (-fcallgraph-info=su).

Usage: stack_bound.py BUILD [MEMORY.json]   (BUILD: compiled with that option, x86-64; MEMORY.json: of `moonbow bench --memory`)

A call through a pointer is resolved by its place: the compiler tells file, line and column, the source there names the table and
the member (`work->multiplier->combine(`), and the callees are all functions of that name, or of the names below, whose address is
taken. So the bound holds for every backend, format and set of a scheme. Which functions have
their address taken at all is read from the objects' relocations; one that no member's name fits is an error, so that a new table
cannot be overlooked. Loops in the graph are an error too. Functions of the C library count LIBRARY_BYTES each, and the caller's
own random source and sinks nothing.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARY_BYTES = 256  # memcpy, memset, memcmp, strcmp, getenv, getrandom, __cpu_indicator_init: leaves with few registers saved
REALIGN_BYTES = 64  # what aligning a frame may add where gcc calls its size "dynamic,bounded"

# The names under which tables hold a member, where they do not end in its own name; a regular expression each.
OTHER_NAMES = {
    "open": r"open_(draw|stream)",
    "section": r"section_at",
    "visit": r"\w+_vector",
    "write": r"compare|mb_sink_(append|compare)",
    "function": r"mb_(rainbow|uov)_prepare_(public|secret)",
    "finish": r"finish_\w+",
    "add": r"add_\w+",
    "prepared_bytes": r"maps_bytes",
    "prepare": r"prepare_maps",
    "gather_batch": r"gather_(together|in_turn)",
    "choose": r"mb_linear_gatherer_(16|256)",
    "gatherer": r"mb_linear_gatherer_(16|256)",
    "solver": r"mb_linear_solver_(16|256)",
    "key": r"take_key",
    "ctr_by_shortcut": r"\w*ctr_by_shortcut_vartime",
    "make_shortcut": r"\w*make_shortcut_vartime",
    "accelerated": r"mb_(sha256|sha512|keccak)_portable|compress|permute",
}
# Tables of different types may share the names of their members: what the table that is called can hold, by its name in the call.
CIPHERS = r"/aes_vartime\.c:|^mb_aes_(init_128|init_256|ctr)$"
RECEIVERS = {
    "cipher": CIPHERS,  # symmetric/aes.h, and below the backend that it finds
    "backend()": rf"^(?!.*({CIPHERS}))",
    "chosen": rf"^(?!.*({CIPHERS}))",
    "hash": r"/hash_sha\d+\.c:",
    "signer": r"^mb_(rainbow|uov)_sign_|^mb_linear_solver_",
    "verifier": r"^mb_(rainbow|uov)_verify_",
    "seed": r"/public_key_expand\.c:",
    "steps": r"/verify_digest\.c:",
    "format": r"/layers_(stored|seeded)\.c:",
    "s": r"/keys_small\.c:",  # quadratic/slabs.c, whose load and emit a scheme supplies
}
# Members that no table of the library fills on x86-64, and why.
EMPTY = {
    "fill": "the caller's random source",
    "arrange": "only NEON arranges operands",
    "combine_triangles": "only NEON and the Cortex-M4 have one",
}
PUBLIC_OPERATIONS = {
    "keygen": ["moonbow_generate", "moonbow_generate_from_seed", "moonbow_generate_to_sinks",
               "moonbow_generate_from_seed_to_sinks"],
    "derive": ["moonbow_derive_public_key", "moonbow_check_key_pair"],
    "sign": ["moonbow_sign", "moonbow_sign_begin", "moonbow_sign_message", "moonbow_sign_finish", "moonbow_sign_abort",
             "moonbow_sign_fork"],
    "sign, checked": ["moonbow_sign_checked"],
    "verify": ["moonbow_verify", "moonbow_verify_begin", "moonbow_verify_message", "moonbow_verify_key",
               "moonbow_verify_finish", "moonbow_verify_pin_key", "moonbow_verify_digest_key", "moonbow_verify_abort",
               "moonbow_verify_begin_late", "moonbow_verify_signature", "moonbow_verify_fork"],
    "prepare": ["moonbow_prepare_public_key", "moonbow_prepare_secret_key"],
}
SCHEMES = ("rainbow", "uov")


class Graph:
    """Functions with their frames and calls. A local function is known as file:name."""

    def __init__(self):
        self.bytes, self.place, self.calls, self.indirect = {}, {}, collections.defaultdict(set), collections.defaultdict(set)

    def read(self, path):
        for line in path.read_text().splitlines():
            title = re.search(r'title: "([^"]*)"', line)
            if line.startswith("node") and (frame := re.search(r"\\n([^\\]*)\\n(\d+) bytes \(([^)]*)\)", line)):
                if frame[3] == "dynamic":
                    raise SystemExit(f"{title[1]}: its frame has no bound")
                more = REALIGN_BYTES if frame[3] != "static" else 0
                self.bytes[title[1]] = int(frame[2]) + more
                self.place[title[1]] = frame[1]
            elif line.startswith("edge"):
                edge = re.search(r'sourcename: "([^"]*)" targetname: "([^"]*)"(?: label: "([^"]*)")?', line)
                if edge[2] == "__indirect_call":
                    self.indirect[edge[1]].add(edge[3])
                else:
                    self.calls[edge[1]].add(edge[2])


def plain(name):
    """The name as in the source: without the file and the suffixes of the optimiser's copies."""
    return re.sub(r"\.(constprop|isra|part|cold)(\.\d+)?", "", name.rsplit(":", 1)[-1])


def address_taken(archive):
    """Names of the functions whose address a table or a piece of code holds: relocations that are not calls or jumps."""
    run = lambda *command: subprocess.run([*command, archive], check=True, capture_output=True, text=True).stdout
    functions = {plain(line.split()[-1]) for line in run("nm").splitlines() if re.search(r" [tT] ", line)}
    names = set()

    def take(symbol):
        name = plain(re.sub(r"^\.text\.(unlikely\.|hot\.|startup\.)?", "", symbol))
        if name in functions:
            names.add(name)

    section = ""
    for line in run("readelf", "-rW").splitlines():
        fields = line.split()
        if line.startswith("Relocation section"):
            section = line.split("'")[1]
        elif section.startswith((".rela.data", ".rela.rodata")) and "R_X86_64_64" in fields[2:3] and int(fields[6], 16) == 0:
            take(fields[4])
    mnemonic = ""
    for line in run("objdump", "-dr", "--no-show-raw-insn").splitlines():
        if relocation := re.search(r"R_X86_64_\w+\t([^\s+-]+)", line):
            if not mnemonic.startswith(("call", "j")):
                take(relocation[1])
        elif instruction := re.match(r"\s+[0-9a-f]+:\s+(?:notrack |bnd )*(\w+)", line):
            mnemonic = instruction[1]
    return names


def call_at(place):
    """Of a call through a pointer at file:line:column, the name of the table (else None) and the member."""
    path, line, column = place.rsplit(":", 2)
    lines = (ROOT / path).read_text().splitlines()
    text = "\n".join(lines[int(line) - 1:int(line) + 3])
    for start in (int(column) - 1, 0):  # the column may be that of a whole statement
        if call := re.match(r"[^;{}]*?(\w+|backend\(\))(?:->|\.)(\w+)\s*\(", text[start:], re.S):
            return call[1], call[2]
    # A choice between two tables that hold the same member.
    if choice := re.match(r"\s*\([^;{}]*?\?[^;{}]*?:\s*(\w+)->(\w+)\)\s*\(", text, re.S):
        return choice[1], choice[2]
    # A variable, perhaps in a choice between two.
    pointer = re.match(r"(\w+)\(", text[int(column) - 1:]) or re.match(r"\s*\(?(\w+)", text)
    return None, pointer[1] if pointer else None


def fits(member, name):
    if name == member or name.endswith("_" + member):
        return True
    return member in OTHER_NAMES and re.fullmatch(OTHER_NAMES[member], name) is not None


class Bounds:
    def __init__(self, graph, taken, without):
        """without: a regular expression of places left out, such as the other scheme."""
        self.graph, self.without, self.known, self.open = graph, without, {}, []
        self.pointed = [name for name in graph.bytes if plain(name) in taken]

    def targets(self, place):
        table, member = call_at(place)
        found = [name for name in self.pointed if member and fits(member, plain(name))]
        pattern = RECEIVERS.get(table, "")
        if backend := re.fullmatch(r"mb_(\w+)_(multiplier|solver|gatherer)", table or ""):
            pattern = rf"/{backend[1]}(_\w+)?\.c:"
        found = [name for name in found if re.search(pattern, name)]
        if not found and member not in EMPTY:
            raise SystemExit(f"{place}: no function found for the call of {member} of {table}")
        return [name for name in found if not re.search(self.without, self.graph.place[name])]

    def of(self, name):
        """Bytes from the call of this function on, and the path that needs them."""
        if name not in self.graph.bytes:
            return LIBRARY_BYTES, [name]
        if name in self.open:
            raise SystemExit("a loop: " + " -> ".join(plain(f) for f in self.open[self.open.index(name):] + [name]))
        if name not in self.known:
            self.open.append(name)
            callees = set(self.graph.calls[name])
            for place in self.graph.indirect[name]:
                callees.update(self.targets(place))
            deepest, path = max((self.of(callee) for callee in sorted(callees)), default=(0, []))
            self.open.pop()
            self.known[name] = self.graph.bytes[name] + deepest, [name] + path
        return self.known[name]


def harness_bytes(build):
    """The frames of the program that measures, between its mark on the painted stack and the library."""
    graph = Graph()
    for path in build.glob("cli/**/bench_memory*.ci"):
        graph.read(path)
    if not graph.bytes:
        raise SystemExit(f"{build}: no bench_memory in it")
    deepest = lambda pattern: max(size for name, size in graph.bytes.items() if re.search(pattern, name))
    return deepest("run_on_painted_stack") + deepest(r"FvvE.*_M_invoke") + deepest(r"FiPK15moonbow_scratch.*_M_invoke")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    graph = Graph()
    for path in sorted(build.glob("src/CMakeFiles/moonbow.dir/**/*.ci")):
        graph.read(path)
    if not graph.bytes:
        raise SystemExit(f"{build}: no call graphs; was it compiled with -fcallgraph-info=su?")
    for root in {root for roots in PUBLIC_OPERATIONS.values() for root in roots} - set(graph.bytes):
        raise SystemExit(f"{root}: not in the library")
    taken = address_taken(build / "src/libmoonbow.a")
    members = {call_at(place)[1] for places in graph.indirect.values() for place in places}
    for name in sorted(taken):
        if any(plain(f) == name for f in graph.bytes) and not any(m and fits(m, name) for m in members):
            raise SystemExit(f"{name}: its address is taken, but it fits no member that is called: {sorted(map(str, members))}")

    measured = {}
    harness = 0
    if len(sys.argv) > 2:
        harness = harness_bytes(build)
        for algorithm in json.loads(pathlib.Path(sys.argv[2]).read_text())["algorithms"]:
            for result in algorithm["results"]:
                key = algorithm["algorithm"].split("-")[0], result["operation"].split(",")[0]
                measured.setdefault(key, []).append((result["stack_bytes"], f'{algorithm["algorithm"]}, {result["mode"]}'))
    wrong = False
    print(f"{'scheme':9}{'operation':15}{'bound':>8}{'measured':>10}  deepest path of the bound; algorithm and mode of the peak")
    for scheme in SCHEMES:
        others = "|".join(f"/{other}/" for other in SCHEMES if other != scheme)
        bounds = Bounds(graph, taken, others)
        for operation, roots in PUBLIC_OPERATIONS.items():
            size, path = max(bounds.of(root) for root in roots)
            peak, who = max(measured.get((scheme, operation), [(None, "")]), key=lambda m: m[0] or 0)
            print(f"{scheme:9}{operation:15}{size:8}{peak if peak is not None else '':>10}  {' > '.join(plain(f) for f in path)}; {who}")
            if peak is not None and peak > size + harness:
                print(f"  more than the bound and the {harness} bytes of the measuring program", file=sys.stderr)
                wrong = True
    if measured:
        print(f"Measured figures hold up to {harness} bytes of the measuring program; the bound does not.")
        if not {(s, o) for s in SCHEMES for o in ("keygen", "sign", "verify")} <= set(measured):
            raise SystemExit("not every operation was measured")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
