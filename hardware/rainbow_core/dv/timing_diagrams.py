#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Draws ../doc/timing_*.svg from the waveforms of a simulation (test_waves.py) and ../doc/attempt.svg from the model: timing_diagrams.py.
# Needs iverilog, cocotb, vcdvcd, wavedrom.
"""Timing diagrams of the fast core, and what the cycles of an attempt are for."""

import json
import re
from pathlib import Path

import wavedrom
from cocotb.runner import get_runner
from vcdvcd import VCDVCD

from run import BUILD, CORE, HERE, fast, sources

from model import cycles, schedule, system

PERIOD_NS = 10
STATE = "u_control.state_q"
# (name, moment, first and last cycle from there, signals)
DIAGRAMS = [
    ("start", "start", -1, 11, ["vinegars_valid_i", "vinegars_ready_o", "key_valid_i", "key_ready_o", "key_i"]),
    ("signature", "signed", -12, 6, ["signature_valid_o", "signature_ready_i", "signature_last_o", "signature_o", "vinegars_ready_o"]),
    ("failure", "failed", -4, 5, ["vinegars_valid_i", "vinegars_ready_o", "key_ready_o", "fail_o"]),
    ("step", "solve", -1, 11, [STATE, "search", "invert", "load_normal", "eliminate"]),
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


def states():
    """Names of the control's states, in the order of their numbers."""
    names = re.search(r"typedef enum[^{]*{([^}]*)} state_e", (CORE / "rtl" / "rb_control.sv").read_text())[1]
    return [re.sub(r"^St", "", name.strip()).lower() for name in names.split(",")]


def lane(name, values, key_taken):
    """A signal as WaveJSON: levels, or data where it is wide. Of the key bus only what is due counts."""
    if name == STATE:
        texts = [states()[int(value, 2)] for value in values]
        new = [i == 0 or text != texts[i - 1] for i, text in enumerate(texts)]
        return {"name": "state", "wave": "".join("=" if n else "." for n in new), "data": [text for text, n in zip(texts, new) if n]}
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
    picture = wavedrom.render(json.dumps({"signal": lanes, "config": {"hscale": 2 if STATE in signals else 1}}))
    picture.saveas(CORE / "doc" / f"timing_{name}.svg")


def segments(shape, rows):
    """What the cycles of an attempt go to, in order: [(kind, cycles)]; with rows None of the classic core. The sum is the model's."""
    o, result = shape.o1, []
    if rows is None:
        for layer in (0, 1):
            result += [("set up", o * shape.known(layer)), ("solve", 1 + o + o * (o - 1) // 2)]
        result += [("output", shape.n), ("rest", 2)]
        assert sum(c for _, c in result) == cycles.classic(shape)
        return result
    g, tiles = schedule.Geometry(shape), schedule.tiles(shape)
    groups, now = g.rows // rows, 0
    count = lambda layer, *kinds: sum(kind in kinds and (layer is None or which == layer) for kind, which, _ in tiles)
    for layer in (0, 1):
        start = 1 + -(now + 1) % groups
        result += [("rest", start), ("set up", groups * count(layer, "message", "pairs", "left", "linear")), ("solve", groups + g.rows * (groups + 3))]
        now += sum(c for _, c in result[-3:])
    wait = -(now + 2) % groups
    result += [("rest", 2 + wait), ("output", groups * count(None, "output")), ("rest", 3)]
    assert sum(c for _, c in result) == cycles.fast(shape, rows)
    return result


def attempt(shape, bars):
    """attempt.svg: a bar for each core, one scale."""
    colours = {"set up": "#cfe2f5", "solve": "#f7cf9d", "output": "#cfe8cf", "rest": "#bbbbbb"}
    longest = max(sum(c for _, c in segments(shape, rows)) for _, rows in bars)
    text = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 %d" font-family="sans-serif" font-size="13">' % (50 + 44 * len(bars)),
            "<!-- SPDX-License-Identifier: Apache-2.0 OR MIT -->", '<rect width="780" height="%d" fill="white"/>' % (50 + 44 * len(bars))]
    for i, (label, rows) in enumerate(bars):
        x, y, scale = 90.0, 10 + 44 * i, 640 / longest
        text.append(f'<text x="82" y="{y + 21}" text-anchor="end">{label}</text>')
        for kind, c in segments(shape, rows):
            text.append(f'<rect x="{x:.1f}" y="{y}" width="{c * scale:.1f}" height="32" fill="{colours[kind]}" stroke="#335" stroke-width="0.5"/>')
            if c * scale > 28:
                text.append(f'<text x="{x + c * scale / 2:.1f}" y="{y + 21}" text-anchor="middle" font-size="12">{c}</text>')
            x += c * scale
        text.append(f'<text x="{x + 6:.1f}" y="{y + 21}">{sum(c for _, c in segments(shape, rows))}</text>')
    for i, (kind, label) in enumerate((("set up", "set up a layer"), ("solve", "solve it"), ("output", "output map"), ("rest", "first multiplicands, waits, last part"))):
        x, y = 90 + (0, 130, 220, 330)[i], 18 + 44 * len(bars)
        text.append(f'<rect x="{x}" y="{y}" width="14" height="14" fill="{colours[kind]}" stroke="#335" stroke-width="0.5"/><text x="{x + 20}" y="{y + 12}">{label}</text>')
    (CORE / "doc" / "attempt.svg").write_text("\n".join([*text, "</svg>"]) + "\n")


def main():
    waveform, moments = record()
    start = round(moments["start"] / PERIOD_NS)
    moments["solve"] = PERIOD_NS * next(c for c in range(start, 10 * start + 1000) if
                                        states()[int(samples(waveform, STATE, [(c + 1) * PERIOD_NS * 1000 - 1])[0], 2)] == "add")
    for diagram in DIAGRAMS:
        draw(waveform, moments, *diagram)
    attempt(system.RAINBOW1, [("R = 12", 12), ("R = 6", 6), ("R = 3", 3), ("classic", None)])


if __name__ == "__main__":
    main()
