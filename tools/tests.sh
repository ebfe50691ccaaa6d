#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Runs the tests. Usage: tests.sh quick|all. `quick` is the README's `make test`; `all` adds what takes long.
set -euo pipefail
cd "$(dirname "$0")/.."

say() {
    printf '\n==== %s\n' "$*"
}

python_environment() {
    if [ ! -x build/python/bin/pytest ]; then
        python3 -m venv build/python
        build/python/bin/pip install --quiet --requirement test/requirements.txt
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

say "layers and style"
python3 tools/check_layers.py

build_and_test host
build_and_test sanitize-gcc
build_and_test sanitize-clang

python_environment
say "command line"
MOONBOW_TOOL=$PWD/build/cli/moonbow build/python/bin/pytest -q test/cli
say "independent model"
model_selection=(-m "not slow")
[ "$1" = all ] && model_selection=()
(cd test && ../build/python/bin/pytest -q model "${model_selection[@]}")
if [ "$1" = all ]; then
    build_and_test sanitize-tool
    say "command line under the sanitizers"
    MOONBOW_TOOL=$PWD/build-sanitize-tool/cli/moonbow build/python/bin/pytest -q test/cli
    say "whole known-answer files"
    MOONBOW_TOOL=$PWD/build/cli/moonbow build/python/bin/pytest -q test/extended
fi
say "all tests passed"
