#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Draws ../doc/timing_*.svg from the waveforms of a simulation (test_waves.py): timing_diagrams.py. Needs iverilog, cocotb, vcdvcd, wavedrom.
"""Timing diagrams of the fast core's interface."""

import json
from pathlib import Path

import wavedrom
from cocotb.runner import get_runner
from vcdvcd import VCDVCD

from run import BUILD, CORE, HERE, fast, sources

PERIOD_NS = 10
SIGNALS = ["vinegars_valid_i", "vinegars_ready_o", "key_valid_i", "key_ready_o", "key_i", "signature_valid_o", "signature_ready_i",
           "signature_last_o", "signature_o", "fail_o", "wipe_i"]
# (name, moment, first and last cycle from there, signals)
DIAGRAMS = [
    ("start", "start", -1, 11, ["vinegars_valid_i", "vinegars_ready_o", "key_valid_i", "key_ready_o", "key_i"]),
    ("signature", "signed", -12, 6, ["signature_valid_o", "signature_ready_i", "signature_last_o", "signature_o", "vinegars_ready_o"]),
    ("failure", "failed", -4, 5, ["vinegars_valid_i", "vinegars_ready_o", "key_ready_o", "fail_o"]),
    ("wipe", "wiped", -3, 6, ["wipe_i", "key_valid_i", "key_ready_o", "vinegars_ready_o"]),
]


def record():
    """The waveform and the moments of interest."""
    configuration = fast("tiny", 4)
    directory = BUILD / "waves"
    runner = get_runner("icarus")
    runner.build(verilog_sources=sources(configuration["rtl"]) + [str(HERE / "waves.sv")], hdl_toplevel=configuration["top"],
                 parameters=configuration["parameters"], build_dir=directory, always=True, timescale=("1ns", "1ps"),
                 build_args=["-g2012", "-s", "waves"])
    runner.test(hdl_toplevel=configuration["top"], test_module="test_waves", build_dir=directory, test_dir=directory,
                extra_env={**configuration["environment"], "PYTHONDONTWRITEBYTECODE": "1"}, results_xml=str(directory / "results.xml"))
    return VCDVCD(str(directory / "waves.vcd")), json.loads((directory / "moments.json").read_text())


def samples(waveform, name, times):
    """A signal's values just before the rising edges of the clock, as text."""
    signal = waveform[next(s for s in waveform.signals if s.split("[")[0] == f"rainbow_core.{name}")]
    return [signal[t] for t in times]


def lane(name, values, key_taken):
    """A signal as WaveJSON: levels, or data where it is wide. Of the key bus only what is due counts."""
    if len(values[0]) == 1 and name not in ("key_i", "signature_o"):
        wave = "".join("." if i and v == values[i - 1] else v for i, v in enumerate(values))
        return {"name": name, "wave": wave}
    wave, data, last = "", [], None
    for i, value in enumerate(values):
        text = None if value.strip("0x") == "" or (name == "key_i" and not key_taken[i]) else f"…{int(value, 2) & 0xFF:02x}"
        wave += "." if text == last and i else "x" if text is None else "="
        if text != last and text is not None:
            data.append(text)
        last = text
    return {"name": name, "wave": wave, "data": data}


def draw(waveform, moments, name, moment, first, last, signals):
    middle = round(moments[moment] / PERIOD_NS)
    cycles = range(middle + first, middle + last)
    unit = 1000  # of the waveform, a nanosecond
    rising = [int((c + 1) * PERIOD_NS * unit) - 1 for c in cycles]  # the clock rises with each period's begin
    before = [t - PERIOD_NS * unit for t in rising]
    taken = [a == b == "1" for a, b in zip(samples(waveform, "key_valid_i", before), samples(waveform, "key_ready_o", before))]
    lanes = [{"name": "clk_i", "wave": "p" + "." * (len(rising) - 1)}]
    lanes += [lane(s, samples(waveform, s, rising), taken) for s in signals]
    picture = wavedrom.render(json.dumps({"signal": lanes, "config": {"hscale": 1}}))
    picture.saveas(CORE / "doc" / f"timing_{name}.svg")


def main():
    waveform, moments = record()
    for diagram in DIAGRAMS:
        draw(waveform, moments, *diagram)


if __name__ == "__main__":
    main()
