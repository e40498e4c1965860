"""Parameters and results of functions that are called directly.

    export float shade(float3 normal, inout int count)

    normal     memory "normal": 12 bytes for each lane, which the kernel reads
    count      memory "count": 4 bytes, read and written
    result     memory "result": 4 bytes, written

A lane is one call; its values are the element of its number. Scalars are aligned to their size, and
a structure to the largest alignment of its members, as in C.
"""

from collections.abc import Iterator
from math import prod

from ..tuples import NamedTuple
from ..vocab.slots import PointsSlot
from .types import BOOL, Type

__all__ = ["FunctionParameter", "ValueLayout", "ValueMember", "laid_out"]


class ValueLayout(NamedTuple):
    """The layout of a value: an array of `shape`, of scalars of a `type` or of structures.

    `stride` is the number of bytes from one element of the array to the next. With `transposed`,
    the matrix that the last two axes form is stored column after column. `unsigned` distinguishes
    integers, since the type does not include the sign.
    """

    shape: tuple[int, ...]
    stride: int
    alignment: int
    type: Type | None = None
    unsigned: bool = False
    transposed: bool = False
    members: "tuple[ValueMember, ...]" = ()

    @property
    def elements(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def size(self) -> int:
        """Size in bytes."""
        return self.elements * self.stride

    def scalars(self, at: int = 0) -> Iterator[tuple[int, Type]]:
        """Yield the offset and type of each scalar, in the order of memory."""
        for number in range(self.elements):
            first = at + number * self.stride
            if self.type is not None:
                yield first, self.type
            for each in self.members:
                yield from each.layout.scalars(first + each.offset)


class ValueMember(NamedTuple):
    """A member of a structure."""

    name: str
    offset: int
    layout: ValueLayout


class FunctionParameter(NamedTuple):
    """A parameter, or the result, in the memory of a slot."""

    name: str
    layout: ValueLayout
    slot: PointsSlot
    read: bool
    written: bool


def laid_out(
    shape: tuple[int, ...],
    scalar: Type | None,
    members: "list[tuple[str, ValueLayout]]",
    *,
    unsigned: bool = False,
    transposed: bool = False,
) -> ValueLayout:
    """Return the layout of an array of scalars, or of structures of these members."""
    if scalar is not None:
        size = 1 if scalar == BOOL else scalar.size
        return ValueLayout(shape, size, size, scalar, unsigned, transposed)
    end, most = 0, 1
    placed = []
    for name, layout in members:
        end = -(-end // layout.alignment) * layout.alignment
        placed.append(ValueMember(name, end, layout))
        end += layout.size
        most = max(most, layout.alignment)
    return ValueLayout(shape, max(-(-end // most) * most, 1), most, members=tuple(placed))
