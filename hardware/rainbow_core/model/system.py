# SPDX-License-Identifier: Apache-2.0 OR MIT
# What the core signs with, whatever the scheme: a message map, two layers of oil-vinegar equations, an output map.
# All maps are written homogeneously: variable 0 is the constant 1, variable i is x_i of the papers (1 ≤ i ≤ n).
"""Trapdoor systems in the form the core computes with, and signing with given vinegars."""

from dataclasses import dataclass, field as dataclass_field

from .field import FIELDS


@dataclass(frozen=True)
class Shape:
    """Field bits, (v1, o1, o2), and whether squares x_a² occur (third round: yes; 2008: no)."""

    name: str
    bits: int
    v1: int
    o1: int
    o2: int
    squares: bool

    @property
    def n(self):
        return self.v1 + self.o1 + self.o2

    @property
    def m(self):
        return self.o1 + self.o2

    @property
    def field(self):
        return FIELDS[self.bits]

    def oils(self, layer):
        return (self.o1, self.o2)[layer]

    def known(self, layer):
        """How many variables, the constant included, a layer takes as vinegars."""
        return 1 + self.v1 + (0, self.o1)[layer]


RAINBOW1 = Shape("rainbow1", 8, 18, 12, 12, False)
RAINBOW2 = Shape("rainbow2", 8, 20, 14, 14, False)
RAINBOW_I = Shape("rainbow_i", 4, 36, 32, 32, True)
# Small shapes for long random tests: with a distance left over, with layers of different sizes.
TINY = Shape("tiny", 8, 6, 4, 4, False)
TINY16 = Shape("tiny16", 4, 6, 4, 4, True)
TINY_LEFT = Shape("tiny_left", 8, 8, 4, 4, True)
UNEQUAL = Shape("unequal", 8, 6, 2, 4, True)
UNEQUAL_III = Shape("unequal_iii", 8, 10, 4, 8, True)
WIDE_FIRST = Shape("wide_first", 8, 6, 4, 2, True)
SHAPES = {s.name: s for s in (RAINBOW1, RAINBOW2, RAINBOW_I, TINY, TINY16, TINY_LEFT, UNEQUAL, UNEQUAL_III, WIDE_FIRST)}


@dataclass
class Layer:
    """Equation k: Σ pairs[k][a, b] x_a x_b (a ≤ b, both known) + Σ mixed[k][j][a] x_a·oil_j (a known) = z_k."""

    pairs: list = dataclass_field(default_factory=list)
    mixed: list = dataclass_field(default_factory=list)


@dataclass
class System:
    """z = message_map·(y ‖ 1); the layers; signature = output_map·(1 ‖ x)."""

    shape: Shape
    message_map: list
    layers: list
    output_map: list


def layer_equations(system, layer, known, z):
    """(matrix, right-hand side) of the linear system in a layer's oils, given the values of its known variables."""
    mul, equations = system.shape.field.mul, system.layers[layer]
    right = []
    for k, pairs in enumerate(equations.pairs):
        total = z[k]
        for (a, b), coefficient in pairs.items():
            total ^= mul(coefficient, mul(known[a], known[b]))
        right.append(total)
    matrix = [[system.shape.field.dot(row, known) for row in equation] for equation in equations.mixed]
    return matrix, right


def sign(system, message, vinegars):
    """(signature, None), or (None, l) where layer l is singular for these vinegars."""
    shape, field = system.shape, system.shape.field
    z = field.matrix_vector(system.message_map, list(message) + [1])
    known = [1] + list(vinegars)
    for layer in (0, 1):
        part = z[: shape.o1] if layer == 0 else z[shape.o1 :]
        matrix, right = layer_equations(system, layer, known, part)
        solution = field.solve(matrix, [[r] for r in right])
        if solution is None:
            return None, layer
        known += [row[0] for row in solution]
    return field.matrix_vector(system.output_map, known), None


def random_system(shape, rng):
    """A system with random coefficients everywhere: nothing in the core depends on the maps being invertible."""
    element = lambda: rng.randrange(shape.field.size)
    layers = []
    for l in (0, 1):
        known = shape.known(l)
        pairs = [
            {(a, b): element() for a in range(known) for b in range(a if shape.squares else a + 1, known)}
            for _ in range(shape.oils(l))
        ]
        mixed = [[[element() for _ in range(known)] for _ in range(shape.oils(l))] for _ in range(shape.oils(l))]
        layers.append(Layer(pairs, mixed))
    return System(
        shape,
        [[element() for _ in range(shape.m + 1)] for _ in range(shape.m)],
        layers,
        [[element() for _ in range(shape.n + 1)] for _ in range(shape.n)],
    )


def force_matrix(system, layer, known, wanted):
    """Change the constants' column of a layer so that its matrix for these known values becomes `wanted`."""
    matrix, _ = layer_equations(system, layer, known, [0] * system.shape.oils(layer))
    for k, row in enumerate(wanted):
        for j, value in enumerate(row):
            system.layers[layer].mixed[k][j][0] ^= matrix[k][j] ^ value
