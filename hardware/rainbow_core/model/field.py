# SPDX-License-Identifier: Apache-2.0 OR MIT
# The tower fields of the core, GF(16) and GF(256) of [RB3 §2], in plain Python: elements are integers, vectors are lists.
# GF(4) = GF(2)[x]/(x² + x + 1), GF(16) = GF(4)[y]/(y² + y + x), GF(256) = GF(16)[X]/(X² + X + xy).
"""Field arithmetic and Gauss-Jordan elimination of the golden model."""


def multiply_tower(a, b, bits):
    """The product of two elements of 2^bits values; each storey adjoins t with t² = t + c to the one below."""
    if bits == 1:
        return a & b
    half = bits // 2
    c = {1: 1, 2: 2, 4: 8}[half]
    al, ah, bl, bh = a & (1 << half) - 1, a >> half, b & (1 << half) - 1, b >> half
    ll, hh = multiply_tower(al, bl, half), multiply_tower(ah, bh, half)
    cross = multiply_tower(al, bh, half) ^ multiply_tower(ah, bl, half)
    return ll ^ multiply_tower(hh, c, half) | (cross ^ hh) << half


class Field:
    """Tables of products and inverses; inverse[0] is 0, which the core relies on for nothing but a defined value."""

    def __init__(self, bits):
        self.bits = bits
        self.size = 1 << bits
        self.product = [bytes(multiply_tower(a, b, bits) for b in range(self.size)) for a in range(self.size)]
        self.inverse = [0] + [row.index(1) for row in self.product[1:]]
        # Row a as a 256-byte table, so that bytes.translate multiplies a whole vector by a.
        self._tables = [row + bytes(256 - self.size) for row in self.product]

    def mul(self, a, b):
        return self.product[a][b]

    def scale(self, a, vector):
        """a times each element of a bytes vector."""
        return vector.translate(self._tables[a])

    def dot(self, row, vector):
        total = 0
        for a, b in zip(row, vector):
            total ^= self.product[a][b]
        return total

    def matrix_vector(self, matrix, vector):
        return [self.dot(row, vector) for row in matrix]

    def solve(self, matrix, columns):
        """Gauss-Jordan elimination of [matrix | columns]: the solution columns as rows of bytes, or None if singular."""
        size = len(matrix)
        work = [bytes(row) + bytes(extra) for row, extra in zip(matrix, columns)]
        for column in range(size):
            pivot = next((r for r in range(column, size) if work[r][column]), None)
            if pivot is None:
                return None
            work[column], work[pivot] = work[pivot], work[column]
            work[column] = self.scale(self.inverse[work[column][column]], work[column])
            for r in range(size):
                if r != column and work[r][column]:
                    work[r] = xor(work[r], self.scale(work[r][column], work[column]))
        return [row[size:] for row in work]

    def invert(self, matrix):
        size = len(matrix)
        return self.solve(matrix, [[int(i == j) for j in range(size)] for i in range(size)])


def xor(a, b):
    """Sum of two bytes vectors."""
    return (int.from_bytes(a, "little") ^ int.from_bytes(b, "little")).to_bytes(len(a), "little")


GF16 = Field(4)
GF256 = Field(8)
FIELDS = {4: GF16, 8: GF256}
