# SPDX-License-Identifier: Apache-2.0 OR MIT
# Floor plan, placement and clock tree of a mapped netlist on the OSU 0.35 µm cells, written as DEF for the router: used by layout.py.
# Placement is Coloquinte's (PyPI: coloquinte); its coordinates here are sites across (1.6 µm) and twelfths of a row upwards.
"""Place a netlist and build its clock tree."""

import json
import math
import re
from collections import defaultdict
from pathlib import Path

import coloquinte

import geometry

SITE, ROW = 1.6, 20.0             # µm
UNITS = ROW / 12                  # µm of a vertical unit
TRACKS = [("metal1", "Y", 2.0), ("metal2", "X", 1.6), ("metal3", "Y", 2.0), ("metal4", "X", 3.2)]
ORIGIN = (0.8 + 16 * SITE, 1.0 + 20 * 2.0)  # of the cells: half a pitch off the tracks, so that their pins lie on them
STRIPE_PITCH, STRIPE_SITES, STRIPE_WIDTH = 96, 4, 4.8  # sites, sites, µm: power stripes in metal4, with fill cells and vias below
FLOPS_A_BUFFER, BUFFERS_A_BUFFER = 12, 8
LEAF, BRANCH, TRUNK = "CLKBUF1", "CLKBUF2", "CLKBUF3"
STRONG, STRONGEST = "BUFX4", ("BUFX4", "INVX8")  # what drives long nets; what needs no help
WIRE_PF, PIN_PF = 1e-4, 0.02  # load of a µm of wire and, roughly, of a pin


def read_lef():
    """{macro: (sites, {pin: (direction, x, y)})} of the core cells, x and y a point of the pin in µm."""
    cells = {}
    for name, text, width, height in geometry.macros():
        if height != geometry.UNITS * ROW:
            continue
        pins = {}
        for pin in re.finditer(r"^  PIN (\w+)\n(.*?)^  END \1", text, re.M | re.S):
            x0, y0, x1, y1 = map(float, re.search(r"RECT (\S+) (\S+) (\S+) (\S+) ;", pin[2]).groups())
            pins[pin[1]] = (re.search(r"DIRECTION (\w+)", pin[2])[1], (x0 + x1) / 2, (y0 + y1) / 2)
        cells[name] = (round(width / geometry.UNITS / SITE), pins)
    return cells


class Netlist:
    """Cells, ports and nets, with names that need no escapes in any format. A net is a list of (cell, pin) and (None, port)."""

    def __init__(self, path, top, macros):
        module = json.loads(Path(path).read_text())["modules"][top]
        self.macros, self.top = macros, top
        self.kinds, self.nets, self.ports = [], {}, {}
        names, aliases = {"0": "gnd", "1": "vdd", "x": "gnd"}, []
        for name, port in module["ports"].items():
            for i, bit in enumerate(port["bits"]):
                scalar = name if len(port["bits"]) == 1 else f"{name}_{i}_"
                self.ports[scalar] = port["direction"]
                if bit in names:
                    aliases.append((scalar, names[bit]))
                else:
                    names[bit] = scalar
        for port, net in aliases:  # two ports on one net, or a constant: a buffer between
            self.add("BUFX2", {"A": net, "Y": port})
        read = {bit for name in ("cells", "ports") for item in module[name].values() for pin, bits in item.get("connections", {0: item.get("bits")}).items()
                for bit in bits if name == "ports" or macros[item["type"]][1][pin][0] == "INPUT"}
        for cell in module["cells"].values():
            if not any(bits[0] in read for pin, bits in cell["connections"].items() if macros[cell["type"]][1][pin][0] == "OUTPUT"):
                continue  # a buffer of an input that nothing reads
            self.add(cell["type"], {pin: names.setdefault(bits[0], f"n{bits[0]}") for pin, bits in cell["connections"].items()})
        for port in self.ports:
            self.nets.setdefault(port, []).append((None, port))

    def add(self, kind, connections):
        cell = len(self.kinds)
        self.kinds.append(kind)
        for pin, net in connections.items():
            self.nets.setdefault(net, []).append((cell, pin))
        return cell

    def name(self, cell):
        return f"{self.kinds[cell]}_{cell}"

    def driver(self, net):
        drives = lambda cell, pin: self.ports[pin] == "input" if cell is None else self.macros[self.kinds[cell]][1][pin][0] == "OUTPUT"
        return next((point for point in self.nets[net] if drives(*point)), None)

    def verilog(self):
        of_cell = [{} for _ in self.kinds]
        for net, points in self.nets.items():
            for cell, pin in points:
                if cell is not None:
                    of_cell[cell][pin] = {"gnd": "1'b0", "vdd": "1'b1"}.get(net, net)
        lines = [f"module {self.top} ({', '.join(self.ports)});", *(f"  {d} {p};" for p, d in self.ports.items())]
        lines += [f"  wire {net};" for net in self.nets if net not in self.ports and net not in ("gnd", "vdd")]
        for cell, connections in enumerate(of_cell):
            lines.append(f"  {self.kinds[cell]} {self.name(cell)} ({', '.join(f'.{p}({n})' for p, n in connections.items())});")
        return "\n".join([*lines, "endmodule", ""])


