# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Installs the build that MOONBOW_BUILD names into a folder, and uses what is there as somebody else would.

Needs cmake, pkg-config, nm, readelf, mandoc, bash, a C and a C++ compiler."""

import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(os.environ.get("MOONBOW_BUILD", ROOT / "build"))
CONSUMER = ROOT / "test" / "consumer"


def run(*command, **keywords):
    """Runs a command that must succeed, and returns what it wrote."""
    result = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **keywords)
    assert result.returncode == 0, (command, result.stdout, result.stderr)
    return result.stdout


def cache(name):
    """A variable of the build."""
    return re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)[1]


LIBDIR = cache("CMAKE_INSTALL_LIBDIR")
CC, CXX = cache("CMAKE_C_COMPILER"), cache("CMAKE_CXX_COMPILER")


@pytest.fixture(scope="session")
def tree(tmp_path_factory):
    """An installed tree, moved once after it was installed: nothing in it may name the place where it was."""
    first = tmp_path_factory.mktemp("staged") / "first"
    run("cmake", "--install", BUILD, "--prefix", first)
    moved = first.parent / "moved"
    first.rename(moved)
    return moved


@pytest.fixture(scope="session")
def environment(tree):
    return {
        **os.environ,
        "PKG_CONFIG_PATH": str(tree / LIBDIR / "pkgconfig"),
        "LD_LIBRARY_PATH": str(tree / LIBDIR),
        "CMAKE_PREFIX_PATH": str(tree),
    }


# ---- What is there ----------------------------------------------------------------------------------


def test_installed_files(tree):
    files = {str(path.relative_to(tree)) for path in tree.rglob("*") if not path.is_dir()}
    library = LIBDIR + "/libmoonbow"
    expected = {
        "bin/moonbow", library + ".a", library + ".so", library + ".so.0",
        LIBDIR + "/pkgconfig/moonbow.pc", LIBDIR + "/cmake/moonbow/moonbow-config.cmake",
        "include/moonbow/signature.h", "include/moonbow/status.h",
        "share/man/man1/moonbow.1", "share/man/man3/moonbow.3", "share/man/man7/OSSL_PROVIDER-moonbow.7",
        "share/bash-completion/completions/moonbow", "share/zsh/site-functions/_moonbow",
        "share/fish/vendor_completions.d/moonbow.fish", LIBDIR + "/ossl-modules/moonbow.so",
    }  # fmt: skip
    assert expected <= files, expected - files
    headers = {f"include/moonbow/{path.name}" for path in (ROOT / "include/moonbow").glob("*.h*")}
    assert {file for file in files if file.startswith("include/")} == headers
    assert run(tree / "bin/moonbow", "--version").startswith("moonbow ")


def test_nothing_names_the_build(tree):
    for path in tree.rglob("*"):
        if path.suffix in (".cmake", ".pc"):
            text = path.read_text()
            assert str(BUILD) not in text and str(ROOT) not in text and str(tree.parent) not in text, path


def test_staged_installation(tmp_path):
    """DESTDIR comes before the prefix, and is in no file."""
    run("cmake", "--install", BUILD, "--prefix", "/opt/moonbow", env={**os.environ, "DESTDIR": str(tmp_path)})
    assert (tmp_path / "opt/moonbow/bin/moonbow").exists()
    text = (tmp_path / "opt/moonbow" / LIBDIR / "pkgconfig/moonbow.pc").read_text()
    assert str(tmp_path) not in text


# ---- Symbols ----------------------------------------------------------------------------------------


def declared_names():
    """The functions and objects that the public headers declare; board.h is of what a board defines."""
    names = [path.name for path in (ROOT / "include/moonbow").glob("*.h") if path.name != "board.h"]
    headers = "".join(f"#include <moonbow/{name}>\n" for name in names)
    text = run(CC, "-E", "-P", "-I", ROOT / "include", "-x", "c", "-", input=headers)
    text = re.sub(r"\{[^{}]*\}", "", text)  # structures and enumerations
    functions = re.findall(r"\b(moonbow_\w+)\s*\([^;]*\)\s*;", text)
    objects = re.findall(r"extern const \w+ (moonbow_\w+)\s*;", text)
    return set(functions), set(objects)


def test_declarations_are_found():
    functions, objects = declared_names()
    assert {"moonbow_sign", "moonbow_version", "moonbow_status_text", "moonbow_wipe"} <= functions
    assert "moonbow_uov_Is_pkc_verifier" in objects and len(objects) % 4 == 0


def test_exported_symbols(tree):
    """The shared library shows what the headers declare, under this version's node, and nothing else."""
    exported, versions = {}, set()
    for line in run("nm", "-D", "--defined-only", "--with-symbol-versions", tree / LIBDIR / "libmoonbow.so").splitlines():
        _, kind, name = line.split()
        if kind == "A":
            versions.add(name.split("@")[0])
        else:
            name, _, version = name.partition("@@")
            exported[name] = kind
            versions.add(version)
    functions, objects = declared_names()
    assert set(exported) == functions | objects
    assert {name for name, kind in exported.items() if kind == "T"} == functions
    node = "MOONBOW_" + ".".join(cache("CMAKE_PROJECT_VERSION").split(".")[:2])
    assert versions == {node}


