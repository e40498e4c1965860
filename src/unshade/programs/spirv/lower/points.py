"""Interfaces of several vertices, control points or patches, which are kept in memories.

    in vec4 colour[];        colour[2].y: point 2 of the primitive or patch, word 5 of a point
    patch out float edge;    the only point of memory "vpc"

Each scalar of a variable takes a word of the point, or two words for 64 bits. If the variable is an
array of points, the first index of a pointer is the point; a point that does not exist reads 0.
`ir.lowered.Points` describes the layout of the memories.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from ....dataclass import replace
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library.points import Lane, PointMemory
from ....ir.library.texels import OUTSIDE
from ....ir.memory import Memory, Port
from ....ir.ops import Op
from ....ir.types import BOOL, F16, F32, I32, Type
from ....vocab.slots import PointsSlot
from ....vocab.words import Stage
from ..facts.interface import GATHERING, LEVELS, SCATTERING, WHOLE
from ..tables.numbers import Decoration, Opcode, StorageClass
from .builtins import built_in
from .pointers import Offset, OffsetTerm, Root
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = [
    "PointRoot",
    "VariablePoints",
    "has_points",
    "is_patch",
    "of_storage",
    "widened",
    "words_of",
]

WORD = 4
ROW_WORDS = 4  # of a register of the memory


def of_storage(lowering: "Lowering", storage: int) -> list[int]:
    """Return the variables of a storage class that the entry point refers to, in order."""
    definitions = lowering.index.definitions
    return [
        number
        for number in sorted(lowering.used)
        if definitions[number].opcode == Opcode.Variable and definitions[number].words[3] == storage
    ]


def is_patch(lowering: "Lowering", number: int) -> bool:
    """Return True for a variable that a patch has once: decorated so, or a tessellation level.

    DXC decorates other built-ins with Patch, too, which changes nothing.
    """
    known = built_in(lowering, number)
    if known is not None:
        return known in LEVELS
    return lowering.index.decoration(Decoration.Patch, number) is not None


def has_points(lowering: "Lowering", number: int, type: LeafType) -> bool:
    """Return True for a variable whose first axis counts vertices or control points."""
    words = lowering.index.definitions[number].words
    stages = GATHERING if words[3] == StorageClass.Input else SCATTERING
    return (
        lowering.kernel.stage in stages
        and type.is_array
        and not is_patch(lowering, number)
        and (lowering.kernel.stage is Stage.MESH or built_in(lowering, number) not in WHOLE)
    )


def widened(b: Builder, value: Value) -> Value:
    """Return a scalar as a word of a point."""
    if value.type is BOOL:
        return b.select(value, constant(1, I32), constant(0, I32))
    if value.type.bits >= I32.bits:
        return value
    return b.fconv(value, type=F32) if value.type.kind == "f" else b.iconv(value, type=I32)


def _stored(type: Type) -> Type:
    """Return the type of a scalar in a point."""
    if type.bits > I32.bits:
        return type
    return F32 if type in (F16, F32) else I32


def words_of(type: Type) -> int:
    """Return the number of words of a scalar in a point."""
    return 2 if type.bits > I32.bits else 1


class PointRoot(Root):
    """A variable in a memory of points: `starts` are the words of its leaves, and its end.

    `element` appends the element of a point; `count` is the number of points that a pointer selects
    among, 0 for a single point.
    """

    def __init__(
        self,
        memory: Memory,
        element: Callable[[Value | int], Value],
        starts: Sequence[int],
        count: int,
    ) -> None:
        self.memory = memory
        self.element = element
        self.starts = starts
        self.size = len(starts) - 1
        self.count = count

    def load(self, b: Builder, offset: Offset, type: Type) -> Value:
        element, byte = self._place(b, offset)
        found = b.load(self.memory, element, byte, _stored(type))
        if type is BOOL:
            return b.ine(found, 0)
        if type.bits >= I32.bits:
            return found
        return b.fconv(found, type=type) if type.kind == "f" else b.iconv(found, type=type)

    def store(self, b: Builder, offset: Offset, value: Value) -> None:
        element, byte = self._place(b, offset)
        b.store(self.memory, element, byte, widened(b, value))

    def atomic(self, b: Builder, op: Op, offset: Offset, *values: Value) -> Value:
        return b.make(op, *self._place(b, offset), *values, attr=self.memory)

    def _place(self, b: Builder, offset: Offset) -> tuple[Value, Value]:
        """Return element and byte: terms in whole points select the point, others the leaf."""
        point, leaf = divmod(offset.constant, self.size) if self.count else (0, offset.constant)
        points = [each for each in offset.terms if self.count and each.scale % self.size == 0]
        inner = [each for each in offset.terms if each not in points]
        leaf = min(max(leaf, 0), self.size - 1)
        word = self.starts[leaf]
        byte = constant(WORD * word, I32)
        if inner:
            # Elements of an array have the same words, so that one step says how long all are.
            steps = tuple(replace(each, scale=self._words(leaf, each.scale)) for each in inner)
            last = self.starts[self.size] - (self.starts[leaf + 1] - word)
            inside = b.umin(Offset(0, steps).value(b), max(last - word, 0))
            byte = b.iadd(b.ishl(inside, 2), WORD * word)
        if not points:
            if self.count and not 0 <= point < self.count:
                return OUTSIDE, byte
            return self.element(point), byte
        scaled = tuple(
            OffsetTerm(each.index, each.scale // self.size, each.count) for each in points
        )
        number = Offset(point, scaled).value(b)
        element = self.element(number)
        return b.select(b.ult(number, self.count), element, OUTSIDE), byte

    def _words(self, leaf: int, scale: int) -> int:
        """Return the number of words of `scale` leaves, from `leaf` on."""
        return self.starts[min(leaf + scale, self.size)] - self.starts[leaf]


class VariablePoints:
    """The variables of one memory of points, with their words."""

    def __init__(
        self,
        lowering: "Lowering",
        name: str,
        slot: PointsSlot,
        lane: Lane,
        numbers: Sequence[int],
        count: int | None = None,
        *,
        writable: bool = False,
    ) -> None:
        self.starts: dict[int, list[int]] = {}  # words of the leaves, and the end
        most, words = 0, 0
        for number in numbers:
            type = lowering.types.of(lowering.index.pointee(number) or 0)
            inner = type
            if has_points(lowering, number, type):
                assert type.element is not None
                most, inner = max(most, type.count), type.element
            sizes = [words_of(each) for each in inner.leaves]
            self.starts[number] = [*accumulate(sizes, initial=words)]
            words += sum(sizes)
        rows = -(-words // ROW_WORDS)
        self.lowering = lowering
        self.memory = PointMemory(
            lowering.b, lowering.calls.memories.unique(name), most if count is None else count,
            rows, lane, slot, writable=writable,
        )  # fmt: skip

    def root(self, number: int, type: LeafType) -> PointRoot:
        """Return the root of a variable, and add its ports."""
        several = has_points(self.lowering, number, type)
        memory = self.memory
        return PointRoot(
            memory.memory, memory.element, self.starts[number],
            memory.points.count if several else 0,
        )  # fmt: skip

    def add(self, number: int, ports: Sequence[Port]) -> None:
        """Add the ports of a variable, one for each leaf."""
        for at, port in zip(self.starts[number], ports, strict=False):
            self.memory.add(port, at // ROW_WORDS, at % ROW_WORDS)