class Placement:
    """Positions of the cells, in sites and vertical units from ORIGIN, and of the ports, in µm."""

    def __init__(self, netlist, density, aspect=1.0, buffer_above=0.0):
        self.netlist, self.buffer_above, self.ports, self.clock_buffers, self.long_buffers, self.fills = netlist, buffer_above, {}, 0, 0, 0
        sites = sum(netlist.macros[k][0] for k in netlist.kinds) * 1.03 / density  # the clock tree comes later
        span = STRIPE_PITCH - STRIPE_SITES
        self.rows = 2 * math.ceil(math.sqrt(sites * STRIPE_PITCH / span * SITE * ROW * aspect) / ROW / 2)
        self.spans = math.ceil(sites / self.rows / span)  # between stripes
        self.rows = math.ceil(sites / self.spans / span)
        self.width = self.spans * STRIPE_PITCH + STRIPE_SITES

    def die(self):
        """Upper right corner, a multiple of all pitches of tracks."""
        up = lambda v: math.ceil(v / 16) * 16
        return up(ORIGIN[0] + self.width * SITE + 24), up(ORIGIN[1] + self.rows * ROW + 24)

    def half_perimeters(self):
        """Width and height of the boxes of all nets together, µm."""
        boxes = [list(zip(*map(self.point, points))) for net, points in self.netlist.nets.items() if len(points) > 1 and net not in ("gnd", "vdd")]
        return tuple(round(sum(max(box[i]) - min(box[i]) for box in boxes)) for i in (0, 1))

    def fill(self):
        """The share of the rows that cells cover."""
        return sum(self.netlist.macros[k][0] for k in self.netlist.kinds) / (self.rows * self.spans * (STRIPE_PITCH - STRIPE_SITES))

    def circuit(self, start=None):
        """A circuit of the placer: the cells, then the ports that have places."""
        netlist = self.netlist
        cells, ports = len(netlist.kinds), list(self.ports)
        c = coloquinte.Circuit(cells + len(ports))
        c.cell_width = [netlist.macros[k][0] for k in netlist.kinds] + [0] * len(ports)
        c.cell_height = [12] * cells + [0] * len(ports)
        c.cell_is_fixed = [False] * cells + [True] * len(ports)
        c.cell_is_obstruction = [True] * cells + [False] * len(ports)
        c.cell_row_polarity = [coloquinte.CellRowPolarity.SAME] * cells + [coloquinte.CellRowPolarity.ANY] * len(ports)
        place = [(round((x - ORIGIN[0]) / SITE), round((y - ORIGIN[1]) / UNITS)) for x, y, _ in self.ports.values()]
        at = (start or [(self.width // 2, self.rows * 6)] * cells) + place
        c.cell_x, c.cell_y = [x for x, _ in at], [y for _, y in at]
        c.cell_orientation = [coloquinte.CellOrientation.N] * (cells + len(ports))
        index = {p: cells + i for i, p in enumerate(ports)}
        for net, points in netlist.nets.items():
            if net in ("gnd", "vdd") or net == "clk_i" and not self.clock_buffers:
                continue
            points = [(cell, pin) for cell, pin in points if cell is not None or pin in index]
            if len(points) > 1:
                offsets = [(0, 0) if cell is None else netlist.macros[netlist.kinds[cell]][1][pin][1:] for cell, pin in points]
                c.add_net([index[pin] if cell is None else cell for cell, pin in points],
                          [int(x / SITE) for x, _ in offsets], [round(y / UNITS) for _, y in offsets])
        c.rows = [coloquinte.Row(coloquinte.Rectangle(STRIPE_SITES + s * STRIPE_PITCH, (s + 1) * STRIPE_PITCH, 12 * r, 12 * r + 12),
                                 coloquinte.CellOrientation.FS if r % 2 else coloquinte.CellOrientation.N)
                  for r in range(self.rows) for s in range(self.spans)]
        c.expand_cells_to_density(self.fill() + 0.8 * (1 - self.fill()), 0.0)  # spreads the free sites over the rows
        c.check()
        return c

    def where(self, circuit):
        return list(zip(circuit.cell_x, circuit.cell_y))[:len(self.netlist.kinds)]

    def place_ports(self, at):
        """Around the die at equal distances, in the order of the directions in which their cells lie."""
        (width, height), middle, netlist = self.die(), (self.width / 2, self.rows * 6), self.netlist
        angle = {}
        for port in netlist.ports:
            cells = [at[cell] for cell, _ in netlist.nets[port] if cell is not None] or [middle]
            x, y = (sum(v) / len(cells) for v in zip(*cells))
            angle[port] = math.atan2(y / middle[1] - 1, x / middle[0] - 1)
        slots = []
        for i in range(4, int(width / 3.2) - 3):
            slots += [(i * 3.2, 0.0, "metal2"), (i * 3.2, height, "metal2")]
        for i in range(4, int(height / 4) - 3):
            slots += [(0.0, i * 4.0, "metal3"), (width, i * 4.0, "metal3")]
        slots.sort(key=lambda s: math.atan2(2 * s[1] / height - 1, 2 * s[0] / width - 1))
        assert len(netlist.ports) <= len(slots), "more ports than places around the die"
        order = sorted(netlist.ports, key=lambda p: (angle[p], p))
        self.ports = {port: slots[i * len(slots) // len(order)] for i, port in enumerate(order)}

    def clock_tree(self, at):
        """Buffers over groups of flip-flops that lie together, and over groups of buffers; each starts in the middle of its group. Positions of all."""
        netlist, at = self.netlist, list(at)
        sinks = [(at[cell], cell, pin) for cell, pin in netlist.nets["clk_i"] if cell is not None]

        def divide(points, groups):
            if groups == 1:
                return [points]
            spread = [(max(p[0][i] for p in points) - min(p[0][i] for p in points)) * unit for i, unit in enumerate((SITE, UNITS))]
            axis = spread.index(max(spread))
            points = sorted(points, key=lambda p: (p[0][axis], p))
            cut = len(points) * (groups // 2) // groups
            return divide(points[:cut], groups // 2) + divide(points[cut:], groups - groups // 2)

        for kind, size in ((LEAF, FLOPS_A_BUFFER), (BRANCH, BUFFERS_A_BUFFER), (BRANCH, BUFFERS_A_BUFFER), (TRUNK, None)):
            if kind == BRANCH and len(sinks) <= size:
                continue
            above = []
            for group in divide(sinks, math.ceil(len(sinks) / size) if size else 1):
                net = f"clk_{self.clock_buffers}_"
                buffer = netlist.add(kind, {"A": "clk_i", "Y": net})
                netlist.nets[net] += [(cell, pin) for _, cell, pin in group]
                at.append(tuple(round(sum(v) / len(group)) for v in zip(*(p[0] for p in group))))
                above.append((at[-1], buffer, "A"))
                self.clock_buffers += 1
            moved = {(cell, pin) for _, cell, pin in sinks}
            netlist.nets["clk_i"] = [point for point in netlist.nets["clk_i"] if point not in moved]
            sinks = above
        return at

    def buffer_long_nets(self, at):
        """A strong buffer beside each cell that drives more than `buffer_above`: synthesis knows no wires. Positions of all cells."""
        self.at, netlist = list(at), self.netlist
        for net, points in list(netlist.nets.items()):
            driver = netlist.driver(net)
            if net in ("gnd", "vdd") or driver is None or driver[0] is None or netlist.kinds[driver[0]] in STRONGEST:
                continue
            wire = sum(max(v) - min(v) for v in zip(*map(self.point, points)))
            if wire * WIRE_PF + (len(points) - 1) * PIN_PF <= self.buffer_above:
                continue
            self.long_buffers += 1
            if netlist.kinds[driver[0]] == "BUFX2":
                netlist.kinds[driver[0]] = STRONG
                continue
            short = f"short_{self.long_buffers}_"
            netlist.add(STRONG, {"A": short, "Y": net})
            points.remove(driver)
            netlist.nets[short].append(driver)
            self.at.append(self.at[driver[0]])
        return self.at

    def run(self, effort=4):
        first = self.circuit()
        first.place_global(effort)
        self.place_ports(self.where(first))
        second = self.circuit()
        second.place_global(effort)
        placed = self.where(second)
        third = self.circuit(self.clock_tree(self.buffer_long_nets(placed) if self.buffer_above else placed))
        third.place_detailed(effort)
        self.at = self.where(third)
        self.orientation = [o.name for o in third.cell_orientation][:len(self.at)]

    def definition(self):
        """The DEF text for the router: components with fill cells, ports, nets. The power stripes are obstructions to it."""
        netlist, u = self.netlist, lambda v: round(v * 100)
        width, height = self.die()
        lines = ["VERSION 5.6 ;", "NAMESCASESENSITIVE ON ;", 'DIVIDERCHAR "/" ;', 'BUSBITCHARS "<>" ;', f"DESIGN {netlist.top} ;", "UNITS DISTANCE MICRONS 100 ;",
                 f"DIEAREA ( 0 0 ) ( {u(width)} {u(height)} ) ;"]
        for layer, axis, pitch in TRACKS:
            lines.append(f"TRACKS {axis} 0 DO {round((width if axis == 'X' else height) / pitch) + 1} STEP {u(pitch)} LAYER {layer} ;")
        components = self.components()
        lines += [f"COMPONENTS {len(components)} ;", *components, "END COMPONENTS", f"PINS {len(self.ports)} ;"]
        for port, (x, y, layer) in self.ports.items():
            lines.append(f"- {port} + NET {port}\n  + LAYER {layer} ( 0 0 ) ( 1 1 )\n  + PLACED ( {u(x)} {u(y)} ) N ;")
        nets = {net: points for net, points in netlist.nets.items() if len(points) > 1}
        lines += ["END PINS", f"NETS {len(nets)} ;"]
        for net, points in nets.items():
            lines.append(f"- {net}\n " + "\n ".join(f"( PIN {pin} )" if cell is None else f"( {netlist.name(cell)} {pin} )" for cell, pin in points) + "\n ;")
        return "\n".join([*lines, "END NETS", "END DESIGN", ""])

    def components(self):
        """Lines of the cells, and of the fill cells that close the gaps."""
        netlist = self.netlist
        place = lambda x, y: f"( {round(100 * (ORIGIN[0] + x * SITE))} {round(100 * (ORIGIN[1] + y * UNITS))} )"
        lines, free = [], [[True] * self.width for _ in range(self.rows)]
        for cell, (x, y) in enumerate(self.at):
            row, sites = y // 12, netlist.macros[netlist.kinds[cell]][0]
            assert y % 12 == 0 and all(free[row][x:x + sites]), "cells overlap"
            free[row][x:x + sites] = [False] * sites
            lines.append(f"- {netlist.name(cell)} {netlist.kinds[cell]} + PLACED {place(x, y)} {self.orientation[cell]} ;")
        for row, sites in enumerate(free):
            for x in (x for x, empty in enumerate(sites) if empty):
                lines.append(f"- FILL_{self.fills} FILL + PLACED {place(x, 12 * row)} {'FS' if row % 2 else 'N'} ;")
                self.fills += 1
        return lines

    def point(self, pin):
        """Where a pin of a net is, to the cell, µm."""
        cell, name = pin
        if cell is None:
            return self.ports[name][:2]
        x, y = self.at[cell]
        return ORIGIN[0] + (x + self.netlist.macros[self.netlist.kinds[cell]][0] / 2) * SITE, ORIGIN[1] + y * UNITS + ROW / 2

    def stripes(self):
        """x of the power stripes, ground and supply in turn."""
        return [ORIGIN[0] + (s * STRIPE_PITCH + STRIPE_SITES / 2 + 0.5) * SITE for s in range(self.spans + 1)]

    def rails(self, parity):
        return [ORIGIN[1] + r * ROW for r in range(parity, self.rows + 1, 2)]

    def special_nets(self, boxes):
        """The power stripes as two entries of DEF's SPECIALNETS. Their vias to the rails go where none of the boxes of wires (layer, box) is near."""
        u, lines, near = lambda v: round(v * 100), [], defaultdict(list)
        for layer, box in boxes:
            for x in range(box[0] // 2000, box[2] // 2000 + 1):
                for y in range(box[1] // 2000, box[3] // 2000 + 1):
                    near[x, y].append((layer, box))

        def free(x, y, margin):
            reach = 0.4 + margin
            box = u(x - reach), u(y - reach), u(x + reach), u(y + reach)
            return not any(layer in ("metal2", "metal3") and box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
                           for i in (box[0], box[2]) for j in (box[1], box[3]) for layer, other in near[i // 2000, j // 2000])

        self.rails_without_via = 0
        for net, parity, use in (("gnd", 0, "GROUND"), ("vdd", 1, "POWER")):
            parts = []
            for x in self.stripes()[parity::2]:
                parts.append(f"metal4 {u(STRIPE_WIDTH)} + SHAPE STRIPE ( {u(x)} {u(ORIGIN[1] - 0.6)} ) ( * {u(ORIGIN[1] + self.rows * ROW + 0.6)} )")
                for y in self.rails(parity):
                    at = next((x + dx for margin in (0.6, 0.0) for dx in (0.0, -SITE, SITE) if free(x + dx, y, margin)), None)
                    self.rails_without_via += at is None
                    if at is not None:
                        parts += [f"{layer} 0 + SHAPE STRIPE ( {u(at)} {u(y)} ) {via}" for layer, via in (("metal1", "M2_M1"), ("metal2", "M3_M2"), ("metal3", "M4_M3"))]
            lines += [f"- {net}", *(("  NEW " if i else "  + ROUTED ") + part for i, part in enumerate(parts)), f"  + USE {use} ;"]
        return "\n".join([*lines, ""])

    def obstructions(self):
        """The power stripes and their vias for the router: (x0, y0, x1, y1, layer), µm."""
        for i, x in enumerate(self.stripes()):
            yield x - STRIPE_WIDTH / 2, ORIGIN[1] - 0.6, x + STRIPE_WIDTH / 2, ORIGIN[1] + self.rows * ROW + 0.6, "metal4"
            for y in self.rails(i % 2):  # up to the tracks on both sides: the router knows points of its grid only
                for layer in ("metal2", "metal3"):
                    yield x - 0.4, y - 1.2, x + 0.4, y + 1.2, layer
