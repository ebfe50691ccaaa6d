#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes one parameter set as a folder that stands alone, with the interface of NIST and SUPERCOP.

Usage: drop_in.py SET -o FOLDER [--for host|cortex-m4]

The folder is flat: `cc -O3 -c *.c` compiles it, with no options for instruction sets, on x86-64 and AArch64 with the vector backends,
elsewhere with the portable one. Whoever links it brings randombytes(). --for cortex-m4 takes the assembly for that processor
instead. Sources are taken from the checkout that this script lies in, and only those that the set needs: starting at the
interface, a file is needed if it defines a name that a needed file uses."""

import argparse
import collections
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LICENCE = "/* SPDX-License-Identifier: Apache-2.0 OR MIT"
GLUE = "tools/drop_in/sign.c"

# ---- Which files the library has, and for which machines -------------------------------------------

X86 = "defined(__x86_64__) || defined(__i386__)"
X86_64 = "defined(__x86_64__) && defined(__LP64__)"
AARCH64 = "defined(__aarch64__)"
ALWAYS, NEVER = "", None

# What the conditions of src/CMakeLists.txt come to in the preprocessor, in a folder for hosts and in one for the Cortex-M4.
CONDITIONS = {
    'CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|i[3-6]86)$"': (X86, NEVER),
    'CMAKE_SYSTEM_PROCESSOR STREQUAL "cortex-m4"': (NEVER, ALWAYS),
    'CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$"': (AARCH64, NEVER),
    'NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64|cortex-m4)$"': (f"!{AARCH64}", NEVER),
    'CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8': (X86_64, NEVER),
    'CMAKE_SYSTEM_NAME STREQUAL "Generic"': (NEVER, NEVER),  # a board's own AES
    "MOONBOW_SMALL_CODE": (NEVER, NEVER),
    "MOONBOW_SHARED": (NEVER, NEVER),
    "NOT APPLE": (NEVER, NEVER),
}

Source = collections.namedtuple("Source", "condition flags")


def both(outer, inner):
    if outer is NEVER or inner is NEVER:
        return NEVER
    return " && ".join(f"({part})" if "||" in part and outer and inner else part for part in (outer, inner) if part)


class ListFile:
    """The sources in src/CMakeLists.txt. A condition or a processor that is not known here is an error, not a guess."""

    def __init__(self, for_cortex_m4):
        self.column = 1 if for_cortex_m4 else 0
        self.sources, self.stack = {}, []
        text = re.sub(r"#[^\n]*", "", (ROOT / "src/CMakeLists.txt").read_text())
        text = re.sub(r"function\(.*?endfunction\(\)", "", text, flags=re.DOTALL)
        self.variables = dict(re.findall(r"set\((\w+) ([^)]*)\)", text))
        for match in re.finditer(r"^\s*(\w+)\s*\(((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*)\)", text, re.MULTILINE):
            self.command(match[1], " ".join(match[2].split()))

    def command(self, name, arguments):
        if name in ("if", "elseif", "else", "endif"):
            self.conditional(name, arguments)
        elif name == "moonbow_source_for":
            for variable, value in self.variables.items():
                arguments = arguments.replace("${" + variable + "}", value)
            file, *flags = arguments.split()
            self.add(file, flags)
        elif name in ("add_library", "target_sources") and arguments.startswith("moonbow "):
            for file in arguments.split():
                if file.endswith((".c", ".S")):
                    self.add(file, [])

    def conditional(self, name, condition):
        if name in ("elseif", "else", "endif"):
            taken = self.stack.pop()
        if name == "if":
            taken = []
        if name in ("if", "elseif"):
            here = CONDITIONS[condition][self.column]
            self.stack.append(taken + [here])
        elif name == "else":
            self.stack.append(taken + ["else"])

    def condition(self):
        """That of all open branches; "else" is what none of the branches before it took."""
        total = ALWAYS
        for branches in self.stack:
            before, here = branches[:-1], branches[-1]
            if here == "else":
                here = ALWAYS
            if ALWAYS in before:
                here = NEVER
            for other in before:
                if other is not NEVER:
                    here = both(here, f"!({other})")
            total = both(total, here)
        return total

    def add(self, file, flags):
        condition = self.condition()
        if condition is not NEVER:
            self.sources[f"src/{file}"] = Source(condition, flags)


# ---- Which of them the set needs -------------------------------------------------------------------

NAME = re.compile(r"\b(?:mb|moonbow)_\w+")
FUNCTION = re.compile(r"^(?!static\b|typedef\b|extern\b|#)[A-Za-z_][\w *]*?\b((?:mb|moonbow)_\w+)\([^;{}]*\)\s*\{", re.MULTILINE)
OBJECT = re.compile(r"^(?!static\b|typedef\b|extern\b|#)[A-Za-z_][\w *]*?\b((?:mb|moonbow)_\w+)(?:\[[^\]]*\])*\s*=", re.MULTILINE)
ASSEMBLY = re.compile(r"^\s*\.globa?l\s+(\w+)", re.MULTILINE)
INLINE = re.compile(r"^static[^;{}]*\)\s*\{.*?^\}", re.MULTILINE | re.DOTALL)
MACRO = re.compile(r"^#[ \t]*define[ \t]+(\w+)((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE)
INCLUDE = re.compile(r"^([ \t]*#[ \t]*include[ \t]*)([<\"])([^>\"\n]+)[>\"]", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def included_path(quote, name):
    """The file of the checkout that an include names, or None for a header of the system."""
    for path in (f"include/{name}" if quote == "<" else f"src/{name}",):
        if (ROOT / path).is_file():
            return path
    return None


class Sources:
    """The files, what each defines and uses."""

    def __init__(self, for_cortex_m4):
        self.listed = ListFile(for_cortex_m4).sources
        self.parameters = {}  # of each algorithm, by its identifier
        self.definers = collections.defaultdict(list)  # more than one where machines differ
        for path in self.listed:
            for name in self.definitions(path):
                self.definers[name].append(path)

    def definitions(self, path):
        text = COMMENT.sub("", read(path))
        names = set(ASSEMBLY.findall(text)) if path.endswith(".S") else set(FUNCTION.findall(text)) | set(OBJECT.findall(text))
        if path.endswith("/algorithms.c"):
            for identifier, parameters in parameters_of(path):
                self.parameters[identifier] = parameters
                names |= {f"moonbow_{identifier}{role}" for role in ("", "_verifier", "_signer", "_generator")}
        return names

    def headers(self, path, seen=None):
        """What a file includes, and what that includes; itself too."""
        seen = set() if seen is None else seen
        if path not in seen:
            seen.add(path)
            for _, quote, name in INCLUDE.findall(COMMENT.sub("", read(path))):
                header = included_path(quote, name)
                if header:
                    self.headers(header, seen)
        return seen

    def uses(self, path):
        """Names in a file; of its headers, those in inline functions and in macros that are used."""
        text = COMMENT.sub("", read(path))
        macros = {}
        for header in self.headers(path):
            contents = COMMENT.sub("", read(header))
            macros.update(MACRO.findall(contents))
            if header != path:
                text += "".join(INLINE.findall(contents))
        words, names = set(re.findall(r"\w+", text)), set(NAME.findall(text))
        waiting = [word for word in words if word in macros]
        while waiting:
            body = macros.pop(waiting.pop(), "")
            names |= set(NAME.findall(body))
            waiting += [word for word in re.findall(r"\w+", body) if word in macros]
        return names

    def needed(self, names):
        """The files that define these names, and all that they need."""
        files, waiting = set(), list(names)
        while waiting:
            for path in self.definers.get(waiting.pop(), []):
                if path not in files:
                    files.add(path)
                    waiting += self.uses(path)
        return files


STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def parameters_of(path):
    """Identifier and facts of each algorithm of a scheme, from its initialisers as the preprocessor leaves them."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    text = subprocess.run([*compiler, "-E", "-P", f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}", ROOT / path], check=True,
                          capture_output=True, text=True).stdout
    arrays = re.findall(rf"(\w+)\[\]\s*=\s*((?:{STRING.pattern}\s*)+)", text)
    strings = {name: "".join(part[1:-1] for part in STRING.findall(value)) for name, value in arrays}
    for match in re.finditer(r"static const moonbow_parameters (\w+)_parameters\s*=\s*\{(.*?)\};", text, re.DOTALL):
        facts = {}
        for field in re.split(r"\s*,\s*(?=\.\w+ = )", match[2].strip()):
            name, _, value = field.partition(" = ")
            value = value.strip("() \n,")
            facts[name.strip().lstrip(".")] = strings.get(value, value)
        yield match[1], facts


