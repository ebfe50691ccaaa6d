# SPDX-License-Identifier: Apache-2.0 OR MIT
# The finite fields of [RB3 §2], each built from its defining polynomials, and matrices over them.
# An element is an integer whose bits are coefficients; vectors and matrices are numpy arrays of uint8.
"""Fields of [RB3 §2] and the linear algebra that the model needs."""

import numpy as np


def tower_multiply(a, b, bits):
    """Product of two elements of the tower field with 2^bits elements, bits = 1, 2, 4 or 8 [RB3 §2].

    Each storey adjoins t with t² = t + c to the field below it, and an element is low + high·t:
    GF(4): t = x, c = 1;  GF(16): t = y, c = x;  GF(256): t = X, c = xy.
    """
    if bits == 1:
        return a & b
    half = bits // 2
    constant = {1: 0b1, 2: 0b10, 4: 0b1000}[half]  # 1, x, xy as elements of the field below
    a_low, a_high = a & ((1 << half) - 1), a >> half
    b_low, b_high = b & ((1 << half) - 1), b >> half
    low_low = tower_multiply(a_low, b_low, half)
    crossed = tower_multiply(a_low, b_high, half) ^ tower_multiply(a_high, b_low, half)
    high_high = tower_multiply(a_high, b_high, half)  # coefficient of t², i.e. of t + c
    low = low_low ^ tower_multiply(high_high, constant, half)
    high = crossed ^ high_high
    return low | high << half


def polynomial_multiply(a, b, bits, modulus):
    """Product in GF(2)[x]/(modulus): school multiplication, then division with remainder [RB3 §2]."""
    product = 0
    for k in range(bits):
        if b >> k & 1:
            product ^= a << k
    for degree in range(2 * bits - 2, bits - 1, -1):
        if product >> degree & 1:
            product ^= modulus << (degree - bits)
    return product


class Field:
    """A field with 2^bits elements given by its multiplication; addition is always exclusive or.

    `mul[a, b]` is the product table, `inv[a]` the table of inverses (with inv[0] = 0, which nothing relies on).
    """

    def __init__(self, name, bits, multiply):
        self.name = name
        self.bits = bits
        self.size = 1 << bits
        self.mul = np.array([[multiply(a, b) for b in range(self.size)] for a in range(self.size)], dtype=np.uint8)
        self.inv = np.zeros(self.size, dtype=np.uint8)
        for a in range(1, self.size):
            self.inv[a] = np.flatnonzero(self.mul[a] == 1)[0]

    def __repr__(self):
        return f"Field({self.name})"

    # -- packing [RB3 §2] ------------------------------------------------------------------------------------------

    def packed_bytes(self, count):
        """Bytes of `count` packed elements. Over GF(16) the count must be even: the specification has no half bytes."""
        if count * self.bits % 8:
            raise ValueError("an odd number of GF(16) elements does not fill whole bytes")
        return count * self.bits // 8

    def pack(self, vector):
        """Elements to bytes: over GF(16) element 2i goes to the low nibble of byte i, element 2i+1 to the high one."""
        vector = np.asarray(vector, dtype=np.uint8).ravel()
        self.packed_bytes(len(vector))
        if self.bits == 4:
            vector = vector[0::2] | vector[1::2] << 4
        return vector.tobytes()

    def unpack(self, data):
        """Bytes to elements; inverse of `pack`."""
        data = np.frombuffer(bytes(data), dtype=np.uint8)
        if self.bits == 4:
            return np.stack([data & 15, data >> 4], axis=1).ravel()
        return data.copy()

    # -- matrices --------------------------------------------------------------------------------------------------

    def matrix_product(self, a, b):
        """A·B: entry (i, j) is the sum over k of A[i, k]·B[k, j]."""
        assert a.shape[1] == b.shape[0]
        c = np.zeros((a.shape[0], b.shape[1]), dtype=np.uint8)
        for k in range(a.shape[1]):
            c ^= self.mul[a[:, k, None], b[None, k, :]]
        return c

    def matrix_vector(self, a, x):
        """A·x."""
        return self.matrix_product(a, x.reshape(-1, 1)).ravel()

    def inverse(self, matrix):
        """Inverse of a square matrix by Gauss-Jordan elimination, or None where the matrix is singular."""
        size = len(matrix)
        work = np.concatenate([matrix, np.eye(size, dtype=np.uint8)], axis=1)
        for column in range(size):
            candidates = np.flatnonzero(work[column:, column])
            if len(candidates) == 0:
                return None
            pivot = column + candidates[0]
            work[[column, pivot]] = work[[pivot, column]]
            work[column] = self.mul[self.inv[work[column, column]], work[column]]
            for row in range(size):
                if row != column:
                    work[row] ^= self.mul[work[row, column], work[column]]
        return work[:, size:]


GF16_TOWER = Field("gf16_tower", 4, lambda a, b: tower_multiply(a, b, 4))
GF16_POLYNOMIAL = Field("gf16_polynomial", 4, lambda a, b: polynomial_multiply(a, b, 4, 0b10011))
GF256_TOWER = Field("gf256_tower", 8, lambda a, b: tower_multiply(a, b, 8))
GF256_AES = Field("gf256_aes", 8, lambda a, b: polynomial_multiply(a, b, 8, 0x11B))

FIELDS = {field.name: field for field in (GF16_TOWER, GF16_POLYNOMIAL, GF256_TOWER, GF256_AES)}
