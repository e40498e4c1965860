"""Lowering of geometry shaders: vertices in three slots, and the emitted triangles.

    setemit 2, prim inv     the slot of the next vertex; it completes a triangle, with reversed
                            winding
    emit                    memory "slots", element 2: the outputs; then of all three slots to
                            memory "stream0", as three more vertices of a list of triangles

There are two banks of outputs, swapped after each emit: an output that is not written again holds
its value from two emits before. Slots keep their vertices. The first two vertices of a triangle
with reversed winding are swapped, as in emulators. The file does not declare how many vertices a
shader emits: there is room for one triangle for each emit that can run, with 256 iterations of each
loop, up to 4096; if a shader emits more, the error gives the number (run/stages/primitives.py).

Primitives are lanes: each begins with zero registers and slots, not with the values of the previous
run. The exception is b15, which the unit sets after each run, so that a shader can recognise the
first one if the application has set it to false: it is true for all primitives of a call but the
first.

Inputs are the registers of one point: the file does not state if they have one vertex or several,
which is a setting of the draw call, as are the modes.

    point       v0, v1 …                  outputs of one or more vertices, consecutively
    variable    c0                        the number of vertices, in every component
                c1 …                      the vertices; those after the first ones have only
                                          their first attribute
    fixed       c[start] …                the vertices

Source: 3dbrew's pages on the instruction set and on geometry shaders; azahar's geometry pipeline.
"""

from collections.abc import Iterable

from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.lowered import Points
from ....ir.memory import Port, Space
from ....ir.types import BOOL, F32, I32
from ....vocab.pica import COMPONENTS
from ....vocab.slots import Direction, Exchange, PointsSlot, PortSlot, Rate
from ....vocab.words import Topology
from ..instruction import Instruction
from ..operands import Destination, SourceOperand, VertexSlot
from ..tables.registers import RegisterFile
from .registers import ROW, Registers

SLOTS = 3  # vertices of a triangle
TRIANGLES = 4096  # that a lane sends at most
SLOT, COMPLETE, TURNED = "emit.slot", "emit.prim", "emit.inv"


