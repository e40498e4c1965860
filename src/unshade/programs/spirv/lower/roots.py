"""Roots: the memory of variables.

    LaneVariables      a variable of `ir` for each leaf           function, private
    LeafMemory         a local or shared memory, or a table       indexed at run time; workgroup
    BlockRoot          a bound memory, addressed in bytes         blocks, push constants
    SharedBlock        workgroup memory with explicit layout
    ValueRoot          values that are computed when they are read: built-in inputs

A block becomes a memory for each size of its scalars, all in one slot: elements of 4 bytes for
32-bit scalars, of 2 bytes for 16-bit scalars. So each scalar is checked separately against the size
of the bound buffer, and neighbouring scalars are neighbouring elements, for which the jit uses
vector accesses.
"""

from collections.abc import Callable, Sequence
from itertools import product

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.memory import Bounds, Memory, Space, Var
from ....ir.ops import Op
from ....ir.types import BOOL, I32, INTEGERS, Type
from ....vocab.slots import ResourceSlot
from .pointers import Offset, Root

__all__ = ["FEW", "BlockRoot", "LaneVariables", "LeafMemory", "SharedBlock", "ValueRoot"]

FEW = 8  # leaves that are selected among instead of put into memory
ZERO = constant(0, I32)


class LaneVariables(Root):
    """A variable for each leaf; few leaves may be indexed at run time, by selection."""

    def __init__(self, variables: Sequence[Var]) -> None:
        self.variables = variables

    def load(self, b: Builder, offset: Offset, type: Type) -> Value:
        found = constant(0, type)
        for at, chosen in self._choices(b, offset):
            value = b.get(self.variables[at])
            found = value if chosen is None else b.select(chosen, value, found)
        return found

    def store(self, b: Builder, offset: Offset, value: Value) -> None:
        for at, chosen in self._choices(b, offset):
            var = self.variables[at]
            b.set(var, value if chosen is None else b.select(chosen, value, b.get(var)))

    def _choices(self, b: Builder, offset: Offset) -> list[tuple[int, Value | None]]:
        """Return the leaves that an offset may refer to, each with its condition."""
        found = []
        for indices in product(*(range(each.count) for each in offset.terms)):
            at = offset.constant
            chosen: Value | None = None
            for number, term in zip(indices, offset.terms, strict=True):
                at += number * term.scale
                here = b.ieq(term.index, number)
                chosen = here if chosen is None else b.and_(chosen, here)
            if 0 <= at < len(self.variables):
                found.append((at, chosen))
        return found


