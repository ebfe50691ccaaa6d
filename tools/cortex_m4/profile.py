# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cycles (or whatever a plugin counts) by function, from the blocks that it counted. For other processors: the prefix of their binutils."""

import bisect
import collections
import subprocess

ARM = "arm-none-eabi-"  # whose addresses of functions are odd


def functions(program, prefix=ARM):
    """Start addresses and names of the program's functions, in order."""
    text = subprocess.run([f"{prefix}nm", "--defined-only", str(program)], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        address, kind, name = line.split()
        if kind in "tTwWi" and not name.startswith("$"):
            found[int(address, 16) & ~(prefix == ARM)] = name
    return sorted(found), found


def by_function(program, blocks, prefix=ARM):
    """(name, cycles, executions of its entry) of each function, most cycles first."""
    starts, names = functions(program, prefix)
    cycles, calls = collections.Counter(), collections.Counter()
    for block in blocks:
        position = bisect.bisect_right(starts, block["block"]) - 1
        name = names[starts[position]] if position >= 0 else "?"
        cycles[name] += (sum(block["costs"]) * block["executions"] + block["extra"]) / block["unit"]
        if position >= 0 and starts[position] == block["block"]:
            calls[name] += block["executions"]
    return [(name, round(count), calls[name]) for name, count in cycles.most_common()]


def extent(program, blocks, function, prefix):
    """[start, end) of the function of this name that ran most: backends have functions of the same names."""
    starts, names = functions(program, prefix)
    ran = collections.Counter()
    for block in blocks:
        position = bisect.bisect_right(starts, block["block"]) - 1
        if position >= 0 and names[starts[position]] == function:
            ran[position] += sum(block["costs"]) * block["executions"] + block["extra"]
    if not ran:
        raise ValueError(f"no function {function} ran")
    position = ran.most_common(1)[0][0]
    return starts[position], starts[position + 1] if position + 1 < len(starts) else starts[position] + (1 << 20)


def annotate(program, blocks, function, prefix=ARM):
    """The function's disassembly; before each instruction its executions and the cycles that it took (without what its accesses
    and branches added as they ran, which stands at the block's first instruction)."""
    at = collections.defaultdict(lambda: [0, 0.0, 0.0])
    start, end = extent(program, blocks, function, prefix)
    text = subprocess.run([f"{prefix}objdump", "-d", "--no-show-raw-insn", f"--start-address={start}", f"--stop-address={end}", str(program)],
                          capture_output=True, text=True, check=True).stdout
    code = [(int(line.split(":")[0], 16), line) for line in text.splitlines() if line.startswith(" ") and ":" in line]
    addresses = [address for address, _ in code]
    for block in blocks:
        position = bisect.bisect_left(addresses, block["block"])
        if position < len(addresses) and addresses[position] == block["block"]:
            at[block["block"]][2] += block["extra"] / block["unit"]
            for address, cost in zip(addresses[position:], block["costs"]):
                at[address][0] += block["executions"]
                at[address][1] += cost * block["executions"] / block["unit"]
    return [f"{at[address][0]:>10} {at[address][1]:>12.0f} {at[address][2]:>10.0f} {line}" for address, line in code]