class GeometryLowering:
    """The input registers, slots and triangles of one shader."""

    def __init__(
        self, registers: Registers, instructions: Iterable[Instruction], emits: int
    ) -> None:
        self.registers = registers
        instructions = list(instructions)
        read = _registers(instructions, RegisterFile.INPUT)
        written = _registers(instructions, RegisterFile.OUTPUT)
        self.most = SLOTS * max(1, min(emits, TRIANGLES))
        b = registers.builder
        place = PointsSlot(Direction.INPUT, Rate.VERTEX)
        ports = _ports(Direction.INPUT, read)
        self.inputs = Points("v", 1, ROW * (1 + max(read, default=0)), place, ports)
        self.points = b.memory("v", Space.BUFFER, self.inputs.stride, slot=place)
        self.points.each = 1
        stride = ROW * (1 + max(written, default=0))
        place = PointsSlot(Direction.OUTPUT, Rate.VERTEX)
        ports = _ports(Direction.OUTPUT, written)
        self.stream = Points("stream0", self.most, stride, place, ports, Topology.TRIANGLELIST)
        self.memory = b.memory("stream0", Space.BUFFER, stride, writable=True, slot=place)
        self.cuts = b.memory(
            "stream0.cut", Space.BUFFER, 4, writable=True, slot=self.stream.cuts, internal=True
        )
        self.memory.each = self.most
        self.slots = b.memory("slots", Space.LOCAL, stride, SLOTS)
        self.places = [
            (register, at) for register, mask in sorted(written.items()) for at in sorted(mask)
        ]
        slot = PortSlot(Direction.OUTPUT, Rate.VERTEX, Exchange.VERTEX_COUNT)
        self.given = Port("stream0.count", I32, slot=slot)
        self.count = b.var("stream0.count", internal=True)
        registers.kernel.outputs.append(self.given)
        registers.held = True
        registers.points = self._input
        registers.later = self._later
        self.number: Port | None = None

    def prepare(self) -> None:
        """Initialise the count of emitted vertices."""
        b = self.registers.builder
        b.set(self.count, constant(0, I32))
        b.output(self.given, constant(0, I32))

    def _input(self, number: int, component: int) -> Value:
        b = self.registers.builder
        line, b.line = b.line, 0
        item = b.source("item")
        b.line = line
        return b.load(self.points, item, ROW * number + 4 * component, F32)

    def _later(self) -> Value:
        """Return True for all primitives of the call but the first."""
        b = self.registers.builder
        if self.number is None:
            slot = PortSlot(Direction.INPUT, Rate.PRIMITIVE, Exchange.PRIMITIVE)
            self.number = Port("primitive", I32, slot=slot)
            b.kernel.inputs.append(self.number)
        found: Value = b.ine(b.input(self.number), 0)
        return found

    # ------------------------------------------------------------ code

    def lower(self, instruction: Instruction) -> bool:
        """Lower one instruction; return False if it is of another kind."""
        if instruction.name == "setemit":
            self._choose(instruction)
        elif instruction.name == "emit":
            self._emit()
        else:
            return False
        return True

    def _choose(self, instruction: Instruction) -> None:
        chosen = next(each for each in instruction.operands if isinstance(each, VertexSlot))
        b, variable = self.registers.builder, self.registers.variable
        b.set(variable(SLOT, I32, internal=True), chosen.slot)
        b.set(variable(COMPLETE, BOOL, internal=True), b.bool(chosen.primitive))
        b.set(variable(TURNED, BOOL, internal=True), b.bool(chosen.winding))

    def _emit(self) -> None:
        b, variable = self.registers.builder, self.registers.variable
        self.registers.calls.spend(4 * len(self.places))
        slot = b.get(variable(SLOT, I32, internal=True))
        for register, at in self.places:
            value = b.get(variable(f"o{register}.{COMPONENTS[at]}", row=f"o{register}"))
            b.store(self.slots, slot, ROW * register + 4 * at, value)
        with b.when(b.get(variable(COMPLETE, BOOL, internal=True))):
            now = b.get(self.count)
            with b.when(b.ult(now, self.most)):
                self._send(now)
            count = b.iadd(now, SLOTS)
            b.set(self.count, count)
            b.output(self.given, count)
        for register, at in self.places:
            name = f"o{register}.{COMPONENTS[at]}"
            here, there = variable(name), variable(f"{name}.other", internal=True)
            before = b.get(here)
            b.set(here, b.get(there))
            b.set(there, before)

    def _send(self, now: Value) -> None:
        """Append the three slots to the stream."""
        b = self.registers.builder
        turned = b.get(self.registers.variable(TURNED, BOOL, internal=True))
        line, b.line = b.line, 0
        first = b.imul(b.source("item"), self.most)
        b.line = line
        element = b.iadd(first, now)
        zero, one = constant(0, I32), constant(1, I32)
        order = (b.select(turned, one, zero), b.select(turned, zero, one), constant(2, I32))
        for corner, slot in enumerate(order):
            place = b.iadd(element, corner)
            for register, at in self.places:
                byte = ROW * register + 4 * at
                b.store(self.memory, place, byte, b.load(self.slots, slot, byte, F32))
            b.store(self.cuts, place, 0, constant(int(corner == 0), I32))


def _registers(instructions: Iterable[Instruction], file: RegisterFile) -> dict[int, set[int]]:
    """Return the components of each register of a file that the code names."""
    found: dict[int, set[int]] = {}
    for instruction in instructions:
        for each in instruction.operands:
            if isinstance(each, SourceOperand) and each.register.file is file:
                found.setdefault(each.register.number, set()).update(range(4))
            elif isinstance(each, Destination) and each.register.file is file:
                mask = {at for at in range(4) if each.mask << at & 8}
                found.setdefault(each.register.number, set()).update(mask)
    return found


def _ports(direction: Direction, registers: dict[int, set[int]]) -> dict[Port, int]:
    prefix = "v" if direction is Direction.INPUT else "o"
    return {
        Port(
            f"{prefix}{number}.{COMPONENTS[at]}",
            I32,
            slot=PortSlot(direction, Rate.VERTEX, number, at),
            row=f"{prefix}{number}",
        ): ROW * number + 4 * at
        for number, mask in sorted(registers.items())
        for at in sorted(mask)
    }
