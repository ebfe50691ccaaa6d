# SPDX-License-Identifier: Apache-2.0 OR MIT
# The cells that synthesis, or placement after it, made of a core: signatures and cycles are the model's, and after a wipe no flip-flop, whatever its name
# has become, depends on a secret. ../synth/simulate.py runs this.
"""Tests of the netlist of one configuration of a core."""

import os
import random
import re
from pathlib import Path

import cocotb
from cocotb.triggers import FallingEdge

from bench import EFFORT, SHAPE, Bench, Stalls
from model import system
from test_core import SEED, check, expected_cycles, key_beats, trial

FLIP_FLOPS = re.findall(r"^\s*DFF\w+ (\w+) \(", Path(os.environ["NETLIST"]).read_text(), re.M)


async def started(dut):
    bench = Bench(dut, key_beats, period_ns=60, settle_ns=20)
    await bench.start()
    return bench


def state(dut):
    """All flip-flops, as a text of 0, 1, x and z."""
    cells = dut.u_netlist if os.environ["PLACED"] == "1" else dut
    return "".join(cells._id(name, extended=False).Q.value.binstr for name in FLIP_FLOPS)


async def state_when_idle(bench):
    await bench.idle()
    return state(bench.dut)


@cocotb.test()
async def signs(dut):
    """Random systems, and one that is singular in the first layer; stalls in every second attempt."""
    bench = await started(dut)
    rng = random.Random(SEED + 7)
    for round_ in range(4 * EFFORT):
        trapdoor, message, vinegars = trial(rng)
        if round_ % 4 == 2:
            system.force_matrix(trapdoor, 0, [1] + vinegars, [[0] * SHAPE.o1 for _ in range(SHAPE.o1)])
        stalls = Stalls(rng, 0.3, 0.3) if round_ % 2 else Stalls()
        failed, cycles = await check(bench, trapdoor, message, vinegars, stalls)
        assert round_ % 4 != 2 or failed == 0
        assert round_ % 2 or cycles == expected_cycles(failed)


@cocotb.test()
async def no_flip_flop_keeps_a_secret(dut):
    """Two systems, each wiped in the same cycle or signed with to the end: then all flip-flops are alike."""
    assert len(FLIP_FLOPS) > 100
    bench = await started(dut)
    after_reset = await state_when_idle(bench)
    assert set(after_reset) <= {"0", "1"}
    rng = random.Random(SEED + 8)
    secrets = []
    while len(secrets) < 2:
        secret = trial(rng)
        if system.sign(*secret)[0] is not None:
            secrets.append(secret)
    after_signing = set()
    for secret in secrets:
        await check(bench, *secret)
        after_signing.add(await state_when_idle(bench))
    assert len(after_signing) == 1
    for _ in range(2 * EFFORT):
        stop = rng.randrange(expected_cycles(None) // 3, expected_cycles(None))
        during, after = set(), set()
        for secret in secrets:
            await bench.attempt(*secret, stop_after=stop)
            during.add(state(dut))
            await FallingEdge(dut.clk_i)
            dut.wipe_i.value = 1
            await FallingEdge(dut.clk_i)
            dut.wipe_i.value = 0
            after.add(await state_when_idle(bench))
        assert len(during) == 2 and len(after) == 1
