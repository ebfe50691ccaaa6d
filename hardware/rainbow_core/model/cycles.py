# SPDX-License-Identifier: Apache-2.0 OR MIT
# The cycle counts of the cores as formulas: an attempt without stalls, from the vinegars' handshake to the last part of the signature
# or to fail_o. dv/test_core.py compares them with simulation.
"""Cycle counts and key bandwidth."""

from .schedule import Geometry, tiles


def fast(shape, rows_per_cycle, failed_layer=None):
    """Cycles of the fast core. With failed_layer, until that layer's failure shows at fail_o."""
    g = Geometry(shape)
    groups = g.rows // rows_per_cycle
    schedule = tiles(shape)
    now = 0
    for layer in (0, 1):
        now += 1  # first multiplicands
        now += -now % groups  # wait for the first group of rows at the top
        now += groups * sum(kind != "output" and which == layer for kind, which, _ in schedule)
        now += groups + g.rows * (groups + 3)  # add the folded sum; per column: settle, invert, normalise, eliminate
        if failed_layer == layer:
            return now + groups + 3  # the wipe
    now += 2  # last oils into the ring, first multiplicands
    now += -now % groups
    now += groups * sum(kind == "output" for kind, _, _ in schedule)
    return now + 3  # the datapath is one cycle behind; fold, and the part is shown


def key_bytes(shape, rows_per_cycle):
    """Bytes of key the fast core takes in a cycle while a layer is set up or the output map runs."""
    return rows_per_cycle * Geometry(shape).columns * shape.bits / 8


def classic(shape, failed_layer=None):
    """Cycles of the classic core. The search for pivots gets the most shifts it can need: o (o - 1) / 2."""
    o, now = shape.o1, 0
    for layer in (0, 1):
        now += o * shape.known(layer)  # a row of the key a cycle
        now += 1 + o + o * (o - 1) // 2  # the last row, eliminations and shifts
        if failed_layer == layer:
            return now + 3  # the wipe
    return now + shape.n + 2


def classic_key_bytes(shape):
    """Bytes of key the classic core takes in a cycle outside the solutions."""
    return (shape.n + 1) * shape.bits / 8
