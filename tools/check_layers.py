#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks the rules of the house: which folder may include which, and what the core may not use.

Usage: check_layers.py [ROOT]. Prints each violation as FILE:LINE: REASON and exits with 1 if there is one.
The rules are the constants below. Its own test: test/tools/test_check_layers.py."""

import os
import re
import sys

# Imports go one way. A folder of src/ may include those that stand before it here, and itself; any folder not
# listed is a scheme. Names in one row do not include one another.
ROWS = [["platform"], ["symmetric", "field"], ["linear"], ["quadratic"], ["scheme"], ["(schemes)"], ["signature"]]

# Clients see the public headers, the folders named here, and their own files.
CLIENTS = {"container": [], "cli": ["container"], "provider": ["container"], "python": ["container"],
           "examples": []}

# Files of a client that only this client includes.
INTERNAL_HEADERS = {"container/der.h", "container/explain.h", "container/subject_key.h"}

# Folders inside a module that only this module includes: nobody outside knows which backend runs.
BACKENDS = ["portable", "x86", "aarch64", "cortex_m4"]

# The core is freestanding.
SYSTEM_HEADERS = {"stddef.h", "stdint.h", "stdbool.h", "string.h", "limits.h"}
BACKEND_HEADERS = {"x86": {"immintrin.h"}, "aarch64": {"arm_neon.h"}, "cortex_m4": {"arm_acle.h"}}
FILE_HEADERS = {  # None: any header and any call, for what asks the operating system where there is one
    "src/platform/cpu.c": None,
    "src/platform/random.c": None,
    "src/platform/environment.c": None,
    "src/platform/declassify.h": {"valgrind/memcheck.h"},
}
HOSTED_CALL = re.compile(r"(?<![.>_\w])(malloc|calloc|realloc|free|aligned_alloc|posix_memalign|alloca|strdup|v?[fs]?n?printf|"
                         r"puts|putchar|f?open|exit|abort|assert|getenv|qsort|bsearch|rand|time)\s*\(")

# Conditionals on the machine stand where machines differ.
MACHINE_MACRO = re.compile(
    r"\b(__(x86_64|amd64|i386|arm|thumb|thumb2|aarch64|riscv|riscv_xlen|mips|powerpc|powerpc64|s390x|linux|unix|"
    r"APPLE|SSE\w*|SSSE3|AVX\w*|AES|VAES|SHA|BMI2?|GFNI|PCLMUL|VPCLMULQDQ)(__)?|__ARM_\w+|_M_\w+|_WIN(32|64))\b")
MACHINE_FILES = {"src/linear/dispatch.c"}
MACHINE_FOLDERS = ["src/platform/"]
MACHINE_IN_PUBLIC_HEADERS = 1  # the alignment of scratch memory

# Folders whose identifiers name no scheme: what they hold serves all. Schemes to come are listed already.
SHARED = ["platform", "symmetric", "field", "linear", "quadratic", "scheme"]
SCHEMES_TO_COME = {"mayo", "snova", "qruov"}

LICENCE = "SPDX-License-Identifier: Apache-2.0 OR MIT"
LICENSED_ENDINGS = (".c", ".h", ".cpp", ".hpp", ".S", ".s", ".py", ".sh", ".cmake", ".sv", ".svh", ".ld", "CMakeLists.txt")
C_ENDINGS = (".c", ".h", ".cpp", ".hpp", ".S")

COMMENT_OR_LITERAL = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"\n]+)[>\"]", re.MULTILINE)
CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b(?:[^\n\\]|\\\n|\\.)*", re.MULTILINE)


def blank(text):
    """The same number of lines with nothing on them."""
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    return COMMENT_OR_LITERAL.sub(lambda m: blank(m[0]) if m[0].startswith("/") else m[0], text)


def without_literals(text):
    return COMMENT_OR_LITERAL.sub(lambda m: blank(m[0]), text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def source_files(root):
    """Paths relative to the root, with '/'; neither hidden folders nor builds."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build")) and f != "__pycache__")
        for name in sorted(files):
            if name.endswith(LICENSED_ENDINGS):
                yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def row_of(module):
    for number, row in enumerate(ROWS):
        if module in row:
            return number
    return ROWS.index(["(schemes)"])


def is_scheme(module):
    return not any(module in row for row in ROWS)