def test_shared_object(tree):
    dynamic = run("readelf", "-d", tree / LIBDIR / "libmoonbow.so")
    assert "Library soname: [libmoonbow.so.0]" in dynamic
    assert "TEXTREL" not in dynamic and "RUNPATH" not in dynamic and "RPATH" not in dynamic
    assert set(re.findall(r"Shared library: \[(.*?)\]", dynamic)) <= {"libc.so.6"}
    assert re.search(r"GNU_STACK( +0x0+){5} RW ", run("readelf", "-lW", tree / LIBDIR / "libmoonbow.so"))


def test_provider(tree, tmp_path):
    """OpenSSL's command loads it from the installed tree; it shows one function and needs libcrypto alone."""
    module = tree / LIBDIR / "ossl-modules/moonbow.so"
    exported = [line.split()[2] for line in run("nm", "-D", "--defined-only", module).splitlines()]
    assert exported == ["OSSL_provider_init"]
    dynamic = run("readelf", "-d", module)
    assert "TEXTREL" not in dynamic and "RUNPATH" not in dynamic and "RPATH" not in dynamic
    assert set(re.findall(r"Shared library: \[(.*?)\]", dynamic)) == {"libcrypto.so.3", "libc.so.6"}
    use = ("-provider-path", module.parent, "-provider", "moonbow", "-provider", "default")
    run("openssl", "genpkey", *use, "-algorithm", "uov-Is-pkc-skc", "-out", tmp_path / "key")
    assert "uov-Is-pkc-skc Private-Key" in run("openssl", "pkey", *use, "-in", tmp_path / "key", "-noout", "-text")


# ---- Consumers --------------------------------------------------------------------------------------


def check_program(program, environment, shared):
    assert run(program, env=environment).startswith("moonbow ")
    needed = "libmoonbow.so.0" in run("readelf", "-d", program)
    assert needed == shared


def test_find_package(tree, environment, tmp_path):
    major_minor = ".".join(cache("CMAKE_PROJECT_VERSION").split(".")[:2])
    run(
        "cmake", "-S", CONSUMER, "-B", tmp_path, "-G", "Ninja", f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}",
        "-DMOONBOW_COMPONENTS=static;shared", f"-DMOONBOW_WANTED_VERSION={major_minor}", env=environment,
    )  # fmt: skip
    run("cmake", "--build", tmp_path)
    environment = {name: value for name, value in environment.items() if name != "LD_LIBRARY_PATH"}  # CMake sets a run path
    for language in ("c", "cpp"):
        check_program(tmp_path / f"sign_static_{language}", environment, shared=False)
        check_program(tmp_path / f"sign_shared_{language}", environment, shared=True)
    check_program(tmp_path / "sign_default", environment, shared=True)


@pytest.mark.parametrize(
    "components, version, found",
    [("static", "0.1", True), ("shared", "", True), ("static", "0.2", False), ("static", "1", False), ("imaginary", "", False)],
)
def test_find_package_answers(tree, environment, tmp_path, components, version, found):
    """Components and versions that are there are found; others are not."""
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(p NONE)\n"
        f"find_package(moonbow {version} QUIET COMPONENTS {components})\n"
        'message(STATUS "found=${moonbow_FOUND} ")\n'
        "if(TARGET moonbow::moonbow)\nget_target_property(aliased moonbow::moonbow ALIASED_TARGET)\n"
        'message(STATUS "is=${aliased} ")\nendif()\n'
    )
    text = run("cmake", "-S", tmp_path, "-B", tmp_path / "b", env=environment)
    assert bool(re.search(r"found=(1|TRUE) ", text)) == found
    if found:
        assert f"is=moonbow::{components} " in text


