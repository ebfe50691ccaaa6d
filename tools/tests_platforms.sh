#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The tests labelled `platform` on 32-bit x86, on AArch64, on a big-endian machine, without the compiler's vector types, and at every
# optimisation level of gcc and clang. Usage: tests_platforms.sh [i686] [aarch64] [s390x] [plain] [gcc] [clang]; all if none is named.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/logs

# What a command prints goes to a log, which is shown if it fails.
logged() {
    local log=build/logs/$1
    shift
    "$@" >"$log" 2>&1 || {
        cat "$log"
        exit 1
    }
}

# name, folder, selection of tests: builds and tests what is configured there, and says how long it took.
build_and_test() {
    local started=$SECONDS
    logged "$1" cmake --build "$2"
    local built=$SECONDS
    logged "$1-tests" ctest --test-dir "$2" --parallel 2 --output-on-failure --no-tests=error "${@:3}"
    printf '%-10s built in %4d s, tested in %4d s: %s\n' "$1" $((built - started)) $((SECONDS - built)) \
        "$(grep 'tests passed' "build/logs/$1-tests")"
}

# Architecture as Debian calls it, preset, selection.
cross() {
    tools/foreign_packages.sh "$1"
    logged "$2-configure" cmake --preset "$2"
    build_and_test "$2" "build-$2" "${@:3}"
}

# As a compiler without vector types sees the portable code.
plain() {
    logged plain-configure cmake -S . -B build-levels/plain -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-DMB_LANES_PLAIN \
        -DMOONBOW_CLI=OFF -DMOONBOW_WARNINGS_AS_ERRORS=ON
    MOONBOW_BACKEND=portable build_and_test plain build-levels/plain --label-regex platform
}

# Warnings stop the build at every level: some need the optimiser to be found.
levels() {
    local compiler=$1 cxx=$2 level folder
    for level in O0 O1 O2 O3 Os; do
        folder=build-levels/$compiler-$level
        logged "$compiler-$level-configure" cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=None \
            -DCMAKE_C_COMPILER="$compiler" -DCMAKE_CXX_COMPILER="$cxx" \
            -DCMAKE_C_FLAGS="-$level" -DCMAKE_CXX_FLAGS="-$level" \
            -DMOONBOW_CLI=OFF -DMOONBOW_WARNINGS_AS_ERRORS=ON
        build_and_test "$compiler-$level" "$folder" --label-regex platform
    done
}

[ $# -gt 0 ] || set -- i686 aarch64 s390x plain gcc clang
for platform in "$@"; do
    case $platform in
    i686) cross i386 i686 --label-regex platform ;;
    aarch64) cross arm64 aarch64 --label-regex platform --label-exclude long ;;
    s390x) cross s390x s390x --label-regex platform --label-exclude long ;;
    plain) plain ;;
    gcc) levels gcc g++ ;;
    clang) levels clang clang++ ;;
    *)
        echo "tests_platforms.sh: unknown platform $platform" >&2
        exit 2
        ;;
    esac
done