# ---- Writing ---------------------------------------------------------------------------------------


def flat(path):
    """linear/x86/avx2.c is linear_x86_avx2.c; the public headers keep their folder's name."""
    return "sign.c" if path == GLUE else "_".join(pathlib.PurePath(path).parts[1:])


def flatten_includes(text):
    def rename(match):
        path = included_path(match[2], match[3])
        return f'{match[1]}"{flat(path)}"' if path else match[0]

    return INCLUDE.sub(rename, text)


def target_pragma(flags):
    """What stands in for the compiler's options: the instructions that a file may use. Others only make it quicker."""
    flags = [flag for flag in flags if flag.startswith("-m")]
    if not flags:
        return "", ""
    if flags[0].startswith("-march=armv8"):
        gcc = flags[0].replace("-march=", "arch=")
        clang, header = gcc.split("+")[1], "arm_neon.h"
    else:
        gcc = clang = ",".join(flag[2:] for flag in flags)
        header = "immintrin.h"
    begin = (f"#include <{header}>\n#if defined(__clang__)\n"
             f'#pragma clang attribute push(__attribute__((target("{clang}"))), apply_to = function)\n'
             f'#elif defined(__GNUC__)\n#pragma GCC target("{gcc}")\n#endif\n')
    return begin, "#if defined(__clang__)\n#pragma clang attribute pop\n#endif\n"


