# SPDX-License-Identifier: Apache-2.0 OR MIT
# The order in which the classic (2008) core takes the key: one beat of n + 1 elements for each row of a matrix.
# Per layer and equation: the message row, then one row for each known variable; at the end the rows of the output map.
"""A System without squares as the key stream of the classic core."""

SECRET_REGISTERS = ["u_mesh.a_q", "x_q", "parts_q", "unused_q"]


def key_rows(system):
    """Rows of n + 1 elements; the last element belongs to the constant, the last o before it to a layer's oils."""
    shape = system.shape
    assert shape.o1 == shape.o2 and not shape.squares and shape.m <= shape.n - shape.o1
    n, o = shape.n, shape.o1
    for layer in (0, 1):
        known = shape.known(layer)
        for k in range(o):
            message, mixed, pairs = system.message_map[layer * o + k], system.layers[layer].mixed[k], system.layers[layer].pairs[k]
            # Starts the equation: its constant, and the linear terms of its oils.
            yield message[:-1] + [0] * (n - o - shape.m) + [mixed[j][0] for j in range(o)] + [message[-1]]
            for a in range(1, known):
                yield ([pairs[b, a] for b in range(1, a)] + [0] * (n - o - a + 1) + [mixed[j][a] for j in range(o)] + [pairs[0, a]])
    for row in system.output_map:
        yield row[1:] + [row[0]]


def key_beats(system):
    """Each row as an integer, the first element in the least significant bits."""
    return [sum(e << i * system.shape.bits for i, e in enumerate(row)) for row in key_rows(system)]
