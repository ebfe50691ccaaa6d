#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The bound on each public operation's stack, and the peaks that `moonbow bench --memory` sees with every backend of this machine:
# no peak may exceed its bound, and the check must see one that does.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/logs

cmake --preset stack >build/logs/stack
cmake --build --preset stack --clean-first --target moonbow_cli >>build/logs/stack 2>&1 || {
    cat build/logs/stack
    exit 1
}
for backend in portable avx2 gfni-avx2 gfni-avx512; do
    echo "Backend asked for: $backend"
    MOONBOW_BACKEND=$backend build-stack/cli/moonbow bench --memory --json build/logs/memory.json --force >build/logs/memory 2>&1
    python3 tools/stack_bound.py build-stack build/logs/memory.json
done
# A peak that no bound explains.
sed -E 's/("stack_bytes": )[0-9]+/\1999999/' build/logs/memory.json >build/logs/memory-wrong.json
if python3 tools/stack_bound.py build-stack build/logs/memory-wrong.json >/dev/null 2>&1; then
    echo "tests_stack.sh: a peak of 999999 bytes went through" >&2
    exit 1
fi
