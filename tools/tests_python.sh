#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# What takes long of the Python package: builds the source distribution, a wheel from that alone, installs the wheel in an environment
# of its own, with Ray, and runs all its tests there; the symbols that it uses against the stable ABI. Called by tests.sh all.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build/python-distribution
rm -rf "$folder"
python3 -m venv "$folder/environment"
bin=$PWD/$folder/environment/bin
"$bin/pip" install --quiet build abi3audit ray --requirement test/requirements.txt
"$bin/python" -m build --outdir "$folder/dist" . >"$folder/log" 2>&1 || {
    tail -n 40 "$folder/log"
    exit 1
}
ls -l "$folder/dist"
"$bin/abi3audit" --strict --summary "$folder"/dist/*-abi3-*.whl
"$bin/pip" install --quiet "$folder"/dist/*.whl
MOONBOW_TOOL=$PWD/build/cli/moonbow "$bin/pytest" -q test/python
