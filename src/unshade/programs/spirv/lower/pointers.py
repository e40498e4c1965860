"""Pointers: a root, and an offset in it.

    %p = OpAccessChain %_ptr_StorageBuffer_float %block %int_0 %i %int_2

    root      the memory of the block
    offset    8 + 16 * %i         a constant and terms, in bytes or leaves (`types`)
    type      float               the pointee

A root is the memory of a variable: variables or memory of a lane, workgroup memory, a bound block,
inputs. A root loads and stores scalars at an offset. Roots that a pointer may have at run time are
chosen among by number (`ChosenRoot`), for arrays of descriptors and variable pointers.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from ....dataclass import dataclass, replace
from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.ops import OPS, Op
from ....ir.transforms.dynamic_indexing import each_of, one_of
from ....ir.types import BOOL, I32, Type
from .refused import ADDRESSES
from .types import LeafType, MatrixLayout

__all__ = ["NOWHERE", "ChosenRoot", "Offset", "OffsetTerm", "Root", "TypedPointer", "as_index"]

LARGEST = 0xFFFF_FFFF
NOWHERE = 0xFFFF_FFFF  # the number of no memory: a null pointer


@dataclass(frozen=True, slots=True)
class OffsetTerm:
    """A term of an offset: an index times a scale; `count` indices are in range, 0 if unknown."""

    index: Value
    scale: int
    count: int = 0


@dataclass(frozen=True, slots=True)
class Offset:
    """An offset in a root: a constant, and terms that are known at run time."""

    constant: int = 0
    terms: tuple[OffsetTerm, ...] = ()

    def plus(self, constant: int) -> "Offset":
        """Return this offset plus a constant."""
        return Offset(self.constant + constant, self.terms) if constant else self

    def with_term(self, term: OffsetTerm) -> "Offset":
        """Return this offset plus a term."""
        return Offset(self.constant, (*self.terms, term))

    def value(self, b: Builder, unit: int = 1) -> Value:
        """Append the offset in units; an offset that is out of bounds remains out of bounds.

        Indices are unsigned. A product that would not fit into 32 bits is replaced by a large
        one, so that the sum does not wrap around.
        """
        found: Value | None = None
        scaled = [(each, each.scale // unit) for each in self.terms if each.scale % unit == 0]
        if len(scaled) != len(self.terms):  # not a multiple: a pointer with an odd stride
            whole = self.value(b)
            return b.udiv(whole, unit)
        first = self.constant // unit
        for each, scale in scaled:
            index = each.index
            if scale > 1:
                most = (LARGEST - max(first, 0)) // (scale * len(scaled))
                index = b.imul(b.umin(index, most), scale)
            found = index if found is None else b.iadd(found, index)
        if found is None:
            return constant(first, I32)
        return b.iadd(found, first) if first else found


class Root(ABC):
    """The memory of a variable. `explicit` if offsets are in bytes, by decorations.

    `volatile` is the root of volatile loads, if they may return other values.
    """

    explicit: bool = False
    volatile: "Root | None" = None

    @abstractmethod
    def load(self, b: Builder, offset: Offset, type: Type) -> Value:
        """Append a load of a scalar."""

    @abstractmethod
    def store(self, b: Builder, offset: Offset, value: Value) -> None:
        """Append a store of a scalar."""

    def atomic(self, b: Builder, op: Op, offset: Offset, *values: Value) -> Value:
        """Append an atomic; return the old value."""
        raise UnsupportedError("atomics on such a variable cannot be run")

    def elements(self) -> "Sequence[Root]":
        """Return the roots of an array of roots; otherwise the root itself."""
        return (self,)

    def byte_count(self, b: Builder) -> Value:
        """Append the size of a block in bytes."""
        raise UnsupportedError("an array without a length outside of a block cannot be run")


class ChosenRoot(Root):
    """A root that is selected among several at run time."""

    def __init__(self, roots: Mapping[int, Root], which: Value) -> None:
        self.roots = roots
        self.which = which
        self.explicit = any(each.explicit for each in roots.values())

    def load(self, b: Builder, offset: Offset, type: Type) -> Value:
        return one_of(
            b, self.which, self.roots, lambda n: self.roots[n].load(b, offset, type),
            constant(0, type),
        )  # fmt: skip

    def store(self, b: Builder, offset: Offset, value: Value) -> None:
        each_of(b, self.which, self.roots, lambda n: self.roots[n].store(b, offset, value))

    def atomic(self, b: Builder, op: Op, offset: Offset, *values: Value) -> Value:
        return one_of(
            b, self.which, self.roots, lambda n: self.roots[n].atomic(b, op, offset, *values),
            constant(0, values[0].type),
        )  # fmt: skip

    def byte_count(self, b: Builder) -> Value:
        return one_of(
            b, self.which, self.roots, lambda n: self.roots[n].byte_count(b), constant(0, I32)
        )

    def elements(self) -> Sequence[Root]:
        return [*self.roots.values()]


@dataclass(frozen=True, slots=True)
class TypedPointer:
    """A pointer: root, offset, and the type of the pointee.

    `matrix` is the layout of the matrices in the pointee, and `step` the distance of the components
    of a vector that is a column of a matrix whose rows are stored; both only in explicit layouts.
    `arrays` are the lengths of the arrays of descriptors that are still to be indexed.
    """

    root: Root
    type: LeafType
    offset: Offset = Offset()
    matrix: MatrixLayout | None = None
    step: int = 0

    def at(self, index: int) -> "TypedPointer":
        """Return a pointer to a member or element."""
        root, type, inner = self.root, self.type, self.type.at(index)
        if not root.explicit:
            offset = self.offset.plus(type.leaf(index))
            return TypedPointer(root, inner, offset, self.matrix, self.step)
        if type.is_struct:
            offset = self.offset.plus(type.member_offset(index))
            return TypedPointer(root, inner, offset, type.member_matrix(index))
        scale, step = self._scale()
        return TypedPointer(root, inner, self.offset.plus(index * scale), self.matrix, step)

    def indexed(self, index: Value) -> "TypedPointer":
        """Return a pointer to an element that is known at run time."""
        inner = self.type.at(0)
        scale, step = self._scale() if self.root.explicit else (inner.size, 0)
        offset = self.offset.with_term(OffsetTerm(index, scale, self.type.count))
        return replace(self, type=inner, offset=offset, step=step)

    def _scale(self) -> tuple[int, int]:
        """Return the distance of elements in bytes, and `step` of an element."""
        kind = self.type
        if kind.is_array:
            return kind.array_stride, 0
        assert kind.element is not None
        if kind.element.element is None:  # a vector
            return self.step or kind.width, 0
        matrix = self.matrix or MatrixLayout(kind.element.count * kind.width, False)
        return (kind.width, matrix.stride) if matrix.row_major else (matrix.stride, kind.width)

    def moved(self, index: Value, stride: int) -> "TypedPointer":
        """Return the pointer to another element of the array that the pointee is in."""
        if index.op is OPS.const:
            signed = index.attr - (1 << 32) if index.attr >> 31 else index.attr
            return replace(self, offset=self.offset.plus(signed * stride))
        return replace(self, offset=self.offset.with_term(OffsetTerm(index, stride)))

    def places(self) -> Iterator[tuple[Offset, Type]]:
        """Iterate over the leaves of the pointee as they are stored, with their offsets.

        Booleans of a block are words. The specification has none there (OpTypeBool), but Slang
        writes them for `StructuredBuffer<bool>`, with the strides of words.
        """
        if not self.root.explicit:
            for at, leaf in enumerate(self.type.leaves):
                yield self.offset.plus(at), leaf
            return
        if self.type.leaves and self.type.is_pointer:
            raise UnsupportedError(f"pointers in blocks cannot be run: {ADDRESSES}")
        for at, leaf in self._bytes(self, 0):
            yield self.offset.plus(at), I32 if leaf is BOOL else leaf

    @staticmethod
    def _bytes(pointer: "TypedPointer", depth: int) -> Iterator[tuple[int, Type]]:
        kind = pointer.type
        if kind.element is None and not kind.is_struct:
            assert kind.scalar is not None
            yield 0, kind.scalar
            return
        count = len(kind.members) if kind.is_struct else kind.count
        base = replace(pointer, offset=Offset())
        for index in range(count):
            inner = base.at(index)
            start = inner.offset.constant
            for at, leaf in TypedPointer._bytes(inner, depth + 1):
                yield start + at, leaf

    def load(self, b: Builder) -> tuple[Value, ...]:
        """Append loads of all leaves."""
        assert self.type.leaves is not None  # few enough
        values = (self.root.load(b, offset, stored) for offset, stored in self.places())
        return tuple(
            b.ine(value, 0) if leaf is BOOL and value.type is not BOOL else value
            for value, leaf in zip(values, self.type.leaves, strict=True)
        )

    def store(self, b: Builder, values: Sequence[Value]) -> None:
        """Append stores of all leaves."""
        for (offset, stored), value in zip(self.places(), values, strict=True):
            word = value.type is BOOL and stored is not BOOL
            kept = b.select(value, constant(1, I32), constant(0, I32)) if word else value
            self.root.store(b, offset, kept)


def as_index(b: Builder, index: Value, signed: bool) -> Value:
    """Append an index as 32 bits; a larger one stays out of every range."""
    if index.type.bits < 32:
        return b.iconv(index, type=I32) if signed else b.uconv(index, type=I32)
    if index.type.bits > 32:
        return b.iconv(b.umin(index, LARGEST), type=I32)
    return index
