# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Folders of tools/drop_in.py: they stand alone, hold what is needed and no more, compile everywhere, and give the known answers."""

import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DROP_IN = ROOT / "tools/drop_in.py"
TOOL = os.environ.get("MOONBOW_TOOL")

SETS = [identifier.replace("_", "-") for identifier in
        re.findall(r"&moonbow_(\w+)", (ROOT / "src/signature/registry.c").read_text())]

# A framework's own headers, included where there are any.
FRAMEWORK = {"crypto_sign.h", "randombytes.h", "rng.h"}
SYSTEM = {"stddef.h", "stdint.h", "stdlib.h", "string.h", "immintrin.h", "arm_neon.h", "sys/auxv.h", "sys/sysctl.h", "valgrind/memcheck.h"}
LIBC = {"memcpy", "memset", "memcmp", "bcmp", "memmove", "strcmp", "getenv", "aligned_alloc", "free", "getauxval"}  # bcmp is a compiler's memcmp


def write(folder, name, *options):
    run = subprocess.run([sys.executable, DROP_IN, name, "-o", folder, *options], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Folders by set, each written once."""
    made, place = {}, tmp_path_factory.mktemp("drop-in")

    def folder(name):
        if name not in made:
            made[name] = write(place / name, name)
        return made[name]

    return folder


def compile_all(folder, compiler, place, *options):
    """The objects of all sources, each compiled by itself, with no option for instruction sets."""
    place.mkdir(parents=True, exist_ok=True)
    sources = sorted(folder.glob("*.c")) + sorted(folder.glob("*.S"))
    assert sources
    # What depends on the optimiser: uninitialized arrays in loops that fill them; loops that it would rather not unroll.
    options += ("-Wno-pass-failed",) if "clang" in compiler else ("-Wno-maybe-uninitialized",)

    def compile_one(source):
        target = place / (source.name + ".o")
        subprocess.run([*compiler.split(), "-Wall", "-Wextra", "-Werror", *options, "-c", source, "-o", target], check=True, cwd=folder)
        return target

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(compile_one, sources))


def symbols(nm, objects):
    """By object: names it defines for others, and names it wants."""
    table = {}
    for path in objects:
        lines = [line.split() for line in subprocess.run([nm, "-g", path], check=True, capture_output=True, text=True).stdout.splitlines()]
        table[path.name] = ({line[-1] for line in lines if line[-2] not in "Uw"}, {line[-1] for line in lines if line[-2] == "U"})
    return table


def check_symbols(table, prefix, functions):
    """Nothing is missing, and everything has its prefix."""
    defined = set().union(*(names for names, _ in table.values()))
    wanted = set().union(*(names for _, names in table.values()))
    outside = {name for name in wanted - defined if not name.startswith(("__", "_GLOBAL_"))}
    assert "randombytes" in outside and outside <= LIBC | {"randombytes"}
    assert {name for name in defined if not name.startswith((prefix, "__x86.get_pc_thunk"))} == functions


def check_need(table):
    """Every object is there because another one wants it. (On machines other than x86-64 there are some tables too many.)"""
    wanted = set().union(*(names for _, names in table.values()))
    for name, (names, _) in table.items():
        assert name == "sign.c.o" or not names or names & wanted, name


FUNCTIONS = {"crypto_sign_keypair", "crypto_sign", "crypto_sign_open", "crypto_sign_signature", "crypto_sign_verify"}

# ---- What is in the folders -------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
def test_includes_nothing_from_outside(folders, name):
    folder = folders(name)
    assert all(entry.is_file() for entry in folder.iterdir())  # flat
    files, included = {entry.name for entry in folder.iterdir()}, {"api.h"}
    for entry in folder.iterdir():
        if entry.suffix in (".c", ".h"):
            text = re.sub(r"/\*.*?\*/", "", entry.read_text(), flags=re.DOTALL)
            for quote, header in re.findall(r"#[ \t]*include[ \t]*([<\"])([^>\"]+)", text):
                assert header in (SYSTEM if quote == "<" else files | FRAMEWORK), (entry.name, header)
                included.add(header)
    assert {file for file in files if file.endswith(".h")} <= included
    other = "rainbow" if name.startswith("uov") else "uov"
    assert not [file for file in files if file.startswith(other)]
    sizes = dict(re.findall(r"#define CRYPTO_(\w+) (\d+)", (folder / "api.h").read_text()))
    listed = subprocess.run([TOOL, "list"], capture_output=True, text=True, check=True).stdout
    row = next(line for line in listed.splitlines() if line.split()[:1] == [name])
    assert all(sizes[size] in row.split() for size in ("PUBLICKEYBYTES", "SECRETKEYBYTES", "BYTES")), row


def test_what_is_refused(tmp_path):
    for arguments, said in ((["uov-is", "-o", tmp_path / "new"], "expected one of uov-Ip"), (["uov-Is", "-o", tmp_path], "exists already")):
        run = subprocess.run([sys.executable, DROP_IN, *arguments], capture_output=True, text=True)
        assert run.returncode != 0 and said in run.stderr
    assert not list(tmp_path.iterdir())


def test_says_what_is_broken(tmp_path):
    run = subprocess.run([sys.executable, DROP_IN, "rainbow-I-classic", "-o", tmp_path / "new"], capture_output=True, text=True, check=True)
    assert "broken" in run.stderr
    for file in ("api.h", "README.md", "description"):
        assert "broken" in (tmp_path / "new" / file).read_text()


# ---- What they compute ------------------------------------------------------------------------------


def known(name):
    """Count, seed, hashes of the keys, signature."""
    for line in (ROOT / "test/kat" / f"{name.split('-')[0]}.kat").read_text().splitlines():
        if line.split()[0] == name:
            yield line.split()[1:]


def check_answers(name, text, counts):
    found = [dict(line.split(" = ") for line in part.splitlines() if " = " in line) for part in text.split("\n\n")]
    found = {int(answer["count"]): {k: bytes.fromhex(v) for k, v in answer.items() if k in ("seed", "msg", "pk", "sk", "sm")}
             for answer in found if "count" in answer}
    assert sorted(found) == list(range(counts))
    compared = 0
    for count, seed, public, secret, signature in known(name):
        if int(count) in found:
            answer = found[int(count)]
            assert answer["seed"].hex() == seed
            assert hashlib.sha256(answer["pk"]).hexdigest() == public
            assert hashlib.sha256(answer["sk"]).hexdigest() == secret
            assert answer["sm"] == answer["msg"] + bytes.fromhex(signature)
            compared += 1
    assert compared == counts


RANDOM = """
#include <sys/random.h>
int randombytes(unsigned char *out, unsigned long long bytes)
{
    for (long got; bytes; out += got, bytes -= got)
        if ((got = getrandom(out, bytes, 0)) <= 0)
            return -1;
    return 0;
}
"""


def check_as_contestant(name, objects, place):
    """A shared library of the objects is one that `moonbow bench` measures against, which checks what both sign."""
    (place / "random.c").write_text(RANDOM)
    subprocess.run(["cc", "-shared", "-fPIC", "-Wl,-z,defs", *objects, place / "random.c", "-o", place / "library.so"], check=True)
    run = subprocess.run([TOOL, "bench", name, "--against", place / "library.so", "--seconds", "0.02"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def check_folder(folder, name, compiler, place):
    objects = compile_all(folder, compiler, place, "-O2", "-fPIC")
    check_symbols(symbols("nm", objects), f"drop_in_{name.replace('-', '_')}_", FUNCTIONS)
    if platform.machine() == "x86_64":
        check_need(symbols("nm", objects))
    program = place / "known_answers"
    subprocess.run([*compiler.split(), "-O2", "-Wall", "-Wextra", "-Werror", f"-I{folder}", HERE / "known_answers.c", *objects, "-lcrypto", "-o",
                    program], check=True)
    for backend in ("gfni-avx512", "gfni-avx2", "avx2", "portable"):  # one that this machine has not is the portable one
        environment = {**os.environ, "MOONBOW_BACKEND": backend}
        run = subprocess.run([program, "5"], capture_output=True, text=True, env=environment, timeout=300)
        assert run.returncode == 0, run.stderr
        check_answers(name, run.stdout, 5)
    check_as_contestant(name, objects, place)


@pytest.mark.parametrize("name, compiler", [("uov-Is-pkc-skc", "gcc"), ("rainbow-I-circumzenithal", "clang")])
def test_known_answers(folders, tmp_path, name, compiler):
    check_folder(folders(name), name, compiler, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", ["uov-Ip", "uov-Is-pkc", "uov-III-pkc", "uov-V-pkc-skc", "rainbow-I-classic", "rainbow-III-compressed",
                                  "rainbow-V-classic"])
def test_known_answers_of_more(folders, tmp_path, name, compiler):
    check_folder(folders(name), name, compiler, tmp_path)


@pytest.mark.slow
def test_names_by_the_framework(folders, tmp_path):
    """Two sets in one program under names of a framework's choice, and randombytes of another type, as SUPERCOP has it."""
    (tmp_path / "include").mkdir()
    (tmp_path / "include/randombytes.h").write_text("extern void randombytes(unsigned char *, unsigned long long);\n")
    objects, main = [], "int randombytes_calls; void randombytes(unsigned char *x, unsigned long long n)\n" \
        "{ while (n--) *x++ = (unsigned char)(++randombytes_calls * 37 >> 2); }\n"
    body = ""
    for name in ("uov-Is", "rainbow-I-classic"):
        prefix = re.sub("[^a-z]", "", name.lower()) + "_"
        made = compile_all(folders(name), "gcc", tmp_path / name, "-O2", f"-I{tmp_path / 'include'}", f"-DCRYPTO_NAMESPACE(x)={prefix}##x")
        check_symbols(symbols("nm", made), prefix, set())
        objects += made
        sizes = dict(re.findall(r"#define CRYPTO_(\w+) (\d+)", (folders(name) / "api.h").read_text()))
        main += (f"int {prefix}crypto_sign_keypair(unsigned char *, unsigned char *);\n"
                 f"int {prefix}crypto_sign(unsigned char *, unsigned long long *, const unsigned char *, unsigned long long, const unsigned char *);\n"
                 f"int {prefix}crypto_sign_open(unsigned char *, unsigned long long *, const unsigned char *, unsigned long long, "
                 f"const unsigned char *);\nstatic unsigned char {prefix}pk[{sizes['PUBLICKEYBYTES']}], {prefix}sk[{sizes['SECRETKEYBYTES']}];\n")
        body += (f"r |= {prefix}crypto_sign_keypair({prefix}pk, {prefix}sk); r |= {prefix}crypto_sign(sm, &n, sm, 3, {prefix}sk);\n"
                 f"r |= {prefix}crypto_sign_open(sm, &n, sm, n, {prefix}pk); r |= n != 3;\n")
    (tmp_path / "main.c").write_text(main + "int main(void) { unsigned char sm[999] = {1, 2, 3}; unsigned long long n; int r = 0;\n" + body +
                                     "return r; }\n")
    subprocess.run(["gcc", tmp_path / "main.c", *objects, "-o", tmp_path / "main"], check=True)
    subprocess.run([tmp_path / "main"], check=True)


# ---- Other machines ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["uov-Is-pkc", "rainbow-III-circumzenithal"])
@pytest.mark.parametrize("machine, emulator", [("aarch64-linux-gnu", "qemu-aarch64"), ("s390x-linux-gnu", "qemu-s390x"), ("i686-linux-gnu", "qemu-i386")])
def test_other_hosts(folders, tmp_path, name, machine, emulator):
    if not shutil.which(f"{machine}-gcc") or not shutil.which(emulator):
        pytest.skip(f"no compiler or emulator for {machine}")
    objects = compile_all(folders(name), f"{machine}-gcc", tmp_path, "-O2")
    check_symbols(symbols(f"{machine}-nm", objects), f"drop_in_{name.replace('-', '_')}_", FUNCTIONS)
    subprocess.run([f"{machine}-gcc", "-static", f"-I{folders(name)}", HERE / "round_trip.c", *objects, "-o", tmp_path / "round_trip"], check=True)
    subprocess.run([emulator, tmp_path / "round_trip"], check=True, timeout=300)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["uov-Is-pkc-skc", "rainbow-I-classic"])
def test_cortex_m4(tmp_path, name):
    folder = write(tmp_path / "folder", name, "--for", "cortex-m4")
    objects = compile_all(folder, "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=soft", tmp_path / "objects", "-O2")
    check_symbols(symbols("arm-none-eabi-nm", objects), f"drop_in_{name.replace('-', '_')}_", FUNCTIONS)