class Check:
    def __init__(self, root):
        self.root = root
        self.violations = []
        self.public_conditionals = 0
        source = os.path.join(root, "src")
        self.modules = {entry for entry in os.listdir(source) if os.path.isdir(os.path.join(source, entry))}
        self.schemes = {module for module in self.modules if is_scheme(module)} | SCHEMES_TO_COME

    def report(self, path, line, reason):
        self.violations.append((path, line, reason))

    def run(self):
        for path in source_files(self.root):
            with open(os.path.join(self.root, path), encoding="utf-8") as file:
                text = file.read()
            self.check_licence(path, text)
            if path.endswith(C_ENDINGS):
                self.check_code(path, text)
        return sorted(self.violations)

    def check_licence(self, path, text):
        lines = text.split("\n")
        first = 1 if lines[0].startswith("#!") else 0
        if first >= len(lines) or LICENCE not in lines[first]:
            self.report(path, first + 1, "does not open with the licence line")

    def check_code(self, path, text):
        parts = path.split("/")
        code = without_comments(text)
        for match in INCLUDE.finditer(code):
            line = line_of(code, match.start())
            if parts[0] == "src" and len(parts) > 2:
                self.check_core_include(path, line, match[1], match[2])
            elif parts[0] == "include":
                self.check_public_include(path, line, match[2])
            elif parts[0] in CLIENTS:
                self.check_client_include(path, line, match[1], match[2])
        if parts[0] in ("src", "include", "container", "provider"):
            self.check_conditionals(path, code)
        if parts[0] == "src":
            self.check_identifiers(path, without_literals(text))

    def check_core_include(self, path, line, quote, included):
        module = path.split("/")[1]
        if quote == "<":
            if not included.startswith("moonbow/"):
                self.check_system_include(path, line, included)
            return
        target = included.split("/")[0]
        if "/" not in included or target not in self.modules:
            self.report(path, line, f'"{included}" is not written as a path from src/')
        elif target != module and row_of(target) >= row_of(module):
            if is_scheme(target) and is_scheme(module):
                self.report(path, line, f"scheme {module} includes scheme {target}")
            else:
                self.report(path, line, f"layer {module} includes {target}, which is not below it")
        elif target != module and any(part in BACKENDS for part in included.split("/")):
            self.report(path, line, f'"{included}" belongs to a backend of {target}, which is nobody else\'s business')

    def check_system_include(self, path, line, included):
        allowed = set(SYSTEM_HEADERS)
        for folder in path.split("/")[:-1]:
            allowed |= BACKEND_HEADERS.get(folder, set())
        extra = FILE_HEADERS.get(path, set())
        if extra is not None and included not in allowed | extra:
            self.report(path, line, f"<{included}> in the freestanding core")

    def check_public_include(self, path, line, included):
        if not included.startswith("moonbow/") and included not in SYSTEM_HEADERS:
            self.report(path, line, f"a public header includes <{included}>")

    def check_client_include(self, path, line, quote, included):
        client = path.split("/")[0]
        target = included.split("/")[0]
        if target in ("src", "..") or "/../" in included or (target in self.modules and "/" in included):
            self.report(path, line, f'{client} includes "{included}": clients see only <moonbow/...>')
        elif target in CLIENTS and target not in CLIENTS[client] + [client]:
            self.report(path, line, f"{client} includes {target}")
        elif included in INTERNAL_HEADERS and target != client:
            self.report(path, line, f'"{included}" is internal to {target}')
        elif quote == '"':
            folder = os.path.join(self.root, os.path.dirname(path))
            if not any(os.path.exists(os.path.join(place, included)) for place in (folder, os.path.join(self.root, client))):
                self.report(path, line, f'"{included}" is not a file of {client}')

    def check_conditionals(self, path, code):
        if path in MACHINE_FILES or path.startswith(tuple(MACHINE_FOLDERS)):
            return
        for match in CONDITIONAL.finditer(code):
            machine = MACHINE_MACRO.search(match[0])
            if machine is None:
                continue
            if path.startswith("include/"):
                self.public_conditionals += 1
                if self.public_conditionals <= MACHINE_IN_PUBLIC_HEADERS:
                    continue
            self.report(path, line_of(code, match.start()), f"conditional on {machine[0]} outside src/platform")

    def check_identifiers(self, path, code):
        parts = path.split("/")
        if len(parts) > 2 and parts[1] in SHARED:
            for match in re.finditer(r"\b[A-Za-z_]\w*", code):
                for scheme in sorted(self.schemes):
                    if scheme in match[0].lower():
                        self.report(path, line_of(code, match.start()),
                                    f"{match[0]} names the scheme {scheme} in the shared layer {parts[1]}")
        if FILE_HEADERS.get(path, set()) is not None:
            for match in HOSTED_CALL.finditer(code):
                self.report(path, line_of(code, match.start()), f"calls {match[1]}() in the freestanding core")


def main(arguments):
    root = arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    violations = Check(root).run()
    for path, line, reason in violations:
        print(f"{path}:{line}: {reason}")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
