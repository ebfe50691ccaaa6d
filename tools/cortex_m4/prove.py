# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves the kernels' machine code equal to what they are to compute: for all values of the vectors, which are unknowns (linear_machine.py), and for
every scalar in turn. Numbers of vectors and blocks, strides and alignments are those listed here, each with random scalars: every loop of a kernel is
gone through, not every number of its turns."""

import random

from . import build
from .linear_machine import Machine, NotLinear, bits_of, unknown

OUT, VECTORS, SCALARS, ENTRIES = 0x20010000, 0x20020000, 0x20030000, 0x20040000


def tower(a, b, bits):
    """Each storey adjoins t with t² = t + c to the one below: x, y, X with c = 1, x, xy. An element is low + high·t."""
    if bits == 1:
        return a & b
    half = bits // 2
    c, ones = {1: 1, 2: 2, 4: 8}[half], (1 << half) - 1
    low, high = tower(a & ones, b & ones, half), tower(a >> half, b >> half, half)
    crossed = tower(a & ones, b >> half, half) ^ tower(a >> half, b & ones, half)
    return low ^ tower(high, c, half) | (crossed ^ high) << half


def polynomial(a, b, bits, modulus):
    """In GF(2)[x] modulo x^bits + modulus."""
    product = 0
    for k in reversed(range(bits)):
        product = product << 1 ^ (a if b >> k & 1 else 0)
        product = product ^ (modulus | 1 << bits) if product >> bits else product
    return product


FIELDS = {"gf16_tower": (4, lambda a, b: tower(a, b, 4)), "gf16_polynomial": (4, lambda a, b: polynomial(a, b, 4, 0x3)),
          "gf256_tower": (8, lambda a, b: tower(a, b, 8)), "gf256_aes": (8, lambda a, b: polynomial(a, b, 8, 0x1b))}


def scaled(field, scalar, sums):
    """The scalar times packed elements, whose bits are sums."""
    bits, multiply = FIELDS[field]
    columns, out = [multiply(scalar, 1 << k) for k in range(bits)], []
    for start in range(0, len(sums), bits):
        for i in range(bits):
            total = 0
            for k in range(bits):
                total ^= sums[start + k] if columns[k] >> i & 1 else 0
            out.append(total)
    return out


def add(a, b):
    return [x ^ y for x, y in zip(a, b)]


class Unknowns:
    """Memory full of unknowns, each used once."""

    def __init__(self, machine):
        self.machine, self.used = machine, 0

    def fill(self, address, words):
        """The sums that now stand at the address."""
        sums = []
        for k in range(words):
            word = unknown(self.used)
            self.used += 32
            self.machine.write(address + 4 * k, word)
            sums += bits_of(word)
        return sums


def expect(got, wanted, what):
    if list(got) != list(wanted):
        raise NotLinear(f"{what}: another result")


def sums_at(machine, address, words):
    return [bit for k in range(words) for bit in bits_of(machine.read(address + 4 * k, 4))]


def combine(program, field, scalars, stride, blocks, offset=0):
    """One call of combine_<field>.S (cortex_m4.h)."""
    machine = Machine(program)
    unknowns, vectors = Unknowns(machine), VECTORS + offset
    entry = machine.load(f"mb_m4_combine_{field}")
    wanted = unknowns.fill(OUT, 2 * blocks)
    for j, scalar in enumerate(scalars):
        wanted = add(wanted, scaled(field, scalar, unknowns.fill(vectors + j * stride, 2 * blocks)))
        machine.write(SCALARS + j, scalar, 1)
    for j in range(len(scalars), len(scalars) + 4):
        machine.write(SCALARS + j, 0, 1)  # may be read with the last ones
    machine.call(entry, OUT, vectors, stride, SCALARS, len(scalars), blocks)
    expect(sums_at(machine, OUT, 2 * blocks), wanted, f"combine_{field} of {len(scalars)}, stride {stride}, {blocks} blocks")


def prove_combine(program, field, randomness):
    bits = FIELDS[field][0]
    count = 0
    for scalar in range(1 << bits):
        combine(program, field, [scalar], 8, 1)
        count += 1
    for vectors in range(1, 14):
        for stride, offset, blocks in ((16, 0, 1), (24, 0, 2), (32, 0, 4), (512, 0, 2), (40, 3, 3), (16, 2, 2)):
            combine(program, field, [randomness.randrange(1 << bits) for _ in range(vectors)], max(stride, 8 * blocks), blocks, offset)
            count += 1
    return count


def combine_special(program, symbol, arguments, scalars, stride, blocks, packed, offset=0):
    """One call of a kernel for Rainbow I's shapes: scalars packed or one a byte, the stride given or known."""
    machine = Machine(program)
    unknowns, vectors, field = Unknowns(machine), VECTORS + offset, "gf16_tower"
    entry = machine.load(symbol)
    wanted = unknowns.fill(OUT, 2 * blocks)
    for j in range(0, len(scalars), 8):
        machine.write(SCALARS + j // 2, sum(scalar << 4 * k for k, scalar in enumerate(scalars[j:j + 8])))
    for j, scalar in enumerate(scalars):
        wanted = add(wanted, scaled(field, scalar, unknowns.fill(vectors + j * stride, 2 * blocks)))
        if not packed:
            machine.write(SCALARS + j, scalar, 1)
    machine.call(entry, OUT, vectors, *arguments, SCALARS, len(scalars), blocks)
    expect(sums_at(machine, OUT, 2 * blocks), wanted, f"{symbol} of {len(scalars)}, {blocks} blocks")


def prove_packed(program, _, randomness):
    count = 0
    for vectors in [*range(1, 40), 666]:
        for blocks in (1, 2):
            combine_special(program, "mb_m4_combine_packed_gf16_tower", [16], [randomness.randrange(16) for _ in range(vectors)], 16, blocks, True)
            count += 1
    for scalar in range(16):
        combine_special(program, "mb_m4_combine_packed_gf16_tower", [16], [scalar], 16, 1, True, 3)
        count += 1
    return count


def prove_rows(program, _, randomness):
    count = 0
    for vectors in (32, 36):
        for blocks in (1, 3):
            combine_special(program, "mb_m4_combine_rows_gf16_tower", [], [randomness.randrange(16) for _ in range(vectors)], 512, blocks, False)
            count += 1
        for scalar in range(16):
            combine_special(program, "mb_m4_combine_rows_gf16_tower", [], [scalar] * vectors, 512, 1, False)
            count += 1
    return count


def prove_times(program, field, _):
    machine = Machine(program)
    entry = machine.load(f"products_times_{field}")
    bits = FIELDS[field][0]
    for scalar in range(1 << bits):
        word = unknown(0)
        expect(bits_of(machine.call(entry, scalar, word)), scaled(field, scalar, bits_of(word)), f"times {scalar}")
    return 1 << bits


def prove_spread(program, field, _):
    machine = Machine(program)
    entry, word = machine.load(f"products_spread_{field}"), unknown(0)
    machine.call(entry, OUT, word)
    for k in range(FIELDS[field][0]):
        expect(sums_at(machine, OUT + 4 * k, 1), scaled(field, 1 << k, bits_of(word)), f"basis element {k}")
    return 1


def prove_eliminate(program, _, randomness):
    """eliminate.S: each column ^= the multiples that the upper four bits of its entry choose, all of which are unknown but these bits."""
    count = 0
    for columns in range(1, 8):
        for stride in (8, 16, 24, 36):
            for first in range(16):
                machine = Machine(program)
                unknowns, entry = Unknowns(machine), machine.load("mb_m4_eliminate")
                multiple = unknowns.fill(OUT, 8)
                wanted = []
                for j in range(columns):
                    chosen = first if j == 0 else randomness.randrange(16)
                    column = unknowns.fill(VECTORS + j * stride, 2)
                    machine.write(ENTRIES + 4 * j, chosen << 28)
                    for k in range(4):
                        if chosen >> k & 1:
                            column = add(column, multiple[32 * (4 + k):32 * (5 + k)] + multiple[32 * k:32 * (k + 1)])
                    wanted.append(column)
                machine.call(entry, VECTORS, stride, OUT, ENTRIES, columns)
                for j in range(columns):
                    expect(sums_at(machine, VECTORS + j * stride, 2), wanted[j], f"eliminate, column {j} of {columns}")
                count += 1
    return count


def prove_eliminate_by_row(program, _, randomness):
    """eliminate_by_row.S: the same by four known bits of the row itself, which is unknown in all else."""
    count = 0
    for rows in (1, 2, 3):
        for place in range(0, 64, 4):
            for kept in (0, ENTRIES):
                for first in range(16):
                    machine = Machine(program)
                    unknowns, entry = Unknowns(machine), machine.load("mb_m4_eliminate_by_row")
                    multiple, wanted, entries = unknowns.fill(OUT, 8), [], []
                    for j in range(rows):
                        chosen = first if j == 0 else randomness.randrange(16)
                        row = unknowns.fill(VECTORS + 16 * j, 2)
                        row[place:place + 4] = [chosen >> k & 1 for k in range(4)]
                        for k in range(2):
                            machine.write(VECTORS + 16 * j + 4 * k, tuple(row[32 * k:32 * (k + 1)]))
                        for k in range(4):
                            if chosen >> k & 1:
                                row = add(row, multiple[32 * (4 + k):32 * (5 + k)] + multiple[32 * k:32 * (k + 1)])
                        wanted.append(row)
                        entries.append(chosen)
                    machine.call(entry, VECTORS, place, OUT, kept, rows)
                    for j in range(rows):
                        expect(sums_at(machine, VECTORS + 16 * j, 2), wanted[j], f"eliminate_by_row, row {j} of {rows}, place {place}")
                        if kept:
                            expect(sums_at(machine, ENTRIES + 4 * j, 1)[28:], [entries[j] >> k & 1 for k in range(4)], "an entry")
                    count += 1
    return count


def proofs():
    """(what, program, function, field) of each."""
    station, products = build.station("mps2_an386"), build.FIRMWARE / "products_mps2_an386.elf"
    for field in FIELDS:
        yield f"combine_{field}.S", station, prove_combine, field
        yield f"words.h, {field}, times a scalar", products, prove_times, field
        yield f"words.h, {field}, times the basis", products, prove_spread, field
    yield "combine_packed_gf16_tower.S", station, prove_packed, None
    yield "combine_rows_gf16_tower.S", station, prove_rows, None
    yield "eliminate.S", station, prove_eliminate, None
    yield "eliminate_by_row.S", station, prove_eliminate_by_row, None


def refused(station, products):
    """(what, call) of what must not be proved: a kernel of another field, and a product of two unknowns."""
    def unknown_scalar():
        machine = Machine(products)
        machine.call(machine.load("products_times_gf16_tower"), unknown(0), unknown(32))

    def other_field():
        machine, word = Machine(products), unknown(0)
        expect(bits_of(machine.call(machine.load("products_times_gf16_tower"), 2, word)), scaled("gf16_polynomial", 2, bits_of(word)), "times x")

    def unknown_scalars():
        machine = Machine(station)
        entry, unknowns = machine.load("mb_m4_combine_gf16_tower"), Unknowns(machine)
        for address in (OUT, VECTORS, SCALARS):
            unknowns.fill(address, 2)
        machine.call(entry, OUT, VECTORS, 8, SCALARS, 4, 1)

    return ("a product in another field", other_field), ("a scalar that is unknown", unknown_scalar), ("a kernel's unknown scalars", unknown_scalars)


def run_all(say):
    """How many could not be proved, or were though wrong."""
    wrong = 0
    for what, call in refused(build.station("mps2_an386"), build.FIRMWARE / "products_mps2_an386.elf"):
        try:
            call()
            say(f"{what}: NOT REFUSED")
            wrong += 1
        except NotLinear as error:
            say(f"{what}: refused: {error}")
    for what, program, prove, field in proofs():
        try:
            say(f"{what}: equal for all vectors, in {prove(program, field, random.Random(6))} runs")
        except NotLinear as error:
            say(f"{what}: NOT PROVED: {error}")
            wrong += 1
    return wrong
