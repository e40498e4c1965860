"""Signature elements as ports, and the values in them.

    !{i32 1, !"TEXCOORD", i8 9, …, i32 1, i8 2, i32 2, i8 1, …}    one row, two columns, from row 2
                                                                   and column 1 on: v2.yz
    SV_Depth has no register: the built-in depth

Ports hold 32 bits. Numbers of 16 bits are stored as 32 bits.
"""

from collections.abc import Sequence

from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.memory import Port
from ....ir.types import F32, I32
from ....vocab.dxil import DxilComponentType
from ....vocab.slots import Direction, Place, PortSlot, Rate, port_slot
from ....vocab.words import Interpolation, Stage
from ..facts.ports import slot_of, system_value
from ..facts.words import INTERPOLATIONS
from ..shaderinfo import DxilEntryPoint, DxilSignatureElement

__all__ = ["Signature", "bits_of"]

LETTERS = "xyzw"
MOST_ROWS = 32  # of all elements of a signature
SIGNED = frozenset({DxilComponentType.I16, DxilComponentType.I32, DxilComponentType.I64})


class Signature:
    """The elements of one signature of an entry point."""

    def __init__(
        self,
        entry: DxilEntryPoint,
        stage: Stage,
        elements: Sequence[DxilSignatureElement],
        direction: Direction,
        rate: Rate | None = None,
        prefix: str = "",
    ) -> None:
        for each in elements:
            if max(each.start_row, 0) + each.rows > MOST_ROWS:
                raise UnsupportedError(f"{each.name}: expected at most {MOST_ROWS} rows")
        self.entry = entry
        self.stage = stage
        self.elements = {each.id: each for each in elements}
        self.direction = direction
        self.rate = rate
        self.prefix = prefix or ("v" if direction is Direction.INPUT else "o")
        self.ports: dict[PortSlot, Port] = {}

    def element(self, number: int) -> DxilSignatureElement:
        """Return an element by its number."""
        found = self.elements.get(number)
        if found is None:
            raise UnsupportedError(f"no such {self.direction} element: {number}")
        return found

    @property
    def rows(self) -> int:
        """The number of rows in a memory of points: registers, then elements without a register."""
        return self._registers + sum(each.start_row < 0 for each in self.elements.values())

    @property
    def _registers(self) -> int:
        registers = (each.start_row + max(each.rows, 1) for each in self.elements.values())
        return max(0, *registers, 0)

    def row(self, each: DxilSignatureElement) -> int:
        """Return the first row of an element in a memory of points."""
        if each.start_row >= 0:
            return each.start_row
        others = [other for other in self.elements.values() if other.start_row < 0]
        return self._registers + others.index(each)

    def port(self, each: DxilSignatureElement, row: int, column: int) -> Port:
        """Return the port of a component of an element."""
        place, component = self.place(each, row, column)
        slot = slot_of(
            each, self.stage, self.direction, place, row, component=component, rate=self.rate
        )
        found = self.ports.get(slot)
        if found is None:
            meaning = system_value(self.entry, each, row)
            label = f"{self.prefix}{place}" if isinstance(place, int) else each.name
            if slot.element:
                label += str(slot.element)
            several = isinstance(place, int) or each.columns > 1
            name = f"{label}.{LETTERS[component]}" if several else label
            interpolation = None
            if (self.stage, self.direction) == (Stage.PIXEL, Direction.INPUT):
                interpolation = INTERPOLATIONS.get(each.interpolation)
            found = Port(name, I32, meaning, interpolation, slot, label)
            self.ports[slot] = found
        return found

    def at_vertex(self, each: DxilSignatureElement, row: int, column: int, vertex: int) -> Port:
        """Return the port of a component of a pixel's input at a vertex of the primitive."""
        place, component = self.place(each, row, column)
        slot = port_slot(self.stage, self.direction, place, component).at_vertex(vertex)
        found = self.ports.get(slot)
        if found is None:
            label = f"{self.port(each, row, column).row}[{vertex}]"
            name = f"{label}.{LETTERS[component]}"
            interpolation = Interpolation.CONSTANT
            found = self.ports[slot] = Port(name, I32, None, interpolation, slot, label)
        return found

    def place(self, each: DxilSignatureElement, row: int, column: int) -> tuple[Place, int]:
        """Return location and component of a component of an element."""
        columns = min(max(each.columns, 1), 4)
        if not 0 <= row < max(each.rows, 1) or not 0 <= column < columns:
            raise UnsupportedError(f"{each.name}: no such row and column: {row}, {column}")
        if each.start_row < 0:
            return system_value(self.entry, each, row) or each.name, column
        at = each.start_column + column
        if not 0 <= at < len(LETTERS):
            raise UnsupportedError(f"{each.name}: expected a column from 0 to 3, got {at}")
        return each.start_row + row, at

    def all(self) -> "list[tuple[DxilSignatureElement, int, int]]":
        """Return every component: element, row and column."""
        return [
            (each, row, column)
            for each in self.elements.values()
            for row in range(max(each.rows, 1))
            for column in range(min(each.columns, 4))
        ]


def bits_of(b: Builder, value: Value, each: DxilSignatureElement) -> Value:
    """Append the 32 bits of a number."""
    type = value.type
    if type.bits == 64:
        raise UnsupportedError(f"{each.name}: an output of 64 bits cannot be run yet")
    if type.kind == "f":
        found: Value = b.asint(value if type == F32 else b.fconv(value, type=F32))
    elif type.kind == "b":
        found = b.select(value, b.i32(1), 0)
    elif type.bits == 32:
        found = value
    else:
        found = (b.iconv if each.component_type in SIGNED else b.uconv)(value, type=I32)
    return found
