"""Vertices, control points and patch constants in a memory: the places of their registers.

    point 2 of lane 7, register 1, component y      element 7 * count + 2, byte 16 * 1 + 4

`ir.lowered.Points` describes the layout. A point or register that does not exist is an
out-of-bounds access: reads return 0, writes have no effect, as Direct3D requires for indexed
inputs.
"""

from collections.abc import Callable

from ...vocab.slots import PointsSlot
from ..builder import Builder, constant
from ..kernel import Value
from ..lowered import Points
from ..memory import Port, Space
from ..types import I32
from .texels import OUTSIDE

__all__ = ["ROW", "Lane", "PointMemory"]

ROW = 16  # bytes of a register of four components
Lane = Callable[[], Value]  # the primitive or patch of the lane


class PointMemory:
    """The memory of points, `count` for each lane, of `rows` registers."""

    def __init__(
        self,
        b: Builder,
        name: str,
        count: int,
        rows: int,
        lane: Lane,
        slot: PointsSlot,
        *,
        writable: bool = False,
    ) -> None:
        self.b = b
        self.lane = lane
        self.rows = rows
        self.points = Points(name, count, ROW * max(rows, 1), slot)
        self.memory = b.memory(name, Space.BUFFER, self.points.stride, slot=slot)
        self.memory.writable = writable
        self.memory.each = max(count, 1)

    def add(self, port: Port, row: int, component: int) -> None:
        """Add a component to the ports."""
        if all(each.slot != port.slot for each in self.points.ports):
            self.points.ports[port] = ROW * row + 4 * component

    def place(
        self, row: Value | int, component: int, point: Value | int, *, exists: bool = False
    ) -> tuple[Value, Value]:
        """Return element and byte of a component; `exists` is true if the point exists."""
        b = self.b
        checks = [(row, self.rows)]
        if not exists:
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
        """Return the element of a point that exists; instructions for its base have no line."""
        b = self.b
        line, b.line = b.line, 0
        first = self.lane()
        if self.points.count != 1:
            first = b.imul(first, self.points.count)
        b.line = line
        return b.iadd(first, point) if isinstance(point, Value) or point else first

    def load(
        self, row: Value | int, component: int, point: Value | int, *, exists: bool = False
    ) -> Value:
        """Append a load of a component."""
        element, byte = self.place(row, component, point, exists=exists)
        return self.b.load(self.memory, element, byte)

    def store(
        self,
        row: Value | int,
        component: int,
        point: Value | int,
        value: Value,
        *,
        exists: bool = False,
    ) -> None:
        """Append a store of a component."""
        element, byte = self.place(row, component, point, exists=exists)
        self.b.store(self.memory, element, byte, value)
