# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs Thumb machine code on unknowns: a bit is a sum over GF(2) of unknown bits and a constant. So one run holds for all values of the unknowns.

Enough instructions for code whose operations on unknown words are linear: exclusive or, shifts, masks that are known. Anything else done to an
unknown (a branch, a condition, an address, a sum, the conjunction of two unknowns) stops the run, which therefore also shows that none of these
depends on an unknown."""

import re
import subprocess

from .profile import ARM

WORD = 32
MASK = (1 << WORD) - 1
CONDITIONS = {"eq": lambda f: f["z"] == 1, "ne": lambda f: f["z"] == 0, "cs": lambda f: f["c"] == 1, "cc": lambda f: f["c"] == 0,
              "mi": lambda f: f["n"] == 1, "pl": lambda f: f["n"] == 0, "hi": lambda f: f["c"] == 1 and f["z"] == 0,
              "ls": lambda f: f["c"] == 0 or f["z"] == 1, "ge": lambda f: f["n"] == f["v"], "lt": lambda f: f["n"] != f["v"],
              "gt": lambda f: f["z"] == 0 and f["n"] == f["v"], "le": lambda f: f["z"] == 1 or f["n"] != f["v"]}
FLAGS_READ = {"eq": "z", "ne": "z", "cs": "c", "cc": "c", "mi": "n", "pl": "n", "hi": "cz", "ls": "cz", "ge": "nv", "lt": "nv",
              "gt": "znv", "le": "znv"}
NAMES = {"sl": 10, "fp": 11, "ip": 12, "sp": 13, "lr": 14, "pc": 15, "sb": 9}
RETURN_TO = 0xfffffffe


class NotLinear(Exception):
    """The code does something to an unknown that is not linear, or is beyond this machine."""


# A word is an integer if it is known, else a tuple of 32 sums, lowest bit first. Bit 0 of a sum is its constant, bit 1 + u stands for unknown u.
def bits_of(word):
    return tuple(word >> k & 1 for k in range(WORD)) if isinstance(word, int) else word


def word_of(bits):
    return sum(bit << k for k, bit in enumerate(bits)) if all(bit < 2 for bit in bits) else tuple(bits)


def xor(a, b):
    return a ^ b if isinstance(a, int) and isinstance(b, int) else word_of([x ^ y for x, y in zip(bits_of(a), bits_of(b))])


def conjunction(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return a & b
    out = []
    for x, y in zip(bits_of(a), bits_of(b)):
        if x > 1 and y > 1:
            raise NotLinear("a conjunction of unknowns")
        out.append(0 if x == 0 or y == 0 else y if x == 1 else x)
    return word_of(out)


def disjunction(a, b):
    return xor(xor(a, b), conjunction(a, b))


def shift(word, kind, amount):
    """The shifted word, and the bit that left it last (None: none did)."""
    bits = bits_of(word)
    if amount == 0:
        return word, None
    if kind == "lsl":
        return word_of([0] * min(amount, WORD) + list(bits[:max(WORD - amount, 0)])), bits[WORD - amount] if amount <= WORD else 0
    if kind == "ror":
        return word_of(bits[amount % WORD:] + bits[:amount % WORD]), bits[(amount - 1) % WORD]
    fill = bits[-1] if kind == "asr" else 0
    return word_of(list(bits[amount:]) + [fill] * min(amount, WORD)), bits[amount - 1] if amount <= WORD else fill


def unknown(first):
    """A word of the unknowns from `first` on."""
    return tuple(1 << (1 + first + k) for k in range(WORD))


def number(word, what):
    if not isinstance(word, int):
        raise NotLinear(f"{what} depends on an unknown")
    return word


class Machine:
    """Registers, memory and the program; call() runs a function to its end."""

    def __init__(self, program):
        self.program, self.code, self.order = program, {}, {}
        self.registers, self.floats, self.memory, self.flags = [0] * 16, [0] * 32, {}, {}
        self.condition_queue, self.current = [], 0

    def load(self, symbol):
        """The instructions of a function."""
        text = subprocess.run([f"{ARM}objdump", "-d", "--no-show-raw-insn", f"--disassemble={symbol}", str(self.program)],
                              capture_output=True, text=True, check=True).stdout
        found = [re.match(r"\s*([0-9a-f]+):\t(\S+)\s*([^@;]*)", line) for line in text.splitlines()]
        lines = [(int(m[1], 16), m[2], m[3].strip()) for m in found if m]
        for (address, mnemonic, operands), following in zip(lines, [*[line[0] for line in lines[1:]], None]):
            self.code[address] = mnemonic, operands, following
        return lines[0][0]

    # ---- memory, by bytes of eight sums

    def read(self, address, size):
        address = number(address, "an address")
        bits = []
        for k in range(size):
            if address + k not in self.memory:
                raise NotLinear(f"a read of {address + k:#x}, where nothing was put")
            bits += self.memory[address + k]
        return word_of(bits + [0] * (WORD - 8 * size))

    def write(self, address, word, size=4):
        address, bits = number(address, "an address"), bits_of(word)
        for k in range(size):
            self.memory[address + k] = list(bits[8 * k:8 * k + 8])

    # ---- operands

    @staticmethod
    def index(name):
        return NAMES[name] if name in NAMES else int(name[1:])

    def get(self, name):
        name = name.strip()
        if name == "pc":  # of an address beside the code: the instruction's own and 4, down to a word [ARMv7-M ARM §A5.1.2]
            return (self.current + 4) & ~3
        if name.startswith("s") and name[1:].isdigit():
            return self.floats[int(name[1:])]
        return int(name[1:], 0) & MASK if name.startswith("#") else self.registers[self.index(name)]

    def put(self, name, word):
        if name.startswith("s") and name[1:].isdigit():
            self.floats[int(name[1:])] = word
        elif name == "pc":
            self.registers[15] = number(word, "a branch") & ~1
        else:
            self.registers[self.index(name)] = word

    def second(self, parts):
        """An operand that may be shifted, and the carry that it gives."""
        if len(parts) == 1:
            return self.get(parts[0]), None
        kind, amount = parts[1].split()
        return shift(self.get(parts[0]), kind, int(amount[1:], 0))

    def set_flags(self, word, carry=None):
        known = isinstance(word, int)
        self.flags["n"] = word >> 31 if known else bits_of(word)[31] if bits_of(word)[31] < 2 else None
        self.flags["z"] = int(word == 0) if known else None
        if carry is not None:
            self.flags["c"] = carry if carry < 2 else None

    def add(self, a, b, carry, sets):
        a, b = number(a, "a sum"), number(b, "a sum")
        total = a + b + carry
        if sets:
            word = total & MASK
            self.set_flags(word, total >> WORD)
            self.flags["v"] = (~(a ^ b) & (a ^ word)) >> 31 & 1
        return total & MASK

    def holds(self, condition):
        if any(self.flags.get(flag) is None for flag in FLAGS_READ[condition]):
            raise NotLinear(f"the condition {condition} depends on an unknown")
        return CONDITIONS[condition](self.flags)

    # ---- instructions

    def call(self, address, *arguments):
        self.registers[13] = 0x20400000 - 4 * max(0, len(arguments) - 4)
        for k, argument in enumerate(arguments):
            if k < 4:
                self.registers[k] = argument
            else:
                self.write(self.registers[13] + 4 * (k - 4), argument)
        self.registers[14] = RETURN_TO | 1
        self.condition_queue = []
        self.registers[15] = address
        while self.registers[15] != RETURN_TO:
            self.step()
        return self.registers[0]

    def step(self):
        address = self.registers[15]
        if address not in self.code:
            raise NotLinear(f"{address:#x} is no instruction of the functions that were loaded")
        self.current = address
        mnemonic, operands, following = self.code[address]
        self.registers[15] = following
        base = mnemonic.removesuffix(".w").removesuffix(".n")
        if re.fullmatch(r"it[te]{0,3}", base):
            other = {"eq": "ne", "cs": "cc", "mi": "pl", "hi": "ls", "ge": "lt", "gt": "le"}
            other |= {b: a for a, b in other.items()}
            self.condition_queue = [operands if letter == "t" else other[operands] for letter in base[1:]]
            return
        if self.condition_queue:
            condition = self.condition_queue.pop(0)
            if not base.endswith(condition):
                raise NotLinear(f"{mnemonic} where {condition} was expected")
            if self.holds(condition):
                self.execute(base.removesuffix(condition), operands, address, within_it=True)
            return
        self.execute(base, operands, address)

    def execute(self, base, operands, address, within_it=False):
        parts = [part.strip() for part in re.split(r",\s*(?![^\[{]*[\]}])", operands)] if operands else []
        if base == "nop":
            return
        if base in ("b", "bx") or (base[0] == "b" and base[1:] in CONDITIONS):
            if base[0] == "b" and base[1:] in CONDITIONS and not self.holds(base[1:]):
                return
            to = self.registers[self.index(parts[0])] if base == "bx" else int(parts[0].split()[0], 16)
            self.registers[15] = number(to, "a branch") & ~1
        elif base in ("cbz", "cbnz"):
            if (number(self.get(parts[0]), "a branch") == 0) == (base == "cbz"):
                self.registers[15] = int(parts[1].split()[0], 16)
        elif base in ("cmp", "tst"):
            value = self.second(parts[1:])[0]
            if base == "cmp":
                self.add(self.get(parts[0]), number(value, "a comparison") ^ MASK, 1, True)
            else:
                self.set_flags(conjunction(self.get(parts[0]), value))
        elif base == "vmov":
            self.put(parts[0], self.get(parts[1]))
        elif base[:3] in ("ldr", "str", "ldm", "stm", "pus", "pop") or base[:4] in ("vldm", "vstm", "vpus", "vpop"):
            self.move(base, parts, operands)
        else:
            self.compute(base, parts, within_it, address)

    def compute(self, base, parts, within_it, address):
        sets = base.endswith("s") and base not in ("bics",) or base == "bics"
        name = base.removesuffix("s") if sets else base
        sets = sets and not within_it
        if name in ("mov", "mvn"):
            word, carry = self.second(parts[1:])
            word = xor(word, MASK) if name == "mvn" else word
        elif name in ("lsl", "lsr", "asr", "ror"):
            source, amount = (parts[0], parts[1]) if len(parts) == 2 else (parts[1], parts[2])
            word, carry = shift(self.get(source), name, number(self.get(amount), "a shift") & 0xff)
        elif name == "rev":
            bits = bits_of(self.get(parts[1]))
            word, carry = word_of(bits[24:] + bits[16:24] + bits[8:16] + bits[:8]), None
        elif name in ("uxtb", "uxth", "ubfx", "sbfx"):
            low, width = (0, {"uxtb": 8, "uxth": 16}[name]) if name[0] == "u" and name[1] == "x" else (self.get(parts[2]), self.get(parts[3]))
            bits = bits_of(self.get(parts[1]))[low:low + width]
            word, carry = word_of(list(bits) + [bits[-1] if name == "sbfx" else 0] * (WORD - width)), None
        elif name in ("eor", "and", "bic", "orr"):
            first = self.get(parts[0] if len(parts) == 2 else parts[1])
            value, carry = self.second(parts[1:] if len(parts) == 2 else parts[2:])
            word = {"eor": xor, "and": conjunction, "orr": disjunction,
                    "bic": lambda a, b: conjunction(a, xor(b, MASK))}[name](first, value)
        elif name in ("add", "sub", "rsb", "addw", "subw"):
            short = len(parts) == 2
            first = self.get(parts[0] if short else parts[1])
            value = self.second(parts[1:] if short else parts[2:])[0]
            if name == "rsb":
                first, value = value, first
            minus = name in ("sub", "subw", "rsb")
            value = number(value, "a sum") ^ (MASK if minus else 0)
            self.put(parts[0], self.add(first, value, int(minus), sets))
            return
        elif name in ("mul", "mla"):
            word = number(self.get(parts[1]), "a product") * number(self.get(parts[-1 if name == "mul" else 2]), "a product")
            word, carry = (word + (number(self.get(parts[3]), "a sum") if name == "mla" else 0)) & MASK, None
        elif name == "neg":
            word, carry = -number(self.get(parts[1]), "a sum") & MASK, None
        else:
            raise NotLinear(f"{address:#x}: {base} is not known to this machine")
        self.put(parts[0], word)
        if sets:
            self.set_flags(word, carry)

    def move(self, base, parts, operands):
        """Loads and stores."""
        base = base.removeprefix("v")
        if base in ("push", "pop") or base[:3] in ("ldm", "stm"):
            listed, names = re.search(r"{(.*)}", operands)[1], []
            for name in listed.split(","):
                first, _, last = name.strip().partition("-")
                names += [f"s{k}" for k in range(int(first[1:]), int(last[1:]) + 1)] if last else [first]
            pointer = "sp" if base in ("push", "pop") else parts[0].rstrip("!")
            back = base in ("push", "pop") or parts[0].endswith("!")
            at = number(self.get(pointer), "an address")
            down = base == "push" or base == "stmdb"
            start = at - 4 * len(names) if down else at
            if back:
                self.put(pointer, start if down else at + 4 * len(names))
            for k, name in enumerate(names):
                if base == "push" or base[:3] == "stm":
                    self.write(start + 4 * k, self.get(name))
                else:
                    self.put(name, self.read(start + 4 * k, 4))
            return
        double = base in ("ldrd", "strd")
        size = {"b": 1, "h": 2}.get(base[3:], 4)
        place, after = parts[2 if double else 1], parts[3 if double else 2:]
        inside = [part.strip() for part in place.rstrip("!").strip("[]").split(",")]
        pointer, offset = self.get(inside[0]), 0
        if len(inside) > 1:
            offset = self.second(inside[1:])[0]
        at = (number(pointer, "an address") + number(offset, "an address")) & MASK
        if place.endswith("!"):
            self.put(inside[0], at)
        if after:
            self.put(inside[0], (at + number(self.second(after)[0], "an address")) & MASK)
        for k, name in enumerate(parts[:2] if double else parts[:1]):
            if base.startswith("str"):
                self.write(at + 4 * k, self.get(name), size)
            else:
                self.put(name, self.read(at + 4 * k, size))