@pytest.mark.parametrize("source, compiler", [("sign.c", CC), ("sign.cpp", CXX)])
@pytest.mark.parametrize("shared", [True, False])
def test_pkg_config(tree, environment, tmp_path, source, compiler, shared):
    options = ["--cflags", "--libs"] if shared else ["--static", "--cflags", "--libs"]
    flags = run("pkg-config", *options, "moonbow", env=environment).split()
    if not shared:  # the whole program static, as --static means
        flags = ["-static", *flags]
    run(compiler, CONSUMER / source, "-o", tmp_path / "program", *flags)
    check_program(tmp_path / "program", environment, shared)
    assert run("pkg-config", "--modversion", "moonbow", env=environment).strip() == cache("CMAKE_PROJECT_VERSION")


@pytest.mark.parametrize("options", [[], ["-fno-pie", "-no-pie"]])
def test_another_version_of_the_library_is_refused(tree, environment, tmp_path, options):
    """A program that asks for another version's symbols does not start with this library."""
    flags = run("pkg-config", "--cflags", "--libs", "moonbow", env=environment).split()
    run(CC, *options, CONSUMER / "sign.c", "-o", tmp_path / "program", *flags)
    check_program(tmp_path / "program", environment, shared=True)
    node = b"MOONBOW_" + ".".join(cache("CMAKE_PROJECT_VERSION").split(".")[:2]).encode()
    other = {**environment, "LD_LIBRARY_PATH": str(tmp_path)}
    library = (tree / LIBDIR / "libmoonbow.so.0").read_bytes()
    changed = node[:-1] + bytes([node[-1] ^ 1])
    (tmp_path / "libmoonbow.so.0").write_bytes(rename_version(library, node, changed))
    result = subprocess.run([tmp_path / "program"], env=other, capture_output=True, text=True)
    assert result.returncode != 0 and f"version `{node.decode()}' not found" in result.stderr, result.stderr


def rename_version(library, old, new):
    """The library with its version node under another name, in the string table and in the hash of the definition."""

    def elf_hash(name):
        value = 0
        for byte in name:
            value = (value << 4) + byte
            high = value & 0xF0000000
            value = (value ^ high >> 24) & ~high & 0xFFFFFFFF
        return value.to_bytes(4, "little")

    assert library.count(elf_hash(old)) >= 1
    return library.replace(old + b"\0", new + b"\0").replace(elf_hash(old), elf_hash(new))


# ---- Manual -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["man1/moonbow.1", "man3/moonbow.3", "man7/OSSL_PROVIDER-moonbow.7"])
def test_manual_pages(tree, page):
    """mandoc finds nothing, but for references to pages that are not installed on this machine."""
    result = subprocess.run(["mandoc", "-T", "lint", tree / "share/man" / page], capture_output=True, text=True)
    findings = [line for line in result.stdout.splitlines() if "referenced manual not found" not in line]
    assert findings == []
    assert "MOONBOW" in run("mandoc", "-T", "utf8", tree / "share/man" / page)


def options_of(tool, *command):
    """The long and short options that --help shows."""
    text = run(tool, *command, "--help")
    found = set()
    for line in text.splitlines():
        if match := re.match(r"  ((?:-\w,)?--[\w-]+|-\w)\b", line):
            found |= set(match[1].split(","))
    return found - {"-h", "--help", "--version"}


def commands_of(tool):
    text = run(tool, "--help").split("\nSubcommands:\n")[1]
    return re.findall(r"^  (\w+) ", text, re.MULTILINE)


def test_manual_describes_every_option(tree):
    tool = tree / "bin/moonbow"
    page = (tree / "share/man/man1/moonbow.1").read_text()
    synopsis = page.split(".Sh SYNOPSIS\n")[1].split(".Sh DESCRIPTION")[0]
    commands = commands_of(tool)
    assert len(commands) >= 8
    for command in commands:
        part = synopsis.split(f".Cm {command}\n")[1].split(".Nm\n")[0]
        for option in options_of(tool, command):
            name = re.escape(option[1:])
            assert re.search(rf"(Fl|Fl \w ,|\|) {name}\b", page), (command, option)
            has_short_form = re.search(rf"Fl \w , {name}\b", page)
            assert has_short_form or re.search(rf"(Fl|\|) {name}\b", part), (command, option)


def test_manual_names_every_function():
    functions, _ = declared_names()
    page = (ROOT / "docs/man/moonbow.3").read_text()
    assert {name for name in functions if not re.search(rf"\.(Fn|Fo) {name}\b", page)} == set()


# ---- Completion -------------------------------------------------------------------------------------


