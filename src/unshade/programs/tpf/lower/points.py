"""Registers of vertices, control points and patches, which are kept in memories.

    v[2][1].y           vertex 2 of the primitive, or control point 2 of the patch: memory "v"
    vicp[2][1].y        the same in the later phases of a hull shader; in a domain shader "vicp"
    vocp[2][1].y        output control point 2 of a hull shader: memory "vocp"
    vpc3.y              the constants of the patch: memory "vpc", one point
    o3.y                in a hull shader a register of "vocp" or "vpc", by phase

`ir.library.points` computes the places.
"""

from collections.abc import Iterable, Iterator

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.library.points import Lane, PointMemory
from ....ir.lowered import Points
from ....ir.memory import Port, Var
from ....ir.types import I32
from ....vocab.slots import PointsSlot, PortSlot
from ....vocab.words import SystemValue
from ..instruction import Instruction
from ..operands import Operand
from ..tables.selection import LETTERS
from ..tables.spellings import REGISTERS, word
from .registers import Registers

REGISTERS_MOST = 32  # of a vertex, control point or patch, in Direct3D


class PointRegisters(PointMemory):
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
        super().__init__(registers.builder, name, count, rows, lane, slot, writable=writable)
        self.registers = registers

    def declare(self, operand: Operand, prefix: str, meaning: SystemValue | None = None) -> None:
        """Add the components of a declaration."""
        for port, at in ports_of(self.points, operand, prefix, meaning):
            self.add(port, operand.indices[-1].immediate, at)

    def read(self, operand: Operand, component: int) -> Value:
        """Read a component of a point."""
        return self.load(*self._place(operand, component))

    def write(self, operand: Operand, component: int, value: Value, current: Var | None) -> None:
        """Write a component of the only point, or of point number `current`."""
        if current is None:
            self.store(*self._place(operand, component), value)
            return
        # A loop counter, which counts no further than there are points.
        point = self.b.get(current)
        row = self.registers.index(operand.indices[-1])
        self.store(row, component, point, value, exists=True)

    def _place(self, operand: Operand, component: int) -> tuple[Value | int, int, Value | int]:
        """Return row, component and point of an operand."""
        row = self.registers.index(operand.indices[-1])
        point: Value | int = 0
        if len(operand.indices) > 1:
            point = self.registers.index(operand.indices[0])
        elif self.points.count != 1:
            name = word(REGISTERS, operand.type)
            raise UnsupportedError(f"register {name} without the index of its point")
        return row, component, point


def ports_of(
    points: Points, operand: Operand, prefix: str, meaning: SystemValue | None = None
) -> Iterator[tuple[Port, int]]:
    """Yield ports for the components that a declaration names, with their components."""
    number = operand.indices[-1].immediate
    slot = points.slot
    for at in range(4):
        if operand.mask >> at & 1:
            place = PortSlot(slot.direction, slot.rate, number, at, stream=slot.stream)
            row = f"{prefix}{number}"
            yield Port(f"{row}.{LETTERS[at]}", I32, meaning, slot=place, row=row), at


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
