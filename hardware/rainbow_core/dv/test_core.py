# SPDX-License-Identifier: Apache-2.0 OR MIT
# The signing cores against the model: signatures, singular systems, stalls, reset and wipe at any moment, constant time.
# Both cores have the same interface; CORE says which one runs. See bench.py for the driver.
"""Tests of one configuration of a core."""

import os
import random

import cocotb
from cocotb.triggers import FallingEdge

from bench import EFFORT, ROWS, SHAPE, Bench, Stalls, random_elements, special_matrices
from model import cycles as cycle_formulas
from model import rainbow2008, schedule, system

CORE = os.environ.get("CORE", "fast")
SEED = int(os.environ.get("SEED", "1"))

if CORE == "fast":
    key_beats = lambda s: schedule.key_beats(s, ROWS)
    SECRET_REGISTERS = ["u_mesh.a_q", "u_mesh.side_q", "u_mesh.mark_q", "u_mesh.used_q", "u_ring.x_q", "u_multiplicands.t_q",
                        "u_multiplicands.pivot_q", "u_multiplicands.common_q", "u_control.found_q"]
    if ROWS < max(SHAPE.o1, SHAPE.o2):
        SECRET_REGISTERS.append("u_multiplicands.row_q")
else:
    from model import classic

    key_beats = classic.key_beats
    SECRET_REGISTERS = classic.SECRET_REGISTERS


def expected_cycles(failed):
    return cycle_formulas.fast(SHAPE, ROWS, failed) if CORE == "fast" else cycle_formulas.classic(SHAPE, failed)


def find(dut, path):
    for name in path.split("."):
        dut = getattr(dut, name)
    return dut


def trial(rng):
    return system.random_system(SHAPE, rng), random_elements(rng, SHAPE.m), random_elements(rng, SHAPE.v1)


async def check(bench, trapdoor, message, vinegars, stalls=Stalls()):
    wanted, layer = system.sign(trapdoor, message, vinegars)
    signature, failed, cycles = await bench.attempt(trapdoor, message, vinegars, stalls)
    assert failed == layer, (failed, layer)
    assert signature == wanted
    return failed, cycles


async def started(dut):
    bench = Bench(dut, key_beats)
    await bench.start()
    return bench


@cocotb.test()
async def one_signature(dut):
    """The fast run's test: a random key signs, in the number of cycles of the formula, and is clean afterwards."""
    bench = await started(dut)
    rng = random.Random(SEED)
    trapdoor, message, vinegars = trial(rng)
    while system.sign(trapdoor, message, vinegars)[0] is None:
        vinegars = random_elements(rng, SHAPE.v1)
    _, cycles = await check(bench, trapdoor, message, vinegars)
    assert cycles == expected_cycles(None)
    await bench.idle()
    await assert_clean(dut)


@cocotb.test(skip=SHAPE.squares)
async def signs_and_verifies(dut):
    """A key of the 2008 scheme, which has no squares: the signature is the model's and verifies."""
    bench = await started(dut)
    key = rainbow2008.generate_key(SHAPE, b"dv")
    forms, trapdoor = rainbow2008.public_key(key), rainbow2008.trapdoor(key)
    rng = random.Random(SEED)
    for _ in range(5 * EFFORT):
        message = random_elements(rng, SHAPE.m)
        wanted, vinegars, _ = rainbow2008.sign_with_seed(key, message, b"dv%d" % rng.randrange(1 << 30))
        signature, failed, _ = await bench.attempt(trapdoor, message, vinegars)
        assert failed is None and signature == wanted
        assert rainbow2008.verify(SHAPE, forms, message, signature)


@cocotb.test()
async def random_systems_take_constant_time(dut):
    """Random systems: the model's result, and one number of cycles for success and one for failure in each layer."""
    bench = await started(dut)
    rng = random.Random(SEED + 1)
    seen = {}
    for _ in range(25 * EFFORT):
        failed, cycles = await check(bench, *trial(rng))
        seen.setdefault(failed, set()).add(cycles)
    dut._log.info("cycles by failed layer: %s", seen)
    assert all(c == {expected_cycles(failed)} for failed, c in seen.items()), seen


