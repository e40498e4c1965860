"""Variables: registers of the kernel, memories that are indexed at run time, uniforms, and values.

    float3 v            @v.x @v.y @v.z            registers, one for each scalar
    float a[40]; a[i]   a memory of 40 elements   where a number of many elements is not constant
    uniform half4 tint  %uniforms[0] … [3]        four bytes a scalar
    uniform B { … } b   %b[0] …                   with gaps, as in the layout of the block
    const float k = 2   the value itself          and parameters that no statement changes
    float2 p of main    the input, read where it is used

An index out of range is clamped, as by the raster pipeline: unsigned, so that a negative one means
the last element.

Source: Skia, SkRasterPipelineOpContexts.h (CopyIndirectCtx).
"""

from collections.abc import Sequence
from typing import Protocol

from ....dataclass import dataclass
from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.memory import Memory, Port, Space, Var
from ....ir.types import BOOL, I32, Type

__all__ = [
    "BlockMemory",
    "InputStorage",
    "KnownValues",
    "RegisterStorage",
    "ScalarMemory",
    "Storage",
    "VariablePlace",
    "select_from",
]

NOT_ASSIGNED = "expected a variable that can be assigned"


class Storage(Protocol):
    """The scalars of a variable, by number."""

    def read(self, b: Builder, scalar: int) -> Value: ...

    def write(self, b: Builder, scalar: int, value: Value) -> None: ...

    def read_at(self, b: Builder, scalar: int, offset: Value, offsets: Sequence[int]) -> Value: ...

    def write_at(
        self, b: Builder, scalar: int, offset: Value, offsets: Sequence[int], value: Value
    ) -> None: ...


def select_from(
    b: Builder, offset: Value, offsets: Sequence[int], values: Sequence[Value]
) -> Value:
    """Append a selection of the value at `offset`; an unknown offset selects the last value.

    `offsets` are the offsets of `values`, in their order.
    """
    found = values[-1]
    for number, value in zip(offsets[-2::-1], values[-2::-1], strict=True):
        found = b.select(b.ieq(offset, number), value, found)
    return found


class SeparateScalars:
    """Scalars that have no numbers in the kernel: an access by number chooses among them."""

    def read(self, b: Builder, scalar: int) -> Value:
        raise NotImplementedError

    def write(self, b: Builder, scalar: int, value: Value) -> None:
        raise UnsupportedError(NOT_ASSIGNED)

    def read_at(self, b: Builder, scalar: int, offset: Value, offsets: Sequence[int]) -> Value:
        found = self.read(b, offsets[-1] + scalar)
        for each in offsets[-2::-1]:  # debuggers know whether an element is read before it is
            chosen = b.ieq(offset, each)
            found = b.select(chosen, self.read(b, each + scalar), found)
        return found

    def write_at(
        self, b: Builder, scalar: int, offset: Value, offsets: Sequence[int], value: Value
    ) -> None:
        for each in offsets:
            chosen = b.ieq(offset, each)
            self.write(b, each + scalar, b.select(chosen, value, self.read(b, each + scalar)))


class KnownValues(SeparateScalars):
    """The values of a constant, or of a parameter that is only read."""

    def __init__(self, values: Sequence[Value]) -> None:
        self.values = values

    def read(self, b: Builder, scalar: int) -> Value:
        return self.values[scalar]


class InputStorage(SeparateScalars):
    """Inputs of the lane, read where they are used."""

    def __init__(self, ports: Sequence[Port], types: Sequence[Type]) -> None:
        self.ports = ports
        self.types = types

    def read(self, b: Builder, scalar: int) -> Value:
        value = b.input(self.ports[scalar])
        return b.ine(value, 0) if self.types[scalar] == BOOL else value


class RegisterStorage(SeparateScalars):
    """One register for each scalar."""

    def __init__(self, registers: Sequence[Var]) -> None:
        self.registers = registers

    def read(self, b: Builder, scalar: int) -> Value:
        return b.get(self.registers[scalar])

    def write(self, b: Builder, scalar: int, value: Value) -> None:
        b.set(self.registers[scalar], value)


