# SPDX-License-Identifier: Apache-2.0 OR MIT
# The order in which the fast core takes the key, derived from its schedule run symbolically: each multiplicand is a set of variable names.
# A tile is one multiplicand per column for all rows; it is delivered in O/R beats of R rows. Order: tile, beat, row, column.
"""Tiles of the fast core's schedule, and a System as its key stream."""

from dataclasses import dataclass
from math import ceil

CONSTANT = 0


@dataclass(frozen=True)
class Geometry:
    """All sizes that follow from a shape; the RTL computes the same ones."""

    shape: object

    @property
    def rows(self):
        return max(self.shape.o1, self.shape.o2)

    @property
    def columns(self):
        return self.rows + 1

    @property
    def ring(self):
        return self.shape.n + 1

    @property
    def stride(self):
        return ceil(self.ring / self.columns)

    @property
    def message_tiles(self):
        return ceil((self.shape.m + 1) / self.columns)

    @property
    def first_difference(self):
        return 0 if self.shape.squares else 1

    @property
    def linear_difference(self):
        """The distance of the pairs that the last column takes during the linear tiles."""
        return self.first_difference + self.columns

    @property
    def left_difference(self):
        """The one distance left over in layer 2, or None."""
        last = (self.shape.known(1) - 1) // 2
        return last if last > self.linear_difference else None

    @property
    def output_groups(self):
        return ceil(self.shape.n / self.rows)


def tiles(shape):
    """The schedule: (kind, layer or output group, multiplicands), a multiplicand being a tuple of ring variables or None.

    Kinds: "message" (multiplicand = index into y ‖ 1), "pairs", "left", "linear", "output".
    """
    g = Geometry(shape)
    assert g.stride > 2, "too few variables for the columns"
    result = []
    ring = []
    rotate = lambda: ring.append(ring.pop(0))
    for layer in (0, 1):
        known = shape.known(layer)
        ring += range(len(ring), known)
        assert known % 2 == 1, "v1 and o1 must be even"
        assert (known - 1) // 2 <= g.linear_difference + (layer == 1), "pairs too far apart for the columns"
        for q in range(g.message_tiles):
            index = lambda j: q * g.columns + j
            result.append(("message", layer, [(index(j),) if index(j) <= shape.m else None for j in range(g.columns)]))
        for _ in range(known):
            taps = [(g.first_difference + j) for j in range(g.columns)]
            result.append(("pairs", layer, [(ring[0], ring[d]) if d < known else None for d in taps]))
            rotate()
        if layer == 1 and g.left_difference is not None:
            for _ in range(g.stride):
                result.append(("left", layer, [
                    (ring[g.stride * j], ring[(g.stride * j + g.left_difference) % known]) if g.stride * j < known else None
                    for j in range(g.columns)]))
                rotate()
        for _ in range(known):
            last = (ring[0], ring[g.linear_difference]) if g.linear_difference < known else None
            result.append(("linear", layer, [(ring[0],)] * g.rows + [last]))
            rotate()
    ring += range(len(ring), g.ring)
    for group in range(g.output_groups):
        for _ in range(g.stride):
            result.append(("output", group, [(ring[g.stride * j],) if g.stride * j < g.ring else None for j in range(g.columns)]))
            rotate()
    return result


def key_tiles(system):
    """The key as a list of tiles, each rows × columns; a coefficient stands at the first place that can take it, else zeros.

    Rows beyond a layer's own oils are made unit equations (oil = 0) by the tile whose multiplicand is the constant.
    """
    shape, g = system.shape, Geometry(system.shape)
    placed, result = set(), []
    for kind, which, multiplicands in tiles(shape):
        tile = [[0] * g.columns for _ in range(g.rows)]
        for j, names in enumerate(multiplicands):
            if names is None:
                continue
            if kind == "output":
                mark, rows = (kind, which, names), range(which * g.rows, min((which + 1) * g.rows, shape.n))
                value = lambda k: system.output_map[which * g.rows + k][names[0]]
            elif kind == "message":
                first = which * shape.o1
                mark, rows = (kind, which, names), range(shape.oils(which))
                value = lambda k: system.message_map[first + k][names[0]]
            elif len(names) == 1:
                oils = shape.oils(which)
                mark, rows = (kind, which, j, names), range(oils)
                if j >= oils:
                    if names[0] == CONSTANT:
                        tile[j][j] = 1
                    continue
                value = lambda k: system.layers[which].mixed[k][j][names[0]]
            else:
                pair = tuple(sorted(names))
                mark, rows = ("pair", which, pair), range(shape.oils(which))
                value = lambda k: system.layers[which].pairs[k].get(pair, 0)
            if mark in placed:
                continue
            placed.add(mark)
            for k in range(len(rows)):
                tile[k][j] = value(k)
        result.append(tile)
    wanted = {("pair", l, p) for l in (0, 1) for p in system.layers[l].pairs[0]}
    assert wanted <= placed, "schedule misses a pair"
    return result


def key_beats(system, rows_per_beat):
    """The key stream: integers, row-major within a beat, the first element in the least significant bits."""
    g, bits = Geometry(system.shape), system.shape.bits
    assert g.rows % rows_per_beat == 0
    beats = []
    for tile in key_tiles(system):
        for first in range(0, g.rows, rows_per_beat):
            beat = 0
            for position, value in enumerate(v for row in tile[first : first + rows_per_beat] for v in row):
                beat |= value << position * bits
            beats.append(beat)
    return beats
