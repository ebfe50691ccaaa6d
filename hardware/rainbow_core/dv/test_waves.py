# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the timing diagrams show: an attempt with stalls on both streams, one that fails, one that is wiped. Writes the moments to moments.json.
"""Waveforms for timing_diagrams.py."""

import json
import random

import cocotb
from cocotb.triggers import FallingEdge
from cocotb.utils import get_sim_time

from bench import ROWS, SHAPE, Bench, Stalls, random_elements
from model import schedule, system


class Turns(Stalls):
    """The key pauses in its third offer, the signature's first part waits three cycles."""

    def __init__(self, dut):
        super().__init__()
        self.dut, self.offers, self.waits = dut, 0, 0

    def key(self):
        self.offers += self.dut.key_ready_o.value == 1
        return self.offers == 3

    def signature(self):
        self.waits += self.dut.signature_valid_o.value == 1
        return self.waits < 3


@cocotb.test()
async def waves(dut):
    rng = random.Random(2008)
    bench = Bench(dut, lambda s: schedule.key_beats(s, ROWS))
    await bench.start()
    await bench.idle()
    moments = {}
    mark = lambda name: moments.__setitem__(name, get_sim_time("ns"))
    trapdoor, message = system.random_system(SHAPE, rng), random_elements(rng, SHAPE.m)
    vinegars = random_elements(rng, SHAPE.v1)
    while system.sign(trapdoor, message, vinegars)[0] is None:
        vinegars = random_elements(rng, SHAPE.v1)
    mark("start")
    signature, _, _ = await bench.attempt(trapdoor, message, vinegars, Turns(dut))
    assert signature == system.sign(trapdoor, message, vinegars)[0]
    mark("signed")
    await bench.idle()
    system.force_matrix(trapdoor, 0, [1] + vinegars, [[0] * SHAPE.o1 for _ in range(SHAPE.o1)])
    signature, layer, _ = await bench.attempt(trapdoor, message, vinegars)
    assert (signature, layer) == (None, 0)
    mark("failed")
    for _ in range(2):
        await FallingEdge(dut.clk_i)
    await bench.attempt(trapdoor, message, vinegars, stop_after=7)
    await FallingEdge(dut.clk_i)
    dut.wipe_i.value = 1
    mark("wiped")
    await FallingEdge(dut.clk_i)
    dut.wipe_i.value = 0  # one cycle
    await bench.idle()
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    with open("moments.json", "w") as file:
        json.dump(moments, file)