class ScalarMemory:
    """Consecutive elements of four bytes of a memory; bools are 0 or 1."""

    def __init__(self, memory: Memory, types: Sequence[Type], first: int = 0) -> None:
        self.memory = memory
        self.types = types
        self.first = first

    def read(self, b: Builder, scalar: int) -> Value:
        return self._load(b, b.i32(self.first + scalar), self.types[scalar])

    def write(self, b: Builder, scalar: int, value: Value) -> None:
        self._store(b, b.i32(self.first + scalar), value)

    def read_at(self, b: Builder, scalar: int, offset: Value, offsets: Sequence[int]) -> Value:
        return self._load(b, b.iadd(offset, self.first + scalar), self.types[offsets[0] + scalar])

    def write_at(
        self, b: Builder, scalar: int, offset: Value, offsets: Sequence[int], value: Value
    ) -> None:
        self._store(b, b.iadd(offset, self.first + scalar), value)

    def _load(self, b: Builder, element: Value, type: Type) -> Value:
        if type == BOOL:
            return b.ine(b.load(self.memory, element, 0, I32), 0)
        return b.load(self.memory, element, 0, type)

    def _store(self, b: Builder, element: Value, value: Value) -> None:
        if self.memory.space is Space.CONSTANT:
            raise UnsupportedError(NOT_ASSIGNED)
        if value.type == BOOL:
            value = b.select(value, b.i32(1), b.i32(0))
        b.store(self.memory, element, 0, value)


class BlockMemory(SeparateScalars):
    """Scalars of an interface block, or of an array of blocks with a memory for each.

    `elements` are the places of the scalars of one block, in units of four bytes.
    """

    def __init__(
        self, memories: Sequence[Memory], types: Sequence[Type], elements: Sequence[int]
    ) -> None:
        self.memories = memories
        self.types = types
        self.elements = elements

    def read(self, b: Builder, scalar: int) -> Value:
        block, part = divmod(scalar, len(self.elements))
        return self._load(b, block, b.i32(self.elements[part]), self.types[part])

    def read_at(self, b: Builder, scalar: int, offset: Value, offsets: Sequence[int]) -> Value:
        pairs = [divmod(each + scalar, len(self.elements)) for each in offsets]
        places = [self.elements[part] for _, part in pairs]
        ratio = self._ratio(offsets, places)
        if ratio is None or any(block != pairs[0][0] for block, _ in pairs):
            return super().read_at(b, scalar, offset, offsets)
        block, part = pairs[0]
        element = b.iadd(b.imul(offset, ratio), places[0])
        return self._load(b, block, element, self.types[part])

    @staticmethod
    def _ratio(offsets: Sequence[int], places: Sequence[int]) -> int | None:
        """Return the distance of places for each step of an offset, if it is the same for all."""
        if len(offsets) < 2 or offsets[0]:
            return None
        ratio = (places[1] - places[0]) // offsets[1]
        even = all(
            place - places[0] == ratio * each for each, place in zip(offsets, places, strict=True)
        )
        return ratio if even else None

    def _load(self, b: Builder, block: int, element: Value, type: Type) -> Value:
        if type == BOOL:
            return b.ine(b.load(self.memories[block], element, 0, I32), 0)
        return b.load(self.memories[block], element, 0, type)


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """Some scalars of a variable, which can be read and, unless constant, assigned.

    `scalars` are their numbers. If elements are chosen at run time, `offset` is to be added to
    each, and `offsets` are the values that it can have.
    """

    storage: Storage
    scalars: Sequence[int]
    offset: Value | None = None
    offsets: Sequence[int] = (0,)

    def read(self, b: Builder) -> list[Value]:
        """Append reads of the scalars."""
        if self.offset is None:
            return [self.storage.read(b, each) for each in self.scalars]
        return [self.storage.read_at(b, each, self.offset, self.offsets) for each in self.scalars]

    def write(self, b: Builder, values: Sequence[Value]) -> None:
        """Append assignments to the scalars."""
        for each, value in zip(self.scalars, values, strict=True):
            if self.offset is None:
                self.storage.write(b, each, value)
            else:
                self.storage.write_at(b, each, self.offset, self.offsets, value)

    def part(self, scalars: Sequence[int]) -> "VariablePlace":
        """Return some of the scalars, by their positions in `scalars`."""
        chosen = [self.scalars[each] for each in scalars]
        return VariablePlace(self.storage, chosen, self.offset, self.offsets)

    def element(self, b: Builder, index: Value, count: int) -> "VariablePlace":
        """Return an element of `count` equal parts, selected at run time."""
        size = len(self.scalars) // count
        number = b.umin(index, count - 1)
        steps = [self.scalars[size * each] - self.scalars[0] for each in range(count)]
        step = steps[1] if count > 1 else 0
        if steps == [step * each for each in range(count)]:
            offset = b.imul(number, step) if step != 1 else number
        else:  # of a swizzle
            offset = select_from(b, number, range(count), [b.i32(each) for each in steps])
        if self.offset is not None:
            offset = b.iadd(self.offset, offset)
            steps = sorted({one + other for one in self.offsets for other in steps})
        return VariablePlace(self.storage, self.scalars[:size], offset, steps)