def source_text(path, source):
    """A file of the folder: the licence and first comment as they are, then the namespace, the machine, the instructions."""
    text = flatten_includes(read(path))
    end_of_comment = text.index("*/") + 3 if text.startswith("/*") else 0
    head, body = text[:end_of_comment], text[end_of_comment:]
    begin, end = '#include "namespace.h"\n', ""
    if source.condition:
        begin, end = begin + f"\n#if {source.condition}\n", "#else\ntypedef int drop_in_not_for_this_machine;\n#endif\n"
    if source.flags:
        on, off = target_pragma(source.flags)
        begin, end = begin + on, off + end
    return head + begin + body + end


API = """{licence}
 * {name}: {title}. Security: {security}.
 * {caution} */
#ifndef MOONBOW_API_H
#define MOONBOW_API_H

#include <stddef.h>

#define CRYPTO_ALGNAME "{name}"
#define CRYPTO_PUBLICKEYBYTES {public_key_bytes}
#define CRYPTO_SECRETKEYBYTES {secret_key_bytes}
#define CRYPTO_BYTES {signature_bytes}
#define CRYPTO_DETERMINISTIC {deterministic}

/* All return 0, or -1. Signed messages are the message, then the signature. */
int crypto_sign_keypair(unsigned char *pk, unsigned char *sk);
int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk);
int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk);
/* The signature alone. */
int crypto_sign_signature(unsigned char *sig, size_t *siglen, const unsigned char *m, size_t mlen, const unsigned char *sk);
int crypto_sign_verify(const unsigned char *sig, size_t siglen, const unsigned char *m, size_t mlen, const unsigned char *pk);

#endif
"""

NAMESPACE = """{licence}
 * The names with linkage, so that several sets can be in one program. A framework may define CRYPTO_NAMESPACE; the functions of api.h
 * get other names only if it does. */
#ifndef MOONBOW_NAMESPACE_H
#define MOONBOW_NAMESPACE_H

#define DROP_IN_ALGORITHM moonbow_{identifier}

#ifdef CRYPTO_NAMESPACE
{functions}
#else
#define CRYPTO_NAMESPACE(name) drop_in_{identifier}_##name
#endif
{names}

#endif
"""

