#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Line coverage of the code under test by the fuzz targets' corpora, per file. Usage: fuzz_coverage.sh [FOUND]
# FOUND: a folder with further inputs in FOUND/verify, FOUND/keys, FOUND/files, FOUND/provider, e.g. build-fuzz/found after a run.
set -euo pipefail
cd "$(dirname "$0")/.."
found=${1:-}
build=build-fuzz-coverage

# Target: the files that it is there for.
declare -A under_test=(
    [verify]="src/signature/verify.c src/signature/verify_digest.c src/scheme/public_key.c src/scheme/public_key_expand.c
              src/quadratic/public_map.c src/rainbow/verify.c src/rainbow/public_key.c src/uov/verify.c src/uov/public_key.c
              src/linear/portable/gatherer.c src/linear/x86/gfni_avx512_gatherer.c src/linear/x86/gfni_avx512_rows.h
              src/linear/x86/avx2_gatherer.c src/linear/x86/gather_rows.h
              src/symmetric/sha256.c"
    [keys]="container/read.c container/pem.c container/der.c container/encrypted.c container/oid.c"
    [provider]="provider/decode.c provider/encode.c provider/key.c provider/key_manager.c container/der.c"
    [files]="cli/files.cpp cli/keys.cpp cli/message_stream.cpp cli/passphrase.cpp cli/seed_file.cpp container/read.c"
)

cmake --preset fuzz-coverage >/dev/null
cmake --build --preset fuzz-coverage --target fuzz_targets >"$build/log" || {
    cat "$build/log"
    exit 1
}
for target in verify keys files provider; do
    program=$build/fuzz/fuzz_$target
    inputs=("fuzz/corpus/$target")
    [ -z "$found" ] || inputs+=("$found/$target")
    rm -f "$build/$target".*prof*
    LLVM_PROFILE_FILE=$build/$target.profraw "$program" -runs=0 "${inputs[@]}" 2>"$build/$target.log" || {
        tail -n 20 "$build/$target.log"
        exit 1
    }
    llvm-profdata merge -o "$build/$target.profdata" "$build/$target.profraw"
    llvm-cov export -summary-only -instr-profile "$build/$target.profdata" "$program" >"$build/$target.json"
    printf '\nfuzz_%s: %s inputs\n' "$target" "$(find "${inputs[@]}" -type f | wc -l)"
    # shellcheck disable=SC2086 # a list of files
    python3 - "$build/$target.json" ${under_test[$target]} <<'PYTHON'
import json, os, sys

wanted = tuple(sys.argv[2:])
sums = {}
for file in json.load(open(sys.argv[1]))["data"][0]["files"]:
    name = os.path.relpath(file["filename"])
    if not name.startswith(wanted):
        continue
    for row in (name, "all of these"):
        for kind in ("lines", "branches"):
            covered, count = sums.setdefault(row, {}).get(kind, (0, 0))
            summary = file["summary"][kind]
            sums[row][kind] = (covered + summary["covered"], count + summary["count"])
assert len(sums) > 1, "no file that is under test was built"
for row in sorted(sums, key=lambda row: (row == "all of these", row)):
    parts = [f"{kind} {covered:4} of {count:4} {100 * covered / max(count, 1):5.1f} %" for kind, (covered, count) in sums[row].items()]
    print(f"  {row:40} {'   '.join(parts)}")
PYTHON
done
