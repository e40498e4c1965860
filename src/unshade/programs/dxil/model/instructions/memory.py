"""Instructions that make, move and use pointers: one declaration each, as `base` explains."""

from collections.abc import Sequence

from .....dataclass import dataclass
from .....errors import FormatError
from ..constants import integer_of
from ..results import address, exchange, inner, scalar
from ..types import DxilType, IntegerType, PointerType
from ..typetable import TypeTable
from ..values import MOST_ALIGNMENT, DxilValue, Function
from .base import Instruction, Problems, TypeOf, expect, same, wrong

__all__ = [
    "AllocaInst",
    "AtomicRMWInst",
    "CompareExchangeInst",
    "FenceInst",
    "GetElementPtrInst",
    "LoadInst",
    "StoreInst",
    "VAArgInst",
]

LOAD = "pointer:pair type:type alignment:align volatile:number"
STORE = "pointer:pair value:pair alignment:align volatile:number"
ATOMIC = "ordering:number scope:number"
EXPLICIT_TYPE = 64  # bit of an alloca whose record has the type of the memory


def _read(pointer: DxilType, type: DxilType) -> Problems:
    """Yield a problem if a pointer does not point to values of a type."""
    if not isinstance(pointer, PointerType):
        yield f"expected a pointer, got {pointer!s:.40}"
    else:
        yield from expect(type, pointer.pointee)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class GetElementPtrInst(Instruction):
    """The address of a part of what `pointer` points at, a `source_type`."""

    OPCODE = "getelementptr"
    RECORDS = "43 inbounds:number source_type:type pointer:pair indices:pairs"
    TEXT = (
        "inbounds:inbounds source_type:type , pointer:typed pointer:points_to:source_type "
        "indices:typeds"
    )
    source_type: DxilType
    pointer: DxilValue
    indices: list[DxilValue]
    inbounds: int = 0

    @property
    def bases(self) -> Sequence[DxilValue]:
        return [self.pointer]

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        base = of(self.pointer)
        pointer = scalar(base)
        if not isinstance(pointer, PointerType) or pointer.pointee is not self.source_type:
            raise wrong(f"a pointer to {self.source_type!s:.40}", base)
        pointee = inner(self.source_type, map(integer_of, self.indices[1:]))
        type = address(types, pointee, base, map(of, self.indices))
        assert type is not None
        return type

    def problems(self, function: Function) -> Problems:
        for index in self.indices:
            if not isinstance(scalar(index.type), IntegerType):
                yield f"expected integers as indices, got {index.type!s:.40}"


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class AllocaInst(Instruction):
    """Memory of the function for `count` values of a type."""

    OPCODE = "alloca"
    RECORDS = "19 allocated_type:type count:absolute flags:number"
    TEXT = "inalloca:word allocated_type:type count:count alignment:align"
    allocated_type: DxilType
    count: DxilValue
    alignment: int = 0
    inalloca: int = 0

    @property
    def flags(self) -> int:
        """The alignment, `inalloca` and bit 6, as in the record."""
        return self.alignment.bit_length() | self.inalloca << 5 | EXPLICIT_TYPE

    @flags.setter
    def flags(self, flags: int) -> None:
        exponent = flags & 31
        if not flags & EXPLICIT_TYPE or flags >> 7:
            raise FormatError("expected an alloca with the type of its memory")
        if exponent > MOST_ALIGNMENT + 1:
            raise wrong(f"an alignment of at most {MOST_ALIGNMENT + 1}", exponent)
        self.alignment = (1 << exponent) >> 1
        self.inalloca = flags >> 5 & 1

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        return types.pointer(self.allocated_type)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class LoadInst(Instruction):
    """A read from memory; atomic if an ordering is given."""

    OPCODE = "load"
    RECORDS = f"20 {LOAD}; 41 {LOAD} {ATOMIC}"
    TEXT = (
        "ordering:atomic volatile:word type:type , pointer:typed pointer:points_to:type "
        "ordering:maybe_ordering alignment:align"
    )
    pointer: DxilValue
    alignment: int = 0
    volatile: int = 0
    ordering: int | None = None
    scope: int | None = None

    def problems(self, function: Function) -> Problems:
        yield from _read(self.pointer.type, self.type)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class StoreInst(Instruction):
    """A write to memory; atomic if an ordering is given."""

    OPCODE = "store"
    RECORDS = f"44 {STORE}; 45 {STORE} {ATOMIC}"
    TEXT = (
        "ordering:atomic volatile:word value:typed , pointer:typed value:pointee:pointer "
        "pointer:points_to:value ordering:maybe_ordering alignment:align"
    )
    HAS_RESULT = False
    value: DxilValue
    pointer: DxilValue
    alignment: int = 0
    volatile: int = 0
    ordering: int | None = None
    scope: int | None = None

    def problems(self, function: Function) -> Problems:
        yield from _read(self.pointer.type, self.value.type)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class FenceInst(Instruction):
    """An ordering of memory operations."""

    OPCODE = "fence"
    RECORDS = "36 ordering:number scope:number"
    TEXT = "ordering:ordering"
    HAS_RESULT = False
    ordering: int
    scope: int = 1


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class CompareExchangeInst(Instruction):
    """An atomic exchange if memory equals `compare`; returns the old value and success."""

    OPCODE = "cmpxchg"
    RECORDS = (
        "46 pointer:pair compare:pair new:same volatile:number ordering:number scope:number "
        "failure_ordering:number weak:number"
    )
    TEXT = (
        "weak:word volatile:word pointer:typed , compare:typed , new:typed "
        "pointer:points_to:compare ordering:ordering failure_ordering:ordering_name :later_align"
    )
    pointer: DxilValue
    compare: DxilValue
    new: DxilValue
    volatile: int = 0
    ordering: int = 2
    scope: int = 1
    failure_ordering: int = 2
    weak: int = 0

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        return exchange(types, of(self.compare))

    def problems(self, function: Function) -> Problems:
        yield from same(self.compare.type, self.new.type)
        pointer = self.pointer.type
        if not isinstance(pointer, PointerType) or pointer.pointee is not self.new.type:
            yield f"expected a pointer to {self.new.type!s:.40}, got {pointer!s:.40}"


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class AtomicRMWInst(Instruction):
    """An atomic operation on memory, whose result is the old value."""

    OPCODE = "atomicrmw"
    RECORDS = f"38 pointer:pair value:same operation:number volatile:number {ATOMIC}"
    TEXT = (
        "volatile:word operation:atomic_operation pointer:typed , value:typed "
        "pointer:points_to:value ordering:ordering :later_align"
    )
    operation: int
    pointer: DxilValue
    value: DxilValue
    volatile: int = 0
    ordering: int = 2
    scope: int = 1

    def result(self, types: TypeTable, of: TypeOf) -> DxilType:
        type = of(self.pointer)
        if not isinstance(type, PointerType) or not isinstance(type.pointee, IntegerType):
            raise wrong("a pointer to an integer", type)
        return type.pointee

    def problems(self, function: Function) -> Problems:
        yield from expect(self.value.type, self.type)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class VAArgInst(Instruction):
    """The next of a variable number of arguments."""

    OPCODE = "va_arg"
    RECORDS = "23 pointer:stated type:type"
    TEXT = "pointer:typed , type:type"
    pointer: DxilValue