def complete_in_bash(tree, words, cwd):
    """What bash would offer for the last word."""
    script = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _moonbow; '
        'printf "%s\\n" "${COMPREPLY[@]}"; complete -p moonbow >&2'
    )
    completion = tree / "share/bash-completion/completions/moonbow"
    result = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", completion, tree / "bin/moonbow", *words],
        capture_output=True, text=True, cwd=cwd,
    )  # fmt: skip
    assert result.stderr == "complete -F _moonbow moonbow\n", result.stderr
    return [word for word in result.stdout.splitlines() if word]


def algorithms(tree):
    return [a["name"] for a in json.loads(run(tree / "bin/moonbow", "list", "--json"))["algorithms"]]


@pytest.fixture
def folder(tmp_path):
    for name in ("report.pdf", "a file with spaces", "key", "key.pub"):
        (tmp_path / name).write_bytes(b"")
    return tmp_path


def test_bash_completion(tree, folder):
    tool = tree / "bin/moonbow"
    names = algorithms(tree)
    complete = lambda *words: complete_in_bash(tree, words, folder)
    assert complete("") == commands_of(tool)
    assert complete("ke") == ["keygen"]
    assert complete("keygen", "") == names
    assert complete("keygen", "uov-I") == [name for name in names if name.startswith("uov-I")]
    assert complete("keygen", "uov-Ip", "-o", "ke") == ["key", "key.pub"]
    assert complete("kat", "rainbow-V") == [name for name in names if name.startswith("rainbow-V")]
    assert complete("bench", "--mode", "") == ["fast", "small"]
    assert complete("bench", "--operations", "s") == ["sign"]
    assert complete("bench", "--seconds", "") == []
    assert complete("sign", "-k", "key", "a") == ["a file with spaces"]
    assert set(complete("verify", "-p", "")) == {"report.pdf", "a file with spaces", "key", "key.pub"}
    assert complete("nothing", "") == commands_of(tool)
    for command in commands_of(tool):
        assert set(complete(command, "-")) - {"-h", "--help"} == options_of(tool, command)


def test_completion_words_hold_no_shell_code(tree, folder):
    """A file's name is offered as it is and not executed."""
    (folder / "$(touch hacked)").write_bytes(b"")
    assert "$(touch hacked)" in complete_in_bash(tree, ["sign", "-k", ""], folder)
    assert complete_in_bash(tree, ["sign", "-k", "$(touch hacked"], folder) == ["$(touch hacked)"]
    assert not (folder / "hacked").exists()


@pytest.mark.skipif(not shutil.which("fish"), reason="no fish")
def test_fish_completion(tree, folder):
    def complete(line):
        script = f"source {tree}/share/fish/vendor_completions.d/moonbow.fish; complete -C '{line}'"
        environment = {**os.environ, "PATH": f"{tree}/bin:{os.environ['PATH']}", "HOME": str(folder)}
        return [word.split("\t")[0] for word in run("fish", "-N", "-c", script, cwd=folder, env=environment).splitlines()]

    assert complete("moonbow keygen uov-Is-") == ["uov-Is-pkc", "uov-Is-pkc-skc"]
    assert complete("moonbow bench --mode s") == ["small"]
    assert "report.pdf" in complete("moonbow sign -k key re")


@pytest.mark.skipif(not shutil.which("zsh"), reason="no zsh")
def test_zsh_completion(tree, folder):
    """Types a line and a tab in an interactive zsh on a terminal of its own."""
    set_up = (
        f"fpath=({tree}/share/zsh/site-functions $fpath); PATH={tree}/bin:$PATH; cd {folder}; PS1=; "
        "autoload -Uz compinit; compinit -u -D; print rea''dy"
    )
    shell, terminal = pty.fork()
    if shell == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb"})
    shown = b""

    def type_and_wait(text, *expected):
        nonlocal shown
        shown = b""
        os.write(terminal, text)
        end = time.monotonic() + 30
        while not all(word in shown for word in expected):
            assert time.monotonic() < end, shown
            if select.select([terminal], [], [], 0.1)[0]:
                shown += os.read(terminal, 4096)

    try:
        type_and_wait(set_up.encode() + b"\n", b"ready")
        type_and_wait(b"moonbow keygen uov-V-pkc-\t", b"skc ")
        type_and_wait(b"\x15moonbow keygen uov-Is-\t\t\t", b"uov-Is-pkc-skc", b"candidate")
        type_and_wait(b"\x15moonbow sign --ch\t", b"eck ")
        type_and_wait(b"\x15moonbow sign -k key re\t", b"port.pdf ")
    finally:
        os.kill(shell, signal.SIGKILL)
        os.waitpid(shell, 0)
        os.close(terminal)
