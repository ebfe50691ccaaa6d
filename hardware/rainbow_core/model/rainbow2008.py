# SPDX-License-Identifier: Apache-2.0 OR MIT
# The scheme of the 2008 core: Rainbow1 (18,30,42) and Rainbow2 (20,34,48) over GF(2^8), affine L1 and L2, equations with linear terms.
# The paper fixes neither the field polynomial nor an encoding; the choices made here are listed in ../doc/theory.md.
"""Key generation, signing and verification of the 2008 scheme."""

import hashlib
from dataclasses import dataclass

from .field import xor
from .system import Layer, System, sign as sign_system


class Stream:
    """Field elements from SHAKE256(label ‖ seed), one byte each (its low bits for GF(16))."""

    def __init__(self, shape, label, seed, length=1 << 18):
        self.data = hashlib.shake_256(label.encode() + b"\0" + seed).digest(length)
        self.position = 0
        self.mask = shape.field.size - 1

    def take(self, count):
        piece = self.data[self.position : self.position + count]
        if len(piece) < count:
            raise ValueError("stream exhausted")
        self.position += count
        return [b & self.mask for b in piece]


@dataclass
class Key:
    """L1: z → a1·z + b1, L2: x → a2·x + b2, their inverses, and the central map's layers."""

    shape: object
    a1: list
    b1: list
    a1_inverse: list
    a2: list
    b2: list
    a2_inverse: list
    layers: list


def draw_affine(shape, stream, size):
    """An invertible matrix (row-major, drawn again until invertible) and then a vector."""
    while True:
        flat = stream.take(size * size)
        matrix = [flat[i * size : (i + 1) * size] for i in range(size)]
        inverse = shape.field.invert(matrix)
        if inverse is not None:
            return matrix, stream.take(size), [list(row) for row in inverse]


def generate_key(shape, seed):
    """Drawn in this order: a1, b1, a2, b2; per layer and equation: pairs (a < b) with the constant as variable 0, then per oil j
    the coefficients of x_a·oil_j, a = 0 (oil_j's linear term) and up. No equation has a constant term: L1's b1 holds it."""
    stream = Stream(shape, "moonbow rainbow 2008 key " + shape.name, seed)
    a1, b1, a1_inverse = draw_affine(shape, stream, shape.m)
    a2, b2, a2_inverse = draw_affine(shape, stream, shape.n)
    layers = []
    for l in (0, 1):
        known, oils, layer = shape.known(l), shape.oils(l), Layer()
        for _ in range(oils):
            names = [(a, b) for a in range(known) for b in range(a + 1, known)]
            layer.pairs.append(dict(zip(names, stream.take(len(names)))))
            layer.mixed.append([stream.take(known) for _ in range(oils)])
        layers.append(layer)
    return Key(shape, a1, b1, a1_inverse, a2, b2, a2_inverse, layers)


def trapdoor(key):
    """The key as the core uses it: z = a1⁻¹·y + a1⁻¹·b1 and signature = a2⁻¹·x + a2⁻¹·b2."""
    field = key.shape.field
    c1 = field.matrix_vector(key.a1_inverse, key.b1)
    c2 = field.matrix_vector(key.a2_inverse, key.b2)
    return System(
        key.shape,
        [row + [c] for row, c in zip(key.a1_inverse, c1)],
        key.layers,
        [[c] + row for row, c in zip(key.a2_inverse, c2)],
    )


def public_key(key):
    """The m forms in (1, x_1 … x_n): upper-triangular rows of bytes, row a holding columns a … n."""
    shape, field = key.shape, key.shape.field
    size = shape.n + 1
    substitution = [bytes([1]) + bytes(shape.n)] + [bytes([b]) + bytes(row) for b, row in zip(key.b2, key.a2)]
    central = []
    for l, layer in enumerate(key.layers):
        for pairs, mixed in zip(layer.pairs, layer.mixed):
            rows = [bytearray(size) for _ in range(size)]
            for (a, b), value in pairs.items():
                rows[a][b] = value
            for j, coefficients in enumerate(mixed):
                for a, value in enumerate(coefficients):
                    rows[a][shape.known(l) + j] = value
            # substitutionᵗ · Q · substitution, folded onto the upper triangle.
            half = []
            for row in rows:
                total = bytes(size)
                for value, line in zip(row, substitution):
                    if value:
                        total = xor(total, field.scale(value, line))
                half.append(total)
            full = [bytes(size)] * size
            for line, values in zip(substitution, half):
                for i, value in enumerate(line):
                    if value:
                        full[i] = xor(full[i], field.scale(value, values))
            central.append(b"".join(
                bytes([full[i][i]]) + bytes(full[i][j] ^ full[j][i] for j in range(i + 1, size)) for i in range(size)))
    forms = []
    for row, constant in zip(key.a1, key.b1):
        total = bytes(len(central[0]))
        for value, form in zip(row, central):
            total = xor(total, field.scale(value, form))
        forms.append(bytes([total[0] ^ constant]) + total[1:])
    return forms


def sign(key, message, vinegars):
    """(signature, None), or (None, layer) where these vinegars make a layer singular."""
    return sign_system(trapdoor(key), message, vinegars)


def sign_with_seed(key, message, seed):
    """Sign with vinegars from SHAKE256, drawn anew until both layers are regular: (signature, vinegars, attempts)."""
    stream = Stream(key.shape, "moonbow rainbow 2008 vinegars", seed, 1 << 14)
    attempts = 0
    while True:
        vinegars = stream.take(key.shape.v1)
        attempts += 1
        signature, _ = sign(key, message, vinegars)
        if signature is not None:
            return signature, vinegars, attempts


def verify(shape, forms, message, signature):
    """Whether every public form takes its message element at the signature."""
    if len(signature) != shape.n or len(message) != shape.m:
        return False
    point = [1] + list(signature)
    mul = shape.field.mul
    monomials = bytes(mul(point[i], point[j]) for i in range(len(point)) for j in range(i, len(point)))
    return all(shape.field.dot(form, monomials) == value for form, value in zip(forms, message))
