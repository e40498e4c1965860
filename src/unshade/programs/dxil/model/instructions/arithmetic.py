"""Instructions on numbers, vectors and aggregates: one declaration each, as `base` explains."""

from collections.abc import Sequence

from .....dataclass import dataclass
from ...tables.llvm_enumerations import (
    BINARY_NUMBERS,
    BINARY_OPERATIONS,
    CAST_NUMBERS,
    CASTS,
    FLOAT_OPERATIONS,
)
from ..results import comparison, inner, part, scalar, shuffle
from ..types import (
    ArrayType,
    DxilType,
    FloatType,
    IntegerType,
    PointerType,
    StructType,
    VectorType,
)
from ..typetable import TypeTable
from ..values import DxilValue, Function
from .base import Instruction, Problems, TypeOf, expect, is_boolean, lanes, same, wrong

__all__ = [
    "BinaryInst",
    "CastInst",
    "CompareInst",
    "ExtractElementInst",
    "ExtractValueInst",
    "InsertElementInst",
    "InsertValueInst",
    "SelectInst",
    "ShuffleVectorInst",
]

INTEGER_ONLY = frozenset({3, 5, 7, 8, 9, 10, 11, 12})  # udiv, urem, shifts, and, or, xor
# By cast: what it takes, what it makes: i integers, f floats, p pointers, * anything.
KINDS = ("ii", "ii", "ii", "fi", "fi", "if", "if", "ff", "ff", "pi", "ip", "**", "pp")
COMPARISONS = {"fcmp": 0, "icmp": 32}  # with their first predicates
NARROWING, WIDENING = (0, 7), (1, 2, 8)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class BinaryInst(Instruction):
    """Arithmetic on two numbers. `flags` are nuw 1, nsw 2; exact 1; or the fast-math flags."""

    OPERATIONS = BINARY_NUMBERS
    RECORDS = "2 left:pair right:same operation:number flags:more"
    TEXT = "operation:operation flags:flags left:typed , right:operand:left left:numbered"
    operation: int
    left: DxilValue
    right: DxilValue
    flags: int | None = None

    @property
    def opcode(self) -> str:
        is_float = isinstance(scalar(self.type), FloatType)
        return (FLOAT_OPERATIONS if is_float else BINARY_OPERATIONS)[self.operation]

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        return of(self.left)

    def problems(self, function: Function) -> Problems:
        yield from same(self.left.type, self.right.type)
        element = scalar(self.type)
        is_float = isinstance(element, FloatType)
        if not is_float and not isinstance(element, IntegerType):
            yield f"expected numbers, got {self.type!s:.40}"
        elif is_float and self.operation in INTEGER_ONLY:
            yield f"expected integers, got {self.type!s:.40}"


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class CastInst(Instruction):
    """A conversion to `type`."""

    OPERATIONS = CAST_NUMBERS
    RECORDS = "3 value:pair type:type operation:number"
    TEXT = "operation:operation :hints value:typed to type:cast"
    operation: int
    value: DxilValue

    @property
    def opcode(self) -> str:
        return CASTS[self.operation]

    @property
    def bases(self) -> Sequence[DxilValue]:
        return [self.value]

    def problems(self, function: Function) -> Problems:
        source, target = self.value.type, self.type
        if self.operation >= len(KINDS):
            yield f"expected a cast of LLVM 3.7, got {self.operation}"
            return
        wanted = KINDS[self.operation]
        kinds = _kind(source) + _kind(target)
        if wanted == "**":
            is_pointer = kinds == "pp"
            if "?" in kinds or not (is_pointer or "p" not in kinds):
                yield f"expected numbers or pointers, got {source!s:.40} and {target!s:.40}"
            elif (size := lanes if is_pointer else _width)(source) != size(target):
                yield f"expected types of the same size, got {source!s:.40} and {target!s:.40}"
            return
        if kinds != wanted or lanes(source) != lanes(target):
            yield f"expected operands for {self.opcode}, got {source!s:.40} and {target!s:.40}"
            return
        one, other = _width(scalar(source)), _width(scalar(target))
        if (self.operation in NARROWING and one <= other) or (
            self.operation in WIDENING and one >= other
        ):
            yield f"expected sizes for {self.opcode}, got {source!s:.40} and {target!s:.40}"


def _kind(type: DxilType) -> str:
    match scalar(type):
        case IntegerType():
            return "i"
        case FloatType():
            return "f"
        case PointerType():
            return "p"
    return "?"


