# SPDX-License-Identifier: Apache-2.0 OR MIT
# Drives one signing core (fast or classic) through its interface: inputs change at the falling edge of the clock and handshakes are
# read just after, so that each loop of `attempt` is one cycle. Parameters of the run come in environment variables set by run.py.
"""The bench that the tests of the cores share."""

import os
import sys

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, Timer

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from model import schedule, system  # noqa: E402

SHAPE = system.SHAPES[os.environ.get("SHAPE", "tiny")]
ROWS = int(os.environ.get("ROWS", "1"))
EFFORT = int(os.environ.get("EFFORT", "1"))  # multiplies the numbers of random trials
CYCLES_LIMIT = 200000


def to_int(elements):
    return sum(e << i * SHAPE.bits for i, e in enumerate(elements))


def to_elements(value, count):
    return [value >> i * SHAPE.bits & SHAPE.field.size - 1 for i in range(count)]


class Stalls:
    """Chances that a stream stands still in a cycle."""

    def __init__(self, rng=None, key=0.0, signature=0.0, vinegars=0.0):
        self.rng, self.key_chance, self.signature_chance, self.vinegars_chance = rng, key, signature, vinegars

    def key(self):
        return self.key_chance and self.rng.random() < self.key_chance

    def signature(self):
        return self.signature_chance and self.rng.random() < self.signature_chance

    def vinegars(self):
        return self.vinegars_chance and self.rng.random() < self.vinegars_chance


class Bench:
    def __init__(self, dut, key_beats, period_ns=10, settle_ns=0):
        """settle_ns: what outputs take to follow inputs, where cells have delays."""
        self.dut, self.key_beats, self.period_ns, self.settle_ns = dut, key_beats, period_ns, settle_ns

    async def start(self):
        cocotb.start_soon(Clock(self.dut.clk_i, self.period_ns, "ns").start())
        self.dut.vinegars_valid_i.value = self.dut.key_valid_i.value = self.dut.signature_ready_i.value = 0
        self.dut.vinegars_i.value = self.dut.message_i.value = self.dut.key_i.value = 0
        self.dut.wipe_i.value = 0
        await self.reset()

    async def reset(self, cycles=2):
        await FallingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 0
        for _ in range(cycles):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1

    async def settled(self):
        if self.settle_ns:
            await Timer(self.settle_ns, "ns")
        await ReadOnly()

    async def attempt(self, trapdoor, message, vinegars, stalls=Stalls(), stop_after=None):
        """One attempt: (signature or None, failed layer or None, cycles from the vinegars' handshake to the last part or to fail_o).

        With stop_after, gives up in that cycle and returns None.
        """
        dut, shape = self.dut, trapdoor.shape
        beats, position, cycles = self.key_beats(trapdoor), 0, None
        parts, waited, taken = [], 0, None
        garbage, no_vinegars = (1 << len(dut.key_i)) - 1, (1 << len(dut.vinegars_i)) - 1
        while True:
            await FallingEdge(dut.clk_i)
            start = cycles is None and not stalls.vinegars()
            dut.vinegars_valid_i.value = int(start)
            # As with the key, what stands beside no handshake must not matter.
            dut.vinegars_i.value = to_int(vinegars) if start else no_vinegars
            if cycles is None:
                dut.message_i.value = to_int(message)
            offer = position < len(beats) and not stalls.key()
            # The key follows its handshake by a cycle; what stands on the bus at other times must not matter.
            dut.key_i.value = garbage if taken is None else taken
            taken = None
            dut.key_valid_i.value = int(offer)
            take = not stalls.signature()
            dut.signature_ready_i.value = int(take)
            await self.settled()
            if cycles is None:
                waited += 1
                assert waited < 1000, "never ready"
                if start and dut.vinegars_ready_o.value == 1:
                    cycles = 0
                continue
            cycles += 1
            if stop_after is not None and cycles >= stop_after:
                return None
            assert cycles < CYCLES_LIMIT, "no end"
            if offer and dut.key_ready_o.value == 1:
                taken = beats[position]
                position += 1
            assert dut.fail_o.value == 1 or dut.fail_layer_o.value == 0, "a failure told before its end"
            if dut.fail_o.value == 1:
                return None, int(dut.fail_layer_o.value), cycles
            if dut.signature_valid_o.value == 1 and take:
                parts += to_elements(dut.signature_o.value.integer, len(dut.signature_o) // shape.bits)
                if dut.signature_last_o.value == 1:
                    assert position == len(beats), "key not used up"
                    assert not any(parts[shape.n :])
                    return parts[: shape.n], None, cycles

    async def idle(self):
        """Until the core is ready again; no streams offered."""
        await FallingEdge(self.dut.clk_i)
        self.dut.vinegars_valid_i.value = self.dut.key_valid_i.value = self.dut.wipe_i.value = 0
        for _ in range(1000):
            await self.settled()
            if self.dut.vinegars_ready_o.value == 1:
                return
            await FallingEdge(self.dut.clk_i)
        raise AssertionError("never idle")


def random_elements(rng, count):
    return [rng.randrange(SHAPE.field.size) for _ in range(count)]


def special_matrices(size, field, rng):
    """Matrices that try the pivot search: (name, matrix). Some are singular."""
    unit = [[int(i == j) for j in range(size)] for i in range(size)]
    yield "unit", unit
    yield "reversed", unit[::-1]
    yield "turned up", unit[1:] + unit[:1]
    yield "turned down", unit[-1:] + unit[:-1]
    for _ in range(3):
        yield "permutation", [[rng.randrange(1, field.size) * e for e in row] for row in rng.sample(unit, size)]
    yield "zero", [[0] * size for _ in range(size)]
    yield "ones", [[1] * size for _ in range(size)]
    upper = [[rng.randrange(1, field.size) if j >= i else 0 for j in range(size)] for i in range(size)]
    yield "triangular", upper
    yield "triangular, rows reversed", upper[::-1]
    for rank_loss in (1, 2, size // 2):
        rows = [[rng.randrange(field.size) for _ in range(size)] for _ in range(size)]
        for lost in range(rank_loss):
            rows[lost] = list(rows[-1])
        rng.shuffle(rows)
        yield f"rank at most {size - rank_loss}", rows
    for column in {0, size // 2, size - 1}:
        rows = [[rng.randrange(field.size) for _ in range(size)] for _ in range(size)]
        for row in rows:
            row[column] = 0
        yield f"zero column {column}", rows
        rows = [list(row) for row in rows]
        rows[-1][column] = 1
        yield f"one entry in column {column}", rows