README = """# {name}

{title}. Security: **{security}**. {caution}

Written by Moonbow's `tools/drop_in.py {name}`, version {version}. Flat, with NIST's interface (`api.h`); licence Apache-2.0 or MIT.

    cc -O3 -c *.{endings}          # no options for instruction sets: files that need some ask for them

Whoever links it brings `randombytes(out, bytes)`, and `randombytes.h` or NIST's `rng.h` in the include path if the types differ from
`int randombytes(unsigned char *, unsigned long long)`. Names with linkage begin with `drop_in_{identifier}_`; with `CRYPTO_NAMESPACE(name)` defined, all names, those of `api.h` too, are
what it makes of them.

| framework | how |
|---|---|
| SUPERCOP | copy the folder to `crypto_sign/{supercop}/moonbow`; its `crypto_sign.h` is included where there is one |
| NIST's generator of known answers | compile `PQCgenKAT_sign.c` and `rng.c` with the folder's sources |
| PQClean and its heirs | define `CRYPTO_NAMESPACE`; message lengths of `crypto_sign` are `unsigned long long` |
"""


def write_folder(folder, name, for_cortex_m4):
    sources = Sources(for_cortex_m4)
    registered = re.findall(r"&moonbow_(\w+)", read("src/signature/registry.c"))
    identifiers = {sources.parameters[identifier]["name"]: identifier for identifier in registered}
    if name not in identifiers:
        sys.exit(f"drop_in.py: {name}: expected one of {', '.join(identifiers)}")
    identifier = identifiers[name]
    roots = {"moonbow_" + verb for verb in ("generate", "sign", "verify")} | {f"moonbow_{identifier}"}
    glue_uses = set(NAME.findall(COMMENT.sub("", read(GLUE))))
    files = sources.needed((roots | glue_uses) - {"mb_system_random"}) - {"src/platform/random.c"}
    facts = dict(sources.parameters[identifier], licence=LICENCE, identifier=identifier)
    facts["security"] = facts["security"].removeprefix("MOONBOW_").lower()
    facts["deterministic"] = int(facts["sign_random_bytes"] == "0")
    facts["version"] = re.search(r"project\(moonbow VERSION (\S+)", read("CMakeLists.txt"))[1]
    facts["supercop"] = re.sub(r"[^a-z0-9]", "", name.lower())
    facts["endings"] = "[cS]" if for_cortex_m4 else "c"
    linked = sorted(name for name, paths in sources.definers.items() if files.intersection(paths)) + ["mb_system_random"]
    facts["names"] = "\n".join(f"#define {name} CRYPTO_NAMESPACE({name})" for name in linked)
    facts["functions"] = "\n".join(f"#define {name} CRYPTO_NAMESPACE({name})" for name in re.findall(r"^int (crypto_sign\w*)\(", API, re.MULTILINE))

    contents = {"api.h": API, "namespace.h": NAMESPACE, "README.md": README}
    contents = {file: text.format(**facts) for file, text in contents.items()}
    contents["api.h"] = contents["api.h"].replace("#include <stddef.h>\n", '#include "namespace.h"\n\n#include <stddef.h>\n')
    contents["description"] = f"{facts['title']} ({name}), {facts['security']}\n"
    contents["implementors"] = "The contributors to Moonbow\n"
    contents["sizes"] = "".join(f"{what} {facts[what]}\n" for what in ("public_key_bytes", "secret_key_bytes", "signature_bytes"))
    headers = set()
    for path in files | {GLUE}:
        contents[flat(path)] = source_text(path, sources.listed.get(path, Source(ALWAYS, [])))
        headers |= sources.headers(path) - {path}
    for path in headers | {"include/moonbow/signature.h", "include/moonbow/status.h"}:
        contents[flat(path)] = flatten_includes(read(path))
    for licence in ("LICENSE", "LICENSE-APACHE", "LICENSE-MIT"):
        contents[licence] = read(licence)

    folder.mkdir(parents=True)
    for file, text in contents.items():
        (folder / file).write_text(text, encoding="utf-8")
    if facts["security"] != "candidate":
        print(f"drop_in.py: caution: {name}: {facts['caution']}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("set", metavar="SET", help="a name of `moonbow list`, such as uov-Is-pkc")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, metavar="FOLDER", help="a folder that is not there yet")
    parser.add_argument("--for", dest="machine", choices=("host", "cortex-m4"), default="host")
    options = parser.parse_args()
    if options.output.exists():
        sys.exit(f"drop_in.py: {options.output}: exists already and was left as it is")
    write_folder(options.output, options.set, options.machine == "cortex-m4")


if __name__ == "__main__":
    main()
