# SPDX-License-Identifier: Apache-2.0 OR MIT
# Third-round Rainbow as the core performs it: the software draws the vinegars and hashes with the salt, the core does the rest [RB3 §6].
# Reads the classic or circumzenithal secret key of the library [RB3 §5, Keys].
"""A third-round secret key as a System; packing of GF(16) vectors."""

from .system import Layer, System

SEED_BYTES = 32
SALT_BYTES = 16


def unpack(shape, data):
    """Packed bytes to elements [RB3 §2]."""
    return [e for b in data for e in (b & 15, b >> 4)] if shape.bits == 4 else list(data)


def pack(shape, elements):
    if shape.bits == 4:
        return bytes(low | high << 4 for low, high in zip(elements[0::2], elements[1::2]))
    return bytes(elements)


def secret_key_bytes(shape):
    v, o1, o2 = shape.v1, shape.o1, shape.o2
    matrices = o1 * o2 * 2 + v * o1 + v * o2
    layer1 = o1 * (v * (v + 1) // 2 + v * o1)
    layer2 = o2 * (v * (v + 1) // 2 + v * o1 + v * o2 + o1 * (o1 + 1) // 2 + o1 * o2)
    return SEED_BYTES + (matrices + layer1 + layer2) * shape.bits // 8


def system_from_secret_key(shape, secret_key):
    """The System of a secret key: message map [I S1; 0 I], output map T⁻¹ = [I T1 T4; 0 I T3; 0 0 I] [RB3 §4]."""
    if len(secret_key) != secret_key_bytes(shape):
        raise ValueError("not a classic or circumzenithal secret key of this set")
    elements = iter(unpack(shape, secret_key[SEED_BYTES:]))
    v, o1, o2, n, m = shape.v1, shape.o1, shape.o2, shape.n, shape.m

    def columns(rows, count):
        by_column = [[next(elements) for _ in range(rows)] for _ in range(count)]
        return [[column[r] for column in by_column] for r in range(rows)]

    s1, t1, t4, t3 = columns(o1, o2), columns(v, o1), columns(v, o2), columns(o1, o2)
    groups = {"v": range(v), "o": range(v, v + o1), "p": range(v + o1, n)}
    layers = []
    for l, blocks in enumerate((("vv", "vo"), ("vv", "vo", "vp", "oo", "op"))):
        known, oils, layer = shape.known(l), shape.oils(l), Layer()
        layer.pairs = [{} for _ in range(oils)]
        layer.mixed = [[[0] * known for _ in range(oils)] for _ in range(oils)]
        for first, second in blocks:
            for i in groups[first]:
                for j in groups[second]:
                    if i > j:
                        continue
                    for k in range(oils):
                        value = next(elements)
                        if j + 1 < known:
                            layer.pairs[k][i + 1, j + 1] = value
                        else:
                            layer.mixed[k][j + 1 - known][i + 1] = value
        layers.append(layer)
    unit = lambda size, i: [int(i == j) for j in range(size)]
    message_map = [unit(o1, i) + s1[i] + [0] for i in range(o1)] + [unit(m + 1, o1 + i) for i in range(o2)]
    output_map = [[0] + unit(v, i) + t1[i] + t4[i] for i in range(v)]
    output_map += [[0] + [0] * v + unit(o1, i) + t3[i] for i in range(o1)]
    output_map += [[0] + [0] * (v + o1) + unit(o2, i) for i in range(o2)]
    return System(shape, message_map, layers, output_map)
