#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Compiles the library for Apple's arm64 with clang, without an SDK: the platform's rules (x18 is not ours, char is signed, which
# processor features may be taken for granted) and its branches in platform/. Objects are made and thrown away; nothing is linked or run.
set -eu
cd "$(dirname "$0")/.."

objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

compile() {
    file=$1
    shift
    clang --target=arm64-apple-macos11 -std=c11 -O2 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror \
        -nostdlibinc -isystem test/apple -Isrc -Iinclude "$@" -c "$file" -o "$objects/object.o"
}

files=$(git ls-files 'src/*.c' | grep -v -E '/(x86|cortex_m4)/')
for file in $files; do
    case $file in
    src/symmetric/portable/*_accelerated.c) ;; # in place of the files for this processor
    src/signature/text.c) compile "$file" -DMOONBOW_VERSION='"0"' ;;
    src/linear/aarch64/neon_sha3.c | src/symmetric/aarch64/sha512_ce.c | src/symmetric/aarch64/keccak_ce.c) compile "$file" -march=armv8.2-a+sha3 ;;
    src/symmetric/aarch64/*) compile "$file" -march=armv8-a+crypto ;;
    *) compile "$file" ;;
    esac
done
echo "arm64-apple-macos: $(echo "$files" | wc -l) files compile"
