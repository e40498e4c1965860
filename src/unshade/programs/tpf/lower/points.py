"""Registers of vertices, control points and patches, which are kept in memories.

    v[2][1].y           vertex 2 of the primitive, or control point 2 of the patch: memory "v"
    vicp[2][1].y        the same in the later phases of a hull shader; in a domain shader "vicp"
    vocp[2][1].y        output control point 2 of a hull shader: memory "vocp"
    vpc3.y              the constants of the patch: memory "vpc", one point
    o3.y                in a hull shader a register of "vocp" or "vpc", by phase

`ir.lowered.Points` has the layout. A relative index of a point or register that does not exist is
an out-of-bounds access: reads return 0, writes have no effect, as Direct3D requires for indexed
inputs.
"""

from collections.abc import Callable, Iterable

from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.kernel import Value
from ....ir.lowered import Points
from ....ir.memory import Port, Space, Var
from ....ir.types import I32
from ....vocab.slots import PointsSlot, PortSlot
from ....vocab.words import SystemValue
from ..instruction import Instruction
from ..operands import Operand
from ..tables.selection import LETTERS
from ..tables.spellings import REGISTERS, word
from .registers import ROW, Registers

REGISTERS_MOST = 32  # of a vertex, control point or patch, in Direct3D
OUTSIDE = constant(0xFFFF_FFFF, I32)
Lane = Callable[[], Value]  # the primitive or patch of the lane


class PointRegisters:
    """Registers of points that are kept in a memory."""

    def __init__(
        self,
        registers: Registers,
        name: str,
        count: int,
        rows: int,
        lane: Lane,
        slot: PointsSlot,
        *,
        writable: bool = False,
    ) -> None:
        self.registers = registers
        self.lane = lane
        self.rows = rows
        self.points = Points(name, count, ROW * max(rows, 1), slot)
        self.memory = registers.new_memory(name, Space.BUFFER, self.points.stride, slot=slot)
        self.memory.writable = writable
        self.memory.each = max(count, 1)

    def add(self, operand: Operand, prefix: str, meaning: SystemValue | None = None) -> None:
        """Add the components of a declaration."""
        add_port(self.points, operand, prefix, meaning)

    def read(self, operand: Operand, component: int) -> Value:
        """Read a component of a point."""
        element, byte = self._place(operand, component, None)
        return self.registers.builder.load(self.memory, element, byte)

    def write(self, operand: Operand, component: int, value: Value, current: Var | None) -> None:
        """Write a component of the only point, or of the one whose number is in `current`."""
        element, byte = self._place(operand, component, current)
        self.registers.builder.store(self.memory, element, byte, value)

    def _place(self, operand: Operand, component: int, current: Var | None) -> tuple[Value, Value]:
        b = self.registers.builder
        row = self.registers.index(operand.indices[-1])
        point: Value | int = 0
        if current is not None:
            point = b.get(current)
        elif len(operand.indices) > 1:
            point = self.registers.index(operand.indices[0])
        elif self.points.count != 1:
            name = word(REGISTERS, operand.type)
            raise UnsupportedError(f"register {name} without the index of its point")
        checks = [(row, self.rows)]
        if current is None:  # which counts no further than there are points
            checks.append((point, self.points.count))
        if any(isinstance(each, int) and each >= most for each, most in checks):
            return OUTSIDE, constant(0, I32)
        inside = [b.ult(each, most) for each, most in checks if isinstance(each, Value)]
        element = self.element(point)
        for holds in inside:
            element = b.select(holds, element, OUTSIDE)
        if isinstance(row, int):
            return element, constant(ROW * row + 4 * component, I32)
        return element, b.iadd(b.imul(row, ROW), 4 * component)

    def element(self, point: Value | int) -> Value:
        """Return the element of a point that exists; computing the lane's first has no line."""
        b = self.registers.builder
        line, b.line = b.line, 0
        first = self.lane()
        if self.points.count != 1:
            first = b.imul(first, self.points.count)
        b.line = line
        return b.iadd(first, point) if isinstance(point, Value) or point else first


def add_port(
    points: Points, operand: Operand, prefix: str, meaning: SystemValue | None = None
) -> None:
    """Add the components that a declaration names to the ports of points."""
    number = operand.indices[-1].immediate
    slot = points.slot
    known = {port.slot for port in points.ports}
    for at in range(4):
        place = PortSlot(slot.direction, slot.rate, number, at, stream=slot.stream)
        if operand.mask >> at & 1 and place not in known:
            row = f"{prefix}{number}"
            port = Port(f"{row}.{LETTERS[at]}", I32, meaning, slot=place, row=row)
            points.ports[port] = ROW * number + 4 * at


def rows_of(
    instructions: Iterable[Instruction], kinds: frozenset[int], declared: tuple[str, ...]
) -> int:
    """Return the number of registers declared of these kinds; UnsupportedError if too many."""
    most = 0
    for instruction in instructions:
        if not instruction.name.startswith(declared) or not instruction.operands:
            continue
        operand = instruction.operands[0]
        if operand.type in kinds and operand.indices:
            number = operand.indices[-1].immediate
            if number >= REGISTERS_MOST:
                name = word(REGISTERS, operand.type)
                raise UnsupportedError(
                    f"expected a register below {name}{REGISTERS_MOST}, got {name}{number}"
                )
            most = max(most, number + 1)
    return most


def counted(number: int, least: int, most: int, what: str) -> int:
    """Return a number of a declaration; UnsupportedError if it is outside Direct3D's limits."""
    if not least <= number <= most:
        raise UnsupportedError(f"expected {least} to {most} {what}, got {number}")
    return number
