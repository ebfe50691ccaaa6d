#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Static analysis of src/, container/ and provider/; any finding is an error. Exceptions have their reasons beside them: NOLINT in the code,
# .clang-tidy, tools/analyser_exceptions.txt. Usage: analyse.sh [cppcheck] [clang-tidy] [gcc]; all if none is named.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/logs build/cppcheck

# The portable code and that of x86; files for other machines are not compiled here.
sources() {
    git ls-files 'src/*.c' 'container/*.c' 'provider/*.c' | grep -vE '/(aarch64|cortex_m4|armv8|arm)/'
}

run_cppcheck() {
    sources | cppcheck --file-list=- --std=c11 --library=posix --enable=warning,portability,performance --inline-suppr \
        --quiet --error-exitcode=1 -j2 --cppcheck-build-dir=build/cppcheck -I include -I src -I . \
        -D__GNUC__=12 -D__x86_64__ -D__linux__ -D__BYTE_ORDER__=1 -D__ORDER_LITTLE_ENDIAN__=1 -UMOONBOW_CONSTANT_TIME_TEST
}

run_clang_tidy() {
    cmake --preset host >/dev/null
    # What the compiled objects do not contain has no flags to be analysed with.
    python3 -c 'import json, os; [print(os.path.relpath(u["file"])) for u in json.load(open("build/compile_commands.json"))]' |
        sort -u | grep -Fxf <(sources) | xargs -P2 -n1 clang-tidy -p build --quiet '--warnings-as-errors=*' \
        >build/logs/clang-tidy 2>build/logs/clang-tidy-errors || {
        grep -E 'warning|error|note' build/logs/clang-tidy build/logs/clang-tidy-errors
        return 1
    }
}

# Findings as lines "file warning", compared with the exceptions: none may be new, and none may have gone.
run_gcc() {
    cmake -S . -B build-analyser -G Ninja -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -fanalyzer" \
        -DMOONBOW_TESTS=OFF >build/logs/analyser
    cmake --build build-analyser --clean-first --target moonbow moonbow_container moonbow_provider_parts >>build/logs/analyser 2>&1 || {
        cat build/logs/analyser
        return 1
    }
    sed -nE "s#^.*/((src|container|provider)/[^:]*):.*\[-Wanalyzer-([a-z-]*)\]\$#\1 \3#p" build/logs/analyser | sort -u >build/logs/analyser-found
    grep -v '^#' tools/analyser_exceptions.txt | cut -d ' ' -f 1,2 | sort -u >build/logs/analyser-expected
    diff build/logs/analyser-expected build/logs/analyser-found || {
        echo "gcc -fanalyzer: found (>) or no longer found (<), against tools/analyser_exceptions.txt; see build/logs/analyser" >&2
        return 1
    }
}

[ $# -gt 0 ] || set -- cppcheck clang-tidy gcc
for tool in "$@"; do
    started=$SECONDS
    case $tool in
    cppcheck) run_cppcheck ;;
    clang-tidy) run_clang_tidy ;;
    gcc) run_gcc ;;
    *)
        echo "analyse.sh: unknown tool $tool" >&2
        exit 2
        ;;
    esac
    printf '%-10s clean, %d s\n' "$tool" $((SECONDS - started))
done