def _width(type: DxilType) -> int:
    width = getattr(scalar(type), "width", 0)
    return int(width) * max(lanes(type), 1)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class CompareInst(Instruction):
    """A comparison: predicates below 32 are of `fcmp`, others of `icmp`."""

    OPERATIONS = COMPARISONS
    RECORDS = "28 left:pair right:same predicate:number flags:more"
    TEXT = "flags:flags predicate:predicate left:typed , right:operand:left"
    predicate: int
    left: DxilValue
    right: DxilValue
    flags: int | None = None

    @property
    def opcode(self) -> str:
        return "fcmp" if self.predicate < 32 else "icmp"

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        return comparison(types, of(self.left))

    def problems(self, function: Function) -> Problems:
        yield from same(self.left.type, self.right.type)
        element = scalar(self.left.type)
        if (self.predicate < 32) != isinstance(element, FloatType):
            yield f"expected operands for {self.opcode}, got {self.left.type!s:.40}"


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class SelectInst(Instruction):
    """One of two values, selected by a condition."""

    OPCODE = "select"
    RECORDS = "29 true_value:pair false_value:same condition:pair"
    TEXT = (
        ":hints condition:typed , true_value:typed , false_value:typed false_value:like:true_value"
    )
    condition: DxilValue
    true_value: DxilValue
    false_value: DxilValue

    @property
    def bases(self) -> Sequence[DxilValue]:
        return [self.true_value, self.false_value]

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        return of(self.true_value)

    def problems(self, function: Function) -> Problems:
        yield from same(self.true_value.type, self.false_value.type)
        condition = self.condition.type
        if not is_boolean(scalar(condition)) or lanes(condition) not in (0, lanes(self.type)):
            yield f"expected a condition of i1, got {condition!s:.40}"


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class ExtractElementInst(Instruction):
    """An element of a vector."""

    OPCODE = "extractelement"
    RECORDS = "6 vector:pair index:pair"
    TEXT = "vector:typed , index:typed"
    vector: DxilValue
    index: DxilValue

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        type = of(self.vector)
        if not isinstance(type, VectorType):
            raise wrong("a vector", type)
        return type.element


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class InsertElementInst(Instruction):
    """A vector with another element at one place."""

    OPCODE = "insertelement"
    RECORDS = "7 vector:pair element:same index:pair"
    TEXT = "vector:typed , element:typed , index:typed"
    vector: DxilValue
    element: DxilValue
    index: DxilValue

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        return of(self.vector)

    def problems(self, function: Function) -> Problems:
        if not isinstance(self.vector.type, VectorType):
            yield f"expected a vector, got {self.vector.type!s:.40}"
        else:
            yield from expect(self.element.type, self.vector.type.element)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class ShuffleVectorInst(Instruction):
    """Elements of two vectors, chosen by a mask."""

    OPCODE = "shufflevector"
    RECORDS = "8 left:pair right:same mask:pair"
    TEXT = "left:typed , right:typed , mask:typed"
    left: DxilValue
    right: DxilValue
    mask: DxilValue

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        left, mask = of(self.left), of(self.mask)
        found = shuffle(types, left, mask)
        if found is None:
            raise wrong("two vectors", left, mask)
        return found

    def problems(self, function: Function) -> Problems:
        yield from same(self.left.type, self.right.type)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class ExtractValueInst(Instruction):
    """An element of an aggregate."""

    OPCODE = "extractvalue"
    RECORDS = "26 aggregate:pair indices:numbers"
    TEXT = "aggregate:typed indices:numbers"
    aggregate: DxilValue
    indices: list[int]

    @property
    def listed(self) -> Sequence[DxilValue | int]:
        return [self.aggregate, *self.indices]

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        return inner(of(self.aggregate), self.indices)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class InsertValueInst(Instruction):
    """A copy of an aggregate with one element replaced."""

    OPCODE = "insertvalue"
    RECORDS = "27 aggregate:pair value:pair indices:numbers"
    TEXT = "aggregate:typed , value:typed indices:numbers value:part"
    aggregate: DxilValue
    value: DxilValue
    indices: list[int]

    @property
    def listed(self) -> Sequence[DxilValue | int]:
        return [self.aggregate, self.value, *self.indices]

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        return of(self.aggregate)

    def problems(self, function: Function) -> Problems:
        type = self.aggregate.type
        for index in self.indices:
            # A vector has elements, not parts that insertvalue reaches.
            found = part(type, index) if isinstance(type, ArrayType | StructType) else None
            if found is None:
                yield f"expected a part of {self.aggregate.type!s:.40}, got {self.indices!r:.40}"
                return
            type = found
        yield from expect(self.value.type, type)