@cocotb.test()
async def special_systems_take_constant_time(dut):
    """Permutations, triangles, singular and nearly singular matrices in either layer, zeros everywhere."""
    bench = await started(dut)
    rng = random.Random(SEED + 2)
    seen = {}
    for layer in (0, 1):
        for name, matrix in special_matrices(SHAPE.oils(layer), SHAPE.field, rng):
            trapdoor, message, vinegars = trial(rng)
            unit = [[int(i == j) for j in range(SHAPE.o1)] for i in range(SHAPE.o1)]
            system.force_matrix(trapdoor, 0, [1] + vinegars, matrix if layer == 0 else unit)
            if layer == 1:
                z = SHAPE.field.matrix_vector(trapdoor.message_map, message + [1])
                known = [1] + vinegars
                _, right = system.layer_equations(trapdoor, 0, known, z[: SHAPE.o1])
                system.force_matrix(trapdoor, 1, known + right, matrix)
            failed, cycles = await check(bench, trapdoor, message, vinegars)
            seen.setdefault(failed, set()).add(cycles)
    zero = [0] * SHAPE.v1
    trapdoor, message, _ = trial(rng)
    failed, cycles = await check(bench, trapdoor, message, zero)
    seen.setdefault(failed, set()).add(cycles)
    assert {0, 1, None} == set(seen) and all(c == {expected_cycles(failed)} for failed, c in seen.items()), seen


@cocotb.test()
async def stalls_change_nothing_but_time(dut):
    bench = await started(dut)
    rng = random.Random(SEED + 3)
    for _ in range(6 * EFFORT):
        stalls = Stalls(rng, rng.choice((0, 0.1, 0.5, 0.9)), rng.choice((0, 0.3, 0.9)), rng.choice((0, 0.7)))
        await check(bench, *trial(rng), stalls)


async def assert_clean(dut):
    for path in SECRET_REGISTERS:
        assert find(dut, path).value.integer == 0, path


@cocotb.test()
async def wipe_clears_at_any_moment(dut):
    """A wipe in a random cycle leaves no secret, drops all outputs, and the next attempt is right."""
    bench = await started(dut)
    rng = random.Random(SEED + 4)
    trapdoor, message, vinegars = trial(rng)
    _, total = await check(bench, trapdoor, message, vinegars)
    for _ in range(12 * EFFORT):
        await bench.idle()
        await bench.attempt(trapdoor, message, vinegars, Stalls(rng, rng.choice((0, 0.3))), stop_after=rng.randrange(1, total))
        await FallingEdge(dut.clk_i)
        dut.wipe_i.value = 1
        dut.key_valid_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.wipe_i.value = 0  # after one rising edge
        await bench.idle()
        await assert_clean(dut)
        assert dut.signature_valid_o.value == 0 and dut.signature_o.value.integer == 0 and dut.fail_o.value == 0 and dut.fail_layer_o.value == 0
        await check(bench, trapdoor, message, vinegars)
    await bench.idle()
    await assert_clean(dut)  # the end of an attempt wipes too


@cocotb.test()
async def reset_clears_at_any_moment(dut):
    bench = await started(dut)
    rng = random.Random(SEED + 5)
    trapdoor, message, vinegars = trial(rng)
    _, total = await check(bench, trapdoor, message, vinegars)
    for _ in range(8 * EFFORT):
        await bench.idle()
        await bench.attempt(trapdoor, message, vinegars, stop_after=rng.randrange(1, total))
        await bench.reset()
        await bench.idle()
        await assert_clean(dut)
        await check(bench, trapdoor, message, vinegars)


@cocotb.test()
async def nothing_is_kept_between_attempts(dut):
    """Different keys one after the other, a singular one between."""
    bench = await started(dut)
    rng = random.Random(SEED + 6)
    for round_ in range(3 * EFFORT):
        trapdoor, message, vinegars = trial(rng)
        if round_ % 2:
            system.force_matrix(trapdoor, 0, [1] + vinegars, [[0] * SHAPE.o1 for _ in range(SHAPE.o1)])
        await check(bench, trapdoor, message, vinegars)