class LeafMemory(Root):
    """A memory with one element for each leaf; scalars of less than 32 bits are widened."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def load(self, b: Builder, offset: Offset, type: Type) -> Value:
        at = offset.value(b)
        if type.bits >= 32:
            return b.load(self.memory, at, 0, type)
        word = b.load(self.memory, at, 0, I32)
        return narrowed(b, word, type)

    def store(self, b: Builder, offset: Offset, value: Value) -> None:
        b.store(self.memory, offset.value(b), 0, widened(b, value))

    def atomic(self, b: Builder, op: Op, offset: Offset, *values: Value) -> Value:
        return b.make(op, offset.value(b), ZERO, *values, attr=self.memory)


def widened(b: Builder, value: Value) -> Value:
    """Return a scalar in the form of a memory of words."""
    type = value.type
    if type is BOOL:
        return b.select(value, constant(1, I32), ZERO)
    if type.kind == "f" and type.bits < 32:
        value = b.bitcast(value)
    return b.uconv(value, type=I32) if value.type.bits < 32 else value


def narrowed(b: Builder, word: Value, type: Type) -> Value:
    """Return the scalar in a word."""
    if type is BOOL:
        return b.ine(word, 0)
    found = b.iconv(word, type=INTEGERS[type.bits])
    return b.asfloat(found) if type.kind == "f" else found


class BlockRoot(Root):
    """A bound block: a memory for each size of scalars, made when it is needed."""

    explicit = True

    def __init__(
        self,
        builder: Builder,
        name: str,
        slot: ResourceSlot,
        space: Space,
        *,
        writable: bool = False,
        bounds: Bounds | None = None,
    ) -> None:
        self.builder = builder
        self.name = name
        self.slot = slot
        self.space = space
        self.writable = writable
        self.bounds = Bounds.ZERO if bounds is None else bounds
        self.memories: dict[int, Memory] = {}

    def memory(self, size: int) -> Memory:
        """Return the memory whose elements have this size."""
        found = self.memories.get(size)
        if found is None:
            name = f"{self.name}.{8 * size}" if self.memories else self.name
            found = self.memories[size] = self.builder.memory(
                name, self.space, size, writable=self.writable, bounds=self.bounds, slot=self.slot
            )
            found.raw = True
        return found

    def load(self, b: Builder, offset: Offset, type: Type) -> Value:
        return b.load(self.memory(type.size), offset.value(b, type.size), 0, type)

    def store(self, b: Builder, offset: Offset, value: Value) -> None:
        self._check_writable()
        size = value.type.size
        b.store(self.memory(size), offset.value(b, size), 0, value)

    def atomic(self, b: Builder, op: Op, offset: Offset, *values: Value) -> Value:
        self._check_writable()
        size = values[0].type.size
        return b.make(op, offset.value(b, size), ZERO, *values, attr=self.memory(size))

    def _check_writable(self) -> None:
        if not self.writable:
            raise UnsupportedError(f"{self.name} is written, but declared as read-only")

    def byte_count(self, b: Builder) -> Value:
        return b.count(self.memory(1))


class SharedBlock(Root):
    """Workgroup memory with explicit layout, which several variables share.

    Elements have the size of the smallest scalar in any of the blocks; larger scalars are composed.
    """

    explicit = True

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def load(self, b: Builder, offset: Offset, type: Type) -> Value:
        unit = self.memory.stride
        at = offset.value(b, unit)
        if type.size == unit:
            return b.load(self.memory, at, 0, type)
        whole = INTEGERS[type.bits]
        found = constant(0, whole)
        for number in range(type.size // unit):
            piece = b.load(self.memory, b.iadd(at, number), 0, INTEGERS[8 * unit])
            piece = b.ishl(b.uconv(piece, type=whole), 8 * unit * number)
            found = b.or_(found, piece)
        return b.asfloat(found) if type.kind == "f" else found

    def store(self, b: Builder, offset: Offset, value: Value) -> None:
        unit = self.memory.stride
        at = offset.value(b, unit)
        if value.type.size == unit:
            b.store(self.memory, at, 0, value)
            return
        bits = b.bitcast(value) if value.type.kind == "f" else value
        for number in range(value.type.size // unit):
            piece = b.iconv(b.ushr(bits, 8 * unit * number), type=INTEGERS[8 * unit])
            b.store(self.memory, b.iadd(at, number), 0, piece)

    def atomic(self, b: Builder, op: Op, offset: Offset, *values: Value) -> Value:
        unit = self.memory.stride
        if values[0].type.size != unit:
            message = "atomics beside smaller scalars in workgroup memory cannot be run"
            raise UnsupportedError(message)
        return b.make(op, offset.value(b, unit), ZERO, *values, attr=self.memory)


class ValueRoot(Root):
    """Values that are made when they are read, by leaf."""

    def __init__(self, make: Callable[[int], Value], count: int) -> None:
        self.make = make
        self.count = count

    def load(self, b: Builder, offset: Offset, type: Type) -> Value:
        found = constant(0, type)
        if not offset.terms:
            return self.make(offset.constant) if 0 <= offset.constant < self.count else found
        at = offset.value(b)
        for number in range(self.count):
            found = b.select(b.ieq(at, number), self.make(number), found)
        return found

    def store(self, b: Builder, offset: Offset, value: Value) -> None:
        raise UnsupportedError("an input is written")
