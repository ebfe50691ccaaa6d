#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The long flow, from RTL to report: all simulations with coverage, proofs, synthesis, ECP5, layout of the meshes, tables and figures. Many hours.
# Run it by `make hardware`. Results go to synth/results, dv/results and doc.
set -euo pipefail
cd "$(dirname "$0")"
# An environment of Python with requirements.txt of both folders, or the one made here.
python=${RAINBOW_CORE_PYTHON:-../../build/hardware-python/bin/python}
if [ -z "${RAINBOW_CORE_PYTHON:-}" ] && [ ! -x "$python" ]; then
    python3 -m venv ../../build/hardware-python
    "$python" -m pip install --quiet --requirement ../../test/requirements.txt --requirement requirements.txt
fi
mkdir -p dv/results
python3 model/known_answers.py check
"$python" dv/driver/run.py
"$python" dv/run.py full --coverage --json dv/results/full.json
"$python" dv/coverage.py dv/results/coverage.json
"$python" dv/formal/run.py --json dv/results/proofs.json
"$python" dv/timing_diagrams.py
"$python" synth/synthesize.py --blocks
"$python" synth/synthesize.py --spread 3.0,3.3,3.6,3.9,4.2 rainbow1_r12
"$python" synth/simulate.py rainbow1_r12 rainbow1_r3 rainbow_i_r8 classic_rainbow1
"$python" synth/fpga.py
for layout in gsmith_n4 gsmith_n12 rainbow1_r12; do
    "$python" synth/layout.py "$layout"
done
"$python" synth/simulate.py --placed rainbow1_r12
"$python" synth/plot.py
