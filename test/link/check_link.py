#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks what a program links of libmoonbow: no symbol that it has no use for, and no more code than a ceiling.

Usage: check_link.py PROGRAM-NAME COMPILER NM PROGRAM MAP. The size is that of code and constants in the library's objects, by
the linker's map; objects for one processor (folders x86, aarch64, cortex_m4, and their tables) are counted by themselves, because
firmware has others or none. The ceilings are about 10 % above what gcc 12 makes of it for x86-64 at -Os; under other
compilers, and on other machines, sizes are printed only."""

import re
import subprocess
import sys

REGISTRY = [r"^moonbow_algorithm_", r"^algorithms$"]
GENERATING = [r"^moonbow_.*_generator$", "mb_rainbow_keys", "moonbow_generate", "moonbow_prepare_", "_preparer"]
SIGNING = ["_signer", "mb_rainbow_sign", "moonbow_sign", "solver", "multiplier", "mb_substitute",
           "system_random"]
VERIFYING = ["_verifier", "mb_rainbow_verify", "moonbow_verify_", "mb_public_map"]
STREAMS = ["aes", "mb_ctr", "mb_drbg"]
SECRET_STREAMS = ["^mb_aes_portable_backend$", "^mb_aes_constant_time$"]
LONG_HASHES = ["sha512", "sha384"]
OTHER_SCHEMES = ["uov", "keccak", "shake"]

# Per program: a symbol it must hold; regular expressions for what it must not; ceilings in bytes (portable, for one processor).
EXPECTED = {
    "verify_rainbow_I_classic": (
        "moonbow_rainbow_I_classic_verifier",
        REGISTRY + GENERATING + SIGNING + STREAMS + LONG_HASHES + OTHER_SCHEMES, (16600, 45000)),
    "verify_rainbow_I_circumzenithal": (
        "moonbow_rainbow_I_circumzenithal_verifier",
        REGISTRY + GENERATING + SIGNING + SECRET_STREAMS + LONG_HASHES + OTHER_SCHEMES, (16600, 45000)),
    "sign_rainbow_V_compressed": (
        "moonbow_rainbow_V_compressed_signer",
        REGISTRY + GENERATING + VERIFYING + OTHER_SCHEMES, (38600, 79000)),
}

CEILINGS_FOR = "GNU-x86_64"
SECTION = re.compile(r"^ \.(text|rodata|data)\S*\s+0x[0-9a-f]+\s+0x([0-9a-f]+)\s+(\S+)$", re.MULTILINE)
OF_LIBRARY = "moonbow_small.dir/"
FOR_ONE_PROCESSOR = re.compile(r"/(x86|aarch64|cortex_m4|tables)/")


def sizes(map_path):
    """Bytes per source file in the linked program: {path below src/: bytes}."""
    with open(map_path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    text = text[text.index("Linker script and memory map"):]  # before it stands what was left out
    found = {}
    for match in SECTION.finditer(text):
        if OF_LIBRARY in match[3]:
            name = match[3].split("/src/")[-1]
            found[name] = found.get(name, 0) + int(match[2], 16)
    return {name: size for name, size in found.items() if size != 0}


def main(name, compiler, nm, program, map_path):
    wanted, unwanted, ceilings = EXPECTED[name]
    listing = subprocess.run([nm, program], check=True, capture_output=True, text=True).stdout
    symbols = [line.split()[-1] for line in listing.splitlines() if line]
    failures = []
    if wanted not in symbols:
        failures.append(f"does not hold {wanted}: is it stripped?")
    for part in unwanted:
        held = [symbol for symbol in symbols if re.search(part, symbol)]
        failures += [f"holds {symbol}, which it has no use for" for symbol in held]

    files = sizes(map_path)
    for file, size in sorted(files.items(), key=lambda entry: -entry[1]):
        print(f"{size:7d}  {file}")
    special = sum(size for file, size in files.items() if FOR_ONE_PROCESSOR.search("/" + file))
    portable = sum(files.values()) - special
    for what, size, ceiling in (("portable", portable, ceilings[0]), ("for one processor", special, ceilings[1])):
        print(f"{size:7d}  {what}, at most {ceiling} with {CEILINGS_FOR}; this is {compiler}")
        if compiler == CEILINGS_FOR and size > ceiling:
            failures.append(f"{what}: {size} bytes, more than {ceiling}")
    if not files:
        failures.append("the map names none of the library's objects")
    for failure in failures:
        print(f"{name}: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
