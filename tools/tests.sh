#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs the tests. Usage: tests.sh quick|all. `quick` is the README's `make test`; `all` adds what takes long.
set -euo pipefail
cd "$(dirname "$0")/.."

say() {
    printf '\n==== %s\n' "$*"
}

python_environment() {
    if ! cmp -s test/requirements.txt build/python/installed; then
        python3 -m venv build/python
        build/python/bin/pip install --quiet --requirement test/requirements.txt
        cp test/requirements.txt build/python/installed
    fi
}

build_and_test() {
    say "$1: build"
    cmake --preset "$1" >/dev/null
    mkdir -p build/logs
    cmake --build --preset "$1" >"build/logs/$1" 2>&1 || {
        cat "build/logs/$1"
        exit 1
    }
    say "$1: unit tests"
    ctest --preset "$1" --parallel 2
}

# A constant-time preset: its tests with a label, or all of them.
constant_time_under_valgrind() {
    say "$1: build"
    cmake --preset "$1" >/dev/null
    mkdir -p build/logs
    cmake --build --preset "$1" >"build/logs/$1" 2>&1 || {
        cat "build/logs/$1"
        exit 1
    }
    say "$1: ${2:-all} tests under valgrind"
    ctest --preset "$1" --parallel 2 ${2:+--label-regex "$2"} >"build/logs/$1-tests" 2>&1 || {
        cat "build/logs/$1-tests"
        exit 1
    }
    tail -n 8 "build/logs/$1-tests"
}

# A fuzz target for some seconds. What it finds goes to build-fuzz/found, not to its corpus.
fuzz_for() {
    local found=build-fuzz/found/$1
    mkdir -p "$found"
    build-fuzz/fuzz/"fuzz_$1" -max_total_time="$2" -print_final_stats=1 -artifact_prefix="$found-" "$found" "fuzz/corpus/$1" \
        >"build/logs/fuzz_$1" 2>&1 || {
        tail -n 40 "build/logs/fuzz_$1"
        exit 1
    }
    printf 'fuzz_%s: %s inputs; %s\n' "$1" "$(sed -n 's/^stat::number_of_executed_units: *//p' "build/logs/fuzz_$1")" \
        "$(grep -oE 'cov: [0-9]+ ft: [0-9]+' "build/logs/fuzz_$1" | tail -n 1)"
}

# All fuzz targets, two at a time.
fuzz_all() {
    say "fuzz: build"
    cmake --preset fuzz >/dev/null
    cmake --build --preset fuzz --target fuzz_targets >build/logs/fuzz || {
        cat build/logs/fuzz
        exit 1
    }
    say "fuzz: $1 seconds each, twice that for verification"
    fuzz_for verify "$((2 * $1))" & # it has most to find
    fuzz_for keys "$1"
    fuzz_for files "$1"
    fuzz_for provider "$(($1 / 4))" # it asks libcrypto more than us
    wait "$!"
}

seconds_of_fuzzing=60
[ "$1" = all ] && seconds_of_fuzzing=300

say "layers and style"
python3 tools/check_layers.py

build_and_test host
build_and_test sanitize-gcc
build_and_test sanitize-clang

constant_time=quick
[ "$1" = all ] && constant_time=
for compiler in gcc gcc-small clang clang-small; do
    constant_time_under_valgrind "constant-time-$compiler" "$constant_time"
done

say "cortex-m4: build, unit tests on the emulated board, known answers, constant time"
tools/moonbow-m4 test
if [ "$1" = all ]; then
    tools/moonbow-m4 kat --all
    tools/moonbow-m4 trace --all --mode fast --mode small
else
    tools/moonbow-m4 kat
    tools/moonbow-m4 trace rainbow-I-classic uov-Is
fi
tools/moonbow-m4 stack rainbow-I-classic uov-Is-pkc-skc
say "cortex-m4: cycles against bench/results/cortex-m4.json"
quick_figures="rainbow-I-classic rainbow-I-circumzenithal uov-Is uov-Is-pkc"
[ "$1" = all ] && quick_figures=
tools/moonbow-m4 bench --check $quick_figures

say "aarch64: build, kernels under the emulator, known answers, constant time, Apple's rules"
tools/check_apple.sh
if [ "$1" = all ]; then
    tools/moonbow-aarch64 test --all
    tools/moonbow-aarch64 kat --all
    tools/moonbow-aarch64 trace --all --mode fast --mode small
else
    tools/moonbow-aarch64 test
    tools/moonbow-aarch64 kat --processor sha3 --part rainbow_fast --part uov_fast
    tools/moonbow-aarch64 trace rainbow-I-classic uov-Is --keys 4
fi
say "aarch64: instructions against bench/results/aarch64.json"
quick_figures="rainbow-I-classic uov-Is"
[ "$1" = all ] && quick_figures=
tools/moonbow-aarch64 count --check $quick_figures

fuzz_all "$seconds_of_fuzzing"

python_environment
say "command line"
MOONBOW_TOOL=$PWD/build/cli/moonbow build/python/bin/pytest -q -n 2 test/cli
say "OpenSSL provider"
MOONBOW_PROVIDER=$PWD/build/provider/moonbow.so MOONBOW_TOOL=$PWD/build/cli/moonbow build/python/bin/pytest -q test/provider
say "installed tree"
MOONBOW_BUILD=$PWD/build build/python/bin/pytest -q test/install
say "Python package"
build/python/bin/pip install --quiet --no-build-isolation --no-deps .
MOONBOW_TOOL=$PWD/build/cli/moonbow build/python/bin/pytest -q -n 2 test/python -m "not slow"
say "drop-in folders"
MOONBOW_TOOL=$PWD/build/cli/moonbow build/python/bin/pytest -q -n 2 test/drop_in -m "not slow"
say "independent model"
model_selection=(-m "not slow")
[ "$1" = all ] && model_selection=()
(cd test && ../build/python/bin/pytest -q -n 2 model "${model_selection[@]}")
say "hardware"
python3 hardware/rainbow_core/model/known_answers.py check
build/python/bin/python hardware/rainbow_core/dv/run.py fast
if [ "$1" = all ]; then
    say "Python package: source distribution and wheel, the example on Ray"
    tools/tests_python.sh
    say "Debian packages"
    tools/tests_debian.sh
    say "drop-in folders: more sets, other machines"
    MOONBOW_TOOL=$PWD/build/cli/moonbow build/python/bin/pytest -q -n 2 test/drop_in -m slow
    build_and_test sanitize-tool
    say "command line under the sanitizers"
    MOONBOW_TOOL=$PWD/build-sanitize-tool/cli/moonbow build/python/bin/pytest -q -n 2 test/cli
    say "static analysis"
    tools/analyse.sh
    say "memory safety of the portable kernels"
    tools/prove_memory.sh
    say "stack: bound and peaks"
    tools/tests_stack.sh
    say "platforms and optimisation levels"
    tools/tests_platforms.sh
    say "documentation"
    tools/build_docs.sh
    say "whole known-answer files"
    MOONBOW_TOOL=$PWD/build/cli/moonbow build/python/bin/pytest -q test/extended
fi
say "all tests passed"
